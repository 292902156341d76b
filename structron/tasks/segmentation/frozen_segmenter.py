"""A segmenter by labels that only predicts: the engine's, with finished weights."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, TypeAlias

if TYPE_CHECKING:
    from structron import _core
    from structron.segments.boundaries import Token
    from structron.tasks.segmentation.words.task import Numbers

Spans: TypeAlias = "tuple[Numbers, Numbers, Numbers]"  # begins, ends and flags of tokens


class FrozenSegmenter:
    """A predictor of the tokens of texts."""

    def __init__(self, engine: _core.Predictor, actions: Callable[[str, Sequence[Token]], list[int]]) -> None:
        self._engine = engine
        self._actions = actions

    @property
    def decode_seconds(self) -> float:
        """Return the CPU time spent searching."""
        return self._engine.decode_seconds

    @property
    def evictions(self) -> int:
        """Return how often cached units were evicted."""
        return self._engine.evictions

    def predict(self, xs: Sequence[str], /, search: _core.Search, threads: int = 1) -> list[Spans]:
        """Return the begins, ends and flags of the tokens of each text."""
        return [*self._engine.predict(xs, search, threads)]

    def kbest(
        self, xs: Sequence[str], /, k: int, search: _core.Search, threads: int = 1
    ) -> list[list[tuple[Spans, float]]]:
        """Return the k best that differ in their labels, with their scores."""
        return [[*best] for best in self._engine.kbest(xs, k, search, threads)]

    def trace(self, x: str, gold: Sequence[Token] | None, search: _core.Search) -> dict[str, Any]:
        """Return the trace of the search on one text."""
        return self._engine.trace(x, None if gold is None else self._actions(x, gold), search)
