"""The engine's translator by rules with gaps, with what a chart needs to be looked at."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from structron import _core
from structron.tasks.translation.hiero.forced_decoding import HieroGold

if TYPE_CHECKING:
    from structron.tasks.translation.hiero.task import HieroTask


class FrozenHiero:
    """A predictor."""

    def __init__(self, engine: _core.FrozenHiero, task: HieroTask) -> None:
        self.engine, self.task = engine, task

    @property
    def decode_seconds(self) -> float:
        """CPU time spent searching so far."""
        return self.engine.decode_seconds

    def predict(self, sources: Sequence[Any], search: _core.Search, threads: int = 1) -> list[Any]:
        """The best translation of each source."""
        return self.engine.predict(sources, search, threads)

    def kbest(
        self, sources: Sequence[Any], k: int, search: _core.Search, threads: int = 1
    ) -> list[list[tuple[Any, float]]]:
        """The k best different translations of each source, with their scores."""
        return self.engine.kbest(sources, k, search, threads)

    def listed(self, sources: Sequence[Any], k: int, search: _core.Search, threads: int = 1) -> list[Any]:
        """The same with their dense features, for tuning."""
        return self.engine.listed(sources, k, search, threads)

    def trace(self, source: Any, gold: Any, search: _core.Search) -> dict[str, Any]:
        """The chart of one source, with its forest and oracle as the definition sees them."""
        prefix, cap = self.task.unreachable == "prefix", self.task.cap
        found = self.engine.trace(source, gold, search, prefix, cap)
        space = self.task.space(source)
        oracle = None if gold is None else HieroGold(space, gold, prefix, cap)
        return found | {"space": space, "oracle": oracle}
