"""A predictor whose beam has dynamic programming; `structron.reference.dp_beam` is the definition."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from structron import _core
from structron.errors import SettingError
from structron.tasks.parsing.projective import MARK, lower

if TYPE_CHECKING:
    from structron.tasks.parsing.task import ParsingTask

Found = tuple[list[int], list[str]]


class FrozenDPParser:
    """The engine's trees, with lifted arcs back in their places."""

    def __init__(self, task: ParsingTask, engine: _core.FrozenDPParser) -> None:
        self._task, self._engine = task, engine
        self._marked = {label for label in task.labels if MARK in label}

    @property
    def decode_seconds(self) -> float:
        """CPU time spent searching."""
        return self._engine.decode_seconds

    def predict(self, xs: Sequence[Any], search: _core.Search, threads: int = 1) -> list[Found]:
        """The best tree of each sentence; states that look alike are always merged."""
        return [tree for tree, _ in self._best(xs, search, threads)]

    def kbest(
        self, xs: Sequence[Any], k: int, search: _core.Search, threads: int = 1
    ) -> list[list[tuple[Found, float]]]:
        """The best tree of each sentence with its score; there are no others in the last beam."""
        if k > 1:
            raise SettingError(
                f"search dp:{search.width} ends with one state, into which all others are merged; "
                "ask for k = 1, or use a beam as beam:8"
            )
        return [[found] for found in self._best(xs, search, threads)]

    def trace(self, x: Sequence[Any], gold: Any, search: _core.Search) -> dict[str, Any]:
        """What the search leaves behind on one sentence."""
        return self._engine.trace(x, None if gold is None else self._task.projected(gold), search)

    def derivations(self, x: Sequence[Any], search: _core.Search) -> float:
        """How many derivations of a sentence the beams hold together, where a plain beam holds its width."""
        return self._engine.derivations(x, search)

    def _best(self, xs: Sequence[Any], search: _core.Search, threads: int) -> list[tuple[Found, float]]:
        return [(self._restored(tree), score) for tree, score in self._engine.best(xs, search, threads)]

    def _restored(self, tree: Found) -> Found:
        return tree if self._marked.isdisjoint(tree[1]) else lower(tree)
