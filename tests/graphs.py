"""Random explicit search spaces: small graphs with merging, skipped steps and one or many gold derivations.

A graph is made of classes of equivalent states. All states of a class have the same step, actions, features
and gold actions, and the same action leads them to one class, though perhaps to different members of it. So
merging by class is lawful, and yet the states differ.
"""

from __future__ import annotations

import math
import random
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from hypothesis import strategies as st

from structron.reference.learners.weights import Weights


@dataclass(frozen=True)
class Arc:
    """What leaves a state by one action."""

    action: int
    target: int
    features: tuple[tuple[int, float], ...]
    good: bool


@dataclass(frozen=True)
class GraphSpace:
    """A search space and its oracle, written out: state number `i` has `steps[i]`, `keys[i]` and `arcs[i]`.

    State 0 is the initial one. States on the last step are final and have no arcs.
    """

    steps: tuple[int, ...]
    keys: tuple[int, ...]
    arcs: tuple[tuple[Arc, ...], ...]

    def initial(self) -> int:
        return 0

    def actions(self, state: int) -> list[int]:
        return [arc.action for arc in self.arcs[state]]

    def advance(self, state: int, action: int) -> int:
        return self._arc(state, action).target

    def features(self, state: int, action: int) -> tuple[tuple[int, float], ...]:
        return self._arc(state, action).features

    def merge_key(self, state: int) -> int:
        return self.keys[state]

    def step(self, state: int) -> int:
        return self.steps[state]

    def is_final(self, state: int) -> bool:
        return not self.arcs[state]

    def allows(self, state: int, action: int) -> bool:
        """The graph is its own oracle."""
        return self._arc(state, action).good

    def _arc(self, state: int, action: int) -> Arc:
        return next(arc for arc in self.arcs[state] if arc.action == action)

    def arrays(self) -> dict[str, np.ndarray[Any, Any]]:
        """The same as plain arrays.

        `step`, `key`, `final` by state; the arcs of state i are `arc_begin[i]` to `arc_begin[i + 1]` of
        `action`, `target`, `good`; the features of arc j are `feature_begin[j]` to `feature_begin[j + 1]` of
        `feature`, `value`.
        """
        arcs = [arc for each in self.arcs for arc in each]
        features = [pair for arc in arcs for pair in arc.features]
        return {
            "step": np.array(self.steps, dtype=np.int32),
            "key": np.array(self.keys, dtype=np.int64),
            "final": np.array([not each for each in self.arcs], dtype=np.bool_),
            "arc_begin": np.cumsum([0, *(len(each) for each in self.arcs)]).astype(np.int32),
            "action": np.array([arc.action for arc in arcs], dtype=np.int32),
            "target": np.array([arc.target for arc in arcs], dtype=np.int32),
            "good": np.array([arc.good for arc in arcs], dtype=np.bool_),
            "feature_begin": np.cumsum([0, *(len(arc.features) for arc in arcs)]).astype(np.int32),
            "feature": np.array([name for name, _ in features], dtype=np.int64),
            "value": np.array([value for _, value in features], dtype=np.float64),
        }

    def derivations(self) -> Iterator[tuple[int, ...]]:
        """The actions of every path from the initial state, prefixes and whole outputs; not the empty one."""
        stack: list[tuple[int, tuple[int, ...]]] = [(0, ())]
        while stack:
            state, actions = stack.pop()
            if actions:
                yield actions
            stack.extend((arc.target, (*actions, arc.action)) for arc in reversed(self.arcs[state]))

    def walk(self, actions: tuple[int, ...]) -> list[int]:
        """The states along a path."""
        states = [0]
        for action in actions:
            states.append(self.advance(states[-1], action))
        return states

    def vector(self, actions: tuple[int, ...]) -> dict[int, float]:
        """Φ of a path, summed by hand."""
        total: dict[int, float] = {}
        for state, action in zip(self.walk(actions), actions):
            for name, value in self.features(state, action):
                total[name] = total.get(name, 0.0) + value
        return total

    def is_gold(self, actions: tuple[int, ...]) -> bool:
        """Whether every action of a path is good."""
        return all(self.allows(state, action) for state, action in zip(self.walk(actions), actions))


