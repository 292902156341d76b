"""Graph-based parsing, the definition: Eisner's items against all trees, parts, mixed head vectors, CLE."""

from __future__ import annotations

import random
from collections.abc import Iterator
from itertools import product
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from structron.errors import SettingError
from structron.reference import METHODS, SWVP, Perceptron, check_forest, train
from structron.reference.forest.forest import forest
from structron.reference.forest.spanning_trees import NEVER, best_tree
from structron.reference.learners.violations import compare
from structron.reference.learners.weights import Weights
from structron.search import Forest
from structron.tasks.parsing.features.graph import order_of, parse_graph_template, parse_graph_templates
from structron.tasks.parsing.graph.arcs import neighbouring
from structron.tasks.parsing.graph.oracle import GraphOracle
from structron.tasks.parsing.graph.space import GraphSpace
from structron.tasks.parsing.trees.projectivity import is_projective

FIRST = ("h.t m.t", "h.w m.w d", "h[-1].t m[+1].t dir", "h.t between.t m.t", "bias")
SECOND = (*FIRST, "h.t s.t m.t", "s.w m.w", "h.t m.t c.t", "m.w c.w dir")
HIGHER = (*SECOND, "m.r s.r dir", "h.t ss.t s.t", "m.t h.v", "m.r m.v side", "c.r m.r h.t", "ss.w m.w")
ORDERS = pytest.mark.parametrize("templates", [FIRST, SECOND, HIGHER], ids=["first", "second", "higher"])
WORDS = [("a", "A"), ("b", "B"), ("c", "A"), ("d", "C")]
LABELS = 2


def sentence(seed: int, longest: int = 4) -> list[tuple[str, str]]:
    rng = random.Random(seed)
    return [rng.choice(WORDS) for _ in range(rng.randint(1, longest))]


def space_of(tokens: list[tuple[str, str]], templates: tuple[str, ...], **more: Any) -> GraphSpace:
    return GraphSpace(tokens, LABELS, parse_graph_templates(templates), **more)


def trees(n: int, *, projective: bool, single_root: bool = True) -> Iterator[tuple[int, ...]]:
    """All head vectors that are trees."""
    for heads in product(range(n + 1), repeat=n):
        if single_root and heads.count(0) != 1:
            continue
        is_tree = all(_reaches_root(heads, word) for word in range(1, n + 1))
        if is_tree and (not projective or is_projective(list(heads))):
            yield heads


def _reaches_root(heads: tuple[int, ...], word: int) -> bool:
    for _ in heads:
        word = heads[word - 1]
        if word == 0:
            return True
    return False


def random_weights(space: GraphSpace, seed: int) -> Weights:
    """Small whole weights for all features of all uses of edges, and of all head vectors."""
    rng = random.Random(seed)
    found: dict[Any, float] = {}
    states: list[set[Any]] = []
    for node in range(space.nodes()):
        states.append(set())
        for edge in space.edges(node):
            for below in product(*(sorted(states[tail], key=repr) for tail in edge.tails)):
                states[node].add(space.join(node, edge, below))
                for name, _ in space.features(node, edge, below):
                    found.setdefault(name, float(rng.randint(-3, 3)))
    return Weights(found)


def score_of(space: GraphSpace, heads: tuple[int, ...], labels: tuple[int, ...], weights: Weights) -> float:
    """The score of a head vector, by its parts."""
    chosen = {word: (head, label) for word, (head, label) in enumerate(zip(heads, labels), 1)}
    return sum(weights.score(space.features(*use)) for use in space.uses(chosen))


@ORDERS
@pytest.mark.parametrize("single_root", [True, False])
@settings(max_examples=25, deadline=None)
@given(seed=st.integers(0, 2**32 - 1))
def test_exact_search_finds_the_best_of_all_projective_trees(
    templates: tuple[str, ...], single_root: bool, seed: int
) -> None:
    tokens = sentence(seed, 3 if not single_root else 4)
    space = space_of(tokens, templates, single_root=single_root)
    weights = random_weights(space, seed)
    n = len(tokens)
    every = {
        (heads, labels): score_of(space, heads, labels, weights)
        for heads in trees(n, projective=True, single_root=single_root)
        for labels in product(range(LABELS), repeat=n)
    }
    trace = forest(space, weights)
    best = trace.best(trace.final)
    heads, labels = space.tree(best)
    assert best.score == max(every.values()) == every[tuple(heads), tuple(labels)]
    if order_of(parse_graph_templates(templates)) == 1:
        assert trace.derivations() == len(every)
        found = trace.kbest(5)
        assert [tree.score for tree in found] == sorted(every.values(), reverse=True)[:5]
        known = {(tuple(a), tuple(b)) for a, b in map(space.tree, found)}
        assert len(known) == len(found)


