"""Lists, tuples and numpy arrays are the same data to every estimator."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from structron import DataError, Parser, Tagger, Transducer
from structron.synthetic import generate_treebank

TREES = generate_treebank(12, np.random.default_rng(2))
WORDS, TAGS = [[*t.words] for t in TREES], [[*t.tags] for t in TREES]
HEADS, LABELS = [[*t.heads] for t in TREES], [[*t.labels] for t in TREES]
SOURCES, TARGETS = ["ab", "ba", "aab"], [["A", "B"], ["B", "A"], ["A", "A", "B"]]


def objects(items: Any) -> Any:
    """An array of objects, whatever their lengths."""
    array = np.empty(len(items), dtype=object)
    for i, item in enumerate(items):
        array[i] = item
    return array


KINDS: dict[str, tuple[Callable[[Any], Any], Callable[[Any], Any]]] = {
    "tuples": (tuple, tuple),
    "arrays": (np.array, objects),
    "objects": (objects, objects),
    "arrays in a list": (np.array, list),
}


@pytest.mark.parametrize("kind", KINDS)
def test_a_tagger(kind: str) -> None:
    one, many = KINDS[kind]
    usual = Tagger(epochs=2).fit(WORDS, TAGS)
    X, y = many([one(words) for words in WORDS]), many([one(tags) for tags in TAGS])
    found = Tagger(epochs=2).fit(X, y, dev=(X, y))
    assert list(found.predict(X)) == usual.predict(WORDS) and found.score(X, y) == usual.score(WORDS, TAGS)
    assert found.labels_ == usual.labels_ and all(type(label) is str for label in found.labels_)


@pytest.mark.parametrize("kind", KINDS)
def test_a_parser(kind: str) -> None:
    one, many = KINDS[kind]
    usual = Parser(epochs=2).fit([*zip(WORDS, TAGS)], [*zip(HEADS, LABELS)])
    given = list if kind == "tuples" else one  # a pair of tuples could be two words
    X = many([(given(words), given(tags)) for words, tags in zip(WORDS, TAGS)])
    y = many([(one(heads), one(labels)) for heads, labels in zip(HEADS, LABELS)])
    found = Parser(epochs=2).fit(X, y, dev=(X, y))
    assert list(found.predict(X)) == usual.predict([*zip(WORDS, TAGS)])
    assert found.score(X, y) == usual.score([*zip(WORDS, TAGS)], [*zip(HEADS, LABELS)])
    heads = many([one(heads) for heads in HEADS])
    unlabelled = Parser(epochs=2, labelled=False).fit(X, heads)
    assert unlabelled.score(X, heads) == Parser(epochs=2, labelled=False).fit(X, HEADS).score(X, HEADS)
    assert found.trace(X[0], y[0]).final == 2 * len(WORDS[0]) - 1


def test_a_pair_of_tuples_is_refused_for_it_may_be_words_or_columns() -> None:
    with pytest.raises(DataError, match="sentence 1 is a tuple of tuples, which may be columns or words"):
        Parser().fit([(("dogs", "bark"), ("NOUN", "VERB"))], [([2, 0], ["nsubj", "root"])])
    with pytest.raises(DataError, match="y is of type int"):
        Parser().fit([["dogs"]], 7)  # type: ignore[arg-type]


@pytest.mark.parametrize("kind", KINDS)
def test_a_transducer(kind: str) -> None:
    one, many = KINDS[kind]
    usual = Transducer(epochs=2).fit(SOURCES, TARGETS)
    X, y = many([one(list(source)) for source in SOURCES]), many([one(target) for target in TARGETS])
    found = Transducer(epochs=2).fit(X, y, dev=(X, y))
    assert list(found.predict(X)) == usual.predict(SOURCES) and found.score(X, y) == usual.score(
        SOURCES, TARGETS
    )
    texts = Transducer(epochs=2).fit(many(SOURCES), many([" ".join(target) for target in TARGETS]))
    assert list(texts.predict(many(SOURCES))) == [" ".join(target) for target in usual.predict(SOURCES)]
