"""Tokens that are given: the search keeps to where they begin and end."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Any

from structron import _core
from structron.errors import DataError
from structron.fit.data.dictionary_file import warn_of_replaced
from structron.fit.data.entries import Entries
from structron.fit.data.inputs import listed
from structron.io.formats.raw_text import paragraphs
from structron.segments.boundaries import Boundary, SomeTokens, Token
from structron.segments.passages import Passage
from structron.tasks.segmentation.task import SegmentationTask
from structron.tasks.segmentation.words.given import duties_of

Span = tuple[int, int]
NEW_SENTENCE = 2  # what such a boundary begins
PAIRS = "give (begin, end) of each token, in characters"


def with_given(
    pieces: Sequence[str],
    places: Sequence[tuple[int, int]],
    given: Sequence[object],
    task: Any,
) -> list[Any]:
    """Return the pieces of texts, in which the tokens given are tokens.

    Parameters
    ----------
    places
        For each piece the number of its text and where it begins there.
    given
        For each text where its tokens begin and end, or None.
    """
    spans = [read_spans(each, f"given of text {i}") for i, each in enumerate(given, 1)]
    found: list[Any] = []
    kept = 0
    for text, (number, first) in zip(pieces, places):
        own = [(a - first, b - first) for a, b in spans[number] if first <= a and b <= first + len(text)]
        kept += len(own)
        try:
            if isinstance(task, SegmentationTask):
                parts: Any = parts_of(task, text, own)
            else:
                parts = duties_of(task.cutter, text, own, task.spaces)
            found.append(_core.Restricted(text, parts) if own else text)
        except DataError as error:
            raise DataError(f"text {number + 1}: {error}") from None
    if kept < sum(map(len, spans)):
        raise DataError("a given token goes over an empty line or beyond its text; leave it out")
    return found


def is_spans(given: object) -> bool:
    """Return True if tokens are given by where they begin and end."""
    first = given[0] if isinstance(given, list | tuple) and given else None
    return isinstance(first, list | tuple) and len(first) == 2 and all(isinstance(at, int) for at in first)


def read_spans(given: object, name: str) -> list[Span]:
    """Return tokens in their order; refuse those that overlap."""
    if given is None:
        return []
    found: list[Span] = []
    for each in listed(given, name, PAIRS):
        pair = tuple(each) if isinstance(each, tuple | list) else ()
        if len(pair) != 2 or not all(isinstance(place, int) for place in pair) or not 0 <= pair[0] < pair[1]:
            raise DataError(f"{name}: {each!r} is not a token; {PAIRS}")
        found.append(pair)
    found.sort()
    for before, after in pairwise(found):
        if after[0] < before[1]:
            raise DataError(f"{name}: tokens {before} and {after} overlap; give one of them")
    return found


def tokens_of_entries(number: int, text: str, entries: Entries, task: Any) -> list[Span]:
    """Return the entries in a text: the leftmost, and of those the longest, where units begin and end."""
    known = {" ".join(words) for words in entries.labels}
    longest = max(map(len, known))
    found: list[Span] = []
    for first, last in paragraphs(text):
        begins, ends, _ = (each.tolist() for each in task.cutter.places(text[first:last]))
        at = 0
        while at < len(begins):
            stop = bisect_right(ends, begins[at] + longest)
            own = (
                i for i in range(stop - 1, at - 1, -1) if text[first + begins[at] : first + ends[i]] in known
            )
            end = next(own, None)
            if end is not None:
                span = first + begins[at], first + ends[end]
                if entries.wins(number, span[0], tuple(text[slice(*span)].split())):
                    found.append(span)
                at = end
            at += 1
    return found


def with_entries(passages: Sequence[Passage], entries: Entries) -> list[Passage]:
    """Return training data in which the parts of an entry are one token, where they begin and end with it.

    Entries with a weight do not win always, and stay out.
    """
    known = {" ".join(words) for words in entries.labels if words not in entries.weights} or {""}
    longest = max(map(len, known))
    found: list[Passage] = []
    joined = 0
    for each in passages:
        tokens: list[Token] = []
        tags: list[str] = []
        numbers: dict[int, int] = {}  # of the tokens that stay
        at = 0
        while at < len(each.tokens):
            begin, end, flags = each.tokens[at]
            stop = at + 1
            for last in range(at, len(each.tokens)):
                if each.tokens[last][1] - begin > longest:
                    break
                if each.text[begin : each.tokens[last][1]] in known:
                    stop, end = last + 1, each.tokens[last][1]
            if stop > at + 1 and any(token[2] for token in each.tokens[at + 1 : stop]):
                stop, end = at + 1, each.tokens[at][1]  # a sentence begins inside, or a token has words
            joined += stop > at + 1
            numbers[at] = len(tokens)
            tokens.append((begin, end, flags))
            tags += each.tags[at : at + 1]
            at = stop
        words = {numbers[i]: own for i, own in each.words.items() if i in numbers}
        found.append(replace(each, tokens=tokens, tags=tags, words=words))
    warn_of_replaced(joined, "token" if joined == 1 else "tokens")
    return found


def parts_of(
    task: SegmentationTask, text: str, spans: Iterable[Span], *, leave_out: bool = False
) -> list[tuple[int, ...]]:
    """Return the labels that each unit of a text may have, as numbers.

    Tokens that the model cannot make are refused, or left out.
    """
    begins, ends, _ = task.cutter.places(text)
    first = {begin: i for i, begin in enumerate(begins.tolist())}
    last = {end: i for i, end in enumerate(ends.tolist())}
    duties = task.duties(text) or bytes(len(begins))
    every = range(len(task.labels))
    may = [[label for label in every if task.allowed[duty][label]] for duty in duties]
    told = any(label.ends for label in task.boundaries)
    for begin, end in spans:
        if begin not in first or end not in last:
            if leave_out:
                continue
            units = " ".join(text[a:b] for a, b in zip(begins, ends) if a < end and begin < b)
            raise DataError(
                f"given token {text[begin:end]!r} does not begin and end where units of the model do "
                f"({units}); leave it out"
            )
        start, stop = first[begin], last[end]
        kept = {
            i: [a for a in every if _is_inside(task.boundaries[a], i == start, i == stop, told)]
            for i in range(start, stop + 1)
        }
        if stop + 1 < len(may):
            kept[stop + 1] = [a for a in every if task.boundaries[a].begins]
        if start and told:
            kept[start - 1] = [a for a in every if task.boundaries[a].ends]
        # What is given wins over white space and pieces that are never cut; what is learned keeps to them.
        agreed = {i: [a for a in own if a in may[i]] for i, own in kept.items()}
        if leave_out:
            if all(agreed.values()):
                for i, own in agreed.items():
                    may[i] = own
            continue
        if not all(kept[i] for i in range(start, stop + 1)):
            raise DataError(
                f"given token {text[begin:end]!r} joins units, which this model never does; leave it out"
            )
        for i, own in kept.items():
            may[i] = own if start <= i <= stop else agreed[i] or own
    return [tuple(labels) for labels in may]


def agreeing_labels(task: SegmentationTask, text: str, tokens: SomeTokens) -> list[Any]:
    """Return the label of each unit of a training text, or several: those with which its tokens are there."""
    parts = parts_of(task, text, ((begin, end) for begin, end, _ in tokens), leave_out=True)
    if tokens.sentences is not None:
        begins = task.cutter.places(text)[0].tolist()
        starts = [label.begins == NEW_SENTENCE for label in task.boundaries]
        for i, (begin, own) in enumerate(zip(begins, parts)):
            is_start = begin in tokens.sentences
            parts[i] = tuple(label for label in own if starts[label] == is_start) or own
    named = ([task.labels[i] for i in labels] for labels in parts)
    return [label[0] if len(label) == 1 else tuple(sorted(label)) for label in named]


def _is_inside(label: Boundary, is_first: bool, is_last: bool, told: bool) -> bool:
    """Return True if a unit of a token may have the label."""
    if label.inner or bool(label.begins) != is_first or (label.multiword and not is_first):
        return False
    return not told or label.ends == is_last
