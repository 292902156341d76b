"""What parsers think of given trees: the engine equals the definition, and combinations add it up."""

from __future__ import annotations

import math
import random
from collections.abc import Iterable, Iterator
from itertools import product
from typing import Any

import numpy as np
import pytest

from structron.engine.rows import Rows
from structron.model import Model
from structron.search import Beam, parse_search
from structron.tasks.parsing import GraphParsingTask, ParsingTask, TreeTask
from structron.tasks.parsing.experts.combined_parser import mirrored
from structron.tasks.parsing.experts.expert import OF_A_GRAPH, ParsingExpert
from structron.tasks.parsing.transitions.scoring import score_of_tree
from tests.laws.tasks.test_graph_parsing import FIRST, HIGHER, SECOND
from tests.parity.tasks.test_parsing import CLUSTERS, EVERYTHING, WORDS
from tests.trees import labelled, random_projective_heads

Tree = tuple[list[int], list[str]]
K = 40
Weights = dict[tuple[int, int], float]
LISTED = [(word, tag, tag[0], f"F={tag}", word[:2]) for word, tag in WORDS]


def sentences(rng: random.Random, n: int, longest: int = 6) -> Iterator[list[tuple[str, ...]]]:
    return ([rng.choice(LISTED) for _ in range(rng.randint(1, longest))] for _ in range(n))


def trees_of(rng: random.Random, length: int, n: int) -> list[Tree]:
    found = (labelled(rng, random_projective_heads(rng, length)) for _ in range(n))
    return [(list(heads), list(labels)) for heads, labels in found]


class Seen(dict[tuple[int, int], float]):
    """Whole weights for all that is ever asked for, made up as it is."""

    def __init__(self, rng: random.Random) -> None:
        super().__init__()
        self._rng = rng

    def get(self, name: tuple[int, int], default: Any = None) -> Any:
        return self.setdefault(name, float(self._rng.randint(-9, 9)))


def rows_of(weights: Weights) -> Rows:
    keys = sorted({key for key, _ in weights})
    cells = [sorted((column, w) for (k, column), w in weights.items() if k == key) for key in keys]
    return Rows(
        np.array(keys, np.uint64),
        np.cumsum([0, *map(len, cells)]).astype(np.uint32),
        np.array([column for row in cells for column, _ in row], np.uint32),
        np.array([w for row in cells for _, w in row], np.float32),
    )


def tasks(gold: Iterable[Tree]) -> Iterator[TreeTask]:
    listed = list(gold)
    for system in ("arc-standard", "arc-eager", "arc-hybrid", "swap"):
        yield ParsingTask.of_trees(listed, EVERYTHING, system=system, single_root=False, clusters=CLUSTERS)
    for templates in (FIRST, SECOND, HIGHER):
        yield GraphParsingTask.of_trees(listed, templates, single_root=False)


@pytest.mark.parametrize("seed", range(4))
def test_the_engine_scores_given_trees_as_the_definition_does(seed: int) -> None:
    rng = random.Random(seed)
    xs = list(sentences(rng, 6))
    lists = [trees_of(rng, len(x), 5) for x in xs]
    for task in tasks(tree for trees in lists for tree in trees):
        weights = Seen(rng)
        wanted = [[score_of_tree(task, x, tree, weights) for tree in trees] for x, trees in zip(xs, lists)]
        assert any(score not in (0, -math.inf) for scores in wanted for score in scores)
        scorer = task.tree_scorer(rows_of(weights))
        assert [scorer.scores(x, trees) for x, trees in zip(xs, lists)] == wanted


def test_a_tree_that_a_system_cannot_build_scores_minus_infinity() -> None:
    gold: list[Tree] = [([2, 0], ["x", "root"]), ([0, 1], ["root", "y"])]
    task = ParsingTask.of_trees(gold, ["s0.w"])
    scorer = task.tree_scorer(rows_of({(1, 0): 1.0}))
    # There was no such relation to the right, and crossing arcs cannot be built.
    assert scorer.scores([("a",)] * 2, [gold[0], ([0, 1], ["root", "x"])]) == [0.0, -math.inf]
    crossing = ([3, 4, 0, 3], ["x", "x", "root", "x"])
    assert scorer.scores([("a",)] * 4, [crossing]) == [-math.inf]


