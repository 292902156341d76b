"""Habits of words from raw text without labels (Kiss & Strunk 2006, Punkt).

The text is read once, line by line; only counts are stored. A word that nearly always has a period is an
abbreviation, by the log-likelihood ratio of word and period, weighted by length and inner periods (their
Section 3.1). Whether small letters follow it, which words are in lower case or with a capital in the middle
of sentences, which begin them, and which pairs stand around a period more often than by chance (3.2) are
counted besides. What is made of the counts is for the segmenter to learn: they are features.
"""

from __future__ import annotations

import math
import re
from array import array
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain
from pathlib import Path

from structron.features.casing import lower
from structron.fit.raw_text.lines import lines_of
from structron.io.files.text_cache import cached
from structron.io.model_file.archive import read_archive, write_archive
from structron.progress import report_progress
from structron.tasks.segmentation.units.habits import Habits, pair_key, word_key

ABBREVIATION = 0.3  # the thresholds of the paper
COLLOCATION = 7.88
STARTER = 30.0
SMALL = 1  # a word that is usually in lower case
# Limits between what counts as the same: of the share of a word's sightings with a period, and of the
# share of periods after it that do not end a sentence.
SHARES, GOING_ON = (0.25, 0.6, 0.9), (0.3, 0.6, 0.85)
WORDS = 50_000  # the most frequent have their case stored
SEEN = 10  # rarer words have no habits
AFTER_PERIOD = 3  # sightings of a word with a period
MOST_COUNTED = 3_000_000  # different words, or pairs; beyond them those seen once are forgotten
_AS = 1  # a change of what is counted counts up
_REPORTS = 2000  # lines between two reports

_OPENING = "\"'([{<*_\u201c\u2018\u00ab`"
_CLOSING = "\"')]}>*_\u201d\u2019\u00bb`"
_INSIDE = ",;:"  # after a period they say that the sentence goes on
_WORD = re.compile(r"[^\W\d_]+")
_LETTER = re.compile(r"[^\W\d_]")


class Counts:
    """The counts of a text."""

    def __init__(self) -> None:
        self.chunks: Counter[str] = Counter()  # between white space
        self.pairs: Counter[tuple[str, str]] = Counter()  # the first ends with a period
        self.capitals: Counter[str] = Counter()  # after a word in small letters
        self.lines = 0

    def add(self, line: str) -> None:
        """Count a line of text."""
        words = line.split()
        self.chunks.update(words)
        after = words[1:]
        self.pairs.update([pair for pair in zip(words, after) if pair[0][-1] == "."])
        self.capitals.update(
            [b for a, b in zip(words, after) if b[0].isupper() and a.islower() and a.isalpha()]
        )
        self.lines += 1
        if not self.lines % _REPORTS:
            for counted in (self.chunks, self.pairs, self.capitals):
                _shorten(counted)


def _shorten(counted: Counter[str] | Counter[tuple[str, str]]) -> None:
    if len(counted) > MOST_COUNTED:
        for rare in [key for key, times in counted.items() if times == 1]:
            del counted[rare]


def habits_of_files(files: Sequence[str]) -> Habits:
    """Learn the habits of words from files of raw text, or read those that were kept beside it."""
    return cached(
        files,
        _AS,
        "habits",
        _read,
        lambda: habits_from_text(chain.from_iterable(map(lines_of, files))),
        _write,
    )


def _read(place: Path) -> Habits:
    _, arrays = read_archive(place)
    return Habits.restore(arrays)


def _write(habits: Habits, place: Path) -> None:
    write_archive(place, {"kind": "habits"}, habits.arrays())


def habits_from_text(lines: Iterable[str]) -> Habits:
    """Learn the habits of words from the lines of raw text."""
    counts = Counts()
    for line in lines:
        counts.add(line)
        if not counts.lines % _REPORTS:
            report_progress("words of raw text", counts.lines, 0)
    return _Statistics(counts).habits()


