"""One tagger for many: threads, forked processes; and nothing is left behind on disk."""

from __future__ import annotations

import faulthandler
import os
import signal
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from structron import Tagger
from tests.unit.estimators.corpora import treebank

X, Y = treebank(120)


@pytest.fixture(scope="module")
def tagger() -> Tagger:
    return Tagger(epochs=2).fit(X[:60], Y[:60])


def test_many_threads_get_the_right_answers(tagger: Tagger) -> None:
    alone = tagger.predict(X)
    best = [tagger.predict_kbest([words], 2)[0] for words in X]
    # A deadlock would hang here for ever; this ends the run with all stacks instead.
    faulthandler.dump_traceback_later(60, exit=True)

    def work(n: int) -> bool:
        some = [(i * 7 + n) % len(X) for i in range(40)]
        if n % 3 == 0:
            return tagger.predict_kbest([X[i] for i in some], 2) == [best[i] for i in some]
        if n % 3 == 1:
            return all(len(tagger.trace(X[i], Y[i] if n % 2 else None).beams) == len(X[i]) for i in some)
        return tagger.predict([X[i] for i in some]) == [alone[i] for i in some]

    try:
        with ThreadPoolExecutor(16) as pool:
            assert all(pool.map(work, range(120)))
    finally:
        faulthandler.cancel_dump_traceback_later()


def test_threads_learn_side_by_side(tagger: Tagger) -> None:
    def learn(seed: int) -> list[list[str]]:
        return Tagger(epochs=2, seed=seed).fit(X[:40], Y[:40]).predict(X)

    apart = [learn(seed) for seed in range(4)]
    with ThreadPoolExecutor(4) as pool:
        assert list(pool.map(learn, range(4))) == apart


def test_an_error_in_one_thread_leaves_the_others_alone(tagger: Tagger) -> None:
    alone = tagger.predict(X[:20])

    def work(n: int) -> bool:
        if n % 2:
            try:
                tagger.predict([*X[:5], ["\ud800"]])
            except Exception as error:
                return "sentence 6" in str(error)
            return False
        return tagger.predict(X[:20]) == alone

    with ThreadPoolExecutor(8) as pool:
        assert all(pool.map(work, range(60)))


@pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork here")
@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_a_forked_process_predicts(tagger: Tagger, tmp_path: Path) -> None:
    tagger.save(tmp_path / "m")
    loaded = Tagger.load(tmp_path / "m")
    expected = loaded.predict(X)
    child = os.fork()
    if child == 0:
        os._exit(0 if loaded.predict(X) == expected == tagger.predict(X) else 1)
    for _ in range(300):
        done, status = os.waitpid(child, os.WNOHANG)
        if done:
            break
        time.sleep(0.1)
    else:
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
        pytest.fail("the child hangs")
    assert os.waitstatus_to_exitcode(status) == 0


SCRIPT = """
import sys
from structron import Tagger
tagger = Tagger.load(sys.argv[1])
tagger.predict([["the", "dog"]] * 3)
tagger.predict_kbest([["the", "dog"]], 2)
tagger.partial_fit([["the", "dog"]], [tagger.labels_[:2]])
"""


def test_nothing_is_left_on_disk(tagger: Tagger, tmp_path: Path) -> None:
    model, empty = tmp_path / "m.safetensors", tmp_path / "empty"
    tagger.save(model)
    tagger.save(model)
    assert list(tmp_path.iterdir()) == [model]
    empty.mkdir()
    env = os.environ | {"TMPDIR": str(empty), "HOME": str(empty), "PYTHONDONTWRITEBYTECODE": "1"}
    subprocess.run([sys.executable, "-c", SCRIPT, str(model)], cwd=empty, env=env, check=True, timeout=120)
    assert list(empty.rglob("*")) == []
