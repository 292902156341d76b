"""Brown clusters: the engine, which keeps sums up to date, finds what the definition computes anew."""

from __future__ import annotations

import random

import pytest

from structron import _core
from structron.fit.clustering.clustering import brown_clusters
from structron.reference.text import clustering


def text(seed: int, words: int) -> list[list[str]]:
    """Sentences in which some words are much more frequent than others, and words follow themselves."""
    rng = random.Random(seed)
    known = [f"w{i}" for i in range(words)]
    return [
        [known[min(words - 1, int(rng.expovariate(6 / words)))] for _ in range(rng.randint(0, 9))]
        for _ in range(30 + words)
    ]


def counted(sentences: list[list[str]], least: int) -> tuple[clustering.Bigrams, _core.Bigrams]:
    counter = _core.BigramCounter()
    for sentence in sentences:
        counter.add(sentence)
    return clustering.Bigrams.of(sentences, least), counter.give(least)


@pytest.mark.parametrize(
    ("seed", "words", "classes", "least"),
    [(0, 70, 3, 1), (1, 12, 5, 1), (2, 9, 4, 3), (3, 3, 6, 1), (4, 20, 2, 4)],
)
def test_classes_and_tree_are_those_of_the_definition(
    seed: int, words: int, classes: int, least: int
) -> None:
    bigrams, engine = counted(text(seed, words), least)
    assert engine.words == bigrams.words and engine.times.tolist() == bigrams.times
    class_of = clustering.start(bigrams, classes)
    exchange = _core.Exchange(engine, classes)
    assert exchange.of_words.tolist() == class_of
    for turn in range(2):
        before = exchange.quality
        moved = clustering.exchange_once(bigrams, class_of)
        assert exchange.run(0, len(engine.words), threads=1 + turn) == moved
        assert exchange.of_words.tolist() == class_of
        assert exchange.quality == clustering.quality(bigrams, class_of)
        assert exchange.quality > before or not moved  # every move gains
    merges = clustering.agglomerate(bigrams, class_of)
    assert _core.Agglomeration(exchange).run(len(class_of), threads=2) == merges
    found = clustering.paths(merges, exchange.classes)
    assert sum(2.0 ** -len(path) for path in found) == 1  # a binary tree whose leaves they are


def test_threads_do_not_change_the_clusters() -> None:
    sentences = text(5, 150)
    found = [brown_clusters(sentences, 12, least=1, threads=n) for n in (1, 3)]
    assert found[0] == found[1]
    assert {each.word for each in found[0]} == {word for sentence in sentences for word in sentence}
    assert len({each.path for each in found[0]}) == 12
