"""A signal ends a call into the engine with the exception of its handler, and leaves nothing half done."""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType

import numpy as np
import pytest

from structron import Parser, Tagger, _core
from structron.fit import Learning
from structron.synthetic import generate_treebank
from structron.tasks.tagging import TaggingTask
from structron.tasks.tagging.settings import TaggingRecipe

LABELS = ("A", "B", "C")
EXAMPLES = 4000


class Rung(Exception):
    """What the handler of these tests raises."""


@contextmanager
def alarm(seconds: float) -> Iterator[None]:
    """Raise `Rung` after this time, and again until somebody hears."""

    def ring(number: int, frame: FrameType | None) -> None:
        raise Rung

    before = signal.signal(signal.SIGALRM, ring)
    # Again and again: an exception that is raised in a callback of the garbage collector is lost.
    signal.setitimer(signal.ITIMER_REAL, seconds, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def corpus() -> tuple[list[list[str]], list[list[str]]]:
    """Sentences whose labels can hardly be learned."""
    rng = np.random.default_rng(0)
    X = [[f"w{i}" for i in rng.integers(0, 50, 300)] for _ in range(50)]
    return X, [[LABELS[i] for i in rng.integers(0, 3, len(x))] for x in X]


def learning(update: str, batch: int) -> tuple[Learning[TaggingTask], Callable[[np.ndarray], object]]:
    task = TaggingTask(LABELS, ("w[0]", "t[-1]", "t[-1] w[0]", "w[-1] w[0]"))
    made = Learning.start(task, TaggingRecipe(search="beam:8", update=update, batch=batch))
    live = made.learner(made.pack(*corpus()))
    return made, lambda order: live.run(order, batch, 2)


@pytest.mark.parametrize(("update", "batch"), [("max_violation", 1), ("laso", 1), ("early", 16)])
def test_weights_are_those_after_the_last_whole_example(update: str, batch: int) -> None:
    order = np.tile(np.arange(50, dtype=np.uint32), EXAMPLES // 50)
    for seconds in (0.11, 0.2, 0.35):  # whenever it comes
        interrupted, run = learning(update, batch)
        with pytest.raises(Rung), alarm(seconds):
            while True:
                run(order)
        done = interrupted.weights.clock - 1
        assert done % batch == 0
        whole, run = learning(update, batch)
        run(np.resize(order, done))
        assert whole.weights.clock == interrupted.weights.clock
        for one, other in zip(whole.weights.state(), interrupted.weights.state()):
            assert np.array_equal(one, other)


def test_a_trainer_can_be_used_after_an_interruption() -> None:
    order = np.arange(50, dtype=np.uint32)
    made, run = learning("max_violation", 16)
    with pytest.raises(Rung), alarm(0.15):
        while True:
            run(order)
    clock = made.weights.clock
    run(order)
    assert made.weights.clock == clock + 50


def test_a_model_can_be_used_after_an_interruption() -> None:
    trees = generate_treebank(20, np.random.default_rng(0))
    X = [(list(t.words), list(t.tags)) for t in trees]
    parser = Parser(epochs=1, system="graph", search="forest:8").fit(
        X, [(list(t.heads), list(t.labels)) for t in trees]
    )
    expected = parser.predict(X)
    words, tags = X[0]
    with pytest.raises(Rung), alarm(0.3):
        parser.predict([(words * 40, tags * 40)] * 1000)
    assert parser.predict(X) == expected


def test_weights_that_are_restored_can_be_given_up() -> None:
    keys = np.sort(np.random.default_rng(0).integers(1, 1 << 63, 500_000, dtype=np.uint64))
    columns, weights, past = (
        np.zeros(len(keys), np.uint32),
        np.ones(len(keys), np.float32),
        np.ones(len(keys)),
    )
    with pytest.raises(Rung), alarm(0.2):
        while True:
            _core.Weights(4).restore(keys, columns, weights, past, 2)


def test_other_threads_predict_while_the_main_one_is_interrupted() -> None:
    X = [["a", "b", "c"]] * 50
    tagger = Tagger(epochs=1).fit(X, [["A", "B", "C"]] * 50)
    expected = tagger.predict(X)
    stop, wrong = threading.Event(), []

    def predict() -> None:
        while not stop.is_set():
            if tagger.predict(X) != expected:
                wrong.append(True)

    others = [threading.Thread(target=predict) for _ in range(2)]
    for each in others:
        each.start()
    try:
        for _ in range(3):
            with pytest.raises(Rung), alarm(0.2):
                tagger.predict(X * 20_000)
    finally:
        stop.set()
        for each in others:
            each.join()
    assert not wrong and tagger.predict(X) == expected


def test_a_thread_of_python_stops_when_it_is_told() -> None:
    tagger = Tagger(epochs=1).fit([["a", "b"]] * 5, [["A", "B"]] * 5)
    stop, raised = _core.Stop(), []

    def predict() -> None:
        try:
            stop.enter()
            tagger.predict([["a", "b"]] * 5_000_000)
        except _core.Stopped as error:
            raised.append(error)

    thread = threading.Thread(target=predict)
    thread.start()
    stop.set()
    thread.join()
    assert raised and tagger.predict([["a", "b"]]) == [["A", "B"]]
