"""Where the system starts no more threads, work goes on with those there are."""

from __future__ import annotations

import os
import resource
import sys
import threading
from pathlib import Path

import numpy as np
import pytest

from structron import Parser, Tagger, Transducer
from structron.errors import StructronWarning
from structron.model import Model
from structron.synthetic import generate_treebank
from tests.apart import limits_memory, run_apart

WISHED = 64
STACK, ALL_STACKS = 512 << 20, 3 << 29  # of each thread; of all that can be started: two, or three

SENTENCES = [["the", "old", "man", "the", "boats"], ["old", "boats", "sail"], ["a", "man", "sails"]] * 60
TAGS = [["D", "N", "V", "D", "N"], ["A", "N", "V"], ["D", "N", "V"]] * 60
WORDS = ["abab", "ba", "aab", "bba"] * 50
SOUNDS = [list(word.replace("a", "x").replace("b", "y")) for word in WORDS]


def large_stacks() -> None:
    """Threads get stacks of this size; the system reads it when a program starts."""
    resource.setrlimit(resource.RLIMIT_STACK, (STACK, resource.getrlimit(resource.RLIMIT_STACK)[1]))


def limit_threads(stacks: int = ALL_STACKS) -> None:
    """No memory for the stacks of more than a few threads from now on."""
    pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[0])
    used = pages * resource.getpagesize()
    resource.setrlimit(resource.RLIMIT_AS, (used + stacks, resource.RLIM_INFINITY))


def threads_to_be_had() -> int:
    """How many can be started on top of this one."""
    go, started = threading.Event(), []
    try:
        for _ in range(WISHED):
            thread = threading.Thread(target=go.wait)
            thread.start()
            started.append(thread)
    except RuntimeError:
        pass
    finally:
        go.set()
        for thread in started:
            thread.join()
    return len(started)


def learn_and_predict_tags() -> None:
    one = Tagger(epochs=2, batch=32).fit(SENTENCES, TAGS)
    many = Tagger(epochs=2, batch=32)
    many.threads = WISHED
    limit_threads()
    assert threads_to_be_had() < WISHED
    many.fit(SENTENCES, TAGS)
    assert rows_of(many.model_) == rows_of(one.model_)
    assert many.predict(SENTENCES) == one.predict(SENTENCES)
    assert many.predict_kbest(SENTENCES, 2) == one.predict_kbest(SENTENCES, 2)


def predict_trees_and_sounds() -> None:
    trees = generate_treebank(150, np.random.default_rng(1))
    X, y = [(list(t.words), list(t.tags)) for t in trees], [(list(t.heads), list(t.labels)) for t in trees]
    parser = Parser(epochs=1, search="beam:4").fit(X[:30], y[:30])
    transducer = Transducer(epochs=1).fit(WORDS, SOUNDS)
    expected = parser.predict(X), transducer.predict(WORDS)
    parser.threads = transducer.threads = WISHED
    limit_threads()
    assert threads_to_be_had() < WISHED
    assert (parser.predict(X), transducer.predict(WORDS)) == expected


def mix_shards() -> None:
    one = Tagger(epochs=2, shards=WISHED).fit(SENTENCES, TAGS)
    many = Tagger(epochs=2, shards=WISHED)
    many.threads = WISHED
    limit_threads()
    assert threads_to_be_had() < WISHED
    many.fit(SENTENCES, TAGS)
    assert rows_of(many.model_) == rows_of(one.model_)


def work_without_any_thread() -> None:
    """Even the second thread is refused, which is wished for wherever there are two processors."""
    one = Tagger(epochs=2, batch=32).fit(SENTENCES, TAGS)
    expected = one.predict(SENTENCES)
    many = Tagger(epochs=2, batch=32)
    many.threads = one.threads = WISHED
    limit_threads(STACK // 2)
    assert threads_to_be_had() == 0
    many.fit(SENTENCES, TAGS)
    assert rows_of(many.model_) == rows_of(one.model_)
    assert many.predict(SENTENCES) == one.predict(SENTENCES) == expected


def rows_of(model: Model) -> list[list[float]]:
    return [array.tolist() for array in model.rows]


@limits_memory
@pytest.mark.parametrize(
    "work", [learn_and_predict_tags, predict_trees_and_sounds, mix_shards, work_without_any_thread]
)
def test_the_result_is_the_same_with_the_threads_there_are(work: object) -> None:
    hard = resource.getrlimit(resource.RLIMIT_STACK)[1]
    if hard != resource.RLIM_INFINITY and hard < STACK:
        pytest.skip("stacks are limited here")
    run_apart(work, prepare=large_stacks)  # type: ignore[arg-type]


def predict_with_many_threads() -> None:
    """A sentence in each of many batches, so that all threads would have work."""
    tagger = Tagger(epochs=1).fit(SENTENCES, TAGS)
    tagger.predict(SENTENCES)
    tagger.threads = 200
    threads = int(Path("/proc/self/status").read_text().split("Threads:")[1].split()[0])
    most = [threads]
    done = threading.Event()

    def watch() -> None:
        while not done.wait(0.001):
            now = Path("/proc/self/status").read_text().split("Threads:")[1].split()[0]
            most.append(int(now) - 1)

    watcher = threading.Thread(target=watch)
    watcher.start()
    with pytest.warns(StructronWarning, match="200 threads: .* can be used, so no more than") as told:
        for _ in range(20):
            tagger.predict(SENTENCES * 20)
    done.set()
    watcher.join()
    assert len(told) == 1
    assert max(most) <= threads + len(os.sched_getaffinity(0))


@pytest.mark.skipif(sys.platform != "linux", reason="threads are counted in /proc")
def test_no_more_threads_than_processors_are_started_and_this_is_told_once() -> None:
    run_apart(predict_with_many_threads)
