"""The engine's translator by rules with gaps, with the traces of its charts."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from structron import _core
from structron.tasks.translation.hiero.forced_decoding import HieroGold
from structron.tasks.translation.hiero.space import HieroSpace


class FrozenHiero:
    """A predictor by rules with gaps.

    Parameters
    ----------
    space
        Builds the forest of a source for the definition.
    prefix, cap
        The settings of gold, see `HieroGold`.
    """

    def __init__(
        self,
        engine: _core.FrozenHiero,
        space: Callable[[Sequence[str]], HieroSpace],
        *,
        prefix: bool,
        cap: int,
    ) -> None:
        self.engine, self.space, self.prefix, self.cap = engine, space, prefix, cap

    @property
    def decode_seconds(self) -> float:
        """Return the CPU time spent searching so far."""
        return self.engine.decode_seconds

    def predict(self, sources: Sequence[Any], search: _core.Search, threads: int = 1) -> list[Any]:
        """Return the best translation of each source."""
        return self.engine.predict(sources, search, threads)

    def derivations(self, sources: Sequence[Any], search: _core.Search, threads: int = 1) -> list[Any]:
        """Return the rules of the best translation of each source, each after those in its gaps."""
        return self.engine.derivations(sources, search, threads)

    def kbest(
        self, sources: Sequence[Any], k: int, search: _core.Search, threads: int = 1
    ) -> list[list[tuple[Any, float]]]:
        """Return the k best different translations of each source, with their scores."""
        return self.engine.kbest(sources, k, search, threads)

    def listed(self, sources: Sequence[Any], k: int, search: _core.Search, threads: int = 1) -> list[Any]:
        """Return the k best with their dense features, for tuning."""
        return self.engine.listed(sources, k, search, threads)

    def trace(self, source: Any, gold: Any, search: _core.Search) -> dict[str, Any]:
        """Return the chart of one source, with the definition's forest and oracle."""
        found = self.engine.trace(source, gold, search, self.prefix, self.cap)
        space = self.space(source)
        oracle = None if gold is None else HieroGold(space, gold, self.prefix, self.cap)
        return found | {"space": space, "oracle": oracle}
