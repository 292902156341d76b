"""Label schemes for spans: the scheme of a set of labels, and the allowed order of labels.

``bio`` (IOB2): every span begins with B. ``iob1``: spans are I throughout; B only separates a span from one
of the same type just before it. ``bioes``: B and E mark the ends, S a span of one word. ``O`` is outside
everywhere. ``M`` is another letter for ``I``, as the B, M, E, S of Chinese words have it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from operator import and_
from typing import NamedTuple

from structron.errors import DataError, SettingError

SCHEMES = ("bio", "iob1", "bioes")


def parts(label: str) -> tuple[str, str]:
    """Split a label into prefix and type: ``B-NP`` is B and NP; a bare ``B`` has type ``_``; M becomes I."""
    return "I" if label[:1] == "M" else label[:1], label[2:] or "_"


def is_span_label(label: str) -> bool:
    """Return True for ``O``, and for B, I, M, E or S alone or followed by a hyphen and a type."""
    return label == "O" or (label[:1] in ("B", "I", "M", "E", "S") and label[1:2] in ("", "-"))


def is_kind(kind: str) -> bool:
    """Return True if a type of spans can stand in every format: ``PER``, but not ``first name``."""
    return bool(kind) and not any(c.isspace() or c == "|" for c in kind)


def is_name_label(label: str) -> bool:
    """Return True for ``O``, ``B-PER`` and the like, and nothing that could not stand in a file."""
    return is_span_label(label) and (label == "O" or is_kind(label[2:]))


def is_bio(labels: Iterable[str]) -> bool:
    """Return True if these labels mark spans, in any of the schemes.

    Examples
    --------
    >>> is_bio(["O", "B-NP", "I-NP"]), is_bio(["NN", "IN"]), is_bio(["B", "S"]), is_bio("BMES")
    (True, False, False, True)
    """
    inventory = set(labels) - {"O"}
    if not inventory or not all(map(is_span_label, inventory)):
        return False
    # Bare letters could be any classes; only together are B and I a scheme, or B, E and what is beside them.
    letters = {"I" if label == "M" else label for label in inventory}
    together = {"B", "I"} <= letters or {"B", "E", "S"} <= letters
    return together or any(len(label) > 1 for label in inventory)


def scheme(labels: Iterable[str] | Iterable[Sequence[str]]) -> str | None:
    """Find the scheme of label sequences, or of a set of labels: ``bio``, ``iob1``, ``bioes`` or None.

    Sequences must follow the scheme without exception. A set alone cannot tell ``bio`` from an ``iob1`` that
    has a B somewhere, and is then taken for ``bio``.

    Examples
    --------
    >>> scheme([["B-NP", "I-NP", "O"]]), scheme([["I-NP", "O"]]), scheme(["S-PER", "O"]), scheme(["NN", "VB"])
    ('bio', 'iob1', 'bioes', None)
    """
    items = list(labels)
    sequences = [item for item in items if not isinstance(item, str)]
    inventory = {item for item in items if isinstance(item, str)}.union(*sequences)
    return next(
        (name for name in _candidates(inventory) if all(illegal(x, name) is None for x in sequences)), None
    )


def scheme_of_steps(steps: Iterable[tuple[str | None, str | None]]) -> str | None:
    """Find the scheme from pairs of successive labels; None stands before and after a sequence.

    Examples
    --------
    >>> scheme_of_steps({(None, "B-NP"), ("B-NP", "I-NP"), ("I-NP", None)})
    'bio'
    """
    known = list(steps)
    found = _candidates({label for step in known for label in step if label is not None})
    return next((name for name in found if all(may_follow(*step, name) for step in known)), None)


def _candidates(inventory: set[str]) -> list[str]:
    """Return the schemes that these labels may follow, the usual one first."""
    if not is_bio(inventory):
        return []
    prefixes = {label[0] for label in inventory}
    if prefixes & {"E", "S"}:
        return ["bioes"]
    return ["bio", "iob1"] if "B" in prefixes else ["iob1"]


def may_follow(before: str | None, label: str | None, scheme: str) -> bool:
    """Return True if the second label may follow the first; None stands for the edge of the sentence."""
    prefix, kind = parts(label) if label is not None else ("O", "")
    last, last_kind = parts(before) if before is not None else ("O", "")
    inside = last in ("B", "I") and last_kind == kind
    if scheme == "bio":
        return prefix != "I" or inside
    if scheme == "iob1":
        return prefix != "B" or inside
    if scheme == "bioes":
        return inside if prefix in ("I", "E") else last not in ("B", "I")
    raise SettingError(f"unknown label scheme {scheme!r}; choose one of {', '.join(SCHEMES)}")


def illegal(labels: Sequence[str], scheme: str) -> int | None:
    """Return the index of the first label out of place (the length, if it may not end there), or None."""
    before: str | None = None
    for i, label in enumerate(labels):
        if not may_follow(before, label, scheme):
            return i
        before = label
    return None if may_follow(before, None, scheme) else len(labels)


def allowed_transitions(
    labels: Sequence[str], scheme: str
) -> tuple[list[bool], list[list[bool]], list[bool]]:
    """Return the labels allowed at the start, the pairs allowed as ``[before][label]``, and those allowed at
    the end.

    A label from which no legal end can be reached (B-X where there is no E-X) is allowed nowhere, so that a
    search which keeps to these meets a dead end only for want of words.
    """
    start = [may_follow(None, label, scheme) for label in labels]
    after = [[may_follow(a, b, scheme) for b in labels] for a in labels]
    end = [may_follow(label, None, scheme) for label in labels]
    alive, before = end, None
    while alive != before:
        before = alive
        alive = [own or any(map(and_, row, alive)) for own, row in zip(alive, after)]
    return list(map(and_, start, alive)), [list(map(and_, row, alive)) for row in after], end


class Span(NamedTuple):
    """The words from `start` up to but not including `end`, with a type."""

    start: int
    end: int
    kind: str


def spans(labels: Sequence[str]) -> list[Span]:
    """Return the spans that labels mark, in any scheme; read illegal labels as conlleval does.

    Examples
    --------
    >>> spans(["B-NP", "I-NP", "O", "I-VP"])
    [Span(start=0, end=2, kind='NP'), Span(start=3, end=4, kind='VP')]
    """
    found: list[Span] = []
    start, before, before_kind = 0, "O", ""
    for i, label in enumerate(labels):
        if not is_span_label(label):
            raise DataError(f"label {label!r} marks no span; score such labels by accuracy")
        prefix, kind = parts(label)
        goes_on = before in ("B", "I") and prefix in ("I", "E") and kind == before_kind
        if not goes_on:
            if before != "O":
                found.append(Span(start, i, before_kind))
            start = i
        before, before_kind = prefix, kind
    if before != "O":
        found.append(Span(start, len(labels), before_kind))
    return found
