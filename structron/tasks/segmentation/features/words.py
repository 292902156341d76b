"""Templates of segmenters that build words: what they see when a character begins or continues a word.

A template is a list of atoms separated by blanks. The current character has number 0. The word that it ends
by beginning another, or continues, has number -1, and the whole word before that has number -2:

=====================  ==========================================================================
``c[0]``               the character itself; ``c[-1]`` the one before, ``c[1]`` the next
``k[0]``               its class: letter, digit, numeral, date, mark, other
``d[0]``               its digits by known tokens (`structron.tasks.segmentation.units.known_tokens`)
``r[-1]``              ``c[0]`` is the same as ``c[-1]``; else the template has no key
``w[-1]``              the word, as far as it goes; ``w[-2]`` the one before
``len[-1]``            its number of characters, at most 15
``first[-1]``          its first character; ``last[-1]`` its last
``one[-1]``            it has one character; else the template has no key
``known[-1]``          whether it is a known token, and if it was seen once, a few times or often
``ahead[-1]``          the length of the longest known token that begins where it begins, at most 9
``seen[-1]``           the word if it is known or has one character; else that it is new
``t[-1]``              its tag; ``t[-2]`` that of the word before
``t[0]``               weigh the tag of the word that the character is in, too
``end``                only where a word ends: another begins, or the text ends
``go``                 only where it continues
``sentence``           only where a sentence begins
=====================  ==========================================================================

`WORDS` has the templates of Zhang & Clark (2007, Table 1; 2011, Table 1), `JOINT` those of joint tagging
(2008; 2011, Table 4), both with additional windows of characters.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import cached_property

from structron.errors import SettingError
from structron.features.atoms import check_distinct
from structron.features.keys import combine, hash_bytes
from structron.records import dataclass

_ATOM = re.compile(r"(?P<name>[a-z]+)\[(?P<offset>[+-]?[0-9]{1,3})\]")
LOCAL = ("c", "k", "d", "r")  # these do not depend on the words before
NAMES = (*LOCAL, "w", "len", "first", "last", "one", "known", "ahead", "t", "seen")
MOMENTS = ("both", "end", "go", "sentence")
FARTHEST = 8

Atom = tuple[str, int]


@dataclass(frozen=True)
class WordTemplate:
    """One parsed template: its atoms, local ones first, and what it weighs."""

    text: str
    atoms: tuple[Atom, ...]
    moment: str = "both"
    tagged: bool = False

    @cached_property
    def base(self) -> int:
        """Return the constant that distinguishes its keys from those of others."""
        return hash_bytes(self.text.encode())

    @cached_property
    def is_local(self) -> bool:
        """Return True if it sees the text alone."""
        return all(name in LOCAL for name, _ in self.atoms)

    def columns(self, tags: int) -> range:
        """Return the columns that it weighs; see `structron.tasks.segmentation.words.space`."""
        end, go = (0, tags + 1), (tags + 1, 2 * tags + 1)
        if not self.tagged:
            end, go = (2 * tags + 1, 2 * tags + 2), (2 * tags + 2, 2 * tags + 3)
        if self.moment == "sentence":
            return range(2 * tags + 3, 2 * tags + 4)
        return range(*{"both": (end[0], go[1]), "end": end, "go": go}[self.moment])

    def key(self, value: Callable[[str, int], int]) -> int:
        """Return its key for these values of atoms; 0 if one of them has none."""
        key = self.base
        for atom in self.atoms:
            seen = value(*atom)
            if not seen:
                return 0
            key = combine(key, seen)
        return key


def parse(text: str) -> WordTemplate:
    """Read one template.

    >>> parse("w[-1]  c[0] end").atoms
    (('c', 0), ('w', -1))
    """
    if not isinstance(text, str) or not text.split():
        raise SettingError(f"template {text!r} is not text; write it like 'w[-1] c[0]'")
    atoms: list[Atom] = []
    moment, tagged = "both", False
    for word in text.split():
        if word in MOMENTS[1:] and moment == "both":
            moment = word
        elif word == "t[0]" and not tagged:
            tagged = True
        elif word != "bias":
            atoms.append(_atom(text, word))
    if tagged and moment == "sentence":
        raise SettingError(f"template '{text}': a sentence has no tag; leave t[0] out")
    atoms.sort(key=lambda atom: atom[0] not in LOCAL)
    return WordTemplate(" ".join(text.split()), tuple(atoms), moment, tagged)


def _atom(text: str, word: str) -> Atom:
    match = _ATOM.fullmatch(word)
    if match is None or match["name"] not in NAMES:
        raise SettingError(
            f"template {text[:80]!r}: cannot read {word[:80]!r}; write it like c[1], w[-1], t[-2], end or go"
        )
    name, offset = match["name"], int(match["offset"])
    lowest, highest = -2, -1
    if name in LOCAL:
        lowest, highest = -FARTHEST, -1 if name == "r" else FARTHEST
    if not lowest <= offset <= highest:
        raise SettingError(f"template '{text}': {name} goes from {lowest} to {highest}; change {word}")
    return name, offset


def parse_all(texts: Sequence[str]) -> list[WordTemplate]:
    """Read a set of templates; refuse duplicates."""
    templates = [parse(text) for text in texts]
    check_distinct(template.text for template in templates)
    return templates


_WINDOW = [
    *[f"c[{i}]" for i in (-2, -1, 0, 1, 2)],
    *[f"c[{i}] c[{i + 1}]" for i in (-3, -2, -1, 0, 1)],
    "c[-1] c[1]",
    "c[-2] c[0]",
    *[f"c[{i}] c[{i + 1}] c[{i + 2}]" for i in (-3, -2, -1, 0)],
    "c[-2] c[-1] c[0] c[1]",
]
_CLASSES = ["k[-1] k[0]", "k[-2] k[-1] k[0]", "k[-1] k[0] k[1]", "k[-2] k[-1] k[0] k[1]", "r[-1]", "r[-2]"]
_KNOWN = ["d[0]", "d[-1]", "d[1]", "d[-1] d[0]", "d[0] d[1]", "c[0] d[0]", "c[-1] d[-1]"]
# The templates of Zhang & Clark where a word ends, with the numbers of their table. All unknown words are
# equal: words that occur in their own stretch of the data only show how to treat new words.
_ENDS = [
    "seen[-1]",  # 1
    "seen[-2] seen[-1] end",  # 2
    "seen[-1] one[-1]",  # 3
    "first[-1] len[-1]",  # 4
    "c[-1] len[-1]",  # 5
    "first[-1] c[-1]",  # 8
    "seen[-1] c[0]",  # 9
    "last[-2] seen[-1] end",  # 10
    "first[-1] c[0]",  # 11
    "last[-2] c[-1] end",  # 12
    "seen[-2] len[-1] end",  # 13
    "len[-2] seen[-1] end",  # 14
]
_MATCHES = ["known[-1] len[-1]", "ahead[-1] len[-1]", "ahead[-1] known[-1] len[-1] c[0]", "len[-1] d[0]"]
_LENGTHS = ["len[-1]", "len[-2] len[-1]", "k[-1] len[-1]", "k[-1] k[0] len[-1]", "one[-1] c[-1] c[0]"]
_SENTENCES = [f"{seen} sentence" for seen in ("bias", "seen[-1]", "c[-1] c[0]", "c[-2] c[-1]", "c[0]")]

WORDS = ["bias", *_WINDOW, *_CLASSES, *_KNOWN, *_ENDS, *_MATCHES, *_LENGTHS, *_SENTENCES]

_TAGGED = [
    "t[0]",
    "t[-1] t[0] end",
    "t[-2] t[-1] t[0] end",
    "seen[-1] t[-1]",
    "seen[-1] t[0] end",
    "t[-2] seen[-1] end",
    "seen[-1] t[-1] last[-2] end",
    "seen[-1] t[-1] c[0]",
    "c[-2] c[-1] c[0] t[-1] one[-1] end",
    "t[-1] first[-1]",
    "t[-1] c[-1]",
    "t[-1] len[-1]",
    "c[0] t[0]",
    "c[1] t[0]",
    "c[-1] t[0]",
    "c[0] c[1] t[0]",
    "c[-1] c[0] t[0]",
    "c[0] c[1] c[2] t[0]",
    "c[-1] c[0] c[1] t[0]",
    "c[-1] c[1] t[0]",
    "first[-1] c[0] t[0] go",
    "c[0] t[0] c[-1] t[-1] end",
    "k[0] k[1] t[0]",
    "k[-1] k[0] t[0]",
    "d[0] t[0]",
    # Affixes of a word and its neighbours suggest its tag, as in tagging.
    "c[-2] c[-1] t[-1]",
    "t[-1] c[0] c[1]",
    "t[-1] c[-1] c[0]",
    "t[-1] first[-1] c[-1]",
    "t[-2] t[-1] seen[-1] end",
    "t[-1] seen[-1] t[0] end",
    "c[2] t[0]",
    "c[2] c[3] t[0]",
    "seen[-1] c[0] t[0] go",
    "t[-1] c[0] t[0] end",
    "seen[-1] t[-1] c[0] c[1] end",
]
JOINT = [*WORDS, *_TAGGED]

WORD_PRESETS: dict[str, list[str]] = {"words": WORDS, "joint": JOINT}


def without_known(texts: Sequence[str]) -> tuple[str, ...]:
    """Adapt templates to a model without known words: they see the words themselves."""
    return tuple(text.replace("seen[", "w[") for text in texts)
