"""Theorems 1, 2, 4 and 6 of Huang et al. (2012): on separable data there are at most R²/δ² updates.

The theorem holds for the set of pairs that a method can update on (its confusion set), which depends on
method and search. With exact search, `standard`, `hybrid` and `latest` update on whole outputs only
(Definition 1), but `early`, `max_violation` and `laso` update on prefixes, because gold may be merged away.
With greedy search, `early` and `laso` update where a single action differs (Definition 5). Everything else
is covered by all prefixes that end on one step (Definition 7). Merging does not enlarge the set: what a
merged search finds is a path of the space like any other.
"""

from __future__ import annotations

import random
from collections import defaultdict

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray
from scipy.optimize import nnls

from structron.reference import Epoch, train
from structron.reference.learners.weights import Weights
from tests.graphs import Arc, GraphSpace, make_graph

FEATURES = 6
INDICATORS = 40  # numbers reserved for the arcs of one graph

CONFUSION = {
    ("exact", "standard"): "standard",
    ("exact", "hybrid"): "standard",
    ("exact", "latest"): "standard",
    ("exact", "early"): "beam",
    ("exact", "max_violation"): "beam",
    ("exact", "laso"): "beam",
    ("exact", "skip"): "standard",
    ("exact", "parallel"): "beam",
    ("greedy", "early"): "greedy",
    ("greedy", "laso"): "greedy",
    ("greedy", "hybrid"): "beam",
    ("greedy", "latest"): "beam",
    ("greedy", "max_violation"): "beam",
    ("greedy", "parallel"): "beam",
    **{
        (("beam", 2, merge), update): "beam"
        for merge in (False, True)
        for update in ("early", "hybrid", "latest", "max_violation", "laso")
    },
}


def datasets(*, many_gold: bool, skip: int) -> st.SearchStrategy[list[GraphSpace]]:
    """Three small graphs that share features; features of their own make them separable."""

    def build(seed: int) -> list[GraphSpace]:
        rng = random.Random(seed)
        limits = {"steps": 3, "classes": 2, "members": 2, "actions": 3, "skip": skip, "features": FEATURES}
        return [
            make_graph(rng, many_gold=many_gold, indicators=FEATURES + INDICATORS * each, **limits)
            for each in range(3)
        ]

    return st.builds(build, st.integers(0, 2**32 - 1))


def confusion_set(graph: GraphSpace, kind: str) -> set[tuple[float, ...]]:
    """ΔΦ of all pairs of a gold and a wrong path that end on one step, as the definition `kind` has it."""
    size = FEATURES + 3 * INDICATORS
    rows: dict[int, list[tuple[tuple[int, ...], bool, NDArray[np.float64]]]] = defaultdict(list)
    for actions in graph.derivations():
        phi = np.zeros(size)
        for name, value in graph.vector(actions).items():
            phi[name] = value
        rows[graph.step(graph.walk(actions)[-1])].append((actions, graph.is_gold(actions), phi))
    if kind == "standard":
        rows = {max(rows): rows[max(rows)]}  # type: ignore[assignment]
    return {
        tuple(gold_phi - guess_phi)
        for row in rows.values()
        for gold, is_gold, gold_phi in row
        for guess, is_good, guess_phi in row
        if is_gold and not is_good and (kind != "greedy" or gold[:-1] == guess[:-1])
    }


def bound(data: list[GraphSpace], kind: str) -> float:
    """R²/δ², with the greatest margin δ: min |x| so that ΔΦ · x ≥ 1 (least distance programming by NNLS)."""
    pairs = np.array(sorted(set().union(*(confusion_set(graph, kind) for graph in data))))
    if not pairs.size:
        return 0.0
    system = np.vstack([pairs.T, np.ones(len(pairs))])
    target = np.zeros(system.shape[0])
    target[-1] = 1.0
    residual = system @ nnls(system, target, maxiter=100 * len(pairs))[0] - target
    separator = -residual[:-1] / residual[-1]
    # Whatever the solver did, this margin is one that the separator really has.
    margin = (pairs @ separator).min() / np.linalg.norm(separator)
    assert margin > 0
    return float((pairs**2).sum(axis=1).max() / margin**2)


def train_until_quiet(data: list[GraphSpace], limit: float, **choices: object) -> tuple[int, Epoch]:
    """All updates until an epoch without any; no more epochs than the bound allows."""
    updates = 0
    for epoch in train([(graph, graph) for graph in data], epochs=int(limit) + 2, **choices):  # type: ignore[arg-type]
        updates += epoch.updates
        assert epoch.invalid == 0
        if epoch.updates == 0:
            break
    return updates, epoch


@pytest.mark.parametrize(("search", "update"), CONFUSION, ids=str)
@given(seeded=st.data())
@settings(max_examples=12, deadline=None, suppress_health_check=[HealthCheck.too_slow])
def test_updates_are_bounded_by_radius_and_margin(search: object, update: str, seeded: st.DataObject) -> None:
    kind = CONFUSION[(search, update)]  # type: ignore[index]
    data = seeded.draw(datasets(many_gold=False, skip=1 if kind == "greedy" else 2))
    limit = bound(data, kind)
    updates, epoch = train_until_quiet(data, limit, search=search, update=update)
    assert updates <= limit * (1 + 1e-9)
    assert epoch.updates == epoch.errors == 0


@pytest.mark.parametrize("update", ["early", "max_violation"])
@pytest.mark.parametrize("search", ["exact", "greedy", ("beam", 2, True)], ids=str)
@given(data=datasets(many_gold=False, skip=2))
@settings(max_examples=12, deadline=None)
def test_the_global_form_has_the_same_bound(search: object, update: str, data: list[GraphSpace]) -> None:
    limit = bound(data, "beam")
    updates, epoch = train_until_quiet(data, limit, search=search, update=update, schedule="global")
    assert updates <= limit * (1 + 1e-9)
    assert epoch.updates == epoch.errors == 0


@pytest.mark.parametrize("update", ["early", "hybrid", "latest", "max_violation", "laso"])
@given(data=datasets(many_gold=True, skip=2), search=st.sampled_from(["exact", "greedy", ("beam", 2, True)]))
@settings(max_examples=12, deadline=None)
def test_many_gold_derivations_keep_the_bound(update: str, data: list[GraphSpace], search: object) -> None:
    """Here u must put every gold path above every wrong one; search may lose gold without a violation."""
    limit = bound(data, "beam")
    updates, epoch = train_until_quiet(data, limit, search=search, update=update)
    assert updates <= limit * (1 + 1e-9)
    assert epoch.updates == 0


def test_the_global_form_fixes_the_greatest_violation_of_all_data_and_of_equals_the_first() -> None:
    def choice(wrong: int, gold: int) -> GraphSpace:
        arcs = (Arc(0, 1, ((wrong, 1.0),), False), Arc(1, 1, ((gold, 1.0),), True))
        return GraphSpace((0, 1), (0, 0), (arcs, ()))

    data = [choice(0, 1), choice(2, 3), choice(2, 4)]
    (epoch,) = train(
        [(graph, graph) for graph in data],
        search="exact",
        update="standard",
        epochs=1,
        weights=Weights({2: 5.0}),
        schedule="global",
    )
    assert (epoch.errors, epoch.updates, epoch.examples) == (3, 1, 3)
    assert dict(epoch.weights.items()) == {2: 4.0, 3: 1.0}
    assert epoch.weights.counter == 2, "one round is one tick"
