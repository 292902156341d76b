"""Labels of units, and the tokens they stand for.

A label says what begins with a unit: ``J`` nothing, it is joined to what stands before it; ``T`` a token;
``S`` a sentence. ``TM`` and ``SM`` begin a token of several words (*du*, *don't*). ``T:2`` begins a token,
and another begins two characters before the end of the unit (*gon|na*). Where labels also say what ends,
``E`` follows: ``TE`` is a token of one unit, ``JE`` the last unit of a longer one; together with ``T`` and
``J`` these are the S, E, B and M of Chinese word segmentation (Xue 2003).

`core/tasks/segmentation/boundaries.hpp` makes tokens of labels, faster.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from structron.errors import SettingError
from structron.segments.units import Unit

SENTENCE, MULTIWORD = 1, 2  # flags of a token
MUST_BEGIN, MUST_END, MUST_JOIN, MUST_GO_ON = 1, 2, 4, 8  # flags of a unit's duty
DUTIES = 16
_LABEL = re.compile(r"([JTS])(M?)(E?)(?::([1-9][0-9]{0,3}(?:,[1-9][0-9]{0,3}){0,9}))?")

Token = tuple[int, int, int]  # begin, end, flags


class SomeTokens(list[Token]):
    """Tokens of a text of which nobody knows the others.

    Attributes
    ----------
    sentences
        Where sentences begin; None if that may be anywhere.
    """

    def __init__(self, tokens: Iterable[Token] = (), sentences: frozenset[int] | None = None) -> None:
        super().__init__(tokens)
        self.sentences = sentences

    def __repr__(self) -> str:
        return f"SomeTokens({super().__repr__()})"


class Boundary(NamedTuple):
    """A label: what begins (0 nothing, 1 a token, 2 a sentence), and the rest of the label."""

    begins: int
    multiword: bool = False
    ends: bool = False
    inner: tuple[int, ...] = ()

    def __str__(self) -> str:
        inner = ":" + ",".join(map(str, self.inner)) if self.inner else ""
        return "JTS"[self.begins] + "M" * self.multiword + "E" * self.ends + inner

    @classmethod
    def parse(cls, label: str) -> Boundary:
        """Parse a label."""
        match = _LABEL.fullmatch(label)
        if match is None:
            raise SettingError(f"label {label!r} marks no boundary; write it like J, T, S, TM or T:2")
        begins, multiword, ends, inner = match.groups()
        backs = tuple(map(int, inner.split(","))) if inner else ()
        return cls("JTS".index(begins), bool(multiword), bool(ends), backs)


def boundaries(units: Sequence[Unit], tokens: Sequence[Token], ends: bool) -> list[Boundary]:
    """Return the labels of units for tokens that lie in order and cover all units."""
    labels = []
    at = 0  # the first token that does not end before the unit
    for begin, end, _ in units:
        while at < len(tokens) and tokens[at][1] <= begin:
            at += 1
        starts = at < len(tokens) and tokens[at][0] == begin
        flags = tokens[at][2] if starts else 0
        inner = []
        last = at
        while last + 1 < len(tokens) and tokens[last + 1][0] < end:
            last += 1
            if tokens[last][0] > begin:
                inner.append(end - tokens[last][0])
        stops = ends and last < len(tokens) and tokens[last][1] <= end
        begins = 0 if not starts else 2 if flags & SENTENCE else 1
        labels.append(Boundary(begins, bool(flags & MULTIWORD), stops, tuple(inner)))
    return labels


def duties(units: Sequence[Unit]) -> bytes:
    """Return the duty of each unit if tokens hold no white space: begin after it, end before it."""
    begins = [unit.white for unit in units]
    return bytes(MUST_BEGIN * now | MUST_END * after for now, after in zip(begins, [*begins[1:], False]))


def allowed(labels: Sequence[Boundary]) -> list[bytes]:
    """Return the labels allowed for each duty; if no label marks ends, any may end.

    Where a duty leaves no label, as in a model that has never joined units, all are allowed.
    """
    told = any(label.ends for label in labels)
    return [
        found if any(found) else bytes([1] * len(labels))
        for duty in range(DUTIES)
        for found in [bytes(_fits(label, duty, told) for label in labels)]
    ]


def _fits(label: Boundary, duty: int, told: bool) -> bool:
    # Where a piece goes on, this is what counts.
    if (label.begins if duty & MUST_JOIN else duty & MUST_BEGIN and not label.begins) or (
        told and (label.ends if duty & MUST_GO_ON else duty & MUST_END and not label.ends)
    ):
        return False
    return not (duty & (MUST_JOIN | MUST_GO_ON) and label.inner)


def conformed(labels: Sequence[Boundary], duties: Sequence[int]) -> list[Boundary]:
    """Change gold labels where they break the duties that pieces of text have."""
    told = any(label.ends for label in labels)
    found = []
    for label, duty in zip(labels, duties):
        if duty & MUST_JOIN:
            label = label._replace(begins=0, multiword=False)
        elif duty & MUST_BEGIN and not label.begins:
            label = label._replace(begins=1)
        if duty & (MUST_JOIN | MUST_GO_ON):
            label = label._replace(inner=())
        if told and duty & (MUST_END | MUST_GO_ON):
            label = label._replace(ends=not duty & MUST_GO_ON)
        found.append(label)
    return found


def split_at_white(units: Sequence[Unit], tokens: Sequence[Token]) -> list[Token]:
    """Cut tokens at the white space that they hold; all units are in one of the tokens."""
    found: list[Token] = []
    at = 0
    for begin, end, rest in tokens:
        while at < len(units) and units[at].begin < end:
            if units[at].white and units[at].begin > begin:
                found.append((begin, units[at - 1].end, rest & SENTENCE))
                begin, rest = units[at].begin, 0
            at += 1
        found.append((begin, end, rest))
    return found


def tokens_of(units: Sequence[Unit], labels: Sequence[Boundary]) -> list[Token]:
    """Return the tokens; the first begins a sentence and each unit is in a token, whatever the labels."""
    tokens: list[Token] = []
    for i, (unit, label) in enumerate(zip(units, labels)):
        if i == 0 or label.begins:
            sentence = i == 0 or label.begins == 2
            tokens.append((unit.begin, unit.end, SENTENCE * sentence | MULTIWORD * label.multiword))
        tokens[-1] = (tokens[-1][0], unit.end, tokens[-1][2])
        for back in label.inner:
            at = unit.end - back
            if back < unit.end - unit.begin and at > tokens[-1][0]:
                tokens[-1] = (tokens[-1][0], at, tokens[-1][2])
                tokens.append((at, unit.end, 0))
    return tokens


def rules(labels: Sequence[Boundary]) -> tuple[bytes | None, bytes | None]:
    """Return the allowed pairs, [label or the start, label], and the allowed last labels; or None."""
    if not any(label.ends for label in labels):
        return None, None
    begins = bytes(label.begins > 0 for label in labels)
    others = bytes(label.begins <= 0 for label in labels)
    after = b"".join(begins if label.ends else others for label in labels)
    return after + begins, bytes(label.ends for label in labels)


def known_as(label: Boundary, known: Sequence[Boundary]) -> Boundary:
    """Return the label, or the nearest one that a model has: without inner tokens, then without the rest."""
    for other in (label, label._replace(inner=()), label._replace(inner=(), multiword=False)):
        if other in known:
            return other
    alike = [other for other in known if (other.begins > 0, other.ends) == (label.begins > 0, label.ends)]
    return min(alike or known, key=lambda other: (abs(other.begins - label.begins), len(other.inner)))
