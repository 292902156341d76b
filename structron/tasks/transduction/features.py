"""Templates of transduction: what they see of the source, the target and the previous pairs of pieces.

A template is a list of atoms separated by blanks:

=====================  =========================================================
``s[0]``               the first source symbol that the pair consumes; ``s[-1]`` the one before
``t[-1]``              the last target symbol emitted; ``t[-2]`` the one before that
``a[-1]``              the last pair taken (joint n-grams); ``a[-2]`` the one before that
``sv[0]``, ``tv[-1]``  whether that symbol is a vowel, see `structron.tasks.transduction.words.vowels`
``again``              the last pair that began with ``s[0]``: the previous reading of this letter
``begin``, ``end``     the pair here in the known word with the longest common beginning, or end
``begin_agree``        how many more symbols they have in common, at most 4; also ``end_agree``
``begin_rest``         what is left of this word where they part; also ``end_rest``
``emit``               weigh what the pair emits, whatever it consumes
``size``               weigh only how many symbols it consumes and emits
``bias``               always there
=====================  =========================================================

Without ``emit`` or ``size`` the whole pair is weighed. A pair begins with ``s[0]``, which adds nothing to
such a template, but keeps the rows of weights short. There is a boundary one place before the first symbol
and one after the last; a template that looks further has no key. Neither has one that asks for a known word
(`structron.tasks.transduction.words.known_words`) if none is similar; such templates see the source alone,
not the history. These are the features of DirecTL+ (Jiampojamarn, Cherry & Kondrak 2008, 2010): context,
transition, linear-chain and joint n-gram.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from structron.errors import SettingError
from structron.features.atoms import check_distinct
from structron.features.keys import BOUNDARY, combine, hash_bytes
from structron.records import dataclass

_ATOM = re.compile(r"(?P<name>[sta]|sv|tv)\[(?P<offset>[+-]?[0-9]{1,9})\]")

# How far a template may look back; core/tasks/transduction/space.hpp keeps as many in a state.
FARTHEST_TARGET = 7
FARTHEST_ACTION = 5
FARTHEST_SOURCE = 32
REMEMBERED = 12  # how many pairs ``again`` looks back
START = 0x5354415254
VOWEL, OTHER = 0x564F57454C, 0x4F54484552

VIEWS = ("pair", "emit", "size")
# The hints of known words, in the order of the engine.
HINTS = ("begin", "begin_agree", "begin_rest", "end", "end_agree", "end_rest")


def key_of(piece: tuple[Sequence[str], Sequence[str]]) -> int:
    """Return the hash of a pair of pieces for keys; blanks separate symbols."""
    source, target = piece
    return hash_bytes(f"{' '.join(source)}\n{' '.join(target)}".encode())


class Place(NamedTuple):
    """The view of templates if `position` is consumed next: hashes of symbols and pairs, and of classes."""

    source: Sequence[int]
    source_vowels: Sequence[int]
    position: int
    hints: Sequence[int]
    targets: Sequence[int]
    target_vowels: Sequence[int]
    actions: Sequence[int]
    again: int


@dataclass(frozen=True)
class TransductionTemplate:
    """One parsed template: offsets into the source, distances back, and what is weighed.

    Among `actions`, 0 is the last pair that began like the next one.
    """

    text: str
    base: int
    source: tuple[int, ...]
    source_vowels: tuple[int, ...]
    hints: tuple[int, ...]
    targets: tuple[int, ...]
    target_vowels: tuple[int, ...]
    actions: tuple[int, ...]
    view: int

    @property
    def sees_vowels(self) -> bool:
        """Return True if it asks which symbols are vowels."""
        return bool(self.source_vowels or self.target_vowels)

    def key(self, place: Place) -> int:
        """Return its key at a place; 0 if it has none.

        Templates with the same beginning share the work: first the source, then the template's own name, then
        the output from its newest symbol backward.
        """
        key = START
        for symbols, offsets in ((place.source, self.source), (place.source_vowels, self.source_vowels)):
            for offset in offsets:
                at = place.position + offset
                if not -1 <= at <= len(symbols):
                    return 0
                key = combine(key, symbols[at] if 0 <= at < len(symbols) else BOUNDARY)
        for hint in self.hints:
            if not place.hints[hint]:
                return 0
            key = combine(key, place.hints[hint])
        key, past, any_past = combine(key, self.base), START, False
        for history, looks in (
            (place.targets, self.targets),
            (place.target_vowels, self.target_vowels),
            (place.actions, self.actions),
        ):
            for back in looks:
                if back > len(history) + 1:
                    return 0
                seen = place.again if back == 0 else history[-back] if back <= len(history) else BOUNDARY
                past, any_past = combine(past, seen), True
        return combine(key, past) if any_past else key


def parse(text: str) -> TransductionTemplate:
    """Read one template.

    >>> parse("emit  t[-2] t[-1]").text
    'emit t[-2] t[-1]'
    """
    if not isinstance(text, str) or not text.split():
        raise SettingError(f"template {text!r} is not text; write it like 's[0] t[-1]'")
    looks: dict[str, list[int]] = {"s": [], "sv": [], "t": [], "tv": [], "a": []}
    hints: list[int] = []
    view = 0
    for word in text.split():
        if word == "bias":
            continue
        if word in VIEWS[1:] and not view:
            view = VIEWS.index(word)
            continue
        if word in HINTS:
            hints.append(HINTS.index(word))
            continue
        if word == "again":
            looks["a"].append(0)
            continue
        match = _ATOM.fullmatch(word)
        if match is None:
            raise SettingError(
                f"template {text[:80]!r}: cannot read {word[:80]!r}; "
                "write it like s[-1], t[-2], a[-1], sv[1], tv[-1], again, begin, end_rest, once emit or size"
            )
        _check_reach(text, match["name"], int(match["offset"]))
        looks[match["name"]].append(int(match["offset"]))
    if hints and any(looks[name] for name in ("t", "tv", "a")):
        raise SettingError(
            f"template {text[:80]!r} asks known words and looks back; leave out {HINTS[hints[0]]}, "
            "or t, tv, a and again"
        )
    canonical = " ".join(text.split())
    return TransductionTemplate(
        canonical,
        hash_bytes(canonical.encode()),
        tuple(looks["s"]),
        tuple(looks["sv"]),
        tuple(hints),
        tuple(sorted(-offset for offset in looks["t"])),
        tuple(sorted(-offset for offset in looks["tv"])),
        tuple(sorted(-offset for offset in looks["a"])),
        view,
    )


def _check_reach(text: str, name: str, offset: int) -> None:
    if name in ("s", "sv"):
        if abs(offset) > FARTHEST_SOURCE:
            raise SettingError(
                f"template '{text}': offset {offset} is too far; stay within {FARTHEST_SOURCE} symbols"
            )
        return
    farthest = FARTHEST_ACTION if name == "a" else FARTHEST_TARGET
    if not -farthest <= offset <= -1:
        raise SettingError(
            f"template '{text}': {name}[{offset}] is not known; {name} goes from -1 back to -{farthest}"
        )


def parse_all(texts: Sequence[str]) -> list[TransductionTemplate]:
    """Read a set of templates; refuse duplicates."""
    templates = [parse(text) for text in texts]
    check_distinct(template.text for template in templates)
    return templates


def source_ngrams(before: int, after: int, longest: int) -> list[str]:
    """Return all n-grams of at most `longest` symbols from s[-before] to s[after], each with s[0]."""
    out = []
    for first in range(-before, after + 1):
        for last in range(first, min(first + longest - 1, after) + 1):
            places = sorted({*range(first, last + 1), 0})
            text = " ".join(f"s[{i}]" for i in places)
            if text not in out:
                out.append(text)
    return out


def _history(name: str, longest: int) -> list[str]:
    return [" ".join(f"{name}[-{i}]" for i in range(n, 0, -1)) for n in range(1, longest + 1)]


CONTEXT = source_ngrams(5, 5, 11)
TRANSITION = [f"s[0] {h}" for h in _history("t", 4)]
TARGET = [f"emit {h}" for h in _history("t", 5)]
CHAIN = ["s[-1] s[0] t[-1]", "s[0] s[1] t[-1]", "s[-1] s[0] s[1] t[-1]", "s[0] s[1] t[-2] t[-1]"]
JOINT = [f"s[0] {h}" for h in _history("a", 4)]
SIZES = ["size", "emit", "size s[0]", "size s[0] s[1]", "size s[-1] s[0] s[1]"]

# A word is transcribed in one way throughout, narrowly or broadly. Symbols emitted long before show which,
# each by itself, and so does the previous reading of this letter.
MANNER = [f"s[0] t[-{k}]" for k in range(2, 8)]
AGAIN = ["s[0] again", "s[-1] s[0] again", "s[0] s[1] again"]


def vowel_windows(before: int, after: int) -> list[str]:
    """Return s[0] with the vowel classes in every window around it of more than two symbols."""
    windows = [(0, 1), (-1, 0)]
    windows += [(a, b) for a in range(-before, 1) for b in range(after + 1) if b - a >= 2]
    return ["s[0] " + " ".join(f"sv[{i}]" for i in range(a, b + 1) if i) for a, b in windows]


SYLLABLES = [
    "s[0] tv[-2] tv[-1]",
    "s[0] tv[-3] tv[-2] tv[-1]",
    "s[0] tv[-4] tv[-3] tv[-2] tv[-1]",
    "emit tv[-3] tv[-2] tv[-1]",
    "s[0] sv[1] tv[-2] tv[-1]",
    "s[0] sv[1] sv[2] tv[-3] tv[-2] tv[-1]",
    "s[0] s[1] tv[-2] tv[-1]",
]

# The neighbours of a letter show whether it is silent or stands for one sound or two, whatever letter it is:
# rare letters learn this from frequent ones.
QUANTITY = [
    "size s[1]",
    "size s[-1]",
    "size s[-1] s[1]",
    "size sv[0] s[1]",
    "size sv[0] s[1] s[2]",
    "size s[-1] sv[0]",
    "size s[-2] s[-1] sv[0]",
    "size s[-1] sv[0] s[1]",
    "size sv[-1] sv[0] s[1]",
    "size t[-1]",
    "size t[-2] t[-1]",
    "size s[1] t[-1]",
    "size s[0] s[1] t[-1]",
    "size sv[0] sv[1] t[-1]",
    "size sv[0] sv[1] tv[-1]",
    "size sv[-1] sv[0] sv[1] sv[2] tv[-1]",
    "size sv[0] sv[1] sv[2] tv[-2] tv[-1]",
]

# The reading of a word that begins or ends like this one. With it, windows of more than six symbols add
# nothing.
ALIKE = [
    "begin begin_agree",
    "begin begin_agree begin_rest",
    "end end_agree",
    "end end_agree end_rest",
    "begin end",
    "begin end begin_agree end_agree",
]
LONG_CONTEXT = set(CONTEXT).difference(source_ngrams(5, 5, 6))

# Keys of the source are the same for a whole beam. Histories are looked up item by item, and the longer a
# history is, the fewer items share it. So `fast` has only short ones.
PRESETS: dict[str, list[str]] = {
    "context": CONTEXT,
    "fast": [*CONTEXT, *SIZES, *TRANSITION, *TARGET[:2], *CHAIN],
    "joint": [*CONTEXT, *SIZES, *TRANSITION, *TARGET, *CHAIN, *JOINT],
}
PRESETS["rich"] = [*PRESETS["joint"], *MANNER, *AGAIN, *vowel_windows(4, 4), *SYLLABLES, *QUANTITY]
# For large word lists: in small ones few words are similar, and their hints are often wrong. Then only the
# second transducer uses them, as a second opinion (decision 44).
PRESETS |= {
    f"{name}_alike": [*(text for text in PRESETS[name] if text not in LONG_CONTEXT), *ALIKE]
    for name in ("fast", "rich")
}
