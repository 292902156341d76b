"""A chart for the eye: which cells compete, where gold fell out, and where each method would update."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

import click

from structron.cli.draw.trees import cells, fit, pad

if TYPE_CHECKING:
    from structron.reference import ForestTrace
    from structron.reference.forest.hypergraph import ForestItem

CELL = 24  # characters for the name of a cell, where there is room
REMARK = 14  # for what became of gold there
METHODS = ("standard", "skip", "early", "hybrid", "latest", "max_violation", "parallel")
LEGEND = (
    "A> is an arc to the right by itself; I> is the arc with all between its words;",
    "C> is a word with what depends on it to its right. A<, I< and C<: to the left.",
    "The items of a cell compete for its places; word 0 is the root.",
)

Arc = tuple[int, int, int]  # head, modifier and the number of a relation


class Chart:
    """One sentence's chart as lines of text, in colours that `click.echo` takes out for files and pipes.

    Parameters
    ----------
    words
        The sentence.
    labels
        The names of the relations.
    has_gold
        Whether the chart was watched from the gold side.
    top
        So many items of a cell are shown.
    width
        No line is longer.
    """

    def __init__(
        self,
        trace: ForestTrace,
        words: Sequence[str],
        labels: Sequence[str],
        *,
        has_gold: bool,
        top: int = 8,
        width: int = 80,
    ) -> None:
        self.trace, self.labels, self.has_gold, self.top, self.width = trace, labels, has_gold, top, width
        self.words = ["ROOT", *words]
        self.nodes = self._shown()
        scores = [item.score for node in self.nodes for item in trace.items[node][:top]]
        gold = [float(trace.gold_score[node]) for node in self.nodes if has_gold]
        self.digits = max((len(f"{score:.2f}") for score in [*scores, *gold]), default=4)
        self.cell = min(CELL, max(10, width - 3 * self.digits - 5 - REMARK))
        self.updates = self._updates() if has_gold else {}

    def _shown(self) -> list[int]:
        """Return the cells that gold passes, or those of the best tree; single words are left out."""
        if self.has_gold:
            passed = [node for node, score in enumerate(self.trace.gold_score) if not math.isnan(score)]
        else:
            passed = sorted({use.node for use in self.trace.best(self.trace.final).uses})
        return [node for node in passed if self._item(node).begin < self._item(node).end]

    def _updates(self) -> dict[str, tuple[int, ...]]:
        """Return by method the cells it would update on."""
        from structron.reference import METHODS as DEFINED

        found = {name: DEFINED[name](self.trace) for name in METHODS}
        return {
            name.replace("_", "-"): () if at is None else at if isinstance(at, tuple) else (at,)
            for name, at in found.items()
        }

    def cells(self) -> Iterator[str]:
        """Yield the cells from the bottom up, each with its items."""
        yield from (click.style(line[: self.width], dim=True) for line in LEGEND)
        yield ""
        for node in self.nodes:
            items = self.trace.items[node]
            yield click.style(self._name(node, self.width - 30), bold=True) + self._methods(node, 30)
            at = next((rank for rank, item in enumerate(items) if item.good), None)
            shown = [*range(min(self.top, len(items)))]
            if at is not None and at >= self.top:
                shown.append(at)
            for rank in shown:
                yield self._line(node, rank)
            if len(shown) < len(items):
                yield click.style(f"         … and {len(items) - len(shown):,} more", dim=True)
            if self.has_gold and at is None:
                yield self._fallen(node)
            yield ""

    def overview(self) -> Iterator[str]:
        """Yield one line a cell: how far the best is ahead of gold, where gold is, which methods would
        update."""
        d = self.digits
        yield click.style(f"{'cell':{self.cell}} {'best':>{d}} {'gold':>{d}} {'excess':>{d + 1}}", bold=True)
        for node in self.nodes:
            items = self.trace.items[node]
            best, gold = float(self.trace.best_score[node]), float(self.trace.gold_score[node])
            numbers = f"{best:{d}.2f} {gold:{d}.2f} {best - gold:+{d + 1}.2f}"
            rank = next((rank for rank, item in enumerate(items) if item.good), None)
            said = f"gold is number {rank + 1}" if rank else "gold is best"
            if rank is None:
                said = "gold is out" if self._out_below(node) else "gold falls out"
            line = f"{pad(self._name(node, self.cell), self.cell)} {numbers} "
            room = self.width - cells(line) - len(said)
            if rank is None:
                said = click.style(said, fg="red", bold=said == "gold falls out")
            yield line + said + self._methods(node, room)
        if math.isnan(self.trace.gold_score[self.trace.final]):
            said = "gold cannot be built: an arc of it was left out before the search"
            yield click.style(fit(said, self.width), fg="red")

    def summary(self) -> Iterator[str]:
        """Yield one line a method: its cells, the excess there, and whether the update would be valid."""
        from structron.reference import is_violation

        violated = is_violation(self.trace)
        yield click.style(f"{'update':14}  {'on':{self.cell}} {'excess':>{self.digits + 1}}", bold=True)
        for method, nodes in self.updates.items():
            if not nodes:
                yield f"{method:14}  none"
            for k, node in enumerate(nodes):
                excess = float(self.trace.best_score[node] - self.trace.gold_score[node])
                verdict = (
                    click.style("valid", fg="green")
                    if violated[node]
                    else click.style("invalid: gold already scores more", fg="red", bold=True)
                )
                name = pad(self._name(node, self.cell), self.cell)
                yield f"{'' if k else method:14}  {name} {excess:+{self.digits + 1}.2f}  {verdict}"

    # ------------------------------------------------------------------------------------------------ parts

    def _item(self, node: int) -> Any:
        return self.trace.space.items[node]

    def _name(self, node: int, width: int) -> str:
        """Name an item by its shape, its words by number, and the words themselves as far as they fit."""
        begin, end, shape = self._item(node)
        place = f"{shape} {begin}-{end} "
        each = max(2, (width - len(place) - 1) // 2)
        first, last = self.words[begin], self.words[end]
        spare = max(0, each - cells(first)), max(0, each - cells(last))
        return f"{place}{fit(first, each + spare[1])}…{fit(last, each + spare[0])}"

    def _methods(self, node: int, room: int) -> str:
        """Return the methods that would update here, as far as there is room."""
        here = ", ".join(name for name, nodes in self.updates.items() if node in nodes)
        return click.style(fit(f" ◀ {here}", room), fg="cyan") if here and room > 4 else ""

    def _out_below(self, node: int) -> bool:
        """Return whether gold was out already in one of the cells that gold is built from here."""
        return any(
            not any(item.good for item in self.trace.items[tail])
            for tail in self.trace.gold(node).uses[-1].edge.tails
        )

    def _line(self, node: int, rank: int) -> str:
        items = self.trace.items[node]
        item = items[rank]
        score = f"{item.score:{self.digits}.2f}"
        if not item.good:
            lead = f"  {rank + 1:3}    {score}  "
            right = self._arcs_of_gold(node) if self.has_gold else None
            said = self._differing(item, right) if right is not None else self._against_best(items, rank)
            return lead + click.style(fit(said, self.width - len(lead)), fg="red" if self.has_gold else None)
        ahead = f", {item.score - items[1].score:.2f} ahead of the next" if len(items) > 1 else ""
        note = f"gold{ahead}" if rank == 0 else f"gold, {items[0].score - item.score:.2f} behind the best"
        return f"  {rank + 1:3}  {click.style('●', fg='green')} {score}  {click.style(note, fg='green')}"

    def _fallen(self, node: int) -> str:
        items, gold = self.trace.items[node], float(self.trace.gold_score[node])
        excess = items[0].score - gold
        what = "gold is out" if self._out_below(node) else "gold falls out"
        note = f"{what}: excess {excess:+.2f}" if excess >= 0 else f"{what}, would win by {-excess:.2f}"
        mark = click.style("✗", fg="red", bold=True)
        return f"       {mark} {gold:{self.digits}.2f}  {click.style(note, fg='red')}"

    def _arcs_of_gold(self, node: int) -> set[Arc]:
        return set(self.trace.space.arcs(self.trace.gold(node)))

    def _against_best(self, items: Sequence[ForestItem], rank: int) -> str:
        """Return the differences between an item and the best of its cell; for the best, all of it."""
        return self._differing(items[rank], set() if rank == 0 else self._arcs(items[0]))

    def _arcs(self, item: ForestItem) -> set[Arc]:
        return set(self.trace.space.arcs(item.tree()))

    def _differing(self, item: ForestItem, known: set[Arc]) -> str:
        """Return the arcs of an item that are not among the known ones, the longest first."""
        arcs = sorted(self._arcs(item) - known, key=lambda arc: (-abs(arc[0] - arc[1]), arc))
        return ", ".join(self._arc(*arc) for arc in arcs)

    def _arc(self, head: int, modifier: int, label: int) -> str:
        return f"{self.words[modifier]} {self.labels[label]} of {self.words[head]}"
