"""Chu-Liu-Edmonds: the engine equals the definition, ties included, and learns the same weights."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from structron import _core
from structron.learners import CRF, parse_learner
from structron.reference import METHODS, train
from structron.reference.forest.spanning_trees import arc_of, best_tree, spanning
from structron.reference.learners.weights import Weights
from structron.search import Spanning
from structron.tasks.parsing.features.graph import columns_read, parse_graph_templates
from structron.tasks.parsing.graph.oracle import GraphOracle
from structron.tasks.parsing.graph.program import compile_templates
from structron.tasks.parsing.graph.space import GraphSpace
from structron.updates import UPDATES
from tests.laws.tasks.test_graph_parsing import FIRST, SECOND, trees
from tests.parity.tasks.test_graph_parsing import LABELS, WORDS

TEMPLATES = (*FIRST, "h.lower m[-2].t", "m.m(Case) h.t", "between.w d")


def some_tree(n: int, rng: random.Random, single_root: bool) -> list[int]:
    """Words join the tree in any order, each below one that is in it; arcs may cross."""
    order = [*range(1, n + 1)]
    rng.shuffle(order)
    heads = [0] * n
    for k, word in enumerate(order[1:], 1):
        heads[word - 1] = rng.choice([*order[:k], *([] if single_root else [0])])
    return heads


class Both:
    """The same sentences for the engine and for the definition; the weights are whole numbers."""

    def __init__(
        self, seed: int, n: int = 2, longest: int = 5, *, single_root: bool = True, weights: int = 0
    ) -> None:
        self.rng, self.single_root = random.Random(seed), single_root
        templates = parse_graph_templates(TEMPLATES)
        self.program = _core.GraphProgram(compile_templates(templates), columns_read(templates))
        self.corpus = _core.GraphCorpus(self.program, LABELS, single_root, crossing=True)
        self.weights, self.start = _core.Weights(len(LABELS) + 1), Weights()
        self.examples: list[tuple[Any, Any]] = []
        self.trees: list[tuple[list[int], list[str]]] = []
        for _ in range(n):
            tokens = [self.rng.choice(WORDS) for _ in range(self.rng.randint(1, longest))]
            heads = some_tree(len(tokens), self.rng, single_root)
            labels = [self.rng.randrange(len(LABELS)) for _ in tokens]
            self.trees.append((heads, [LABELS[label] for label in labels]))
            self.corpus.add(tokens, self.trees[-1])
            space = GraphSpace(tokens, len(LABELS), templates, single_root=single_root)
            self.examples.append((space, GraphOracle(space, heads, labels)))
            self._weigh(space, weights)

    def _weigh(self, space: GraphSpace, largest: int) -> None:
        """Any weights for all features of all arcs: training alone seldom makes cycles within cycles."""
        for m in range(1, len(space.tokens) + 1):
            for h in {*range(len(space.tokens) + 1)} - {m}:
                for label in range(space.labels):
                    for name, _ in space.features(*arc_of(space, h, m, label)):
                        if largest and not self.start[name]:
                            weight = self.rng.randint(-largest, largest)
                            self.start.add({name: weight})
                            self.weights.add(*name, weight)

    def live(self, update: str, learner: str | _core.Learner) -> _core.Trainer:
        self.engine = parse_learner(learner).engine() if isinstance(learner, str) else learner
        return _core.spanning_trainer(
            self.corpus, self.weights, _core.Search(0, True), UPDATES[update].code, False, self.engine
        )

    def frozen(self) -> _core.Predictor:
        return _core.spanning_predictor(self.program, LABELS, self.single_root, self.weights.pack(False))

    def learned(self) -> dict[tuple[int, int], float]:
        keys, offsets, columns, values, _ = self.weights.pack(False)
        spread = np.repeat(keys, np.diff(offsets))
        return {(int(k), int(c)): float(v) for k, c, v in zip(spread, columns, values)}


def assert_same_trace(raw: dict[str, Any], expected: Any) -> None:
    for name in ("best_score", "gold_score", "gold_in_beam", "best_is_gold"):
        np.testing.assert_array_equal(raw[name], getattr(expected, name))
    heads, labels = expected.space.tree(expected.best(0))
    assert raw["words"] == [*zip(heads, labels)]


@settings(max_examples=60, deadline=None)
@given(
    seed=st.integers(0, 2**32 - 1),
    single_root=st.booleans(),
    largest=st.sampled_from([0, 1, 2, 50]),
    longest=st.sampled_from([3, 9]),
)
def test_the_same_tree_is_found_of_equally_good_ones(
    seed: int, single_root: bool, largest: int, longest: int
) -> None:
    both = Both(seed, 1, longest, single_root=single_root, weights=largest)
    frozen = both.frozen()
    for (space, oracle), gold in zip(both.examples, both.trees):
        trace = spanning(space, both.start, oracle)
        assert_same_trace(frozen.trace(space.tokens, gold, _core.Search(0, True)), trace)
        heads, labels = space.tree(trace.best(0))
        found = heads, [LABELS[label] for label in labels]
        assert frozen.predict([space.tokens], _core.Search(0, True)) == [found]
        assert frozen.predict([space.tokens] * 9, _core.Search(0, True), 2) == [found] * 9
        assert frozen.kbest([space.tokens], 1, _core.Search(0, True)) == [[(found, trace.best(0).score)]]


def table(n: int, rng: random.Random, largest: int) -> list[list[float]]:
    """Scores of all arcs: small whole numbers, so that many are equal, or any."""
    draw = (lambda: float(rng.randint(0, largest))) if largest else rng.random
    return [[draw() for _ in range(n + 1)] for _ in range(n + 1)]


@settings(max_examples=150, deadline=None)
@given(
    seed=st.integers(0, 2**32 - 1),
    n=st.integers(1, 14),
    largest=st.sampled_from([0, 1, 2, 9]),
    single_root=st.booleans(),
)
def test_any_scores_give_the_tree_of_the_definition(
    seed: int, n: int, largest: int, single_root: bool
) -> None:
    scores = table(n, random.Random(seed), largest)
    found, _ = _core.spanning_tree(np.array(scores), single_root)
    assert found == best_tree(scores, single_root=single_root)


@settings(max_examples=60, deadline=None)
@given(
    seed=st.integers(0, 2**32 - 1),
    n=st.integers(1, 5),
    largest=st.sampled_from([1, 3, 9]),
    single_root=st.booleans(),
)
def test_no_other_tree_scores_more(seed: int, n: int, largest: int, single_root: bool) -> None:
    scores = table(n, random.Random(seed), largest)
    found, _ = _core.spanning_tree(np.array(scores), single_root)
    every = {
        heads: sum(scores[m][h] for m, h in enumerate(heads, 1))
        for heads in trees(n, projective=False, single_root=single_root)
    }
    assert every[tuple(found)] == max(every.values())


def nested(n: int) -> list[list[float]]:
    """Scores that make one cycle within another, as many as there can be: 1 and 2, these and 3, ..."""
    return [[float(2 * n - max(h, m)) if h else 0.0 for h in range(n + 1)] for m in range(n + 1)]


@pytest.mark.parametrize("single_root", [True, False])
@pytest.mark.parametrize("largest", [None, 0, 1, 5])
@pytest.mark.parametrize("n", [100, 400])
def test_the_work_is_quadratic(n: int, largest: int | None, single_root: bool) -> None:
    scores = nested(n) if largest is None else table(n, random.Random(n), largest)
    found, looks = _core.spanning_tree(np.array(scores), single_root)
    assert looks <= 8 * (n + 1) ** 2
    if n == 100:
        assert found == best_tree(scores, single_root=single_root)


def test_scores_that_are_no_square_are_refused() -> None:
    for shape in ((0, 0), (2, 3)):
        with pytest.raises(ValueError, match="the scores must be a square"):
            _core.spanning_tree(np.zeros(shape), True)


@settings(max_examples=40, deadline=None)
@given(
    seed=st.integers(0, 2**32 - 1),
    update=st.sampled_from(sorted(METHODS)),
    margin=st.sampled_from([0, 0, 2]),
    single_root=st.booleans(),
    largest=st.sampled_from([0, 2]),
)
def test_traces_and_training_are_equal(
    seed: int, update: str, margin: int, single_root: bool, largest: int
) -> None:
    both = Both(seed, single_root=single_root, weights=largest)
    learner = f"perceptron:margin={margin}"
    live, weights = both.live(update, learner), both.start
    for epoch in train(
        both.examples,
        search=Spanning(),
        update=update,
        learner=parse_learner(learner).definition(),
        epochs=3,
        weights=weights,
    ):
        counts = live.run(np.arange(len(both.examples), dtype=np.uint32))
        assert tuple(counts[2:]) == (epoch.errors, epoch.updates, epoch.invalid, epoch.early_stopped)
    assert both.learned() == {name: value for name, value in weights.items() if value}
    for i, (space, oracle) in enumerate(both.examples):
        assert_same_trace(live.trace(i), spanning(space, weights, oracle, margin=float(margin)))


@settings(max_examples=30, deadline=None)
@given(
    seed=st.integers(0, 2**32 - 1),
    learner=st.sampled_from(
        [f"swvp:{jj},wmr,balanced,printed" for jj in ("single", "full", "prefixes", "error_spans")]
        + ["swvp:windows=2,wmr,balanced,printed,margin=2", "swvp:single,wm,balanced", "mira:1", "pa"]
    ),
)
def test_learners_are_equal(seed: int, learner: str) -> None:
    both = Both(seed, n=1, weights=2)
    live, weights = both.live("standard", learner), both.start
    (epoch,) = train(
        both.examples,
        search=Spanning(),
        update="standard",
        learner=parse_learner(learner).definition(),
        epochs=1,
        weights=weights,
    )
    counts = live.run(np.zeros(1, np.uint32))
    assert tuple(counts[2:]) == (epoch.errors, epoch.updates, epoch.invalid, epoch.early_stopped)
    found = both.learned()
    for name in {*found, *dict(weights.items())}:
        assert abs(found.get(name, 0.0) - weights[name]) <= 1e-5  # type: ignore[arg-type]


def test_threads_and_batches_give_the_same_weights() -> None:
    found = []
    for threads in (1, 2):
        both = Both(7, n=8)
        live = both.live("max_violation", "perceptron")
        for _ in range(3):
            live.run(np.arange(8, dtype=np.uint32), 4, threads)
        found.append(both.learned())
    assert found[0] == found[1] != {}


def test_what_it_cannot_do_is_told() -> None:
    both = Both(1)
    with pytest.raises(ValueError, match="finds one tree and not the 3 best; use k = 1, or forest"):
        both.frozen().kbest([[WORDS[0]]], 3, _core.Search(0, True))
    with pytest.raises(ValueError, match="finds one tree and not the 3 best; use k = 1, or forest"):
        both.live("standard", "mira:3")
    with pytest.raises(ValueError, match="laso needs a search whose bins follow one another"):
        both.live("laso", "perceptron")
    with pytest.raises(
        ValueError, match="may have crossing arcs, which this search cannot build; use mst or swaps"
    ):
        _core.chart_trainer(both.corpus, both.weights, _core.Search(0, True), 0, False, both.engine)
    templates = parse_graph_templates(SECOND)
    program = _core.GraphProgram(compile_templates(templates), columns_read(templates))
    with pytest.raises(ValueError, match="templates see siblings or grandchildren"):
        _core.spanning_predictor(program, LABELS, True, both.weights.pack(False))


def test_crossing_trees_go_into_a_corpus_that_allows_them() -> None:
    crossing = ([3, 4, 0, 3], ["x"] * 4)
    both = Both(1)
    both.corpus.add([WORDS[0]] * 4, crossing)
    projective = _core.GraphCorpus(both.program, LABELS)
    with pytest.raises(ValueError, match="crossing arcs"):
        projective.add([WORDS[0]] * 4, crossing)
    with pytest.raises(ValueError, match="is its own ancestor"):
        both.corpus.add([WORDS[0]] * 4, ([2, 1, 0, 3], ["x"] * 4))
    assert len(list(trees(4, projective=False))) > len(list(trees(4, projective=True)))


@pytest.mark.parametrize("batch", [1, 2])
@settings(max_examples=10, deadline=None)
@given(seed=st.integers(0, 2**32 - 1), single_root=st.booleans())
def test_a_crf_learns_the_same_weights(batch: int, seed: int, single_root: bool) -> None:
    both = Both(seed, 2, 4, single_root=single_root, weights=2)
    learner = CRF(c2=0.5, step=0.5)
    live = both.live("standard", learner.engine(2))
    weights = both.start
    for epoch in train(
        both.examples,
        search=Spanning(),
        update="standard",
        learner=learner.definition(2),
        epochs=2,
        weights=weights,
        batch=batch,
    ):
        counts = live.run(np.arange(len(both.examples), dtype=np.uint32), batch)
        assert tuple(counts[2:5]) == (epoch.errors, epoch.updates, epoch.invalid)
    found, wanted = both.learned(), dict(weights.items())
    assert max(abs(found.get(each, 0.0) - wanted.get(each, 0.0)) for each in {*found, *wanted}) < 2e-4
