"""Scores of sentence, token and word segmentation: F1 by places, as in CoNLL 2018.

Places count characters without white space. A sentence or token is right if it begins and ends where one of
gold does. Words of multiword tokens have no places of their own: where either side has such a token, the
words of the span that both cover are aligned by their forms, as many as possible in order (Zeman et al.
2018).
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Collection, Iterable, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from structron.errors import DataError

if TYPE_CHECKING:
    from structron.metrics.reports import Judgement

Span = tuple[int, int]
TokenWords = tuple[int, int, tuple[str, ...]]  # begin, end, words


class SegmentationScore(NamedTuple):
    """The number right, the number in gold, and the number found."""

    right: int = 0
    gold: int = 0
    guess: int = 0

    @property
    def precision(self) -> float:
        """Return the share of those found that are right."""
        return self.right / self.guess if self.guess else 0.0

    @property
    def recall(self) -> float:
        """Return the share of gold that was found."""
        return self.right / self.gold if self.gold else 0.0

    @property
    def f1(self) -> float:
        """Return the harmonic mean of precision and recall."""
        both = self.gold + self.guess
        return 2 * self.right / both if both else 0.0

    def __add__(self, other: object) -> SegmentationScore:
        if not isinstance(other, SegmentationScore):
            return NotImplemented
        return SegmentationScore(*(a + b for a, b in zip(tuple(self), tuple(other))))


def span_score(gold: Iterable[tuple[Any, ...]], guess: Iterable[tuple[Any, ...]]) -> SegmentationScore:
    """Count the spans of one text that are equal; each may carry a tag after its places."""
    ours, theirs = set(gold), set(guess)
    return SegmentationScore(len(ours & theirs), len(ours), len(theirs))


class Cuts(NamedTuple):
    """A text without its white space, and where its sentences and tokens are in it."""

    text: str
    sentences: Sequence[Span]
    tokens: Sequence[Span]


def judge_cuts(gold: Cuts, guess: Cuts, places: Sequence[str]) -> list[Judgement]:
    """Judge each gold sentence: its tokens, and those guessed in its place; one of them begins a sentence."""
    from structron.metrics.reports import Judgement

    labels = [
        {span: "sentence" if span[0] in first else "token" for span in each.tokens}
        for each in (gold, guess)
        for first in [{begin for begin, _ in each.sentences}]
    ]
    spans = sorted({*gold.tokens, *guess.tokens})
    begins = [begin for begin, _ in gold.sentences]
    within: list[list[Span]] = [[] for _ in begins]
    for span in spans:
        within[max(0, bisect_right(begins, span[0]) - 1)].append(span)
    found = []
    for place, own in zip(places, within):
        pairs = [(labels[0].get(span, ""), labels[1].get(span, "")) for span in own]
        right = tuple(a == b for a, b in pairs)
        ours, theirs = tuple(a for a, _ in pairs), tuple(b for _, b in pairs)
        tally = sum(right), sum(map(bool, ours)), sum(map(bool, theirs))
        words = tuple(gold.text[begin:end] for begin, end in own)
        found.append(Judgement(place, words, ours, theirs, right, tally, "cut F1", tally[1]))
    return found


class _Word(NamedTuple):
    begin: int
    end: int
    several: bool  # whether its token has more
    form: str

    def is_beyond(self, end: int) -> bool:
        """Return True if the word lies beyond `end`: a word must end by then, a token begin before."""
        return self.begin >= end if self.several else self.end > end


def word_score(gold: Sequence[TokenWords], guess: Sequence[TokenWords]) -> SegmentationScore:
    """Count the aligned words of one text; tokens lie in order on both sides."""
    ours, theirs = _flat(gold), _flat(guess)
    right = i = k = 0
    while i < len(ours) and k < len(theirs):
        a, b = ours[i], theirs[k]
        if not a.several and not b.several:
            if (a.begin, a.end) == (b.begin, b.end):
                right, i, k = right + 1, i + 1, k + 1
            else:
                i, k = i + (a.begin <= b.begin), k + (a.begin > b.begin)
            continue
        end = a.end if a.several else b.end
        # A plain word that begins before the multiword token is not part of the span.
        k += a.several and not b.several and b.begin < a.begin
        i += not a.several and a.begin < b.begin
        first, other = i, k
        while (i < len(ours) and not ours[i].is_beyond(end)) or (
            k < len(theirs) and not theirs[k].is_beyond(end)
        ):
            if i < len(ours) and (k >= len(theirs) or ours[i].begin <= theirs[k].begin):
                end, i = max(end, ours[i].end) if ours[i].several else end, i + 1
            else:
                end, k = max(end, theirs[k].end) if theirs[k].several else end, k + 1
        right += _common(
            [word.form.lower() for word in ours[first:i]], [word.form.lower() for word in theirs[other:k]]
        )
    return SegmentationScore(right, len(ours), len(theirs))


def _flat(tokens: Sequence[TokenWords]) -> list[_Word]:
    return [_Word(begin, end, len(words) > 1, word) for begin, end, words in tokens for word in words]


def _common(a: Sequence[str], b: Sequence[str]) -> int:
    """Return the length of the longest common subsequence."""
    row = [0] * (len(b) + 1)
    for x in a:
        before = 0
        for k, y in enumerate(b, 1):
            before, row[k] = row[k], before + 1 if x == y else max(row[k], row[k - 1])
    return row[-1]


def unseen_recall(text: str, gold: Iterable[Span], guess: Iterable[Span], seen: Collection[str]) -> Span:
    """Count the gold tokens missing from the training data: those found, and all."""
    found = set(guess)
    unseen = [span for span in gold if text[span[0] : span[1]] not in seen]
    return sum(span in found for span in unseen), len(unseen)


def check_same(gold: str, guess: str) -> None:
    """Refuse results for another text."""
    ours, theirs = "".join(gold.split()), "".join(guess.split())
    if ours != theirs:
        where = next((i for i, (a, b) in enumerate(zip(ours, theirs)) if a != b), min(len(ours), len(theirs)))
        raise DataError(
            f"the texts differ at {ours[where : where + 20]!r} and {theirs[where : where + 20]!r}; "
            "compare results for the same text"
        )
