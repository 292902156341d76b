"""Jackknifing: no sentence is tagged by a tagger that has seen its tags."""

import pytest

from structron import DataError, Tagger
from structron.estimators.jackknife import jackknife
from tests.unit.estimators.corpora import treebank


def test_every_part_is_tagged_by_the_others() -> None:
    X, Y = treebank(9)
    seen: list[set[int]] = []

    class Watched(Tagger):
        def fit(self, X_, Y_, *more, **options):  # type: ignore[no-untyped-def]
            seen.append({X.index(x) for x in X_})
            return super().fit(X_, Y_, *more, **options)

    told: list[int] = []
    found, whole = jackknife(lambda: Watched(epochs=1), X, Y, 3, told.append)
    assert seen == [{1, 2, 4, 5, 7, 8}, {0, 2, 3, 5, 6, 8}, {0, 1, 3, 4, 6, 7}, set(range(9))]
    assert [len(tags) for tags in found] == [len(x) for x in X]
    assert whole.predict(X) == Tagger(epochs=1).fit(X, Y).predict(X)
    assert told == [1, 2, 3, 4]


def test_fewer_sentences_than_parts_are_refused() -> None:
    with pytest.raises(DataError, match="3 sentences cannot be put into 5 parts"):
        jackknife(Tagger, *treebank(3), 5)
