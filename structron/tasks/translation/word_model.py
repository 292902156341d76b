"""A language model over words, as the definition of translation asks for one."""

from __future__ import annotations

from structron.data.ngrams import END, NGrams
from structron.tasks.translation.estimation import table_of
from structron.tasks.translation.language_model import BackoffModel, NGram
from structron.tasks.translation.vocabulary import Vocabulary


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