class _Statistics:
    """Counts by word in lower case, without the marks around it."""

    def __init__(self, counts: Counts) -> None:
        self.plain: Counter[str] = Counter()  # without a period
        self.dotted: Counter[str] = Counter()  # with one
        self.followed: Counter[str] = Counter()  # with one, and a word or a comma follows
        self.ends: Counter[str] = Counter()  # of these: a capital where the word is usually in lower case
        self.small: Counter[str] = Counter()  # in lower case
        self.capital: Counter[str] = Counter()  # with a capital in the middle of a sentence
        self.pairs: Counter[tuple[str, str]] = Counter()
        self.starters: Counter[str] = Counter()  # after a period of a word that is no abbreviation
        for chunk, times in counts.chunks.items():
            self._add(chunk, times)
        for chunk, times in counts.capitals.items():
            if match := _WORD.match(chunk):
                self.capital[lower(match[0])] += times
        self.periods = self.dotted.total()
        self.words = self.plain.total() + self.periods
        self.scores = {
            word: score for word in self.dotted if (score := self._abbreviation(word)) >= ABBREVIATION
        }
        for (first, second), times in counts.pairs.items():
            self._pair(first, second, times)
        self.begun = self.starters.total()

    def _add(self, chunk: str, times: int) -> None:
        body = chunk.lstrip(_OPENING).rstrip(_CLOSING)
        inside = body[-1:] and body[-1] in _INSIDE
        bare = body.rstrip(_INSIDE + "!?")
        if not _LETTER.search(bare):
            return
        word = lower(bare)
        if bare.endswith(".") and not bare.endswith(".."):
            self.dotted[word[:-1]] += times
            if inside:
                self.followed[word[:-1]] += times
        else:
            self.plain[word.rstrip(".")] += times
        if bare[0].islower():
            for part in _WORD.findall(bare):
                self.small[part] += times

    def _pair(self, first: str, second: str, times: int) -> None:
        word = lower(first.lstrip(_OPENING)[:-1])
        begin = second.lstrip(_OPENING)
        if not word or not begin or word.endswith("."):
            return
        match = _WORD.match(begin)
        if match is None:
            return
        self.followed[word] += times
        if begin[0].isupper() and self._case(lower(match[0])) == SMALL:
            self.ends[word] += times
        if word in self.scores or len(word) == 1:
            self.pairs[word, lower(match[0])] += times
        elif begin[0].isupper():
            self.starters[lower(match[0])] += times

    def _abbreviation(self, word: str) -> float:
        """Return the score of the paper: log-likelihood ratio, length, inner periods, and a penalty."""
        with_period, without = self.dotted[word], self.plain[word]
        inner = word.count(".")
        letters = len(word) - inner
        if with_period < AFTER_PERIOD or not letters or len(word) > 24:
            return 0.0
        ratio = _log_likelihood_of_period(with_period + without, self.periods, with_period, self.words)
        return ratio * math.exp(-letters) * (inner + 1) * math.pow(letters, -min(without, 64))

    def habits(self) -> Habits:
        """Return the table that a segmenter looks up."""
        found: dict[int, int] = {}
        for word, byte in self._periods_of_words():
            found[word_key(word)] = byte
        for word, byte in self._cases():
            key = word_key(word)
            found[key] = found.get(key, 0) | byte
        for first, second in self._collocations():
            found[pair_key(first, second)] = 1
        order = sorted(found)
        abbreviations = tuple(sorted(self._abbreviations()))
        return Habits(array("Q", order), bytes(found[key] for key in order), abbreviations)

    def _abbreviations(self) -> Iterator[str]:
        """Yield the words that are abbreviations by the paper, or by what follows their periods."""
        usual = self.ends.total() / max(self.followed.total(), 1)
        for word, times in self.dotted.items():
            often = times >= SEEN // 2 and times >= SHARES[0] * (times + self.plain[word])
            if (word in self.scores and times >= SEEN) or (
                often and self._going_on(word, usual) >= GOING_ON[1] and len(word) < 12
            ):
                yield word

    def _going_on(self, word: str, usual: float) -> float:
        """Return the share of periods after a word that end no sentence."""
        followed = self.followed[word]
        # Of so many periods after it we expect one more or less.
        return 1 - (self.ends[word] + 1) / (usual * followed + 1) if followed else 0.0

    def _periods_of_words(self) -> Iterator[tuple[str, int]]:
        usual = self.ends.total() / max(self.followed.total(), 1)
        for word, times in self.dotted.items():
            if times < AFTER_PERIOD:
                continue
            share = times / (times + self.plain[word])
            going_on = self._going_on(word, usual)
            known = word in self.scores
            if known or share >= SHARES[0] or going_on >= GOING_ON[0]:
                yield word, _bucket(share, SHARES) | _bucket(going_on, GOING_ON) << 2 | known << 4

    def _cases(self) -> Iterator[tuple[str, int]]:
        often = Counter({word: self.small[word] + self.capital[word] for word in self.small | self.capital})
        for word, times in often.most_common(WORDS):
            if times < SEEN:
                break
            yield word, self._case(word) << 5 | self._starts(word) << 7

    def _case(self, word: str) -> int:
        """Return the case in the middle of sentences: lower, both or a capital; 0 for a rare word."""
        times = self.small[word] + self.capital[word]
        if times < SEEN:
            return 0
        share = self.capital[word] / times
        return SMALL if share < 0.1 else 3 if share > 0.6 else 2

    def _starts(self, word: str) -> bool:
        """Return True if the word begins sentences more often than by chance."""
        times = self.small[word] + self.capital[word] + self.starters[word]
        first = self.starters[word]
        if first < SEEN:
            return False
        ratio = _log_likelihood(self.begun, times, first, self.words)
        return ratio >= STARTER and self.words / self.begun > times / first

    def _collocations(self) -> Iterator[tuple[str, str]]:
        for (first, second), times in self.pairs.items():
            if times < AFTER_PERIOD:
                continue
            a = self.dotted[first]
            b = self.plain[second] + self.dotted[second]
            if times > min(a, b):
                continue
            if _log_likelihood(a, b, times, self.words) >= COLLOCATION and self.words / a > b / times:
                yield first, second


def _bucket(value: float, limits: tuple[float, ...]) -> int:
    return sum(value >= limit for limit in limits)


def _log_likelihood_of_period(word: int, periods: int, both: int, total: int) -> float:
    """Return -2 log λ of a word and a period after it: at random, or nearly always (0.99)."""
    chance = periods / total
    null = both * math.log(chance) + (word - both) * math.log(1 - chance)
    other = both * math.log(0.99) + (word - both) * math.log(0.01)
    return -2 * (null - other)


def _log_likelihood(a: int, b: int, both: int, total: int) -> float:
    """Return -2 log λ of two events that occur a and b times, and together (Dunning 1993)."""
    p, p1 = b / total, both / a
    p2 = (b - both) / (total - a) if total > a else 1.0
    return -2 * (
        _binomial(both, a, p)
        + _binomial(b - both, total - a, p)
        - _binomial(both, a, p1)
        - _binomial(b - both, total - a, p2)
    )


def _binomial(hits: int, of: int, chance: float) -> float:
    if not 0 < chance < 1:
        return 0.0
    return hits * math.log(chance) + (of - hits) * math.log(1 - chance)
