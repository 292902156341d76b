"""The predictor of graph-based parsing: it moves the lifted arcs of the engine's trees back."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from typing import TYPE_CHECKING, Any, Protocol

from structron import _core
from structron.errors import SettingError
from structron.tasks.parsing.trees.predictors import Found, Tokens, Tree, Trees, different

if TYPE_CHECKING:
    from structron.tasks.parsing.graph.oracle import GraphOracle
    from structron.tasks.parsing.graph.space import GraphSpace


class Definition(Protocol):
    """The methods of a task that define its chart."""

    def space(self, tokens: Tokens, arcs: Collection[tuple[int, int]] | None = None) -> GraphSpace: ...
    def oracle(self, tree: Tree, space: GraphSpace | None = None) -> GraphOracle: ...


class FrozenGraph(Trees):
    """A predictor that searches a chart.

    Parameters
    ----------
    definition
        Defines the nodes of the chart, which the engine only numbers.
    is_chart
        Says whether the search is over a chart, which has more trees than the best.
    is_chart
        Says whether the search is over a chart, which has more trees than the best.
    """

    def __init__(
        self, engine: _core.Predictor, labels: Iterable[str], projected: Callable[[Tree], Tree],
        definition: Definition, is_chart: bool,
    ) -> None:  # fmt: skip
        super().__init__(engine, labels, projected)
        self._definition = definition
        self._is_chart = is_chart

    def predict(self, xs: Sequence[Tokens], search: _core.Search, threads: int = 1) -> list[Found]:
        """Return the best tree of each sentence."""
        return [self.restored(tree, x) for x, tree in zip(xs, self._engine.predict(xs, search, threads))]

    def kbest(
        self, xs: Sequence[Tokens], k: int, search: _core.Search, threads: int = 1
    ) -> list[list[tuple[Found, float]]]:
        """Return the best trees of each sentence, all different, with their scores."""
        if k > 1 and not self._is_chart:
            raise SettingError("mst and swaps find one tree; ask for k = 1, or search a chart with forest:4")
        wanted = k
        while True:
            found = self._engine.kbest(xs, wanted, search, threads)
            if not self.marked:
                return list(found)
            # Two trees may be equal once their lifted arcs are back in their places.
            pairs = zip(xs, found)
            best = [different(((self.restored(tree, x), s) for tree, s in one), k) for x, one in pairs]
            if all(len(few) == k or len(one) < wanted for few, one in zip(best, found)):
                return best
            wanted *= 2

    def built(self, x: Tokens, search: _core.Search) -> tuple[Found, float]:
        """Return the best tree of a sentence with its lifted arcs unchanged, and its score."""
        ((found,),) = self._engine.kbest([x], 1, search, 1)
        tree, score = found
        return tree, float(score)

    def trace(self, x: Tokens, gold: Tree | None, search: _core.Search) -> dict[str, Any]:
        """Return the trace of the search on one sentence, by node as the definition numbers them."""
        found: dict[str, Any] = self._engine.trace(x, None if gold is None else self._projected(gold), search)
        # If arcs were pruned, the engine lists those that are left.
        space = self._definition.space(x, found.get("arcs"))
        return found | {
            "space": space,
            "oracle": None if gold is None else self._definition.oracle(gold, space),
        }
