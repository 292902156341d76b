"""Edit scripts: they turn a word into its lemma, and words of one pattern share a script.

The idea is that of Chrupała (2006) and, except for casing, of Straka (2018): the longest text that word and
lemma share stays, and the text before and after it is replaced. Letters are compared in lower case, and the
casing of the lemma is a separate part::

    dogs -> dog            l0+|1+  lower case; nothing changes before, one letter goes after
    Parisians -> Parisian  c0+|1+  the same, with a capital
    geldi -> gel           l0+|2+
    was -> be              =be     nothing is shared: the lemma itself
"""

from __future__ import annotations

import re
from collections.abc import Callable
from difflib import SequenceMatcher
from functools import lru_cache

from structron.features.casing import lower

_PARTS = re.compile(r"([lcuk])([0-9]{1,9})\+([^|]*)\|([0-9]{1,9})\+(.*)", re.DOTALL)
_WHOLE = "="


def _capital(text: str) -> str:
    first = text[:1].upper()
    return (first if len(first) == 1 else text[:1]) + text[1:]


def _upper(text: str) -> str:
    return "".join(large if len(large := c.upper()) == 1 else c for c in text)


_CASINGS: dict[str, Callable[[str], str]] = {"l": str, "c": _capital, "u": _upper}


def script_of(word: str, lemma: str) -> str:
    """Return the script that turns `word` into `lemma`, neither of which may be empty.

    >>> script_of("dogs", "dog"), script_of("was", "be")
    ('l0+|1+', '=be')
    """
    small, target = lower(word), lower(lemma)
    casing = next((name for name, cased in _CASINGS.items() if cased(target) == lemma), "k")
    if casing == "k":  # no simple casing: letters keep the case that they have in the word
        small, target = word, lemma
    match = SequenceMatcher(None, small, target, autojunk=False).find_longest_match()
    before, after = target[: match.b], target[match.b + match.size :]
    if not match.size or "|" in before:
        return _WHOLE + lemma
    return f"{casing}{match.a}+{before}|{len(small) - match.a - match.size}+{after}"


def applied(script: str, word: str) -> str | None:
    """Apply a script to a word; return None if it does not fit or leaves nothing."""
    casing, first, before, last, after = parse_script(script)
    if casing == _WHOLE or not casing:
        return before or None
    text = word if casing == "k" else lower(word)
    if first + last >= len(text):
        return None
    made = before + text[first : len(text) - last] + after
    return made if casing == "k" else _CASINGS[casing](made)


@lru_cache(maxsize=1 << 16)
def parse_script(script: str) -> tuple[str, int, str, int, str]:
    """Split a script into its casing, and the lengths and replacements before and after.

    The casing is ``=`` if the text before is the lemma itself, and empty if the text is not a script.
    """
    if script.startswith(_WHOLE):
        return _WHOLE, 0, script[1:], 0, ""
    match = _PARTS.fullmatch(script)
    if match is None:
        return "", 0, "", 0, ""
    casing, first, before, last, after = match.groups()
    return casing, int(first), before, int(last), after
