"""Language models that the engine estimates; see `structron.tasks.translation.language_model.definition`."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from structron import _core
from structron.alignment.vocabulary import Numbered, Vocabulary
from structron.errors import ModelError, SettingError
from structron.io.values.ngrams import MOST_ORDERS, SPECIAL, NGrams
from structron.tasks.translation.language_model.definition import Logs, NGram


def estimate_ngrams(text: Numbered, vocabulary: Vocabulary, order: int) -> NGrams:
    """Estimate the modified Kneser-Ney model of a text.

    Words of the vocabulary that the text does not have are as likely as unknown ones. Unknown words in the
    text are left out, as by ``lmplz --skip_symbols``.
    """
    if not 1 <= order <= MOST_ORDERS:
        raise SettingError(f"a language model of order {order}; choose 1 to {MOST_ORDERS}")
    if not len(text):
        raise SettingError("a language model needs a text; give at least one sentence")
    kept = text.without(len(SPECIAL))
    arrays = _core.estimate_language_model(kept.words, kept.offsets, len(vocabulary), order)
    return NGrams(vocabulary.words, *arrays)


def language_model_of(sentences: Iterable[Sequence[str]], order: int) -> NGrams:
    """Estimate the modified Kneser-Ney model of sentences of words, with their vocabulary.

    Examples
    --------
    >>> model = language_model_of([["a", "man", "sleeps"], ["a", "dog", "sleeps"]], 3)
    >>> model.sizes.tolist()
    [7, 6, 6]
    """
    kept = list(sentences)
    vocabulary = Vocabulary.of(kept)
    return estimate_ngrams(vocabulary.number(kept), vocabulary, order)


def engine_of(ngrams: NGrams) -> _core.LanguageModel:
    """Create the engine's model; raise ModelError if the n-grams are damaged."""
    try:
        return _core.LanguageModel(ngrams.sizes, ngrams.words, ngrams.first, ngrams.logprob, ngrams.backoff)
    except ValueError as error:
        raise ModelError(f"its language model is damaged ({error}); train or fetch it again") from None


def table_of(ngrams: NGrams) -> dict[NGram, Logs]:
    """Return the n-grams as the definition takes them."""
    return {ngram: (logprob, backoff) for ngram, logprob, backoff in ngrams.each()}
