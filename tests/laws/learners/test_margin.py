"""The margin's theory: updates fix w · ΔΦ ≤ m · loss, and separable data need at most (R² + 2mL)/δ² of them.

The proof is that of Theorem 1 of Huang et al. (2012): |w|² grows by at most R² + 2mL with every update, for
the cross term is no greater than m times the loss, while u · w grows by at least δ. The loss of a guess is
the number of its actions that the oracle does not allow, and L the greatest one.
"""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from structron.reference import METHODS, Perceptron, train
from structron.reference.learners.violations import violation
from structron.reference.learners.weights import Weights
from structron.reference.sequence.search import decode
from tests.graphs import GraphSpace, graphs, searches, whole_weights
from tests.laws.learners.test_convergence import CONFUSION, bound, confusion_set, datasets

VALID = [name for name in METHODS if name != "standard"]


def loss_of(graph: GraphSpace, actions: tuple[int, ...]) -> int:
    """How many actions of a path the oracle does not allow."""
    return sum(not graph.allows(state, action) for state, action in zip(graph.walk(actions), actions))


@pytest.mark.parametrize("update", VALID)
@given(
    graph=graphs(),
    weights=whole_weights(),
    choice=searches(),
    margin=st.sampled_from([0.0, 1.0, 2.0, 7.0]),
)
@settings(max_examples=80, deadline=None)
def test_every_method_but_standard_fixes_pairs_within_margin_times_loss(
    update: str, graph: GraphSpace, weights: Weights, choice: tuple[int | None, bool], margin: float
) -> None:
    width, merge = choice
    search = "exact" if width is None else ("beam", width, merge)
    trace = decode(graph, weights, search, graph, margin)  # type: ignore[arg-type]
    step = METHODS[update](trace)
    if step is None:
        return
    found = violation(trace, step)
    guess = tuple(trace.best(step).actions)
    gain = weights.score(found.delta)
    assert gain <= margin * loss_of(graph, guess)
    # The excess is what was searched for: the loss is in it, and it says by how much the bound is met.
    assert found.excess == margin * loss_of(graph, guess) - gain >= 0


@given(graph=graphs(), weights=whole_weights(), choice=searches())
@settings(max_examples=60, deadline=None)
def test_a_margin_never_touches_the_gold_side(
    graph: GraphSpace, weights: Weights, choice: tuple[int | None, bool]
) -> None:
    width, merge = choice
    search = "exact" if width is None else ("beam", width, merge)
    plain = decode(graph, weights, search, graph, 0.0)  # type: ignore[arg-type]
    wide = decode(graph, weights, search, graph, 5.0)  # type: ignore[arg-type]
    both = list(zip(plain.gold_score, wide.gold_score))
    assert all(a == b or (a != a and b != b) for a, b in both)


@pytest.mark.parametrize("margin", [1.0, 4.0])
@pytest.mark.parametrize(("search", "update"), CONFUSION, ids=str)
@given(seeded=st.data())
@settings(max_examples=4, deadline=None, suppress_health_check=[HealthCheck.too_slow])
def test_updates_are_bounded_by_radius_margin_and_loss(
    search: object, update: str, margin: float, seeded: st.DataObject
) -> None:
    kind = CONFUSION[(search, update)]  # type: ignore[index]
    data = seeded.draw(datasets(many_gold=False, skip=1 if kind == "greedy" else 2))
    pairs = set().union(*(confusion_set(graph, kind) for graph in data))
    if not pairs:
        return
    radius = max(sum(x * x for x in pair) for pair in pairs)
    greatest_loss = max(loss_of(graph, actions) for graph in data for actions in graph.derivations())
    limit = bound(data, kind) * (radius + 2 * margin * greatest_loss) / radius
    updates = 0
    examples = [(graph, graph) for graph in data]
    for epoch in train(
        examples,
        search=search,  # type: ignore[arg-type]
        update=update,
        learner=Perceptron(margin=margin),
        epochs=int(limit) + 2,
    ):
        updates += epoch.updates
        assert epoch.invalid == 0
        if epoch.updates == 0:
            break
    assert updates <= limit * (1 + 1e-9)
    assert epoch.updates == epoch.errors == 0
