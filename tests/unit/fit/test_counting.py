"""Counts of words that workers of a cluster made are those of one process, whatever is forgotten.

Ray is played by a few lines here; tests/cluster has the real one.
"""

from __future__ import annotations

import functools
import random
import string
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from structron import _core
from structron.cli.files.raw_sentences import Source, lower_words_of, words_of
from structron.errors import ClusterError, DataError
from structron.fit import Cluster
from structron.fit.clustering import clustering, counting
from structron.io import read


class RayError(Exception):
    pass


class GetTimeoutError(RayError, TimeoutError):
    pass


class Ray:
    """Tasks in this process, done when their answer is asked for."""

    exceptions = SimpleNamespace(RayError=RayError)

    def __init__(self, trouble: Exception | None = None) -> None:
        self.trouble, self.waiting, self.most, self.closed = trouble, 0, 0, False

    def put(self, value: Any) -> Any:
        return value

    def remote(self, **options: Any) -> Callable[[Any], Any]:
        def of(work: Callable[..., Any]) -> Any:
            def start(*given: Any) -> Callable[[], Any]:
                self.waiting += 1
                self.most = max(self.most, self.waiting)
                return lambda: work(*given)

            return SimpleNamespace(remote=start)

        return of

    def get(self, work: Callable[[], Any], timeout: float) -> Any:
        self.waiting -= 1
        if self.trouble is not None:
            raise self.trouble
        return work()

    def shutdown(self) -> None:
        self.closed = True


def lines(count: int = 130) -> list[str]:
    rng = random.Random(7)
    known = [a + b for a in string.ascii_letters for b in "xyzé"]
    return [
        "\t".join(known[min(len(known) - 1, int(rng.expovariate(0.04)))] for _ in range(rng.randint(1, 9)))
        for _ in range(count)
    ]


def counts_of(counter: _core.BigramCounter) -> tuple[Any, ...]:
    words, times, left, right, both, *sizes = counter.part()
    named = [*words, "(rare)", "(edge)"]
    at = {0xFFFFFFFD: -2, 0xFFFFFFFE: -1}
    pairs = {
        (named[at.get(a, a)], named[at.get(b, b)]): n
        for a, b, n in zip(left.tolist(), right.tolist(), both.tolist())
    }
    return dict(zip(words, times.tolist())), pairs, sizes


@pytest.fixture(params=[(1 << 20, 1 << 20), (200, 1 << 20), (1 << 20, 60), (90, 30)])
def bounds(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> tuple[int, int]:
    """Small blocks, and bounds beyond which something is forgotten."""
    monkeypatch.setattr(_core, "BigramCounter", functools.partial(_core.BigramCounter, *request.param))
    for module in (clustering, counting):
        monkeypatch.setattr(module, "BLOCK", 16)
    found: tuple[int, int] = request.param
    return found


@pytest.mark.parametrize("workers", [1, 3])
def test_workers_count_the_same_to_the_bit(
    bounds: tuple[int, int], workers: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    ray = Ray()
    monkeypatch.setattr(Cluster, "connect", lambda self: ray)
    here = clustering.counted(map(lower_words_of, lines()))
    there = counting.counted_by_workers(Cluster("local", workers), lines(), lower_words_of)
    assert counts_of(here) == counts_of(there)
    assert clustering.clustered(here, 6, 1, 3) == clustering.clustered(there, 6, 1, 3)
    forgot = sum(counts_of(here)[0].values()) < here.tokens or bounds[0] < 1000
    assert forgot == (min(bounds) < 1000)
    # So many blocks are sent ahead, and no more: memory does not grow with the text.
    assert ray.most == min(counting.AHEAD * workers, 9) and ray.closed


@pytest.mark.parametrize(
    ("trouble", "message"),
    [
        (RayError("worker died\nfor good"), r"a block of the text could not be counted \(worker died\); "),
        (GetTimeoutError(), "no worker has counted a block of 32,768 sentences in 600 s; "),
    ],
)
def test_a_cluster_that_fails_is_one_sentence(
    trouble: Exception, message: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    ray = Ray(trouble)
    monkeypatch.setattr(Cluster, "connect", lambda self: ray)
    with pytest.raises(ClusterError, match=message):
        counting.counted_by_workers(Cluster("local"), lines(), words_of)
    assert ray.closed


def test_workers_must_have_the_same_version(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Cluster, "connect", lambda self: Ray())
    real = counting.counts_of_block
    monkeypatch.setattr(counting, "counts_of_block", lambda *a: real(*a)._replace(version="0.0.1"))
    with pytest.raises(ClusterError, match=r"a worker has structron 0\.0\.1, this is"):
        counting.counted_by_workers(Cluster("auto"), lines(), words_of)


def test_lines_of_a_source_are_the_sentences_that_are_read(tmp_path: Path) -> None:
    plain, bank = tmp_path / "a.txt", tmp_path / "b.conllu"
    plain.write_text("One  two\tTHREE \n\n \t\n\u00a0\nx\u00a0y z\r\nlast")
    bank.write_text("1\tNew York\t_\t_\t_\t_\t0\troot\t_\t_\n2\tÉTÉ\t_\t_\t_\t_\t1\tx\t_\t_\n\n")
    places = [str(plain), str(bank)]
    found = [words_of(line) for line in Source(places).lines()]
    assert found == [
        s.words() for file, name in zip(places, ("text", "conllu")) for s in read(file, format=name)
    ]
    assert found[0] == ["One", "two", "THREE"] and found[-1] == ["New York", "ÉTÉ"]
    assert [lower_words_of(line) for line in Source(places).lines()][-1] == ["new york", "été"]


def test_a_line_that_is_no_text_is_one_sentence(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_bytes(b"one\ntw\xff\n")
    with pytest.raises(DataError, match=r"a\.txt:2: byte 0xff at position 3 is not UTF-8"):
        list(Source([str(tmp_path / "a.txt")]).lines())
