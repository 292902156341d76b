"""A real Ray cluster of several nodes on this machine: some are killed, and the model is the same."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from structron import Parser, Tagger, Transducer
from structron.fit import Cluster
from structron.fit.cluster.cluster import LOCAL
from structron.fit.clustering import clustering, counting
from structron.io import Files, Sentence, write
from structron.synthetic import generate_spellings, generate_treebank
from tests.unit.estimators.corpora import treebank

ray = pytest.importorskip("ray", reason="needs structron[ray]; make test-cluster installs it")

X, Y = treebank(120)
TREES = generate_treebank(60, np.random.default_rng(2))
PARSED = (
    [(list(tree.words), list(tree.tags)) for tree in TREES],
    [(list(tree.heads), list(tree.labels)) for tree in TREES],
)
SPELLINGS = generate_spellings(120, np.random.default_rng(1))
SPELLED = ([pair.source for pair in SPELLINGS], [pair.targets for pair in SPELLINGS])
CASES = [
    (Tagger, {"shards": 2}, X, Y),
    (Tagger, {"batch": 32, "cut": 2}, X, Y),
    (Parser, {"shards": 2}, *PARSED),
    (Parser, {"batch": 32, "system": "graph"}, *PARSED),
    (Transducer, {"batch": 32}, *SPELLED),
    (Transducer, {"batch": 32, "restart_every": 1}, *SPELLED),
    (Transducer, {"shards": 2, "restart_every": 2}, *SPELLED),
]


ROOM = {"num_cpus": 1, "object_store_memory": 100_000_000}


def add_node(nodes: Any) -> Any:
    """One more node; on a busy machine one may not start in the half minute that Ray allows."""
    for attempt in range(4):
        try:
            return nodes.add_node(**ROOM)
        except Exception:
            if attempt == 3:
                raise
    return None


@pytest.fixture(scope="module")
def nodes() -> Iterator[Any]:
    from ray.cluster_utils import Cluster as Nodes

    # A node that was killed refuses connections, which is noticed at once; one that is slow is not dead.
    patient = LOCAL | {
        "health_check_initial_delay_ms": 0,
        "health_check_period_ms": 500,
        "health_check_failure_threshold": 3,
    }
    head = {"num_cpus": 0, "include_dashboard": False, "object_store_memory": 100_000_000}
    cluster = Nodes(initialize_head=True, head_node_args=head | {"_system_config": patient})
    for _ in range(2):
        add_node(cluster)
    ray.init(address=cluster.address, log_to_driver=False, logging_level="ERROR")
    yield cluster
    ray.shutdown()
    cluster.shutdown()


def assert_same(ours: Any, theirs: Any) -> None:
    for one, other in zip(ours.model_.rows, theirs.model_.rows):
        np.testing.assert_array_equal(one, other)
    assert ours.model_.about == theirs.model_.about


@pytest.mark.parametrize("kind, settings, X, Y", CASES, ids=lambda case: getattr(case, "__name__", None))
def test_a_worker_killed_in_the_middle_of_an_epoch_loses_nothing(
    nodes: Any, kind: Any, settings: Any, X: Any, Y: Any
) -> None:
    killed: list[int] = []
    estimator = kind(epochs=3, **settings)
    schedules: list[Any] = []

    def schedule(*given: Any) -> Any:
        schedules.append(kind._schedule(estimator, *given))
        return schedules[-1]

    def kill(epoch: int, done: int, total: int) -> None:
        if epoch == 2 and done > total // 3 and not killed:
            killed.append(schedules[0].pids[0])
            os.kill(killed[0], signal.SIGKILL)

    notes: set[str] = set()
    estimator._schedule = schedule
    ours = estimator.fit(
        X,
        Y,
        cluster=Cluster(workers=2, deadline=300),
        progress=kill,
        on_workers=lambda workers: notes.update(worker.note for worker in workers),
    )
    assert killed
    assert any("replaced" in note for note in notes)
    assert_same(ours, kind(epochs=3, **settings).fit(X, Y))


def test_workers_read_their_own_files_and_read_them_again_after_one_is_killed(
    nodes: Any, tmp_path: Path
) -> None:
    (tmp_path / "text").mkdir()
    for number in range(3):
        some = [Sentence.of(x, y) for x, y in zip(X[number::3], Y[number::3])]
        write(some, tmp_path / "text" / f"{number}.tsv")
    files, killed = Files(str(tmp_path / "text"), format="columns"), list[int]()
    tagger, schedules = Tagger(epochs=2, shards=2), list[Any]()

    def schedule(*given: Any) -> Any:
        schedules.append(Tagger._schedule(tagger, *given))
        return schedules[-1]

    def kill(epoch: int, done: int, total: int) -> None:
        if epoch == 2 and not killed:
            killed.append(schedules[0].pids[0])
            os.kill(killed[0], signal.SIGKILL)

    tagger._schedule = schedule  # type: ignore[method-assign]
    cluster = Cluster(workers=2, deadline=300)
    tagger.fit(files, stream=tmp_path / "survey", cluster=cluster, progress=kill)
    assert killed
    assert_same(tagger, Tagger(epochs=2, shards=2).fit(files))


NODES = [
    (Tagger, {"shards": 3}, X, Y),
    (Tagger, {"batch": 32}, X, Y),
    (Parser, {"batch": 32}, *PARSED),
    (Parser, {"shards": 3, "tagger": "jackknife:2"}, *PARSED),
    (Parser, {"shards": 3, "system": "graph"}, *PARSED),
    (Transducer, {"shards": 3}, *SPELLED),
]


@pytest.mark.parametrize("kind, settings, X, Y", NODES, ids=lambda case: getattr(case, "__name__", None))
def test_a_node_killed_in_the_middle_of_an_epoch_loses_nothing(
    nodes: Any, kind: Any, settings: Any, X: Any, Y: Any
) -> None:
    # Three nodes with room for one worker each: one of them is on the node that goes.
    doomed = add_node(nodes)
    others: list[Any] = []

    def kill(epoch: int, done: int, total: int) -> None:
        if epoch == 2 and done > 0 and not others:
            others.append(add_node(nodes))
            nodes.remove_node(doomed, allow_graceful=False)

    notes: set[str] = set()
    try:
        ours = kind(epochs=3, **settings).fit(
            X,
            Y,
            cluster=Cluster(workers=3, deadline=300),
            progress=kill,
            on_workers=lambda workers: notes.update(worker.note for worker in workers),
        )
    finally:
        for node in others or [doomed]:
            nodes.remove_node(node)
    assert others
    assert any("replaced" in note for note in notes)
    assert_same(ours, kind(epochs=3, **settings).fit(X, Y))


def test_no_cluster_is_told_in_one_sentence(tmp_path: Path) -> None:
    words = tmp_path / "words.tsv"
    words.write_text("a\tA\n\n")
    command = [
        "-m",
        "structron.cli",
        "train",
        "tagging",
        str(words),
        "-o",
        str(tmp_path / "m"),
        "--batch",
        "2",
    ]
    done = subprocess.run(
        [sys.executable, *command, "--batch", "2", "--ray", "127.0.0.1:1"],
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert done.returncode != 0
    (said,) = done.stderr.splitlines()
    assert "127.0.0.1:1: no cluster answers; start one with 'ray start --head'" in said


def test_workers_count_words_and_one_that_is_killed_loses_nothing(
    nodes: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(counting, "BLOCK", 20)
    monkeypatch.setattr(clustering, "BLOCK", 20)
    mark = tmp_path / "killed"

    def parse(line: str) -> list[str]:
        if "LAST" in line and not mark.exists():
            mark.touch()
            os.kill(os.getpid(), signal.SIGKILL)
        return line.split("\t")

    lines = ["\t".join(sentence) for sentence in X] * 3
    lines[70] += "\tLAST"
    there = counting.counted_by_workers(Cluster(workers=2, deadline=300), lines, parse)
    assert mark.exists()
    here = clustering.counted(map(parse, lines))
    for ours, theirs in zip(there.part(), here.part()):
        np.testing.assert_array_equal(ours, theirs)
    assert clustering.clustered(there, 5, 1, 3) == clustering.clustered(here, 5, 1, 3)
