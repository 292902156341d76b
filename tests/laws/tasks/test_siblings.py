"""The sibling program of McDonald & Pereira (2006) against all trees, and the forest search against it."""

from __future__ import annotations

import random
from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from structron.reference.forest.forest import forest
from structron.tasks.parsing.graph.siblings import best_sibling_tree
from tests.laws.tasks.test_graph_parsing import (
    FIRST,
    LABELS,
    random_weights,
    score_of,
    sentence,
    space_of,
    trees,
)

SIBLINGS = (*FIRST, "h.t s.t m.t", "s.w m.w", "s.t m.t dir")


def adjacent(heads: tuple[int, ...], head: int, modifier: int) -> int | None:
    """The child of the head that comes before this one, seen from the head."""
    low, high = sorted((head, modifier))
    inner = [w for w in range(low + 1, high) if heads[w - 1] == head]
    return None if not inner else inner[-1] if head < modifier else inner[0]


@pytest.mark.parametrize("single_root", [True, False])
@settings(max_examples=40, deadline=None)
@given(seed=st.integers(0, 2**32 - 1), n=st.integers(1, 5))
def test_it_is_the_best_of_all_projective_trees(single_root: bool, seed: int, n: int) -> None:
    rng = random.Random(seed)
    arcs = {pair: float(rng.randint(-4, 4)) for pair in product(range(n + 1), repeat=2)}
    pairs = {
        (h, s, m): float(rng.randint(-4, 4))
        for h in range(n + 1)
        for s in (None, *range(n + 1))
        for m in range(n + 1)
    }

    def total(heads: tuple[int, ...]) -> float:
        return sum(arcs[h, m] + pairs[h, adjacent(heads, h, m), m] for m, h in enumerate(heads, 1))

    score, heads = best_sibling_tree(
        n, lambda h, m: arcs[h, m], lambda h, s, m: pairs[h, s, m], single_root=single_root
    )
    every = {each: total(each) for each in trees(n, projective=True, single_root=single_root)}
    assert score == max(every.values()) == every[tuple(heads)]


@pytest.mark.parametrize("single_root", [True, False])
@settings(max_examples=20, deadline=None)
@given(seed=st.integers(0, 2**32 - 1), width=st.sampled_from([None, 10_000]))
def test_the_forest_finds_a_tree_as_good(single_root: bool, seed: int, width: int | None) -> None:
    tokens = sentence(seed, 5)
    space = space_of(tokens, SIBLINGS, single_root=single_root)
    weights = random_weights(space, seed)

    def alone(head: int, modifier: int, label: int) -> float:
        return weights.score(space.arc_features(head, modifier, label))

    def together(head: int, *modifiers: int) -> float:
        """The score of a head vector in which only these words have a head."""
        chosen = dict.fromkeys(modifiers, (head, 0))
        return sum(weights.score(space.features(*use)) for use in space.uses(chosen))

    def arc(head: int, modifier: int) -> float:
        return max(alone(head, modifier, label) for label in range(LABELS))

    def sibling(head: int, inner: int | None, modifier: int) -> float:
        before = together(head) if inner is None else together(head, inner)
        both = together(head, modifier) if inner is None else together(head, inner, modifier)
        return both - before - alone(head, modifier, 0)

    score, heads = best_sibling_tree(len(tokens), arc, sibling, single_root=single_root)
    trace = forest(space, weights, width)
    best = trace.best(trace.final)
    assert best.score == score
    found, labels = space.tree(best)
    assert score == score_of(space, tuple(found), tuple(labels), weights)
    assert score == max(
        score_of(space, tuple(heads), relations, weights)
        for relations in product(range(LABELS), repeat=len(heads))
    )