@ORDERS
@settings(max_examples=20, deadline=None)
@given(seed=st.integers(0, 2**32 - 1), width=st.sampled_from([None, 1, 2, 4]))
def test_gold_is_found_by_its_arcs_alone(templates: tuple[str, ...], seed: int, width: int | None) -> None:
    tokens = sentence(seed)
    space, rng = space_of(tokens, templates), random.Random(seed)
    heads = rng.choice(list(trees(len(tokens), projective=True)))
    labels = tuple(rng.randrange(LABELS) for _ in tokens)
    oracle = GraphOracle(space, heads, labels)
    check_forest(space, oracle)
    weights = random_weights(space, seed)
    trace = forest(space, weights, width, oracle)
    gold = trace.gold(trace.final)
    assert space.tree(gold) == ([*heads], [*labels])
    assert gold.score == score_of(space, heads, labels, weights)


@ORDERS
@settings(max_examples=25, deadline=None)
@given(seed=st.integers(0, 2**32 - 1))
def test_a_mixed_head_vector_has_the_parts_of_its_arcs(templates: tuple[str, ...], seed: int) -> None:
    tokens = sentence(seed)
    space, rng = space_of(tokens, templates), random.Random(seed)
    heads = rng.choice(list(trees(len(tokens), projective=True)))
    labels = tuple(rng.randrange(LABELS) for _ in tokens)
    weights = random_weights(space, seed)
    trace = forest(space, weights, 3, GraphOracle(space, heads, labels))
    gold, guess = trace.gold(trace.final), trace.best(trace.final)
    pairs = space.decisions(gold, guess)
    assert [a for a, _ in pairs] == [*zip(heads, labels)]
    # All decisions from the guess make the guess, none make gold.
    everything = range(len(tokens))
    for positions, whole in ((everything, guess), ((), gold)):
        mixed = space.mixed(gold, guess, positions)
        assert compare(space, gold, mixed).delta == compare(space, gold, whole).delta
        assert sum(weights.score(space.features(*use)) for use in mixed.uses) == whole.score
    chosen = frozenset(k for k in everything if rng.random() < 0.5)
    mixed = space.mixed(gold, guess, chosen)
    vector = [b if k in chosen else a for k, (a, b) in enumerate(pairs)]
    expected = score_of(space, tuple(h for h, _ in vector), tuple(r for _, r in vector), weights)
    assert sum(weights.score(space.features(*use)) for use in mixed.uses) == expected


@ORDERS
@settings(max_examples=15, deadline=None)
@given(seed=st.integers(0, 2**32 - 1))
def test_arcs_that_are_left_out_are_never_built(templates: tuple[str, ...], seed: int) -> None:
    tokens, rng = sentence(seed), random.Random(seed)
    n = len(tokens)
    every = [(head, word) for word in range(1, n + 1) for head in range(n + 1) if head != word]
    left = {arc for arc in every if rng.random() < 0.6}
    space = space_of(tokens, templates, arcs=left)
    check_forest(space)
    possible = [
        heads
        for heads in trees(n, projective=True)
        if all((head, word) in left for word, head in enumerate(heads, 1))
    ]
    if not possible:  # then those of the root and of the words next to each word are there too
        more = left | neighbouring(n)
        possible = [
            heads
            for heads in trees(n, projective=True)
            if all((head, word) in more for word, head in enumerate(heads, 1))
        ]
        assert possible
    trace = forest(space, random_weights(space, seed))
    found = {tuple(space.tree(tree)[0]) for tree in trace.kbest(len(possible) * LABELS**n)}
    assert found == set(possible)


