"""Spans of characters and labels of words: each from the other, and a sentence for whatever does not fit."""

from __future__ import annotations

from collections.abc import Sequence

from structron.errors import DataError
from structron.io.values.annotated_text import AnnotatedText, LabelledSpan
from structron.io.values.labels import is_kind, may_follow, spans

Places = Sequence[tuple[int, int]]  # where each word of a text begins and ends


def labels_of_spans(text: AnnotatedText, places: Places) -> tuple[list[str], list[str]]:
    """Return a label for each word (BIO), and a sentence for each span that does not fit the words.

    A span fits if it begins and ends where words do. Words of one that does not are ``O``.

    Examples
    --------
    >>> text = AnnotatedText("Anna saw Rome", (LabelledSpan(0, 4, "PER"), LabelledSpan(9, 11, "LOC")))
    >>> labels_of_spans(text, [(0, 4), (5, 8), (9, 13)])
    (['B-PER', 'O', 'O'], ["(memory): span 9:11 'Ro' begins or ends inside a word, of 'Rome'"])
    """
    labels, wrong = ["O"] * len(places), []
    at = 0
    for span in text.spans:
        while at < len(places) and places[at][1] <= span.start:
            at += 1
        beyond = at
        while beyond < len(places) and places[beyond][0] < span.end:
            beyond += 1
        problem = misfit(text, span, places[at:beyond])
        if problem is not None:
            wrong.append(problem)
        else:
            labels[at:beyond] = [f"B-{span.label}", *[f"I-{span.label}"] * (beyond - at - 1)]
    return labels, wrong


def misfit(text: AnnotatedText, span: LabelledSpan, places: Places) -> str | None:
    """Say in a sentence why a span does not fit the words that it touches; return None if it does."""
    shown = f"{text.place}: span {span.start}:{span.end} {text.text[span.start : span.end][:60]!r}"
    if not places:
        return f"{shown} has no word in it"
    begin, last = places[0][0], places[-1][1]
    if (begin, last) != (span.start, span.end):
        return f"{shown} begins or ends inside a word, of {text.text[begin:last][:60]!r}"
    return None


def spans_of_labels(
    text: str, places: Places, labels: Sequence[str], *, scheme: str = "bio", place: str = "(memory)"
) -> tuple[AnnotatedText, list[str]]:
    """Return a text with the spans that labels mark, and a sentence for each label out of place.

    Such a label is read as conlleval reads it: an ``I-PER`` that continues nothing begins a span.

    Parameters
    ----------
    places
        Where each word begins and ends in the text.
    scheme
        The scheme that labels should follow: ``bio``, ``iob1`` or ``bioes``.
    place
        The place of the text, for messages.

    Examples
    --------
    >>> found, wrong = spans_of_labels("Anna Bach sang", [(0, 4), (5, 9), (10, 14)], ["I-PER", "I-PER", "O"])
    >>> found.spans, wrong
    ((LabelledSpan(start=0, end=9, label='PER'),), ["(memory): word 1 'Anna' has I-PER at the beginning"])
    """
    if len(places) != len(labels):
        raise DataError(f"{place}: {len(places)} words have {len(labels)} labels; give one for each")
    wrong, before = [], None
    for number, ((start, end), label) in enumerate(zip(places, labels), 1):
        if not may_follow(before, label, scheme):
            after = "at the beginning" if before is None else f"after {before}"
            wrong.append(f"{place}: word {number} {text[start:end][:60]!r} has {label} {after}")
        before = label
    if labels and not may_follow(before, None, scheme):
        wrong.append(f"{place}: {before} of the last word begins a span that does not end")
    found = []
    for first, beyond, kind in spans(labels):
        if not is_kind(kind):
            raise DataError(f"{place}: label {kind!r} cannot stand in a file; give one without blanks or |")
        found.append(LabelledSpan(places[first][0], places[beyond - 1][1], kind))
    return AnnotatedText(text, tuple(found), place), wrong
