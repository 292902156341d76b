"""Language models over words, for the definition of translation."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from structron.alignment.vocabulary import Vocabulary
from structron.io.values.ngrams import END, NGrams
from structron.tasks.translation.language_model.definition import BackoffModel, NGram
from structron.tasks.translation.language_model.estimation import table_of


def word_bounds(ngrams: NGrams) -> npt.NDArray[np.float32]:
    """Return an upper bound of each word's score in any context.

    In a longer context the score is that of an n-gram, or a back-off weight plus the score in a shorter
    context.
    """
    most = np.full(len(ngrams.vocabulary), -np.inf, np.float32)
    np.maximum.at(most, ngrams.words, ngrams.logprob)
    raised = np.maximum(ngrams.backoff, 0.0).max(initial=0.0) * (ngrams.order - 1)
    found: npt.NDArray[np.float32] = np.maximum(most + np.float32(raised), np.float32(-1e6))
    return found


class WordModel:
    """The n-grams of a model, queried word by word."""

    def __init__(self, ngrams: NGrams) -> None:
        self._model = BackoffModel(table_of(ngrams))
        self._vocabulary = Vocabulary(ngrams.vocabulary)

    def begin(self) -> NGram:
        """Return the state before the first word of a sentence."""
        return self._model.begin()

    def nothing(self) -> NGram:
        """Return the state without any history."""
        return ()

    def score(self, state: NGram, word: str) -> tuple[float, NGram]:
        """Return the logarithm of a word's probability, and the state after it."""
        return self._model.score(state, self._vocabulary.numbers([word])[0])

    def end(self, state: NGram) -> float:
        """Return the logarithm of the probability that the sentence ends here."""
        return self._model.score(state, END)[0]
