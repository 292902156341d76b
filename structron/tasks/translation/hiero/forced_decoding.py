"""Gold without derivations, over a forest: all that yield a reference (Zhao, Huang, Mi & Ittycheriah 2014).

They replace boundary words by positions in the reference, and split a node where a word has several. Here an
item is identified by the part of the reference that it yields, wherever that stands: a derivation that is
gold at one of its positions can be put at any other.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from typing import Any

from structron.reference.forest.hypergraph import Edge
from structron.tasks.translation.hiero.space import HieroSpace, SpanTranslation

Words = tuple[str, ...]
# A rule's number, or the output.
Piece = int | Words

CAP = 4096  # different translations of a node


class HieroGold:
    """Gold: the derivations that yield one of the references.

    The search uses references instead of the language model and is not pruned: all its edges are stored, and
    those that lead to no end are removed.

    Parameters
    ----------
    prefix
        If no derivation yields a reference, take those that translate as many first words of the sentence as
        possible into the beginning of a reference.
    cap
        The most different translations of a node; those found first are kept.

    Attributes
    ----------
    reachable
        True if some derivation yields a whole reference.
    words
        The number of source words that gold covers at its end; 0 without gold.
    """

    exhaustive = True

    def __init__(
        self, space: HieroSpace, references: Sequence[Sequence[str]], prefix: bool = False, cap: int = CAP
    ) -> None:
        self.space = space
        self.references = [tuple(reference) for reference in references]
        self._parts = {r[i:j] for r in self.references for i in range(len(r)) for j in range(i, len(r) + 1)}
        self._beginnings = {r[:j] for r in self.references for j in range(len(r) + 1)}
        self._arcs: list[tuple[int, Piece, tuple[tuple[int, Piece], ...]]] = []
        found = self._up(cap)
        goal = space.nodes() - 1
        ends: set[tuple[int, Piece]] = {(goal, said) for said in found[goal] if said in self.references}
        self.reachable = bool(ends)
        self.words = space.words if ends else 0
        at = goal
        while not ends and prefix and space.is_beginning(at):
            ends = {(at, said) for said in found[at] if at < goal}
            self.words = space.span(at)[1] if ends else 0
            at -= 1
        self._alive = ends
        self._down()

    def _up(self, cap: int) -> list[list[Piece]]:
        """Return what every node can say of the references, in the order in which it is found."""
        found: list[list[Piece]] = []
        for node in range(self.space.nodes()):
            here: list[Piece] = []
            for edge in self.space.edges(node):
                for pieces in product(*(found[tail] for tail in edge.tails)):
                    said = self._said(node, edge, pieces)
                    if said is None or (said not in here and len(here) == cap):
                        continue
                    if said not in here:
                        here.append(said)
                    self._arcs.append((node, said, tuple(zip(edge.tails, pieces))))
            found.append(here)
        return found

    def _said(self, node: int, edge: Edge, pieces: tuple[Piece, ...]) -> Piece | None:
        """Return what an edge makes of pieces; None if no reference contains it."""
        if node < self.space.patterns:
            return edge.action
        states = tuple(
            piece if isinstance(piece, int) else SpanTranslation(piece, None, False) for piece in pieces
        )
        words: Words = self.space.join(node, edge, states).words
        allowed = self._beginnings if self.space.is_beginning(node) else self._parts
        return words if words in allowed else None

    def _down(self) -> None:
        """Keep the arcs that lead to an end."""
        for node, said, tails in reversed(self._arcs):
            if (node, said) in self._alive:
                self._alive.update(tails)

    def allows(self, node: int, edge: Edge, states: tuple[Any, ...]) -> bool:
        """Return True if the output is a part of a reference that can still be completed."""
        state = self.space.join(node, edge, states)
        return (node, state.words if isinstance(state, SpanTranslation) else state) in self._alive

    def right(self, node: int, edge: Edge, states: tuple[Any, ...]) -> bool:
        """Return True if some gold derivation uses this rule anywhere; spans and glue are never wrong."""
        return node >= self.space.patterns or (node, edge.action) in self._alive

    def merge_key(self, state: Any) -> Any:
        """Return the part of gold's state that the key lacks: the whole output."""
        return state.words if isinstance(state, SpanTranslation) else state
