"""Sums over all trees: the matrix-tree theorem against enumeration, and its gradient."""

from __future__ import annotations

import math
from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from structron.errors import TaskError
from structron.reference import tree_shortfall, tree_sums
from structron.reference.forest.spanning_trees import arc_of
from structron.reference.learners.weights import Weights
from structron.tasks.parsing.graph.oracle import GraphOracle
from tests.laws.tasks.test_graph_parsing import LABELS, SECOND, sentence, space_of, trees
from tests.laws.tasks.test_spanning import arc_weights, example


@pytest.mark.parametrize("single_root", [True, False])
@settings(max_examples=10, deadline=None)
@given(seed=st.integers(0, 2**32 - 1), temperature=st.sampled_from([1.0, 3.0]))
def test_a_determinant_sums_over_all_trees(single_root: bool, seed: int, temperature: float) -> None:
    space, _ = example(seed, 4 if single_root else 3, single_root=single_root)
    weights, n = arc_weights(space, seed), len(space.tokens)
    amount = {
        (h, m, label): math.exp(weights.score(space.features(*arc_of(space, h, m, label))) / temperature)
        for h, m, label in product(range(n + 1), range(1, n + 1), range(LABELS))
        if h != m
    }
    total = 0.0
    shares = dict.fromkeys(amount, 0.0)
    for heads in trees(n, projective=False, single_root=single_root):
        for labels in product(range(LABELS), repeat=n):
            arcs = [(h, m, label) for m, (h, label) in enumerate(zip(heads, labels), 1)]
            each = math.prod(amount[arc] for arc in arcs)
            total += each
            for arc in arcs:
                shares[arc] += each
    sums = tree_sums(space, weights, temperature)
    assert sums.log_total == pytest.approx(math.log(total))
    assert sums.marginals == pytest.approx({arc: share / total for arc, share in shares.items()}, abs=1e-9)
    for m in range(1, n + 1):
        assert sum(p for (_, to, _), p in sums.marginals.items() if to == m) == pytest.approx(1.0)


@settings(max_examples=6, deadline=None)
@given(seed=st.integers(0, 2**32 - 1))
def test_gold_minus_expected_is_the_gradient_of_the_log_likelihood(seed: int) -> None:
    space, oracle = example(seed, 3)
    weights = arc_weights(space, seed)
    (found,) = tree_shortfall(space, oracle, weights, 2.0)

    def log_likelihood(at: Weights) -> float:
        return -tree_shortfall(space, oracle, at, 2.0)[0].loss

    for name in [name for name, _ in weights.items()][:6]:
        up, down = weights.copy(), weights.copy()
        up.add({name: 1e-4})
        down.add({name: -1e-4})
        slope = (log_likelihood(up) - log_likelihood(down)) / 2e-4
        assert found.delta.get(name, 0.0) == pytest.approx(2.0 * slope, abs=1e-5)
    assert found.excess == pytest.approx(-2.0 * log_likelihood(weights))


def test_trees_of_more_than_arcs_are_refused() -> None:
    tokens = sentence(1, 3)
    space = space_of(tokens, SECOND)
    oracle = GraphOracle(space, [0] * len(tokens), [0] * len(tokens))
    with pytest.raises(TaskError, match="leave those out, or use another learner"):
        tree_shortfall(space, oracle, Weights())
