"""The account of an output that was built in a chart: the uses of edges in its best derivation."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from typing import Any, Protocol

from structron.explaining.explanation import Decision, Named, WeightTable, decided
from structron.model import Model
from structron.reference.forest.hypergraph import Tree, Use


class UseNamer(Protocol):
    """One input of a task that builds its outputs from parts."""

    def features(self, use: Use) -> Iterable[Named]:
        """The features of a use; the same as those of the forest, with names."""
        ...

    def about(self, use: Use) -> str:
        """What of the input is covered."""
        ...

    def label(self, use: Use) -> str:
        """What is done there."""
        ...

    def columns(self) -> Sequence[str]:
        """What the columns of weights are called."""
        ...

    def output(self, tree: Tree) -> str:
        """What was built, for the eye."""
        ...


class Built:
    """A decision for each use of an edge that has features, those of the parts first.

    There is no runner-up: what else could have been built stands in other cells, upon other parts.
    """

    def __init__(self, model: Model[Any], x: Any, namer: UseNamer) -> None:
        self.model, self.x, self.namer = model, x, namer

    @cached_property
    def tree(self) -> Tree:
        """The best derivation; an empty one where there is none."""
        chart = self.model.chart(self.x, None)
        return chart.best(chart.final) if chart.items and chart.items[-1] else Tree((), 0.0)

    @property
    def output(self) -> str:
        """What was built."""
        return self.namer.output(self.tree) if self.tree.uses else ""

    @property
    def score(self) -> float:
        """What the engine says of it."""
        return float(self.tree.score)

    def columns(self) -> Sequence[str]:
        """What the columns of weights are called."""
        return self.namer.columns()

    def decisions(self, table: WeightTable) -> Iterator[Decision]:
        """The uses, each with what its features add."""
        for use in self.tree.uses:
            found = table.weigh(self.namer.features(use))
            if found:
                yield decided(self.namer.about(use), (self.namer.label(use), found), ())

    def features(self) -> Iterator[Named]:
        """Those of all uses."""
        for use in self.tree.uses:
            yield from self.namer.features(use)