@dataclass(frozen=True)
class RankedGraph(GraphSpace):
    """A graph whose states expect something of the rest of the way; equivalent ones the same."""

    futures: tuple[float, ...] = ()

    def future(self, state: int) -> float:
        return self.futures[state]


def ranked(graph: GraphSpace, rng: random.Random, size: int = 3) -> RankedGraph:
    """The same graph with futures that are whole numbers; 0 where it ends."""
    chosen: dict[tuple[int, int], float] = {}
    futures = tuple(
        chosen.setdefault((step, key), float(rng.randint(-size, size))) if arcs else 0.0
        for step, key, arcs in zip(graph.steps, graph.keys, graph.arcs)
    )
    return RankedGraph(graph.steps, graph.keys, graph.arcs, futures)


def make_graph(
    rng: random.Random,
    *,
    steps: int = 4,
    classes: int = 3,
    members: int = 2,
    actions: int = 3,
    skip: int = 2,
    features: int = 6,
    values: int = 2,
    many_gold: bool = False,
    indicators: int | None = None,
) -> GraphSpace:
    """A random graph; `steps`, `classes`, `members`, `actions`, `skip` are upper limits, each at least 1.

    Values of features are whole numbers from -`values` to `values`, so that scores are exact. With
    `indicators`, each arc of a class also has a feature of its own, numbered from there, which makes gold
    separable.
    """
    last = rng.randint(1, steps)
    counts = [1] + [rng.randint(1, classes) for _ in range(last)]
    numbers: list[list[list[int]]] = []  # the states of each class of each step
    state_steps: list[int] = []
    keys: list[int] = []
    for step, count in enumerate(counts):
        numbers.append([])
        for key in range(count):
            size = 1 if step == 0 else rng.randint(1, members)
            numbers[step].append(list(range(len(keys), len(keys) + size)))
            keys.extend([key] * size)
            state_steps.extend([step] * size)
    arcs: list[tuple[Arc, ...]] = [()] * len(keys)
    for step in range(last):
        for states in numbers[step]:
            names = sorted(rng.sample(range(2 * actions), rng.randint(1, actions)))
            good = set(rng.sample(names, rng.randint(1, len(names)) if many_gold else 1))
            made: list[list[Arc]] = [[] for _ in states]
            for name in names:
                target = rng.choice(numbers[min(last, step + rng.randint(1, skip))])
                vector = _random_features(rng, features, values)
                if indicators is not None:
                    vector = (*vector, (indicators, 1.0))
                    indicators += 1
                for arcs_of_member in made:
                    arcs_of_member.append(Arc(name, rng.choice(target), vector, name in good))
            for state, arcs_of_member in zip(states, made):
                arcs[state] = tuple(arcs_of_member)
    return GraphSpace(tuple(state_steps), tuple(keys), tuple(arcs))


def _random_features(rng: random.Random, features: int, values: int) -> tuple[tuple[int, float], ...]:
    names = rng.sample(range(features), rng.randint(0, min(3, features)))
    return tuple((name, float(rng.randint(-values, values))) for name in names)


@st.composite
def graphs(
    draw: st.DrawFn, *, many_gold: bool | None = None, futures: bool = False, **limits: Any
) -> GraphSpace:
    """Graphs of `make_graph`; with one gold derivation, with many, or (None) with either."""
    rng = random.Random(draw(st.integers(0, 2**32 - 1)))
    many = draw(st.booleans()) if many_gold is None else many_gold
    graph = make_graph(rng, many_gold=many, **limits)
    return ranked(graph, rng) if futures and draw(st.booleans()) else graph


@st.composite
def whole_weights(draw: st.DrawFn, *, features: int = 6, size: int = 3) -> Weights:
    """Small whole numbers, so that ties are common and sums exact."""
    numbers = st.integers(-size, size)
    return Weights({name: float(draw(numbers)) for name in range(features)})


def searches() -> st.SearchStrategy[tuple[int | None, bool]]:
    """Width and merging: exact, greedy, beams."""
    choices: list[tuple[int | None, bool]] = [(None, True), (1, False)]
    choices += [(width, merge) for width in (1, 2, 3, 5) for merge in (False, True)]
    return st.sampled_from(choices)


def withins() -> st.SearchStrategy[float]:
    """How far behind the best of its row an item may be, for beams; mostly as far as it likes."""
    return st.sampled_from([math.inf, math.inf, 0.0, 1.0, 3.0])
