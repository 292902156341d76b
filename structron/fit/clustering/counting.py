"""Words and their pairs counted by workers of a Ray cluster, in blocks of sentences.

The counts of the blocks are added in the order of the text, and what is rare is forgotten after each block,
as where one process counts (`structron.fit.clustering.clustering.counted`). So the counts are the same to the
bit, however many workers there are.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from importlib.metadata import version
from itertools import islice
from typing import Any, NamedTuple

from structron import _core
from structron.errors import ClusterError
from structron.fit.cluster.cluster import Cluster
from structron.fit.clustering.clustering import BLOCK

AHEAD = 2  # blocks for each worker that are sent before the first of them is back
Parse = Callable[[str], Sequence[str]]  # from a line to the words of a sentence; workers import it by name


class Part(NamedTuple):
    """The counts of a block, and the version of structron that made them."""

    version: str
    counts: tuple[Any, ...]


def counted_by_workers(cluster: Cluster, lines: Iterable[str], parse: Parse) -> _core.BigramCounter:
    """Count the words of a text and their pairs on a cluster; each line is a sentence that is not empty.

    Lines are read here and sent to the workers, so files need not be there. Ray repeats the block of a
    worker that dies.
    """
    ray = cluster.connect()
    count = ray.remote(num_cpus=1, scheduling_strategy="SPREAD")(counts_of_block)
    counter = _core.BigramCounter()
    waiting: deque[Any] = deque()

    def add_first() -> None:
        counter.add_part(*_answer(ray, cluster, waiting.popleft()))
        counter.settle()

    try:
        for block in _blocks(lines):
            if len(waiting) >= AHEAD * cluster.workers:
                add_first()
            waiting.append(count.remote(ray.put(block), parse))
        while waiting:
            add_first()
    finally:
        if cluster.address == "local":
            ray.shutdown()
    return counter


def counts_of_block(block: bytes, parse: Parse) -> Part:
    """Count one block, as a worker does."""
    counter = _core.BigramCounter()
    for line in block.decode("utf-8", "surrogatepass").split("\n"):
        counter.add(parse(line))
    return Part(version("structron"), counter.part())


def _blocks(lines: Iterable[str]) -> Iterator[bytes]:
    left = iter(lines)
    while block := list(islice(left, BLOCK)):
        yield "\n".join(block).encode("utf-8", "surrogatepass")


def _answer(ray: Any, cluster: Cluster, block: Any) -> tuple[Any, ...]:
    """Wait for the counts of a block; raise ClusterError with one sentence if there are none."""
    try:
        part: Part = ray.get(block, timeout=cluster.deadline)
    except TimeoutError:
        raise ClusterError(
            f"no worker has counted a block of {BLOCK:,} sentences in {cluster.deadline:g} s; "
            "look at the cluster's logs"
        ) from None
    except ray.exceptions.RayError as error:
        what = (str(error).strip() or type(error).__name__).splitlines()[0][:200]
        raise ClusterError(
            f"a block of the text could not be counted ({what}); look at the cluster's logs"
        ) from None
    if part.version != version("structron"):
        raise ClusterError(
            f"a worker has structron {part.version}, this is {version('structron')}; "
            "install the same on all machines"
        )
    return part.counts
