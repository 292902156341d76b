"""Templates of transduction: what a pair of pieces sees of the source, the target and the pairs before.

A template is a list of atoms separated by blanks:

=====================  =========================================================
``s[0]``               the first source symbol that the pair consumes; ``s[-1]`` the one before
``t[-1]``              the last target symbol emitted before; ``t[-2]`` the one before that
``a[-1]``              the last pair taken before (joint n-grams); ``a[-2]`` the one before that
``emit``               weigh what the pair emits, whatever it consumes
``size``               weigh only how many symbols it consumes and emits
``bias``               always there
=====================  =========================================================

Without ``emit`` or ``size`` the whole pair is weighed. A pair begins with ``s[0]``, which adds nothing to
such a template, but keeps the rows of weights short. One place before the first symbol and one after the last
there is a boundary; a template that looks further is silent. These are the features of DirecTL+
(Jiampojamarn, Cherry & Kondrak 2008, 2010): context, transition, linear-chain and joint n-gram.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from structron.errors import SettingError
from structron.features.keys import BOUNDARY, combine, hash_bytes

_ATOM = re.compile(r"(?P<name>[sta])\[(?P<offset>[+-]?[0-9]{1,9})\]")

# How far a template may look back; core/tasks/transduction/space.hpp keeps as many in a state.
FARTHEST_TARGET = 7
FARTHEST_ACTION = 5
FARTHEST_SOURCE = 32
START = 0x5354415254

VIEWS = ("pair", "emit", "size")


@dataclass(frozen=True)
class TransductionTemplate:
    """One template, parsed: offsets into the source, how far back into targets and pairs, what is weighed."""

    text: str
    base: int
    source: tuple[int, ...]
    targets: tuple[int, ...]
    actions: tuple[int, ...]
    view: int

    def key(
        self, source: Sequence[int], position: int, targets: Sequence[int], actions: Sequence[int]
    ) -> int:
        """Its key where `position` is consumed next, from hashes of symbols and pairs; 0 if it is silent.

        Templates that begin alike share the work: the source first, then the template's own name, then what
        was emitted, the newest first.
        """
        key = START
        for offset in self.source:
            at = position + offset
            if not -1 <= at <= len(source):
                return 0
            key = combine(key, source[at] if 0 <= at < len(source) else BOUNDARY)
        key, past = combine(key, self.base), START
        for history, looks in ((targets, self.targets), (actions, self.actions)):
            for back in looks:
                if back > len(history) + 1:
                    return 0
                past = combine(past, history[-back] if back <= len(history) else BOUNDARY)
        return combine(key, past) if self.targets or self.actions else key


def parse(text: str) -> TransductionTemplate:
    """Read one template.

    >>> parse("emit  t[-2] t[-1]").text
    'emit t[-2] t[-1]'
    """
    if not isinstance(text, str) or not text.split():
        raise SettingError(f"template {text!r} is not text; write it like 's[0] t[-1]'")
    looks: dict[str, list[int]] = {"s": [], "t": [], "a": []}
    view = 0
    for word in text.split():
        if word == "bias":
            continue
        if word in VIEWS[1:] and not view:
            view = VIEWS.index(word)
            continue
        match = _ATOM.fullmatch(word)
        if match is None:
            raise SettingError(
                f"template {text[:80]!r}: cannot read {word[:80]!r}; "
                "write it like s[-1], t[-2], a[-1], or once emit or size"
            )
        _check_reach(text, match["name"], int(match["offset"]))
        looks[match["name"]].append(int(match["offset"]))
    canonical = " ".join(text.split())
    return TransductionTemplate(
        canonical,
        hash_bytes(canonical.encode()),
        tuple(looks["s"]),
        tuple(sorted(-offset for offset in looks["t"])),
        tuple(sorted(-offset for offset in looks["a"])),
        view,
    )


def _check_reach(text: str, name: str, offset: int) -> None:
    if name == "s":
        if abs(offset) > FARTHEST_SOURCE:
            raise SettingError(
                f"template '{text}': offset {offset} is too far; stay within {FARTHEST_SOURCE} symbols"
            )
        return
    farthest = FARTHEST_TARGET if name == "t" else FARTHEST_ACTION
    if not -farthest <= offset <= -1:
        raise SettingError(
            f"template '{text}': {name}[{offset}] is not known; {name} goes from -1 back to -{farthest}"
        )


def parse_all(texts: Sequence[str]) -> list[TransductionTemplate]:
    """Read a set of templates; the same one twice is refused."""
    templates = [parse(text) for text in texts]
    seen: set[str] = set()
    for template in templates:
        if template.text in seen:
            raise SettingError(f"template '{template.text}' is given twice; leave one out")
        seen.add(template.text)
    return templates


def source_ngrams(before: int, after: int, longest: int) -> list[str]:
    """All n-grams of at most `longest` symbols from s[-before] to s[after], s[0] with each."""
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

# What is seen of the source is the same for a whole beam; every history is looked for item by item, and the
# longer it is, the fewer items share it. So `fast` has the short ones.
PRESETS: dict[str, list[str]] = {
    "context": CONTEXT,
    "fast": [*CONTEXT, *SIZES, *TRANSITION, *TARGET[:2], *CHAIN],
    "joint": [*CONTEXT, *SIZES, *TRANSITION, *TARGET, *CHAIN, *JOINT],
}
