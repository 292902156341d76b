"""Graph-based parsing: the engine equals the definition item by item, and learns the same weights."""

from __future__ import annotations

import random
from collections import Counter
from itertools import count
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from structron import _core
from structron.features.keys import fold
from structron.learners import parse_learner
from structron.reference import METHODS, train
from structron.reference.forest.forest import forest
from structron.reference.learners.weights import Weights
from structron.search import Forest
from structron.tasks.parsing.features.graph import columns_read, parse_graph_templates
from structron.tasks.parsing.graph.arcs import neighbouring
from structron.tasks.parsing.graph.items import Seen
from structron.tasks.parsing.graph.oracle import GraphOracle
from structron.tasks.parsing.graph.program import compile_templates
from structron.tasks.parsing.graph.pruning import FIRST_SQUARE, learn_heads, left
from structron.tasks.parsing.graph.space import GraphSpace
from structron.updates import UPDATES
from tests.laws.tasks.test_graph_parsing import FIRST, HIGHER, SECOND, trees

MORE = ("h.lower m[-2].t", "m.m(Case) h.t", "s.suffix(1) h.t", "c.t c[+1].t h.w", "between.w d")
LABELS = ["x", "y", "z"]
WORDS = [("a", "A", "_", "Case=Nom"), ("bb", "B", "_", "_"), ("c", "A", "_", "Case=Acc|Number=Sing")]
PRUNING = parse_graph_templates(["h.t m.t d", "h.w dir", "h.t between.t"])
RATIO = 0.1
WIDTHS = st.sampled_from([None, 1, 2, 4])


def random_pruner(seed: int, heads: int) -> tuple[_core.GraphPruner, list[float]]:
    """A pruner with whole weights, and the same for the definition."""
    rng = random.Random(seed)
    weights = [float(rng.randint(-3, 3)) for _ in range(64)]
    return _core.GraphPruner(np.array(weights, np.float32), heads, RATIO), weights


def left_by(tokens: Any, weights: list[float], heads: int) -> set[tuple[int, int]]:
    """The arcs that a pruner leaves."""
    return left(GraphSpace(tokens, 1, PRUNING), weights, heads, RATIO)


def packed(seen: Seen) -> int:
    """A state as the engine has it: 0 where there is nothing."""
    relation = 0 if seen.relation is None else seen.relation + 1
    return (seen.child or 0) | relation << 16 | (seen.before or 0) << 32 | seen.children << 48


class Both:
    """The same sentences for the engine and for the definition, with a pruner or without."""

    def __init__(
        self, seed: int, texts: tuple[str, ...], n: int = 2, longest: int = 4, heads: int = 0
    ) -> None:
        rng = random.Random(seed)
        templates = parse_graph_templates(texts)
        self.program = _core.GraphProgram(
            compile_templates(templates),
            max(columns_read(templates), columns_read(PRUNING)),
            compile_templates(PRUNING) if heads else [],
        )
        self.pruner, self.pruning = random_pruner(seed, heads) if heads else (None, [])
        self.corpus = _core.GraphCorpus(self.program, LABELS, pruner=self.pruner)
        self.weights = _core.Weights(len(LABELS) + 1)
        self.examples: list[tuple[Any, Any]] = []
        for _ in range(n):
            tokens = [rng.choice(WORDS) for _ in range(rng.randint(1, longest))]
            heads_ = rng.choice(list(trees(len(tokens), projective=True)))
            labels = [rng.randrange(len(LABELS)) for _ in tokens]
            self.corpus.add(tokens, (list(heads_), [LABELS[label] for label in labels]))
            arcs = left_by(tokens, self.pruning, heads) | set(zip(heads_, count(1))) if heads else None
            space = GraphSpace(tokens, len(LABELS), templates, arcs=arcs)
            self.examples.append((space, GraphOracle(space, heads_, labels)))

    def live(self, width: int | None, update: str, learner: str) -> _core.Trainer:
        self.engine = parse_learner(learner).engine()
        search = _core.Search(width or 0, True)
        return _core.chart_trainer(
            self.corpus, self.weights, search, UPDATES[update].code, False, self.engine
        )

    def learned(self) -> dict[tuple[int, int], float]:
        keys, offsets, columns, values, _ = self.weights.pack(False)
        spread = np.repeat(keys, np.diff(offsets))
        return {(int(k), int(c)): float(v) for k, c, v in zip(spread, columns, values)}


def assert_same_trace(raw: dict[str, Any], expected: Any) -> None:
    for name in ("best_score", "gold_score", "gold_in_beam", "best_is_gold"):
        np.testing.assert_array_equal(raw[name], getattr(expected, name))
    assert_same_items(raw, expected)


def assert_same_items(raw: dict[str, Any], expected: Any) -> None:
    for ours, theirs in zip(raw["items"], expected.items, strict=True):
        assert [tuple(item) for item in ours] == [
            (
                i.score,
                i.gain,
                i.edge.action,
                [(t.node, t.rank) for t in i.tails],
                packed(i.state),
                i.good,
            )
            for i in theirs
        ]


