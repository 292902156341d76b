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
        """Return the features of a use of an edge, with names."""
        ...

    def about(self, use: Use) -> str:
        """Return the covered part of the input."""
        ...

    def label(self, use: Use) -> str:
        """Return the action taken there."""
        ...

    def columns(self) -> Sequence[str]:
        """Return the names of the columns of weights."""
        ...

    def output(self, tree: Tree) -> str:
        """Return the built part of the output, as text."""
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
        """The output that was built."""
        return self.namer.output(self.tree) if self.tree.uses else ""

    @property
    def score(self) -> float:
        """The engine's score of it."""
        return float(self.tree.score)

    def columns(self) -> Sequence[str]:
        """Return the names of the columns of weights."""
        return self.namer.columns()

    def decisions(self, table: WeightTable) -> Iterator[Decision]:
        """Return the uses, each with what its features add."""
        for use in self.tree.uses:
            found = table.weigh(self.namer.features(use))
            if found:
                yield decided(self.namer.about(use), (self.namer.label(use), found), ())

    def features(self) -> Iterator[Named]:
        """Return the features of all uses."""
        for use in self.tree.uses:
            yield from self.namer.features(use)
