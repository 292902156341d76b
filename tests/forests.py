"""Random small forests: groups, merging, tails that do not fit, one or many gold derivations.

Every node can be built by an edge without tails, so that pruning never leaves the goal without an item.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product
from typing import Any

from hypothesis import strategies as st

from structron.reference.forest.hypergraph import Edge, Tree, Use

# What features and joins see, and what nobody sees: states with equal keys differ in the latter.
State = tuple[int, int]


@dataclass(frozen=True)
class RandomForest:
    """A forest and its oracle, written out; features are made from a seed by node, edge and keys."""

    seed: int
    groups: tuple[int, ...]
    made: tuple[tuple[Edge, ...], ...]
    gold: frozenset[tuple[int, int]]  # node and action
    keys: int = 2
    names: int = 6
    indicators: bool = False

    def nodes(self) -> int:
        return len(self.groups)

    def group(self, node: int) -> int:
        return self.groups[node]

    def edges(self, node: int) -> tuple[Edge, ...]:
        return self.made[node]

    def join(self, node: int, edge: Edge, states: tuple[State, ...]) -> State | None:
        rng = self._rng("join", node, edge, states)
        if edge.tails and (node, edge.action) not in self.gold and rng.random() < 0.15:
            return None
        return rng.randrange(self.keys), hash((node, edge, states)) % 1000

    def features(self, node: int, edge: Edge, states: tuple[State, ...]) -> list[tuple[int, float]]:
        rng = self._rng("features", node, edge, states)
        found = [(name, float(rng.randint(-2, 2))) for name in rng.sample(range(self.names), 2)]
        if self.indicators:
            found.append((self.names + 100 * node + edge.action, 1.0))
        return found

    def merge_key(self, state: State) -> int:
        return state[0]

    def span(self, node: int) -> tuple[int, int]:
        return node % 3, node % 3 + 1 + node // 3 if node < len(self.groups) - 1 else len(self.groups)

    def allows(self, node: int, edge: Edge, states: tuple[State, ...]) -> bool:
        return (node, edge.action) in self.gold

    def _rng(self, what: str, node: int, edge: Edge, states: tuple[State, ...]) -> random.Random:
        return random.Random(f"{self.seed} {what} {node} {edge} {[key for key, _ in states]}")

    def derivations(self, node: int | None = None, states: bool = False) -> Iterator[Any]:
        """Every derivation of a node, the goal if none is named, by enumeration; with its state if asked."""
        node = len(self.groups) - 1 if node is None else node
        for edge in self.made[node]:
            for below in product(*(list(self.derivations(tail, True)) for tail in edge.tails)):
                joined = tuple(state for _, state in below)
                state = self.join(node, edge, joined)
                if state is None:
                    continue
                uses = (*(use for tree, _ in below for use in tree), Use(node, edge, joined))
                yield (uses, state) if states else uses

    def vector(self, uses: tuple[Use, ...]) -> dict[int, float]:
        total: dict[int, float] = {}
        for use in uses:
            for name, value in self.features(*use):
                total[name] = total.get(name, 0.0) + value
        return total

    def is_gold(self, uses: tuple[Use, ...]) -> bool:
        return all(self.allows(*use) for use in uses)


def make_forest(
    seed: int, *, nodes: int = 6, edges: int = 3, many_gold: bool = False, indicators: bool = False
) -> RandomForest:
    """At most so many nodes and edges a node; of the edges the first has no tails."""
    rng = random.Random(seed)
    count = rng.randint(2, nodes)
    groups, made = [], []
    for node in range(count):
        is_goal = node == count - 1
        groups.append(groups[-1] if groups and not is_goal and rng.random() < 0.3 else node)
        first = groups.index(groups[-1])  # tails stand below the group
        own = [Edge((), 0)]
        for action in range(1, rng.randint(1, edges) + 1):
            size = rng.choice([1, 2, 2])
            if first:
                own.append(Edge(tuple(rng.randrange(first) for _ in range(size)), action))
        made.append(tuple(own))
    gold: set[tuple[int, int]] = set()
    waiting = [count - 1]
    while waiting:
        node = waiting.pop()
        if any(node == known for known, _ in gold):
            continue
        chosen = rng.sample(made[node], rng.randint(1, len(made[node])) if many_gold else 1)
        for edge in chosen:
            gold.add((node, edge.action))
            waiting += edge.tails
    return RandomForest(seed, tuple(groups), tuple(made), frozenset(gold), indicators=indicators)


def forests(**limits: Any) -> st.SearchStrategy[RandomForest]:
    """Forests of `make_forest`."""
    many = st.booleans() if limits.get("many_gold") is None else st.just(limits.pop("many_gold"))
    return st.builds(
        lambda seed, many_gold: make_forest(seed, many_gold=many_gold, **limits),
        st.integers(0, 2**32 - 1),
        many,
    )


def score_of(tree: Tree | tuple[Use, ...], forest: RandomForest, weights: Any) -> float:
    """w · Φ, summed by hand."""
    uses = tree.uses if isinstance(tree, Tree) else tree
    return float(sum(weights[name] * value for name, value in forest.vector(uses).items()))
