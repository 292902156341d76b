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


def counted(
    sentences: list[list[str]], least: int
) -> tuple[clustering.Bigrams, _core.Bigrams, _core.BigramCounter]:
    counter = _core.BigramCounter()
    for sentence in sentences:
        counter.add(sentence)
    return clustering.Bigrams.of(sentences, least), counter.give(least), counter


@pytest.mark.parametrize(
    ("seed", "words", "classes", "least"),
    [(0, 70, 3, 1), (1, 12, 5, 1), (2, 9, 4, 3), (3, 3, 6, 1), (4, 20, 2, 4)],
)
def test_classes_and_tree_are_those_of_the_definition(
    seed: int, words: int, classes: int, least: int
) -> None:
    bigrams, engine, _ = counted(text(seed, words), least)
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


@pytest.mark.parametrize(("most_pairs", "most_words"), [(300, 1 << 20), (1 << 20, 40), (150, 30), (1, 1)])
def test_what_is_forgotten_is_that_of_the_definition(most_pairs: int, most_words: int) -> None:
    sentences = text(3, 90)
    counts = clustering.Counts(most_pairs, most_words)
    whole, parts = (_core.BigramCounter(most_pairs, most_words) for _ in range(2))
    for begin in range(0, len(sentences), 20):
        part = _core.BigramCounter()  # counted elsewhere
        for sentence in sentences[begin : begin + 20]:
            for counter in (counts, whole, part):
                counter.add(sentence)
        parts.add_part(*part.part())
        for counter in (counts, whole, parts):
            counter.settle()
    assert counts.lost or most_words > 100
    for least in (1, 3):
        bigrams = counts.give(least)
        for engine in (whole, parts):
            found = engine.give(least)
            assert found.words == bigrams.words and found.times.tolist() == bigrams.times
            if bigrams.words:
                quality = _core.Exchange(found, 5).quality
                assert quality == clustering.quality(bigrams, clustering.start(bigrams, 5))
    assert whole.tokens == parts.tokens == sum(map(len, sentences))
    for a, b in zip(whole.part(), parts.part()):
        assert (a == b) if isinstance(a, int) else sorted(a) == sorted(b)


def test_a_part_that_does_not_fit_is_refused() -> None:
    words, times, left, right, both, *sizes = counted(text(1, 12), 1)[2].part()
    for wrong in (
        (words[:-1], times, left, right, both),
        (words, times, left, right, both[:-1]),
        (words[:1], times[:1], left, right, both),
    ):
        with pytest.raises(ValueError, match="of a part"):
            _core.BigramCounter().add_part(*wrong, *sizes)


def test_threads_do_not_change_the_clusters() -> None:
    sentences = text(5, 150)
    found = [brown_clusters(sentences, 12, least=1, threads=n) for n in (1, 3)]
    assert found[0] == found[1]
    assert {each.word for each in found[0]} == {word for sentence in sentences for word in sentence}
    assert len({each.path for each in found[0]}) == 12
