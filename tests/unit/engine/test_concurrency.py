"""Threads may share lists, models, trainers and estimators: nothing crashes, and each gets its own answer."""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Callable, Iterator
from hashlib import pbkdf2_hmac
from typing import Any

import numpy as np
import pytest

from structron import Parser, Tagger, Transducer, _core
from structron.engine.rows import Rows
from structron.errors import EngineError
from structron.fit import Learning
from structron.model import Model
from structron.search import Exact
from structron.synthetic import generate_treebank
from structron.tasks.tagging import TaggingTask
from structron.tasks.tagging.settings import TaggingRecipe
from tests.apart import run_apart

ROUNDS = 30
X = [["the", "old", "man", "the", "boats"], ["old", "boats", "sail"], ["a", "man", "sails"]] * 40
Y = [["D", "N", "V", "D", "N"], ["A", "N", "V"], ["D", "N", "V"]] * 40


def together(*works: Callable[[], object]) -> None:
    """All at once, each in a thread of its own, switching as often as can be; the first error is raised."""
    sys.setswitchinterval(1e-6)
    failed: list[BaseException] = []

    def attempt(work: Callable[[], object]) -> None:
        try:
            work()
        except BaseException as error:
            failed.append(error)

    threads = [threading.Thread(target=attempt, args=(work,)) for work in works]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if failed:
        raise failed[0]


def fitted() -> tuple[Tagger, Parser, Transducer]:
    trees = generate_treebank(30, np.random.default_rng(1))
    sentences = [(list(t.words), list(t.tags)) for t in trees]
    return (
        Tagger(epochs=2).fit(X, Y),
        Parser(epochs=1, search="beam:4").fit(sentences, [(list(t.heads), list(t.labels)) for t in trees]),
        Transducer(epochs=1).fit(["ab", "ba", "aab"] * 5, ["xy", "yx", "xxy"] * 5),
    )


def predict_while_lists_change() -> None:
    tagger, parser, transducer = fitted()
    words = [
        (word,) * parser.model_.task.columns
        for word in ["the", "dog", "sees", "a", "cat", "near", "the", "tree"]
    ]
    inputs: list[tuple[Model, Callable[[int], list[Any]]]] = [
        (tagger.model_, lambda i: [f"word{i}", "boats", f"sail{i % 7}"]),
        (parser.model_, lambda i: [*words[i % 3 :]]),
        (transducer.model_, lambda i: [*("ab" * (1 + i % 4))]),
    ]
    for model, make in inputs:
        model.threads = 2
        sentences = [make(i) for i in range(400)]
        over = threading.Event()

        def predict(model: Model = model, xs: list[Any] = sentences, over: threading.Event = over) -> None:
            try:
                for _ in range(ROUNDS):
                    model.predict(xs)
            finally:
                over.set()

        def change(
            xs: list[Any] = sentences,
            make: Callable[[int], list[Any]] = make,
            over: threading.Event = over,
        ) -> None:
            while not over.is_set():
                for sentence in xs[::7]:
                    sentence.clear()
                xs.clear()
                xs.extend(make(i) for i in range(400))

        together(predict, change)


def one_model_many_callers() -> None:
    for estimator in fitted():
        model = estimator.model_
        xs: list[Any] = [["boats", "sail"], ["the", "old", "man"] * 3]
        if model.task.kind == "parsing":
            xs = [[(word,) * model.task.columns for word in x] for x in xs]
        if model.task.kind == "transduction":
            xs = ["abab", "ba"]
        several = [xs[i % 2 :] * (1 + i) for i in range(8)]
        expected = [model.predict(x) for x in several]
        again = [model.kbest(x, 2) for x in several]

        def ask(
            model: Model = model,
            several: list[Any] = several,
            expected: list[Any] = expected,
            again: list[Any] = again,
        ) -> None:
            for _ in range(ROUNDS):
                for x, y, best in zip(several, expected, again):
                    assert model.predict(x) == y and model.kbest(x, 2) == best
                    model.trace(x[0])

        together(*[ask] * 4)


def one_trainer_two_threads() -> None:
    task = TaggingTask(("A", "D", "N", "V"), ("w[0]", "t[-1]", "t[-2] t[-1]", "w[0] w[1]"))
    learning = Learning.start(task, TaggingRecipe(search="beam:4"))
    trainer = learning.learner(learning.pack(X, Y))
    order = np.arange(len(X), dtype=np.uint32)
    weights = learning.weights

    def train() -> None:
        for _ in range(ROUNDS):
            trainer.run(order)
            trainer.run(order, 16, 2)

    def look() -> None:
        for _ in range(4 * ROUNDS):
            trainer.trace(1)
            trainer.find(order[:8], order[:8], 2)
            weights.pack(True)
            weights.get(7, 1)
            assert weights.copy().features <= weights.features

    def grow() -> None:
        for i in range(20 * ROUNDS):
            weights.add(2**40 * i, 1, 1.0)

    together(train, train, look, grow)
    assert weights.clock == 1 + 2 * 2 * ROUNDS * len(X)


