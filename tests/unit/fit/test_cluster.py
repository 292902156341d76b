"""Training on other machines gives the same bits, whatever happens to them.

Ray is played by a few lines here, so that every fault can be called for; tests/cluster has the real one.
"""

from __future__ import annotations

import random
import sys
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from structron import Classifier, Parser, SemanticParser, Tagger
from structron.errors import ClusterError, DataError, SettingError
from structron.fit import Checkpoint, Cluster
from structron.fit.cluster.payload import pack, unpack
from structron.io import Files, Sentence, write
from structron.io.model_file.archive import read_archive
from tests.unit.estimators.corpora import treebank

X, Y = treebank(70)
MIXED = {"shards": 3, "mixing": "errors"}
BATCHED = {"batch": 16}


class RayError(Exception):
    """As Ray's: with the cause of what went wrong in a worker."""

    cause: Exception | None = None


class OutOfMemoryError(RayError):
    pass


class Ref:
    def __init__(self, value: Any = None, error: Exception | None = None, late: bool = False) -> None:
        self.value, self.error, self.late = value, error, late


class Ray:
    """Actors in this process; `fails(call number)` says what goes wrong when."""

    exceptions = SimpleNamespace(RayError=RayError, OutOfMemoryError=OutOfMemoryError)

    def __init__(self, fails: Callable[[int], Exception | None] = lambda call: None) -> None:
        self.fails, self.calls, self.moved = fails, 0, 0

    def put(self, value: Any) -> Ref:
        return Ref(value)

    def get(self, ref: Ref, timeout: float) -> Any:
        if ref.error is not None:
            raise ref.error
        return ref.value

    def wait(self, refs: list[Ref], timeout: float) -> tuple[list[Ref], list[Ref]]:
        ready = [ref for ref in refs if not ref.late]
        random.Random(self.calls).shuffle(ready)  # who answers first must not matter
        return ready, []

    def kill(self, actor: Any, no_restart: bool) -> None:
        actor.alive = False

    def remote(self, **options: Any) -> Any:
        def of(kind: type) -> Any:
            return SimpleNamespace(remote=lambda *given: Actor(self, kind(*map(plain, given))))

        return of


def plain(value: Any) -> Any:
    return value.value if isinstance(value, Ref) else value


class Actor:
    def __init__(self, ray: Ray, host: Any) -> None:
        self.ray, self.host, self.alive = ray, host, True

    def __getattr__(self, name: str) -> Any:
        def call(*given: Any) -> Ref:
            assert self.alive, "a dead worker is asked"
            self.ray.calls += 1
            trouble = self.ray.fails(self.ray.calls)
            if isinstance(trouble, TimeoutError):
                return Ref(late=True)
            try:
                answer = getattr(self.host, name)(*map(plain, given))
            except Exception as error:
                trouble = RayError(str(error))
                trouble.cause = error
            return Ref(error=trouble) if trouble is not None else Ref(answer)

        return SimpleNamespace(remote=call)


def fit(monkeypatch: pytest.MonkeyPatch, ray: Ray, deadline: float = 600.0, **settings: Any) -> Tagger:
    monkeypatch.setattr(Cluster, "connect", lambda self: ray)
    return Tagger(epochs=3, **settings).fit(X, Y, cluster=Cluster(workers=3, deadline=deadline))


def assert_same(ours: Any, theirs: Any) -> None:
    for one, other in zip(ours.model_.rows, theirs.model_.rows):
        np.testing.assert_array_equal(one, other)
    assert ours.model_.about == theirs.model_.about


SCHEDULES = [
    MIXED,
    BATCHED,
    BATCHED | MIXED,
    BATCHED | {"learner": "mira:2"},
    BATCHED | {"learner": "swvp:single,wm,balanced"},
    MIXED | {"learner": "mira", "search": "exact", "order": 1},
    MIXED | {"cut": 3},
    BATCHED | {"cut": 3, "bits": 12},
]


