"""A segmenter by labels that only predicts: the engine's, with finished weights."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from structron import _core

if TYPE_CHECKING:
    from structron.engine.rows import Rows
    from structron.segments.boundaries import Token
    from structron.tasks.segmentation.task import SegmentationTask, Spans


class FrozenSegmenter:
    """A predictor of the tokens of texts."""

    def __init__(self, task: SegmentationTask, rows: Rows) -> None:
        self.task = task
        self._engine = _core.segmentation_predictor(
            task.program, [(b.begins, b.multiword, list(b.inner)) for b in task.boundaries], rows,
            *task.rules, b"".join(task.allowed), task.spaces, task.single, *task.known,
            *task.habits[:2], task.solid, task.columns, task.bits,
        )  # fmt: skip

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
        labels = None if gold is None else [*map(self.task.labels.index, self.task.gold(x, gold))]
        return self._engine.trace(x, labels, search)
