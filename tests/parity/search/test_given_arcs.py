"""Searches for crossing arcs keep to given arcs: the engine equals the definition, and no tree is better."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from structron import _core
from structron.reference.forest.hill_climbing import climbing
from structron.reference.forest.spanning_trees import arc_of, spanning
from structron.reference.learners.weights import Weights
from structron.search import parse_search
from structron.tasks.parsing.features.graph import parse_graph_templates
from structron.tasks.parsing.graph.oracle import GraphOracle
from structron.tasks.parsing.graph.space import GraphSpace
from tests.laws.tasks.test_graph_parsing import trees
from tests.parity.search.test_partial_trees import agrees, forgotten
from tests.parity.tasks import test_climbing, test_spanning
from tests.parity.tasks.test_graph_parsing import LABELS, left_by, random_pruner
from tests.parity.tasks.test_spanning import assert_same_trace


def restricted(rng: random.Random, tokens: Any, tree: Any) -> tuple[Any, Any, Any]:
    """A sentence with parts of its tree, those parts, and the same with numbers for relations."""
    heads, labels = parts = forgotten(rng, tree, rng.choice([0.2, 0.5, 0.8]))
    numbers = [None if label is None else LABELS.index(label) for label in labels]
    return _core.Restricted(tokens, parts), parts, (heads, numbers)


@settings(max_examples=60, deadline=None)
@given(
    seed=st.integers(0, 2**32 - 1),
    single_root=st.booleans(),
    largest=st.sampled_from([0, 1, 2, 50]),
    longest=st.sampled_from([3, 5, 9]),
)
def test_the_best_tree_with_what_is_given_is_found(
    seed: int, single_root: bool, largest: int, longest: int
) -> None:
    both = test_spanning.Both(seed, 2, longest, single_root=single_root, weights=largest)
    frozen, search = both.frozen(), _core.Search(0, True)
    templates = parse_graph_templates(test_spanning.TEMPLATES)
    for (free, _), gold in zip(both.examples, both.trees):
        x, parts, numbers = restricted(both.rng, free.tokens, gold)
        space = GraphSpace(free.tokens, len(LABELS), templates, single_root=single_root, given=numbers)
        oracle = GraphOracle(space, gold[0], [LABELS.index(label) for label in gold[1]])
        trace = spanning(space, both.start, oracle)
        assert_same_trace(frozen.trace(x, gold, search), trace)
        heads, labels = space.tree(trace.best(0))
        found = heads, [LABELS[label] for label in labels]
        assert frozen.predict([free.tokens, x], search)[1] == found and agrees(found, parts)
        assert frozen.kbest([x], 1, search) == [[(found, trace.best(0).score)]]
        if len(heads) > 5:
            continue
        best = {
            (h, m): max(both.start.score(space.features(*arc_of(space, h, m, a))) for a in space.relations(m))
            for h, m in space.agreeing()
        }
        every = [
            sum(best[h, m] for m, h in enumerate(other, 1))
            for other in trees(len(heads), projective=False, single_root=single_root)
            if agrees((other, ()), (parts[0], ()))
        ]
        assert trace.best(0).score == max(every)


@settings(max_examples=60, deadline=None)
@given(
    seed=st.integers(0, 2**32 - 1),
    texts=test_climbing.TEMPLATES,
    width=test_climbing.WIDTHS,
    single_root=st.booleans(),
    largest=st.sampled_from([1, 3, 20]),
    most_heads=st.sampled_from([0, 0, 1, 2]),
)
def test_swaps_start_and_end_with_what_is_given(
    seed: int, texts: tuple[str, ...], width: int | None, single_root: bool, largest: int, most_heads: int
) -> None:
    shape = {"single_root": single_root, "most_heads": most_heads}
    both = test_climbing.Both(seed, texts, 2, 6, largest=0 if most_heads else largest, **shape)
    pruner, pruning = random_pruner(seed, most_heads) if most_heads else (None, None)
    if most_heads:
        trainer = both.live(width, "max_violation", "perceptron")
        for _ in range(3):
            trainer.run(np.arange(2, dtype=np.uint32))
    weights = Weights(both.learned())
    rows = both.weights.pack(False)
    frozen = _core.climbing_predictor(both.program, LABELS, single_root, rows, pruner=pruner)
    search = _core.Search(width or 0, True)
    templates = parse_graph_templates(texts)
    for (free, _), gold in zip(both.examples, both.trees):
        x, parts, numbers = restricted(both.rng, free.tokens, gold)
        left = None if pruning is None else left_by(free.tokens, pruning, most_heads)
        space = GraphSpace(
            free.tokens, len(LABELS), templates, single_root=single_root, arcs=left, given=numbers
        )
        oracle = GraphOracle(space, gold[0], [LABELS.index(label) for label in gold[1]])
        trace = climbing(space, weights, width, oracle)
        assert_same_trace(frozen.trace(x, gold, search), trace)
        heads, labels = space.tree(trace.best(0))
        found = heads, [LABELS[label] for label in labels]
        assert frozen.predict([free.tokens, x], search)[1] == found and agrees(found, parts)


def test_arcs_that_cross_are_kept_too() -> None:
    both = test_climbing.Both(3, test_climbing.FIRST, 1, 4, largest=3)
    x = _core.Restricted(both.examples[0][0].tokens[:1] * 4, ([3, 4, None, 0], [None] * 4))
    for search in ("mst", "forest:2+swaps"):
        make = _core.spanning_predictor if search == "mst" else _core.climbing_predictor
        engine = make(both.program, LABELS, True, both.weights.pack(False))
        width = parse_search(search).width or 0
        assert engine.predict([x], _core.Search(width, True))[0][0][:2] == [3, 4]
    chart = _core.chart_predictor(both.program, LABELS, True, both.weights.pack(False))
    with pytest.raises(ValueError, match="no projective tree has all arcs given"):
        chart.predict([x], _core.Search(2, True))


def test_too_many_roots_are_refused() -> None:
    both = test_spanning.Both(3, 1, 4)
    x = _core.Restricted(both.examples[0][0].tokens[:1] * 2, ([0, 0], [None] * 2))
    with pytest.raises(ValueError, match="no tree has all arcs given"):
        both.frozen().predict([x], _core.Search(0, True))
