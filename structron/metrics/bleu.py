"""BLEU (Papineni et al. 2002) from counts, of a corpus and, smoothed, of a sentence.

What is counted adds up over sentences: for n from 1 to 4 how many n-grams of the output are in a reference
and how many there are, then the lengths of output and reference. The figures to report, `corpus_bleu`, are
those of sacreBLEU's ``tok:none|smooth:exp``; the others are for learning, where thousands of candidates are
scored.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

ORDER = 4
SIZE = 2 * ORDER + 2

Words = Sequence[str]
Counts = npt.NDArray[np.float64]

_ENTITIES = {"&quot;": '"', "&amp;": "&", "&lt;": "<", "&gt;": ">"}
_STEPS = (
    (re.compile(r"([\{-\~\[-\` -\&\(-\+\:-\@\/])"), r" \1 "),
    (re.compile(r"([^0-9])([\.,])"), r"\1 \2 "),
    (re.compile(r"([\.,])([^0-9])"), r" \1 \2"),
    (re.compile(r"([0-9])(-)"), r"\1 \2 "),
)


class References:
    """The references of one sentence, counted once."""

    def __init__(self, references: Sequence[Words]) -> None:
        self.lengths = sorted(len(reference) for reference in references)
        self.most: Counter[tuple[str, ...]] = Counter()
        for reference in references:
            self.most |= _ngrams(reference)

    def counts(self, output: Words) -> Counts:
        """Count what BLEU needs of an output, with the length of the reference nearest in length."""
        found = np.zeros(SIZE)
        for ngram, times in _ngrams(output).items():
            found[len(ngram) - 1] += min(times, self.most[ngram])
        for n in range(1, ORDER + 1):
            found[ORDER + n - 1] = max(0, len(output) - n + 1)
        found[-2] = len(output)
        found[-1] = min(self.lengths, key=lambda length: abs(length - len(output)))
        return found


def _ngrams(words: Words) -> Counter[tuple[str, ...]]:
    return Counter(tuple(words[i : i + n]) for n in range(1, ORDER + 1) for i in range(len(words) - n + 1))


def bleu(counts: Counts) -> float:
    """Compute the BLEU of a corpus from summed counts, from 0 to 100."""
    if counts[-2] == 0 or np.any(counts[:ORDER] == 0):
        return 0.0
    precision = float(np.mean(np.log(counts[:ORDER] / counts[ORDER : 2 * ORDER])))
    return float(100 * np.exp(precision + min(0.0, 1 - counts[-1] / counts[-2])))


def corpus_bleu(counts: Counts) -> Counts:
    """Compute the BLEU of each row of corpus counts, from 0 to 100, as reported.

    If no n-gram of some length is right, half of one is taken to be; for the next such length a quarter.
    Outputs that are all too short to have any of some length are worth nothing.
    """
    matched, total = counts[..., :ORDER], counts[..., ORDER : 2 * ORDER]
    missed = matched == 0
    shares = np.where(missed, 0.5 ** np.cumsum(missed, axis=-1), matched) / np.maximum(total, 1)
    output, reference = counts[..., -2], counts[..., -1]
    brevity = np.minimum(0.0, 1 - reference / np.maximum(output, 1))
    found = 100 * np.exp(np.log(shares).mean(axis=-1) + brevity)
    worth = np.all(total > 0, axis=-1) & ~np.all(missed, axis=-1)
    return np.asarray(np.where(worth, found, 0.0))


def smoothed(counts: Counts) -> Counts:
    """Compute BLEU + 1 of each row of counts (Lin & Och 2004), from 0 to 1: add one to all but unigrams."""
    matched, total = counts[..., :ORDER].copy(), counts[..., ORDER : 2 * ORDER].copy()
    matched[..., 1:] += 1
    total[..., 1:] += 1
    with np.errstate(divide="ignore", invalid="ignore"):
        logs = np.log(matched / np.maximum(total, 1))
        brevity = np.minimum(0.0, 1 - counts[..., -1] / np.maximum(counts[..., -2], 1e-9))
        found: Counts = np.exp(logs.mean(axis=-1) + brevity)
    return found


def words_13a(text: str) -> list[str]:
    """Split a text as mteval-v13a does.

    Examples
    --------
    >>> words_13a('He paid 3.50, "twice".')
    ['He', 'paid', '3.50', ',', '"', 'twice', '"', '.']
    """
    for entity, character in _ENTITIES.items():
        text = text.replace(entity, character)
    text = f" {text} "
    for pattern, between in _STEPS:
        text = pattern.sub(between, text)
    return text.split()


def characters(text: str) -> list[str]:
    """Split a text into characters, without blanks."""
    return list("".join(text.split()))