@pytest.mark.parametrize("heads", [0, 1, 2], ids=["all", "one", "two"])
@pytest.mark.parametrize("texts", [FIRST, SECOND, (*HIGHER, *MORE)], ids=["first", "second", "higher"])
@settings(max_examples=10, deadline=None)
@given(
    seed=st.integers(0, 2**32 - 1),
    width=WIDTHS,
    update=st.sampled_from(sorted(METHODS)),
    margin=st.sampled_from([0, 0, 2]),
)
def test_traces_and_training_are_equal(
    texts: tuple[str, ...], heads: int, seed: int, width: int | None, update: str, margin: int
) -> None:
    both = Both(seed, texts, heads=heads)
    learner = f"perceptron:margin={margin}"
    live = both.live(width, update, learner)
    weights = Weights()
    for epoch in train(
        both.examples,
        search=Forest(width),
        update=update,
        learner=parse_learner(learner).definition(),
        epochs=3,
        weights=weights,
    ):
        counts = live.run(np.arange(len(both.examples), dtype=np.uint32))
        assert tuple(counts[2:]) == (epoch.errors, epoch.updates, epoch.invalid, epoch.early_stopped)
    assert both.learned() == dict(weights.items())
    for i, (space, oracle) in enumerate(both.examples):
        assert_same_trace(live.trace(i), forest(space, weights, width, oracle, margin=float(margin)))


@settings(max_examples=40, deadline=None)
@given(
    seed=st.integers(0, 2**32 - 1),
    texts=st.sampled_from([FIRST, SECOND, HIGHER]),
    width=WIDTHS,
    jj=st.sampled_from(["single", "full", "prefixes", "error_spans", "windows=2", "all_subsets"]),
    margin=st.sampled_from([0, 2]),
    update=st.sampled_from(["standard", "early", "max_violation"]),
)
def test_mixed_head_vectors_are_equal(
    seed: int, texts: tuple[str, ...], width: int | None, jj: str, margin: int, update: str
) -> None:
    # At zero all ranks are 0, and WMR as printed gives each mixed assignment weight 1: whole numbers.
    learner = f"swvp:{jj},wmr,balanced,printed" + (f",margin={margin}" if margin else "")
    both = Both(seed, texts, n=1)
    live = both.live(width, update, learner)
    weights = Weights()
    (epoch,) = train(
        both.examples,
        search=Forest(width),
        update=update,
        learner=parse_learner(learner).definition(),
        epochs=1,
        weights=weights,
    )
    counts = live.run(np.zeros(1, np.uint32))
    assert tuple(counts[2:]) == (epoch.errors, epoch.updates, epoch.invalid, epoch.early_stopped)
    # With a margin the ranks differ, and engine weights are floats.
    found = both.learned()
    for name in {*found, *dict(weights.items())}:
        assert abs(found.get(name, 0.0) - weights[name]) <= (1e-5 if margin else 0)  # type: ignore[arg-type]


@pytest.mark.parametrize("heads", [0, 2], ids=["all", "two"])
@pytest.mark.parametrize("texts", [FIRST, (*HIGHER, *MORE)], ids=["first", "higher"])
@settings(max_examples=10, deadline=None)
@given(seed=st.integers(0, 2**32 - 1), width=WIDTHS, k=st.integers(1, 6))
def test_predictions_and_the_k_best_are_equal(
    texts: tuple[str, ...], heads: int, seed: int, width: int | None, k: int
) -> None:
    both = Both(seed, texts, heads=heads)
    both.live(width, "max_violation", "perceptron").run(np.arange(2, dtype=np.uint32))
    frozen = _core.chart_predictor(both.program, LABELS, True, both.weights.pack(False), 0, both.pruner)
    weights, search = Weights(both.learned()), _core.Search(width or 0, True)
    for given_space, _ in both.examples:
        space = given_space
        if heads:  # gold arcs are not put back where nobody knows them
            space = space.pruned(left_by(space.tokens, both.pruning, heads))
        trace = forest(space, weights, width)
        named = [
            ((heads, [LABELS[label] for label in labels]), tree.score)
            for tree in trace.kbest(k)
            for heads, labels in [space.tree(tree)]
        ]
        assert frozen.kbest([space.tokens], k, search) == [named]
        assert frozen.predict([space.tokens], search) == [named[0][0]]
        assert frozen.predict([space.tokens] * 9, search, 2) == [named[0][0]] * 9


def _arcs(oracle: GraphOracle) -> set[tuple[int, int, int]]:
    """Return heads, words and relations of a gold tree."""
    return {
        (head, word, label)
        for word, (head, label) in enumerate(zip(oracle._heads, oracle._labels), 1)
        if head is not None and label is not None
    }


