"""A real Ray cluster of several nodes on this machine: some are killed, and the model is the same."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from structron import Tagger
from structron.errors import ClusterError
from structron.training import Cluster
from structron.training.cluster import LOCAL
from tests.unit.estimators.corpora import treebank

ray = pytest.importorskip("ray", reason="needs structron[ray]; make test-cluster installs it")

X, Y = treebank(120)
SCHEDULES = [{"shards": 2}, {"batch": 32}]


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


@pytest.mark.parametrize("settings", SCHEDULES, ids=str)
def test_a_worker_killed_in_the_middle_of_an_epoch_loses_nothing(nodes: Any, settings: Any) -> None:
    killed: list[int] = []
    tagger = Tagger(epochs=3, **settings)
    schedules: list[Any] = []

    def schedule(*given: Any) -> Any:
        schedules.append(Tagger._schedule(tagger, *given))
        return schedules[-1]

    def kill(epoch: int, done: int, total: int) -> None:
        if epoch == 2 and done > total // 3 and not killed:
            killed.append(schedules[0].pids[0])
            os.kill(killed[0], signal.SIGKILL)

    notes: set[str] = set()
    tagger._schedule = schedule  # type: ignore[method-assign]
    ours = tagger.fit(
        X,
        Y,
        cluster=Cluster(workers=2, deadline=60),
        progress=kill,
        on_workers=lambda workers: notes.update(worker.note for worker in workers),
    )
    assert killed
    assert any("replaced" in note for note in notes)
    assert_same(ours, Tagger(epochs=3, **settings).fit(X, Y))


def test_a_node_killed_in_the_middle_of_an_epoch_loses_nothing(nodes: Any) -> None:
    # Three nodes with room for one worker each: one of them is on the node that goes.
    doomed = add_node(nodes)
    gone: list[bool] = []

    def kill(epoch: int, done: int, total: int) -> None:
        if epoch == 2 and done > 0 and not gone:
            gone.append(True)
            add_node(nodes)
            nodes.remove_node(doomed, allow_graceful=False)

    notes: set[str] = set()
    ours = Tagger(epochs=3, shards=3).fit(
        X,
        Y,
        cluster=Cluster(workers=3, deadline=120),
        progress=kill,
        on_workers=lambda workers: notes.update(worker.note for worker in workers),
    )
    assert gone
    assert any("replaced" in note for note in notes)
    assert_same(ours, Tagger(epochs=3, shards=3).fit(X, Y))


def test_no_cluster_is_told_in_one_sentence() -> None:
    import subprocess
    import sys

    code = (
        "from structron.training import Cluster\nfrom structron.errors import ClusterError\n"
        "try:\n    Cluster('127.0.0.1:1').connect()\nexcept ClusterError as error:\n    print(error)\n"
    )
    env = os.environ | {"RAY_gcs_rpc_server_connect_timeout_s": "1", "RAY_NUM_REDIS_GET_RETRIES": "1"}
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=120, env=env)
    assert "no cluster answers" in done.stdout or "cannot be used" in done.stdout, done.stderr[-500:]
    assert issubclass(ClusterError, Exception)
