"""The slides' own example and formulas: "the pizza runs" (Hewitt), the algorithm and the average (Clark)."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product
from typing import Any

import pytest

from structron.reference import Weights, compare, decode, is_violation, train
from structron.reference.learners.violations import method

TAGS = ("D", "N", "V")
Tagged = tuple[str, ...]


@dataclass(frozen=True)
class Slide:
    """Words with tags; a feature sees word and tag, or two tags in a row."""

    words: Tagged
    gold: Tagged

    def initial(self) -> Tagged:
        return ()

    def actions(self, state: Tagged) -> range:
        return range(len(TAGS) if len(state) < len(self.words) else 0)

    def advance(self, state: Tagged, action: int) -> Tagged:
        return (*state, TAGS[action])

    def features(self, state: Tagged, action: int) -> list[tuple[Any, float]]:
        before = state[-1] if state else "<s>"
        return [((self.words[len(state)], TAGS[action]), 1.0), ((before, TAGS[action], "in a row"), 1.0)]

    def merge_key(self, state: Tagged) -> Tagged:
        return state[-1:]

    def step(self, state: Tagged) -> int:
        return len(state)

    def is_final(self, state: Tagged) -> bool:
        return len(state) == len(self.words)

    def allows(self, state: Tagged, action: int) -> bool:
        return TAGS[action] == self.gold[len(state)]

    def vector(self, tags: Tagged) -> dict[Any, float]:
        """Φ(x, y)."""
        found: dict[Any, float] = {}
        for i, tag in enumerate(tags):
            for name, value in self.features(tags[:i], TAGS.index(tag)):
                found[name] = found.get(name, 0.0) + value
        return found


PIZZA = Slide(("the", "pizza", "runs"), ("D", "N", "V"))
DATA = (PIZZA, Slide(("pizza", "runs"), ("N", "V")), Slide(("the", "runs", "runs"), ("D", "N", "V")))


def dot(weights: Any, vector: dict[Any, float]) -> float:
    return sum(weights.get(name, 0.0) * value for name, value in vector.items())


def minus(one: dict[Any, float], other: dict[Any, float]) -> dict[Any, float]:
    return {name: one.get(name, 0.0) - other.get(name, 0.0) for name in {**one, **other}}


def given(scores: dict[Any, float]) -> Weights:
    weights = Weights()
    weights.add(scores.items())
    return weights


def test_a_correct_violation_detection() -> None:
    weights = given({("the", "N"): 2.0, ("runs", "N"): 1.0})  # [N, N, N] is above [D, N, V]
    trace = decode(PIZZA, weights, "exact", PIZZA)
    assert [TAGS[a] for a in trace.best(trace.final).actions] != ["D", "N", "V"]
    assert method("standard")(trace) == trace.final and is_violation(trace)[trace.final]
    violation = compare(PIZZA, trace.gold(trace.final), trace.best(trace.final))
    before = trace.gold_score[trace.final] - trace.best_score[trace.final]
    weights.add(violation.delta.items())
    gained = dot(dict(weights.items()), violation.delta) - before
    assert gained == sum(x * x for x in violation.delta.values()), "w ← w + ΔΦ moves gold ahead by ‖ΔΦ‖²"


def test_an_incorrect_violation_detection() -> None:
    # Greedily "the" is a noun; the correct sequence has the highest score of all, and search has lost it.
    scores = {("the", "N"): 1.0, ("D", "N", "in a row"): 3.0, ("pizza", "N"): 1.0, ("runs", "V"): 1.0}
    weights = given(scores)
    trace = decode(PIZZA, weights, "greedy", PIZZA)
    every = {tags: dot(dict(weights.items()), PIZZA.vector(tags)) for tags in product(TAGS, repeat=3)}
    assert max(every, key=lambda tags: every[tags]) == PIZZA.gold
    assert not trace.best_is_gold[trace.final]
    step = method("standard")(trace)
    assert step == trace.final and not is_violation(trace)[step], "standard updates all the same"
    for valid in ("early", "max_violation"):
        step = method(valid)(trace)
        assert step is not None and is_violation(trace)[step] and step < trace.final


def viterbi(x: Slide, weights: dict[Any, float]) -> Tagged:
    """Return argmax_z λ · Φ(x, z)."""
    trace = decode(x, given(weights), "exact")
    found = tuple(TAGS[a] for a in trace.best(trace.final).actions)
    every = [dot(weights, x.vector(tags)) for tags in product(TAGS, repeat=len(x.words))]
    assert dot(weights, x.vector(found)) == max(every)
    return found


def clark(data: tuple[Slide, ...], passes: int) -> tuple[dict[Any, float], dict[Any, float], int]:
    """The lecture's algorithm, word for word, with its average of all λ."""
    weights: dict[Any, float] = {}
    total: dict[Any, float] = {}
    updates = 0
    for _ in range(passes):
        for x in data:
            z = viterbi(x, weights)
            if z != x.gold:
                updates += 1
                for name, value in minus(x.vector(x.gold), x.vector(z)).items():
                    weights[name] = weights.get(name, 0.0) + value
            for name, value in weights.items():
                total[name] = total.get(name, 0.0) + value
    return weights, {name: value / (passes * len(data)) for name, value in total.items()}, updates


@pytest.mark.parametrize("passes", [1, 2, 6])
def test_the_algorithm_of_the_slide_is_the_training_that_runs_here(passes: int) -> None:
    weights, mean, updates = clark(DATA, passes)
    epochs = [*train([(x, x) for x in DATA], search="exact", update="standard", epochs=passes)]
    assert sum(epoch.updates for epoch in epochs) == updates
    ours = dict(epochs[-1].weights.items())
    assert ours == {name: value for name, value in weights.items() if value}
    averaged = dict(epochs[-1].weights.averaged().items())
    # Daumé's counter has one more vector in the mean, the first, which is nothing.
    share = (passes * len(DATA)) / (passes * len(DATA) + 1)
    for name, value in mean.items():
        assert averaged.get(name, 0.0) == pytest.approx(share * value, abs=1e-6)


def test_both_sides_of_the_proof_hold_after_every_update() -> None:
    weights, _, updates = clark(DATA, 20)
    assert clark(DATA, 21)[2] == updates, "it has converged"
    size = sum(value * value for value in weights.values()) ** 0.5
    wrong = [(x, z) for x in DATA for z in product(TAGS, repeat=len(x.words)) if z != x.gold]
    every = [minus(x.vector(x.gold), x.vector(z)) for x, z in wrong]
    radius = max(sum(v * v for v in delta.values()) for delta in every) ** 0.5
    margin = min(dot(weights, delta) for delta in every) / size
    assert margin > 0, "the weights separate, so they may be the proof's u"
    path: dict[Any, float] = {}
    k = 0
    for _ in range(20):
        for x in DATA:
            z = viterbi(x, path)
            if z == x.gold:
                continue
            k += 1
            for name, value in minus(x.vector(x.gold), x.vector(z)).items():
                path[name] = path.get(name, 0.0) + value
            assert dot(path, weights) / size >= k * margin - 1e-9
            assert sum(value * value for value in path.values()) <= k * radius * radius + 1e-9
    assert k == updates <= (radius / margin) ** 2