@settings(max_examples=25, deadline=None)
@given(seed=st.integers(0, 2**32 - 1), bits=st.sampled_from([0, 6]))
def test_features_are_counted_in_gold_trees_and_cut(seed: int, bits: int) -> None:
    both = Both(seed, HIGHER)
    corpus = _core.GraphCorpus(both.program, LABELS, True, bits)
    expected: Counter[int] = Counter()
    for space, oracle in both.examples:
        tree = {word: (head, label) for head, word, label in _arcs(oracle)}
        corpus.add(
            space.tokens, ([tree[w][0] for w in sorted(tree)], [LABELS[tree[w][1]] for w in sorted(tree)])
        )
        for use in space.uses(tree):
            expected.update(fold(key, bits) for (key, _), _ in space.features(*use))
    keys, times = corpus.counts()
    assert dict(zip(keys.tolist(), times.tolist())) == expected
    often = keys[times > 1]
    corpus.keep(often)
    weights, learner = _core.Weights(len(LABELS) + 1, bits), parse_learner("perceptron").engine()
    live = _core.chart_trainer(
        corpus, weights, _core.Search(0, True), UPDATES["standard"].code, False, learner
    )
    live.run(np.arange(2, dtype=np.uint32))
    assert {*weights.pack(False)[0].tolist()} <= {*often.tolist()}


@pytest.mark.parametrize("single_root", [True, False])
@pytest.mark.parametrize("texts", [FIRST, (*HIGHER, *MORE)], ids=["first", "higher"])
@settings(max_examples=10, deadline=None)
@given(seed=st.integers(0, 2**32 - 1))
def test_sentences_whose_arcs_make_no_tree_keep_them_and_get_neighbours(
    texts: tuple[str, ...], single_root: bool, seed: int
) -> None:
    rng, n = random.Random(seed), 9
    both = Both(seed, texts, heads=1, longest=6)
    both.live(2, "max_violation", "perceptron").run(np.arange(2, dtype=np.uint32))
    rows, search = both.weights.pack(False), _core.Search(2, True)
    frozen = _core.chart_predictor(both.program, LABELS, single_root, rows, 0, both.pruner)
    tokens = [rng.choice(WORDS) for _ in range(n)]
    arcs = left_by(tokens, both.pruning, 1)
    space = GraphSpace(tokens, len(LABELS), parse_graph_templates(texts), single_root=single_root, arcs=arcs)
    trace = forest(space, Weights(both.learned()), 2)
    named = [
        ((heads, [LABELS[label] for label in labels]), tree.score)
        for tree in trace.kbest(3)
        for heads, labels in [space.tree(tree)]
    ]
    assert frozen.kbest([tokens], 3, search) == [named]
    assert frozen.predict([tokens], search) == [named[0][0]]
    found = frozen.trace(tokens, None, search)
    assert_same_items(found, trace)
    assert {*found["arcs"]} == arcs
    assert {*space.possible()} <= arcs | neighbouring(n)


def test_a_pruner_says_how_much_it_leaves() -> None:
    both = Both(3, FIRST, n=6, heads=2)
    arcs = gold = 0
    for i, (space, oracle) in enumerate(both.examples):
        kept = left_by(space.tokens, both.pruning, 2)
        right = {(head, word) for head, word, _ in _arcs(oracle)}
        assert {*both.corpus.arcs(i)} == kept | right
        arcs, gold = arcs + len(kept), gold + len(kept & right)
    assert both.corpus.pruned() == (arcs, gold)
    assert 0 < gold < both.corpus.tokens


@settings(max_examples=25, deadline=None)
@given(seed=st.integers(0, 2**32 - 1))
def test_a_pruner_is_learned_alike(seed: int) -> None:
    both = Both(seed, FIRST, n=3)
    program = _core.GraphProgram([], columns_read(PRUNING), compile_templates(PRUNING))
    corpus = _core.GraphCorpus(program, ["_"])
    weights, squares = [0.0] * 64, [FIRST_SQUARE] * 64
    trees = []
    for space, oracle in both.examples:
        heads = [head for head, _, _ in sorted(_arcs(oracle), key=lambda arc: arc[1])]
        trees.append((GraphSpace(space.tokens, 1, PRUNING), heads))
        corpus.add(space.tokens, (heads, ["_"] * len(heads)))
    choice = _core.HeadChoice(corpus, 6, 0.1)
    for _ in range(3):
        choice.run(np.arange(3, dtype=np.uint32))
        for space, heads in trees:
            learn_heads(space, heads, weights, squares, 0.1)
    # The engine's weights are single precision.
    np.testing.assert_allclose(choice.weights, weights, rtol=1e-4, atol=1e-5)
    assert any(weights) or all(len(heads) == 1 for _, heads in trees)


def test_threads_and_batches_give_the_same_weights() -> None:
    found = []
    for threads in (1, 2):
        both = Both(7, SECOND, n=8)
        live = both.live(2, "max_violation", "perceptron")
        for _ in range(3):
            live.run(np.arange(8, dtype=np.uint32), 4, threads)
        found.append(both.learned())
    assert found[0] == found[1] != {}


def test_trees_that_cannot_be_built_are_told() -> None:
    both = Both(1, FIRST)
    tokens = [WORDS[0]] * 4
    for heads, said in (
        ([3, 4, 0, 3], "crossing arcs"),
        ([0, 1, 0, 3], "more than one root"),
        ([2, 1, 0, 3], "is its own ancestor"),
    ):
        with pytest.raises(ValueError, match=said):
            both.corpus.add(tokens, (heads, ["x"] * 4))
    assert both.corpus.sentences == 2
