"""NLTK: a `Tagger` as an `nltk.TaggerI`."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Self

from structron.tasks.tagging.adapters.nltk_perceptron import TaggerMethods
from structron.tasks.tagging.estimator import Tagger

try:
    from nltk.tag.api import TaggerI
except ImportError as error:
    raise ImportError("structron.adapters.nltk needs NLTK; pip install 'structron[nltk]'") from error


class StructronTagger(TaggerMethods, TaggerI):  # type: ignore[misc]
    """A tagger with NLTK's methods; `accuracy`, `confusion`, `recall` and more are NLTK's own.

    Parameters
    ----------
    tagger
        A fitted `Tagger`.

    Examples
    --------
    >>> sents = [[("dogs", "N"), ("bark", "V")], [("cats", "N"), ("sleep", "V")]]
    >>> StructronTagger.train(sents, epochs=3).tag(["cats", "bark"])
    [('cats', 'N'), ('bark', 'V')]
    """

    @classmethod
    def train(cls, tagged_sents: Iterable[Sequence[tuple[str, str]]], **settings: Any) -> Self:
        """Learn from sentences as NLTK's corpora have them; settings are the parameters of `Tagger`."""
        words, tags = _columns(tagged_sents)
        return cls(Tagger(**settings).fit(words, tags))


def _columns(tagged_sents: Iterable[Sequence[tuple[str, str]]]) -> tuple[list[list[str]], list[list[str]]]:
    words, tags = [], []
    for sent in tagged_sents:
        words.append([word for word, _ in sent])
        tags.append([tag for _, tag in sent])
    return words, tags
