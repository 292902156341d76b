"""A language model over words, as the definition of translation asks for one."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from structron.alignment.vocabulary import Vocabulary
from structron.io.values.ngrams import END, NGrams
from structron.tasks.translation.language_model.definition import BackoffModel, NGram
from structron.tasks.translation.language_model.estimation import table_of


def word_bounds(ngrams: NGrams) -> npt.NDArray[np.float32]:
    """For each word of a model the most it says of it in any context.

    A longer context takes what some n-gram says, or a back-off weight and what a shorter one says.
    """
    most = np.full(len(ngrams.vocabulary), -np.inf, np.float32)
    np.maximum.at(most, ngrams.words, ngrams.logprob)
    raised = np.maximum(ngrams.backoff, 0.0).max(initial=0.0) * (ngrams.order - 1)
    found: npt.NDArray[np.float32] = np.maximum(most + np.float32(raised), np.float32(-1e6))
    return found


class WordModel:
    """The n-grams of a model, asked word by word."""

    def __init__(self, ngrams: NGrams) -> None:
        self._model = BackoffModel(table_of(ngrams))
        self._vocabulary = Vocabulary(ngrams.vocabulary)

    def begin(self) -> NGram:
        """Before the first word of a sentence."""
        return self._model.begin()

    def nothing(self) -> NGram:
        """Where no word is known that came before."""
        return ()

    def score(self, state: NGram, word: str) -> tuple[float, NGram]:
        """The logarithm of a word's probability, and the state after it."""
        return self._model.score(state, self._vocabulary.numbers([word])[0])

    def end(self, state: NGram) -> float:
        """The logarithm of the probability that the sentence ends here."""
        return self._model.score(state, END)[0]