def several_partial_fits() -> None:
    tagger = Tagger(epochs=1)
    seen = 8 * ROUNDS

    def learn(start: int) -> None:
        for i in range(start, seen, 4):
            words = [[f"w{i}", "boats", f"s{i % 5}"], *X[:3]]
            tagger.partial_fit(words, [["N", "N", "V"], *Y[:3]], labels=["A", "D", "N", "V"])

    def ask() -> None:
        while len(getattr(tagger, "history_", [])) < seen:
            if hasattr(tagger, "model_"):
                assert all(len(found) == len(x) for x, found in zip(X, tagger.predict(X)))

    tagger.partial_fit(X[:3], Y[:3], labels=["A", "D", "N", "V"])
    seen -= 1  # what `ask` waits for is there in the end, whatever the order
    together(*[lambda start=start: learn(start) for start in range(4)], ask)
    assert len(tagger.history_) == seen + 1


def fit_again_and_again() -> None:
    trees = generate_treebank(20, np.random.default_rng(1))
    sentences = [(list(t.words), list(t.tags)) for t in trees]
    built = [(list(t.heads), list(t.labels)) for t in trees]
    parser = Parser(epochs=1, search="beam:2").fit(sentences, built)

    def fit() -> None:
        for _ in range(5):
            parser.fit(sentences, built)
            parser.partial_fit(sentences, built)

    def ask() -> None:
        for _ in range(20):
            # What was learned before is in use until there is something new: nothing is refused.
            assert len(parser.predict(sentences)) == 20
            assert (
                len(parser.predict_kbest(sentences[:2], 2)) == 2 and 0 <= parser.score(sentences, built) <= 1
            )
            assert parser.labels_ and parser.crossing_["trees"] == 20

    together(fit, fit, ask)


@pytest.mark.parametrize(
    "work",
    [
        predict_while_lists_change,
        one_model_many_callers,
        one_trainer_two_threads,
        several_partial_fits,
        fit_again_and_again,
    ],
)
def test_nothing_crashes(work: Callable[[], None]) -> None:
    run_apart(work)


class Lazy(list[Any]):
    """A sentence that asks a model for its own words while it is read."""

    def __init__(self, items: Any, ask: Callable[[], object]) -> None:
        super().__init__(items)
        self.ask = ask

    def __iter__(self) -> Iterator[Any]:
        self.ask()
        return super().__iter__()

    def __len__(self) -> int:
        self.ask()
        return super().__len__()


def inputs_that_ask() -> None:
    tagger, _, transducer = fitted()
    for model, x in ((tagger.model_, ["old", "boats"]), (transducer.model_, ["a", "b"])):
        model.threads = 2
        expected = model.predict([x])
        asked = []

        def ask(model: Model = model, x: list[str] = x, asked: list[Any] = asked) -> None:
            asked.append(model.predict([x] * 9))
            model.trace(x)

        lazy: list[Any] = [Lazy(x, ask) for _ in range(40)]
        assert model.predict(lazy) == expected * 40
        assert asked and all(found == expected * 9 for found in asked)
        assert model.kbest(lazy, 1) == model.kbest([x], 1) * 40


def test_an_input_may_ask_the_model_that_reads_it() -> None:
    run_apart(inputs_that_ask)


class Asking:
    """A feature's value that does something when it is read."""

    def __init__(self, act: Callable[[], object]) -> None:
        self.act = act

    def __float__(self) -> float:
        self.act()
        return 1.0


def values_that_ask() -> None:
    weights = _core.Weights(2)
    corpus = _core.TaggingCorpus(_core.Program([], 1), weights, ["A", "B"], True)
    for act in (lambda: corpus.add([{"x": 1.0}], ["A"]), lambda: weights.features):
        with pytest.raises(RuntimeError, match=r"asked for by the data that it is reading; read them into"):
            corpus.add([{"x": Asking(act)}], ["A"])
    assert (corpus.sentences, corpus.tokens) == (0, 0)
    token: dict[str, Any] = {}
    token |= {"first": Asking(token.clear), "second": {"third": Asking(token.clear)}, "fourth": 1.0}
    corpus.add([token], ["A"])
    assert corpus.sentences == 1


def test_a_corpus_is_not_changed_by_its_own_data() -> None:
    run_apart(values_that_ask)


def test_a_corpus_that_is_learned_from_stays_as_it_is() -> None:
    task = TaggingTask(("A", "D", "N", "V"), ("w[0]",))
    learning = Learning.start(task, TaggingRecipe())
    corpus = learning.pack(X, Y)
    learning.learner(corpus)
    with pytest.raises(ValueError, match="a corpus that is learned from stays as it is; pack the rest into"):
        corpus.add(X[0], Y[0])
    with pytest.raises(ValueError, match="a corpus that is learned from stays as it is"):
        corpus.keep(np.zeros(0, np.uint64))
    assert corpus.sentences == len(X)
    with pytest.raises(EngineError, match="the weights do not have the features of the corpus"):
        learning.learner(corpus, _core.Weights(4))


def test_decode_seconds_are_those_of_the_call() -> None:
    """Another thread is busy all the while; one call cannot take more than the caller's time."""
    tagger = Tagger(epochs=2).fit(X, Y)
    model = Model(tagger.model_.task, Rows(*tagger.model_.rows), Exact())
    model.predict(X)
    over = threading.Event()

    def burn() -> None:
        while not over.is_set():
            pbkdf2_hmac("sha256", b"structron", b"salt", 20_000)

    busy = threading.Thread(target=burn)
    busy.start()
    try:
        before, began = model.decode_seconds, time.thread_time()
        model.predict(X * 20)
        spent, own = model.decode_seconds - before, time.thread_time() - began
    finally:
        over.set()
        busy.join()
    assert 0 < spent <= own
