"""The two examples on which the standard update with greedy search never ends, row by row."""

from __future__ import annotations

import pytest

from structron.reference import METHODS, beam, check_oracle, check_space, greedy, standard, train, violation
from structron.reference.learners.weights import Weights
from structron.theory.non_convergence import DOT, FRUIT_FLIES, TIME_FLIES, Example, N

Rows = list[tuple[str, tuple[float, float], float, str, tuple[float, float]]]


def standard_greedy(task: Example, iterations: int) -> Rows:
    """The columns of Figure 1: label z, ΔΦ, w · ΔΦ, valid or not, new w."""
    weights, rows = Weights(), []
    for _ in range(iterations):
        trace = greedy(task, weights, task)
        step = standard(trace)
        if step is None:
            break
        found = violation(trace, step)
        label = " ".join("NV."[tag] for tag in trace.best(step).actions)
        delta = (found.delta.get(0, 0.0), found.delta.get(1, 0.0))
        inner = weights.score(found.delta)
        weights.add(found.delta)
        rows.append((label, delta, inner, "valid" if inner <= 0 else "invalid", (weights[0], weights[1])))
    return rows


def epochs_to_converge(task: Example, search: object, update: str, **more: bool) -> int | None:
    """The number of epochs with updates before the first without; None if 60 epochs do not suffice."""
    for epoch in train([(task, task)], search=search, update=update, epochs=60, **more):  # type: ignore[arg-type]
        if epoch.updates == 0:
            assert epoch.errors == 0
            return epoch.epoch - 1
    return None


@pytest.mark.parametrize("task", [FRUIT_FLIES, TIME_FLIES], ids=["fruit flies", "time flies"])
def test_the_examples_are_proper_search_spaces(task: Example) -> None:
    check_space(task)
    check_oracle(task, task)


def test_fruit_flies_row_by_row_as_printed() -> None:
    assert standard_greedy(FRUIT_FLIES, 4) == [
        ("N N N .", (-1, +1), 0, "valid", (-1, 1)),
        ("N V N .", (+1, +1), 0, "valid", (0, 2)),
        ("N N N .", (-1, +1), 2, "invalid", (-1, 3)),
        ("N V N .", (+1, +1), 2, "invalid", (0, 4)),
    ]


def test_fruit_flies_loops_for_ever() -> None:
    """Every second row returns to w = (0, 2k): greedy search meets the second weight only at the last tag."""
    rows = standard_greedy(FRUIT_FLIES, 200)
    assert len(rows) == 200
    for k in range(100):
        assert [row[0] for row in rows[2 * k : 2 * k + 2]] == ["N N N .", "N V N ."]
        assert rows[2 * k + 1][4] == (0, 2 * k + 2)
        assert rows[2 * k][2] == rows[2 * k + 1][2] == 2 * k
    # Induction: w = (0, 2k) decodes like w = (0, 0), and the loop adds (0, 2) again.
    for k in (0, 10**6):
        path = greedy(FRUIT_FLIES, Weights({1: float(2 * k)})).best(3)
        assert path.actions == (N, N, N, DOT)


def test_fruit_flies_converges_once_search_can_keep_gold() -> None:
    """With exact search, and with a beam of 2, where early and max-violation updates find u."""
    for update in METHODS:
        for search in ("exact", ("beam", 2, False), ("beam", 2, True)):
            skip = update in ("max_violation", "parallel")
            assert epochs_to_converge(FRUIT_FLIES, search, update, skip_correct=skip) == 2
    assert epochs_to_converge(FRUIT_FLIES, ("beam", 2, False), "laso") == 2


def test_no_greedy_method_can_converge_on_fruit_flies() -> None:
    """It is separable, but not greedily so: after N, N→N must gain; after N N, it must lose (Theorem 5).

    Valid updates do not help where no weights make greedy search right; they do keep the weights bounded. For
    the same reason max-violation with a wider beam goes on updating prefixes of a right output, unless told
    not to.
    """
    task = FRUIT_FLIES
    for first in range(-3, 4):
        for second in range(-3, 4):
            trace = beam(task, Weights({0: float(first), 1: float(second)}), 1, False, task)
            assert not trace.best_is_gold[-1]
    for update in ("early", "hybrid", "latest", "max_violation", "laso"):
        *_, last = train([(task, task)], search="greedy", update=update, epochs=60)
        assert last.errors == 1 and last.weights.norm() <= 4
    *_, last = train([(task, task)], search=("beam", 2, False), update="max_violation", epochs=60)
    assert last.updates == 1


def test_time_flies_row_by_row() -> None:
    assert standard_greedy(TIME_FLIES, 4) == [
        ("N N", (+2, 0), 0, "valid", (2, 0)),
        ("V N", (+1, +1), 2, "invalid", (3, 1)),
        ("V N", (+1, +1), 4, "invalid", (4, 2)),
        ("V N", (+1, +1), 6, "invalid", (5, 3)),
    ]


def test_time_flies_loops_for_ever() -> None:
    """From the second row on, each adds (1, 1), so that the wrong first tag stays ahead by 2."""
    rows = standard_greedy(TIME_FLIES, 200)
    assert len(rows) == 200
    for k, (label, delta, inner, mark, new) in enumerate(rows[1:], start=1):
        assert (label, delta, inner, mark, new) == ("V N", (1, 1), 2 * k, "invalid", (k + 2, k))


@pytest.mark.parametrize("update", ["early", "hybrid", "latest", "max_violation", "laso"])
def test_time_flies_converges_with_every_valid_method(update: str) -> None:
    """R² = 4, and u = (1, 3)/√10 has margin δ² = 2/5 over all prefixes: at most 10 updates (Theorem 6)."""
    for search in ("greedy", ("beam", 1, False), ("beam", 2, True), "exact"):
        updates = 0
        for epoch in train([(TIME_FLIES, TIME_FLIES)], search=search, update=update, epochs=12):
            updates += epoch.updates
        assert updates <= 10 and epoch.updates == epoch.errors == 0


def test_time_flies_converges_with_exact_search_and_the_standard_update() -> None:
    assert epochs_to_converge(TIME_FLIES, "exact", "standard") == 1
