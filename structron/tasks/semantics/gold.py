"""Gold of a question: all derivations of one form, or of several equally good forms (forced decoding)."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from itertools import product
from typing import Any

from structron.reference.forest.hypergraph import Edge
from structron.tasks.semantics.language.grammar import FormTree
from structron.tasks.semantics.space import CLOSED, HybridSpace, Open


class HybridGold:
    """Gold: the derivations of these forms, with any division of the words among the parts.

    Attributes
    ----------
    reachable
        True if there is such a derivation.
    """

    exhaustive = True

    def __init__(self, space: HybridSpace, forms: Sequence[FormTree]) -> None:
        self.space, self.forms = space, set(forms)
        self._parts: set[FormTree] = set()
        due = list(forms)
        while due:
            form = due.pop()
            self._parts.add(form)
            due += form.parts
        self.productions = frozenset(part.production for part in self._parts)
        self._arcs: list[tuple[int, Hashable, tuple[tuple[int, Any], ...]]] = []
        found = self._up()
        goal = space.nodes() - 1
        self._alive: set[tuple[int, Any]] = {(goal, form) for form in found[goal] if form in self.forms}
        self.reachable = bool(self._alive)
        for node, state, tails in reversed(self._arcs):
            if (node, state) in self._alive:
                self._alive.update(tails)

    def _up(self) -> list[list[Any]]:
        """Return for every node the parts of forms that it can be."""
        found: list[list[Any]] = []
        for node in range(self.space.nodes()):
            here: dict[Any, None] = {}
            for edge in self.space.edges(node):
                for states in product(*(found[tail] for tail in edge.tails)):
                    state = self.space.join(node, edge, states)
                    if self._is_part(state):
                        here[state] = None
                        self._arcs.append((node, state, tuple(zip(edge.tails, states))))
            found.append(list(here))
        return found

    def _is_part(self, state: FormTree | Open) -> bool:
        if isinstance(state, FormTree):
            return state in self._parts
        return any(
            form.production == state.production
            and all(ours is None or ours == theirs for ours, theirs in zip(state.parts, form.parts))
            for form in self._parts
        )

    def allows(self, node: int, edge: Edge, states: tuple[Any, ...]) -> bool:
        """Return True if an edge makes a part of a form that can be completed."""
        return (node, self.space.join(node, edge, states)) in self._alive

    def right(self, node: int, edge: Edge, states: tuple[Any, ...]) -> bool:
        """Return True unless a production closes that is not in gold."""
        at = self.space.node(node)
        return at is None or at.kind != CLOSED or at.production in self.productions

    def merge_key(self, state: Any) -> Any:
        """Return the state of gold: the form so far."""
        return state