@pytest.mark.parametrize("settings", SCHEDULES, ids=str)
def test_a_cluster_gives_the_same_model_as_one_machine(
    settings: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert_same(fit(monkeypatch, Ray(), **settings), Tagger(epochs=3, **settings).fit(X, Y))


@pytest.mark.parametrize("settings", [MIXED, BATCHED], ids=str)
@pytest.mark.parametrize("seed", range(3))
def test_workers_that_die_lose_nothing(
    settings: dict[str, Any], seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    chance = random.Random(seed)
    troubles = {chance.randrange(4, 44): RayError("The actor died.") for _ in range(4)}
    ray = Ray(troubles.get)
    assert_same(fit(monkeypatch, ray, **settings), Tagger(epochs=3, **settings).fit(X, Y))
    assert ray.calls > max(troubles)


@pytest.mark.parametrize("settings", [MIXED, BATCHED], ids=str)
def test_a_worker_that_does_not_answer_is_replaced(
    settings: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    ray = Ray(lambda call: TimeoutError() if call in (7, 20) else None)
    assert_same(fit(monkeypatch, ray, deadline=0.0, **settings), Tagger(epochs=3, **settings).fit(X, Y))


def test_parsers_train_on_a_cluster_too(monkeypatch: pytest.MonkeyPatch) -> None:
    x = [(["dogs", "bark"], ["NOUN", "VERB"]), (["the", "cats", "sleep"], ["DET", "NOUN", "VERB"])] * 6
    y = [([2, 0], ["nsubj", "root"]), ([2, 3, 0], ["det", "nsubj", "root"])] * 6
    monkeypatch.setattr(Cluster, "connect", lambda self: Ray())
    schedules: list[dict[str, Any]] = [{"batch": 5}, {"shards": 2}]
    for settings in [*schedules, *({"system": "graph"} | each for each in schedules)]:
        far = Parser(epochs=2, **settings).fit(x, y, cluster=Cluster(workers=2))
        assert_same(far, Parser(epochs=2, **settings).fit(x, y))


@pytest.mark.parametrize("schedule", ["batch", "shards"])
def test_keys_and_names_arrive_on_a_cluster_as_they_were(
    schedule: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Columns of an array are keys of 64 bits, and questions come with the names that stand in them."""
    monkeypatch.setattr(Cluster, "connect", lambda self: Ray())
    table = np.random.default_rng(0).normal(size=(30, 6))
    above = (table[:, 0] > 0).astype(int)
    asked = [f"{what} of {state}" for what in ("capital", "rivers") for state in ("texas", "new york")] * 3
    meant = [
        f"{what}(stateid('{state}'))" for what in ("capital", "river") for state in ("texas", "new york")
    ] * 3
    names = [(state, f"stateid('{state}')") for state in ("texas", "new york")]
    settings = {"epochs": 2, "batch": 5} if schedule == "batch" else {"epochs": 2, "shards": 2}
    far = Cluster(workers=2)
    classifier = Classifier(**settings)
    assert_same(classifier.fit(table, above, cluster=far), Classifier(**settings).fit(table, above))
    parser = SemanticParser(names=names, **settings)
    assert_same(
        parser.fit(asked, meant, cluster=far), SemanticParser(names=names, **settings).fit(asked, meant)
    )


def test_a_resumed_cluster_ends_with_the_same_bytes(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    class Killed(Exception):
        pass

    def die(epoch: int, done: int, total: int) -> None:
        if epoch == 2 and done > total // 2:
            raise Killed

    monkeypatch.setattr(Cluster, "connect", lambda self: Ray())
    for settings in (MIXED, BATCHED):
        file, far = Checkpoint(tmp_path / str(len(settings)), 1e-9), Cluster(workers=3)
        with pytest.raises(Killed):
            Tagger(epochs=3, **settings).fit(X, Y, cluster=far, checkpoint=file, progress=die)  # type: ignore[arg-type]
        header, arrays = read_archive(file.path)
        assert 0 < header["done"] < len(X)
        assert any(name.startswith("shard.") for name in arrays) == ("shards" in settings)
        again = Tagger(epochs=3, **settings).fit(X, Y, cluster=far, checkpoint=file, resume=True)  # type: ignore[arg-type]
        assert_same(again, Tagger(epochs=3, **settings).fit(X, Y))  # type: ignore[arg-type]


def test_what_cannot_be_is_told_in_one_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(ClusterError, match=r"worker \d was lost 4 times in one epoch"):
        fit(monkeypatch, Ray(lambda call: RayError("lost") if call > 8 else None), **MIXED)
    with pytest.raises(ClusterError, match=r"worker \d ran out of memory 3 times; use more workers"):
        fit(monkeypatch, Ray(lambda call: OutOfMemoryError("x") if call > 8 else None), **BATCHED)
    with pytest.raises(SettingError, match="a cluster trains in batches or on shards"):
        fit(monkeypatch, Ray())
    with pytest.raises(SettingError, match="3 workers for 2 shards"):
        fit(monkeypatch, Ray(), shards=2)
    with pytest.raises(DataError, match=r"sentence 5: .*half of a surrogate pair"):
        Tagger(batch=4).fit([*X[:4], ["half", "\ud800"]], [*Y[:4], ["NN", "NN"]], cluster=Cluster(workers=3))


MISMATCH = """Version mismatch: The cluster was started with:
    Ray: 2.30.0
    Python: 3.12.1
This process on node 10.0.0.1 was started with:
    Ray: 2.60.0
    Python: 3.11.7
"""


@pytest.mark.parametrize(
    "fault, said",
    [
        (None, "Ray is not installed; pip install ray"),
        (ConnectionError("?"), "there:1: no cluster answers; start one with 'ray start --head', or use"),
        (ConnectionError("RPC error: Authentication token is missing"), "there:1: asks for a token that is"),
        (
            RuntimeError(MISMATCH),
            "there:1: has Ray 2.30.0 with Python 3.12.1, here Ray 2.60.0 with Python 3.11.7; install",
        ),
        (
            Exception("The current node timed out\nduring startup."),
            "there:1: cannot be used (The current node timed out during startup.); check the cluster",
        ),
    ],
)
def test_a_cluster_that_cannot_be_reached_is_told_in_one_sentence(
    fault: Exception | None, said: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def init(**given: Any) -> None:
        assert fault is not None
        raise fault

    module = None if fault is None else SimpleNamespace(is_initialized=lambda: False, init=init)
    monkeypatch.setitem(sys.modules, "ray", module)  # type: ignore[arg-type]
    monkeypatch.setattr("structron.fit.cluster.cluster._check_reachable", lambda address: None)
    with pytest.raises(ClusterError) as told:
        Cluster("there:1").connect()
    assert str(told.value).startswith(said)
    assert "\n" not in str(told.value)


def test_every_worker_is_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Cluster, "connect", lambda self: Ray(lambda c: RayError("gone") if c == 9 else None))
    shown: list[Any] = []
    Tagger(epochs=1, shards=3).fit(X, Y, cluster=Cluster(workers=3), on_workers=shown.append)
    assert [worker.name for worker in shown[-1]] == ["worker 1", "worker 2", "worker 3"]
    assert all(worker.done == worker.total for worker in shown[-1])
    assert sum("replaced (gone)" in worker.note for worker in shown[-1]) == 1


def test_parcels_give_back_what_was_put_in() -> None:
    value = [["a", ("b", "ü", "\ud800")], {"x": 1.5, "y": 2}, [], (), None, [True, False], "", -7, 2**40]
    assert unpack(pack(value)) == value
    long = [2**31, -(2**31), 2**53 + 1, 2**64 - 1, -(2**70)]
    assert [(type(each), each) for each in unpack(pack(long))] == [(int, each) for each in long]
    arrays = [np.array([2**64 - 1, 3], np.uint64), np.array([], np.float32), np.array([0.1], np.float32)]
    for given, got in zip(arrays, unpack(pack(arrays))):
        np.testing.assert_array_equal(got, given, strict=True)
    assert unpack(pack(np.uint64(2**64 - 1))) == 2**64 - 1
    assert unpack(pack([np.int64(3), np.str_("s"), np.array(["p", "q"])])) == [3, "s", ["p", "q"]]
    with pytest.raises(DataError, match="a set cannot be sent"):
        pack([{1}])


def test_workers_that_read_their_own_files_give_the_bytes_of_one_machine(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """The driver has no sentence; workers die, and so does the reading of what they had."""
    (tmp_path / "text").mkdir()
    for begin, end in [(0, 13), (13, 20), (20, 61), (61, 70)]:
        some = [Sentence.of(x, y) for x, y in zip(X[begin:end], Y[begin:end])]
        write(some, tmp_path / "text" / f"{begin:02}.tsv")
    files = Files(str(tmp_path / "text"), format="columns")
    several: list[dict[str, Any]] = [MIXED, BATCHED, MIXED | BATCHED | {"cut": 2}]
    for settings in several:
        ray = Ray(lambda call: RayError("The actor died.") if call in (5, 12) else None)
        monkeypatch.setattr(Cluster, "connect", lambda self, ray=ray: ray)
        far = Tagger(epochs=3, **settings).fit(files, stream=tmp_path / "s", cluster=Cluster(workers=3))
        assert_same(far, Tagger(epochs=3, **settings).fit(files))
        assert ray.calls > 12
    assert not list((tmp_path / "s").glob("*.shard")), "workers hold what they have read"
    with (tmp_path / "text" / "20.tsv").open("a") as file:
        file.write("bro\tken\tline\n\n")
    with pytest.raises(DataError, match=r"20\.tsv:\d+: "):
        Tagger(shards=2).fit(files, stream=tmp_path / "s", cluster=Cluster(workers=2))