@pytest.mark.parametrize(
    ("tree", "message"),
    [
        (([0], ["root"]), "2 tokens but 1 heads"),
        (([2, 1], ["x", "x"]), "its own ancestor"),
        (([2, 0], ["x", "new"]), "unknown label new"),
        (([3, 0], ["x", "root"]), "head 3 is not from 0 to 2"),
    ],
)
def test_what_is_no_tree_is_refused(tree: Tree, message: str) -> None:
    gold: list[Tree] = [([2, 0], ["x", "root"])]
    for task in (ParsingTask.of_trees(gold, ["s0.w"]), GraphParsingTask.of_trees(gold, ["h.w"])):
        with pytest.raises(ValueError, match=message):
            task.tree_scorer(rows_of({(1, 0): 1.0})).scores([("a",)] * 2, [tree])


@pytest.mark.parametrize("seed", range(2))
def test_a_combination_ranks_the_candidates_of_all_by_their_sums(seed: int) -> None:
    rng = random.Random(seed)
    xs = list(sentences(rng, 3, longest=4))
    gold = [tree for x in xs for tree in trees_of(rng, len(x), 6)]
    own = ParsingTask.of_trees(gold, EVERYTHING, clusters=CLUSTERS)
    graph = GraphParsingTask.of_trees(gold, SECOND)
    backward = ParsingTask.of_trees([mirrored(tree) for tree in gold], EVERYTHING, clusters=CLUSTERS)
    eager = ParsingTask.of_trees(gold, EVERYTHING, system="arc-eager", clusters=CLUSTERS)
    weights = [Seen(rng) for _ in range(4)]
    for task, of in zip((own, graph, backward, eager), weights):
        for x, tree in product(xs, gold):  # so that there are weights to search with
            if len(x) == len(tree[0]):
                score_of_tree(task, x, mirrored(tree) if task is backward else tree, of)
    rows = [rows_of(of) for of in weights]
    experts = (
        ParsingExpert("graph", 0.5, graph, rows[1], "forest:4"),
        ParsingExpert("backward", 0.25, backward, rows[2], "beam:8"),
        ParsingExpert("eager", 0.75, eager, rows[3], "beam:2"),
    )
    combined = ParsingTask.of_trees(gold, EVERYTHING, experts=experts, clusters=CLUSTERS)
    found = Model(combined, rows[0], Beam(8)).kbest(xs, K)
    alone = [
        Model(own, rows[0], Beam(K)).kbest(xs, K),
        Model(graph, rows[1], parse_search("forest:4")).kbest(xs, OF_A_GRAPH),
        Model(backward, rows[2], Beam(8)).kbest([x[::-1] for x in xs], 1),
        Model(eager, rows[3], Beam(2)).kbest(xs, 1),
    ]
    for i, x in enumerate(xs):
        candidates: list[Tree] = []
        for member, best in enumerate(alone):
            turned = [mirrored(tree) if member == 2 else tree for tree, _ in best[i]]
            candidates += [tree for tree in turned if tree not in candidates]
        sums = [
            score_of_tree(own, x, tree, dict(weights[0]))
            + 0.5 * score_of_tree(graph, x, tree, dict(weights[1]))
            + 0.25 * score_of_tree(backward, x[::-1], mirrored(tree), dict(weights[2]))
            + 0.75 * score_of_tree(eager, x, tree, dict(weights[3]))
            for tree in candidates
        ]
        possible = [j for j, score in enumerate(sums) if score > -math.inf]
        order = sorted(possible, key=lambda j: -sums[j])
        assert found[i] == [(candidates[j], sums[j]) for j in order[:K]]


@pytest.mark.parametrize("templates", [FIRST, SECOND, HIGHER])
def test_a_graph_scores_the_trees_that_it_finds_as_its_search_does(templates: tuple[str, ...]) -> None:
    rng = random.Random(5)
    xs = list(sentences(rng, 3, longest=5))
    gold = [tree for x in xs for tree in trees_of(rng, len(x), 4)]
    task, weights = GraphParsingTask.of_trees(gold, templates), Seen(rng)
    for x in xs:
        for tree in trees_of(rng, len(x), 20):
            score_of_tree(task, x, tree, weights)
    rows = rows_of(weights)
    scorer = task.tree_scorer(rows)
    for x, best in zip(xs, Model(task, rows, parse_search("forest:4")).kbest(xs, 9)):
        assert scorer.scores(x, [tree for tree, _ in best]) == [score for _, score in best]