@pytest.mark.parametrize("single_root", [True, False])
@settings(max_examples=25, deadline=None)
@given(seed=st.integers(0, 2**32 - 1))
def test_arcs_that_make_no_tree_get_neighbours_and_none_is_lost(single_root: bool, seed: int) -> None:
    rng, n = random.Random(seed), 12
    # Every word has one head and none has the root.
    left = {(rng.choice([h for h in range(1, n + 1) if h != m]), m) for m in range(1, n + 1)}
    space = space_of([("a", "A")] * n, FIRST, arcs=left, single_root=single_root)
    assert {*space.possible()} == left | neighbouring(n)
    assert len(space.possible()) <= 4 * n  # and not n * n


@pytest.mark.parametrize("templates", [FIRST, SECOND, HIGHER], ids=["first", "second", "higher"])
@settings(max_examples=15, deadline=None)
@given(seed=st.integers(0, 2**32 - 1))
def test_at_every_node_a_mixed_head_vector_has_the_parts_that_the_node_has(
    templates: tuple[str, ...], seed: int
) -> None:
    tokens = sentence(seed)
    space, rng = space_of(tokens, templates), random.Random(seed)
    heads = rng.choice(list(trees(len(tokens), projective=True)))
    oracle = GraphOracle(space, heads, [rng.randrange(LABELS) for _ in tokens])
    trace = forest(space, random_weights(space, seed), 2, oracle)
    for node in range(space.nodes()):
        if trace.gold_items[node] and trace.items[node]:
            gold, guess = trace.gold(node), trace.best(node)
            everything = range(len(space.decisions(gold, guess)))
            assert compare(space, gold, space.mixed(gold, guess, ())).delta == {}
            if {m for _, m, _ in space.arcs(gold)} == {m for _, m, _ in space.arcs(guess)}:
                whole = compare(space, gold, space.mixed(gold, guess, everything))
                assert whole.delta == compare(space, gold, guess).delta


@pytest.mark.parametrize("update", METHODS)
@pytest.mark.parametrize("width", [None, 2])
def test_it_learns_with_every_method(update: str, width: int | None) -> None:
    data = []
    for seed in range(6):
        tokens = sentence(seed)
        space, rng = space_of(tokens, SECOND), random.Random(seed)
        heads = rng.choice(list(trees(len(tokens), projective=True)))
        labels = [rng.randrange(LABELS) for _ in tokens]
        data.append((space, GraphOracle(space, heads, labels)))
    for learner in (Perceptron(), Perceptron(2.0), SWVP()):
        *_, last = train(data, search=Forest(width), update=update, learner=learner, epochs=12)
        assert last.errors <= 2


@settings(max_examples=80, deadline=None)
@given(st.integers(1, 4), st.booleans(), st.data())
def test_spanning_trees_are_the_best_of_all(n: int, single_root: bool, data: st.DataObject) -> None:
    cell = st.one_of(st.integers(-4, 4).map(float), st.just(NEVER))
    rows = st.lists(st.lists(cell, min_size=n + 1, max_size=n + 1), min_size=n + 1, max_size=n + 1)
    scores = data.draw(rows)
    totals = [
        sum(scores[m][heads[m - 1]] for m in range(1, n + 1))
        for heads in trees(n, projective=False, single_root=single_root)
    ]
    heads = best_tree(scores, single_root=single_root)
    if max(totals) == NEVER:
        assert heads is None
        return
    assert heads is not None
    found = tuple(heads)
    assert found in set(trees(n, projective=False, single_root=single_root))
    assert sum(scores[m][found[m - 1]] for m in range(1, n + 1)) == max(totals)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "is empty or not text"),
        ("h", "write a word of the part"),
        ("x.w", "write a word of the part"),
        ("h.q", "there is no 'q'"),
        ("h.vl", "is not of a part"),
        ("s.t c.t", "not both"),
        ("h.v m.v", "not both"),
        ("h.t m.r", "leave out m.r"),
        ("h.r", "is not of a part"),
        ("between.t between.w", "use 'between' once"),
        ("between[1].t", "has no offset"),
    ],
)
def test_bad_templates_are_told(text: str, said: str) -> None:
    with pytest.raises(SettingError) as caught:
        parse_graph_template(text)
    assert said in str(caught.value)
