"""Scores of segmentation, from sentences that were found and those of gold."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from typing import NamedTuple

from structron.cli.task_cli import Plain
from structron.io import Sentence
from structron.metrics.segmentation import (
    SegmentationScore,
    TokenWords,
    check_same,
    span_score,
    unseen_recall,
    word_score,
)
from structron.segments.boundaries import SENTENCE
from structron.segments.passages import passages
from structron.tasks.segmentation.fitting.task_from_data import seen_key


class Cut(NamedTuple):
    """A text without its white space, and where its sentences and tokens are in it."""

    text: str
    sentences: list[tuple[int, int]]
    tokens: list[TokenWords]
    tags: list[str]


def cut_of(sentences: Sequence[Sentence], tags: str | None = None) -> Cut:
    """Return all sentences of a file, one after the other, with the tags of this column."""
    parts: list[str] = []
    found: list[tuple[int, int]] = []
    tokens: list[TokenWords] = []
    tagged: list[str] = []
    at = 0
    for passage in passages(sentences, tags=tags):
        tagged += passage.tags
        for i, (begin, end, flags) in enumerate(passage.tokens):
            form = "".join(passage.text[begin:end].split())
            words = passage.words.get(i, (passage.text[begin:end],))
            if flags & SENTENCE:
                found.append((at, at))
            tokens.append((at, at + len(form), words))
            parts.append(form)
            at += len(form)
            found[-1] = (found[-1][0], at)
    return Cut("".join(parts), found, tokens, tagged)


def figures_of(
    gold: Sequence[Sentence],
    guess: Sequence[Sentence],
    seen: Collection[int] = (),
    tags: tuple[str, str] | None = None,
) -> Plain:
    """Return the figures; with the keys of the tokens that were trained on also the recall of all others.

    With `tags`, the columns that gold and the guess have them in, also how many tokens have the right one.
    """
    ours, theirs = cut_of(gold, tags and tags[0]), cut_of(guess, tags and tags[1])
    check_same(ours.text, theirs.text)
    pairs = {
        "tokens": span_score([t[:2] for t in ours.tokens], [t[:2] for t in theirs.tokens]),
        "sentences": span_score(ours.sentences, theirs.sentences),
        "words": word_score(ours.tokens, theirs.tokens),
    }
    if tags is not None:
        pairs["tagged"] = span_score(
            [(*t[:2], tag) for t, tag in zip(ours.tokens, ours.tags)],
            [(*t[:2], tag) for t, tag in zip(theirs.tokens, theirs.tags)],
        )
    figures: Plain = {name: _plain(score) for name, score in pairs.items()}
    if seen:
        known = {w for _, _, words in ours.tokens for w in words if seen_key(w) in seen}
        right, all_of_them = unseen_recall(
            ours.text, (t[:2] for t in ours.tokens), (t[:2] for t in theirs.tokens), known
        )
        figures["unseen"] = {"right": right, "gold": all_of_them}
        figures["unseen"]["recall"] = right / all_of_them if all_of_them else 0.0
    return figures


def _plain(score: SegmentationScore) -> Plain:
    shares = {"precision": score.precision, "recall": score.recall, "f1": score.f1}
    return shares | {"right": score.right, "gold": score.gold, "guess": score.guess}


def measured(figures: Plain) -> Iterable[str]:
    """Yield the figures for people, line by line."""
    yield "           precision   recall       F1     gold    guess"
    for name in ("tokens", "sentences", "words", "tagged"):
        if name not in figures:
            continue
        s = figures[name]
        shares = f"{100 * s['precision']:9.2f} {100 * s['recall']:8.2f} {100 * s['f1']:8.2f}"
        yield f"{name:9}  {shares} {s['gold']:8,} {s['guess']:8,}"
    if "unseen" in figures:
        unseen = figures["unseen"]
        yield f"recall of tokens never seen {100 * unseen['recall']:.2f} % of {unseen['gold']:,}"
