"""A parser by a graph: all that the transition parser has, over the chart."""

from __future__ import annotations

import pickle
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from structron import DataError, Forest, Parser, SettingError, Tagger
from structron.io import Format, Sentence, Tree, with_tree
from structron.io.model_file.archive import read_archive, write_archive
from structron.io.values.trees import find_fault
from structron.metrics import attachment
from structron.reference import METHODS, train
from structron.reference.forest.forest import ForestTrace, forest
from structron.tasks.parsing import GraphParsingTask, is_projective
from structron.tasks.parsing.graph.pruning import left
from structron.tasks.parsing.graph.space import GraphSpace
from structron.theory.model_margins import weights_of
from tests.unit.tasks.parsing.test_parser import CROSSED, CROSSED_TREE, trees

QUICK: dict[str, Any] = {"system": "graph", "epochs": 2, "templates": "graph_fast_tags"}


@pytest.fixture(scope="module")
def parser() -> Parser:
    return Parser(**QUICK).fit(*trees(150))


@pytest.fixture(scope="module")
def second() -> Parser:
    """With siblings and grandchildren, so that items of a cell compete."""
    return Parser(**QUICK | {"templates": "auto", "search": "forest:2", "pruner": "none"}).fit(*trees(60))


def test_it_learns_and_gives_trees(parser: Parser) -> None:
    X, y = trees(60, seed=4)
    guess = parser.predict(X)
    assert all(find_fault(tree.heads) is None and is_projective(tree.heads) for tree in guess)
    assert parser.score(X, y) == attachment(y, guess).las > 0.75
    assert parser.labels_ == sorted({label for tree in trees(150)[1] for label in tree.labels})
    assert isinstance(parser.model_.task, GraphParsingTask)
    chosen = {
        "templates": "graph_fast_tags",
        "cut": 0,
        "search": "forest:4",
        "learner": "perceptron:margin=30",
    }
    assert parser.chosen_ == chosen


def test_weights_of_siblings_and_grandchildren_are_apart(parser: Parser, second: Parser) -> None:
    for each, order in ((parser, 1), (second, 2)):
        task = each.model_.task
        assert isinstance(task, GraphParsingTask) and task.order == order
        assert (each.model_.rows.columns == len(task.labels)).any() == (order == 2)


def test_a_file_brings_all_of_it_back(second: Parser, tmp_path: Path) -> None:
    X, y = trees(20, seed=6)
    second.save(tmp_path / "p.model")
    loaded = Parser.load(tmp_path / "p.model")
    assert loaded.predict(X) == second.predict(X) and loaded.get_params() == second.get_params()
    assert loaded.model_.task == second.model_.task and str(loaded.model_.search) == "forest:2"
    assert pickle.loads(pickle.dumps(second)).predict(X) == second.predict(X)
    loaded.partial_fit(X, y)
    assert loaded.score(X, y) > second.score(X, y)


def test_a_file_with_settings_of_another_version_predicts_and_scores(parser: Parser, tmp_path: Path) -> None:
    X, y = trees(20, seed=6)
    parser.save(tmp_path / "p.model")
    header, arrays = read_archive(tmp_path / "p.model")
    header["about"]["recipe"]["mood"] = "good"
    write_archive(tmp_path / "p.model", header, {name: np.array(array) for name, array in arrays.items()})
    loaded = Parser.load(tmp_path / "p.model")
    assert loaded.score(X, y) == parser.score(X, y) and loaded.system == "graph"


def test_kbest_begins_with_the_best_and_has_no_tree_twice(second: Parser) -> None:
    X, _ = trees(10, seed=7)
    for tree, found in zip(second.predict(X), second.predict_kbest(X, 12)):
        assert found[0][0] == tree and len(found) > 1  # of a pruned chart there may be fewer
        scores = [score for _, score in found]
        assert scores == sorted(scores, reverse=True)
        assert len({(*t.heads, *t.labels) for t, _ in found}) == len(found) <= 12


@pytest.mark.parametrize("search", [None, "forest", "forest:1"])
def test_a_chart_is_the_definitions(search: str | None) -> None:
    """What the engine leaves behind, and what is made of it, equals the definition with the same weights."""
    X, y = trees(30, seed=8)
    y = [Tree(tree.heads, ["xy"[len(label) % 2] for label in tree.labels]) for tree in y]
    templates = ["h.t m.t d", "m.w", "h.t s.t m.t", "h.t m.t c.t"]
    second = Parser(system="graph", epochs=1, search="forest:2", templates=templates, pruner="none")
    second.fit(X[12:], y[12:])
    model = second.model_
    width = (model.search if search is None else Forest(None if search == "forest" else 1)).width
    for x, tree, guess in zip(X[:12], y, second.predict(X)):
        if len(x[0]) > 8:
            continue
        trace = second.trace(x, tree, search)
        assert isinstance(trace, ForestTrace)
        space, oracle = model.task.space(list(zip(*x))), model.task.oracle(tree)
        expected = forest(space, weights_of(model), width, oracle)
        np.testing.assert_allclose(trace.best_score, expected.best_score, rtol=1e-4, atol=1e-3)
        np.testing.assert_allclose(trace.gold_score, expected.gold_score, rtol=1e-4, atol=1e-3)
        np.testing.assert_array_equal(trace.gold_in_beam, expected.gold_in_beam)
        assert trace.best(trace.final).uses == expected.best(expected.final).uses
        assert trace.gold(trace.final).uses == expected.gold(expected.final).uses
        for name, method in METHODS.items():
            assert method(trace) == method(expected), name
        if search is None:
            heads, labels = space.tree(trace.best(trace.final))
            assert Tree(heads, [model.task.labels[label] for label in labels]) == guess


def test_a_pruner_leaves_what_the_definition_leaves() -> None:
    X, y = trees(40, seed=9)
    parser = Parser(system="graph", epochs=1, search="forest:2", pruner="heads:2+ratio=0.001")
    task = parser.fit(X, y).model_.task
    assert task.pruner is not None
    weights = task.pruner.weights.tolist()
    looked = 0
    for x, tree in zip(X, y):
        if not 1 < len(x[0]) <= 5:
            continue
        tokens = list(zip(*x))
        space = GraphSpace(tokens, 1, task.pruner.parsed)
        expected = left(space, weights, 2, 0.001)
        found = parser.trace(x).space
        assert isinstance(found, GraphSpace)
        possible = {item.arc for item in found.items if item.shape[0] == "A"}
        assert possible <= expected
        arcs, gold, words = task.pruned([tokens], [tree])
        assert (arcs, words) == (len(expected), len(tokens))
        assert gold == len(expected & {(h, m) for m, h in enumerate(task.projected(tree)[0], 1)})
        looked += 1
    assert looked > 5


def test_a_chart_without_gold_has_none(parser: Parser) -> None:
    trace = parser.trace(trees(1)[0][0])
    assert np.isnan(trace.gold_score).all() and not trace.gold_in_beam.any()
    with pytest.raises(IndexError, match="no gold derivation passes node"):
        trace.gold(trace.final)


def test_batches_go_on_where_the_last_one_ended() -> None:
    X, y = trees(120)
    labels = sorted({label for tree in y for label in tree.labels})
    parser = Parser(**QUICK)
    for start in range(0, 120, 40):
        parser.partial_fit(X[start : start + 40], y[start : start + 40], labels=labels)
    assert len(parser.history_) == 3 and parser.score(X, y) > 0.8


def test_unlabelled_parsing_needs_heads_alone() -> None:
    X, y = trees(100)
    parser = Parser(labelled=False, **QUICK).fit(X, [tree.heads for tree in y])
    assert parser.labels_ == ["_"] and attachment(y, parser.predict(X)).uas > 0.85


@pytest.mark.parametrize(("crossing", "back"), [("pseudo", True), ("lift", False)])
def test_crossing_arcs_are_lifted_and_put_back(crossing: str, back: bool) -> None:
    X, y = trees(10)
    given = [*X, tuple(CROSSED)], [*y, CROSSED_TREE]
    parser = Parser(**QUICK | {"epochs": 10}, crossing=crossing).fit(*given)
    assert parser.crossing_ == {"trees": 11, "crossing": 1}
    (guess,) = parser.predict([tuple(CROSSED)])
    assert (guess == CROSSED_TREE) == back and is_projective(guess.heads) != back
    assert any("|" in label for label in parser.model_.task.labels) == back
    for found in parser.predict_kbest([*X, tuple(CROSSED)], 40):
        assert len(found) == 40 and not any("|" in label for tree, _ in found for label in tree.labels)
        assert len({(*tree.heads, *tree.labels) for tree, _ in found}) == 40


def test_crossing_arcs_are_left_out_or_refused() -> None:
    X, y = trees(10)
    left = Parser(crossing="leave-out", **QUICK).fit([tuple(CROSSED), *X], [CROSSED_TREE, *y])
    assert left.predict(X) == Parser(**QUICK).fit(X, y).predict(X)
    by_transitions = Parser(crossing="leave-out", epochs=1, search="greedy").fit(X, y)
    for parser, system in ((left, "graph"), (by_transitions, "arc-standard")):
        with pytest.raises(
            DataError, match=f"crossing arcs, which system {system} does not build; give another"
        ):
            parser.trace(tuple(CROSSED), CROSSED_TREE)
    swap = Parser(system="swap", epochs=1, search="greedy").fit([tuple(CROSSED), *X], [CROSSED_TREE, *y])
    assert not np.isnan(swap.trace(tuple(CROSSED), CROSSED_TREE).gold_score[-1])
    with pytest.raises(DataError, match=r"sentence 1: .*cross.*; fix it or leave it out"):
        Parser(crossing="refuse", **QUICK).fit([tuple(CROSSED), *X], [CROSSED_TREE, *y])


def test_a_tagger_of_its_own_makes_it_parse_plain_words(tmp_path: Path) -> None:
    parser = Parser(tagger="jackknife:3", **QUICK).fit(*trees(150), dev=trees(20, seed=4))
    words = [x[0] for x in trees(30, seed=5)[0]]
    found, tags = parser.predict_with_tags(words)
    assert list(tags) == ["tag"] and parser.predict([(w, ["?"] * len(w)) for w in words]) == found
    parser.save(tmp_path / "both.model")
    assert Parser.load(tmp_path / "both.model").predict(words) == found
    assert parser.score(*trees(30, seed=5)) > 0.6


def test_several_roots_only_where_they_are_allowed() -> None:
    X, y = [(["a", "b"], ["X", "Y"])] * 3, [([0, 0], ["r", "d"])] * 3
    many = Parser(roots="many", **QUICK | {"epochs": 5})
    assert many.fit(X, y).predict(X[:1]) == [Tree([0, 0], ["r", "d"])]
    with pytest.raises(DataError, match=r"sentence 1, word 2: .*a tree has one root"):
        Parser(**QUICK).fit(X, y)
    one = Parser(**QUICK).fit(X, [([0, 1], ["r", "d"])] * 3)
    with pytest.raises(DataError, match="a tree has one root"):
        one.trace(X[0], y[0])


def test_one_word_none_and_many_have_an_answer(parser: Parser) -> None:
    one, none = (["dogs"], ["NN"]), ([], [])
    assert parser.predict([one, none])[0].heads == [0] and parser.predict([none]) == [Tree([], [])]
    assert len(parser.predict_kbest([one], 3)[0]) == 3 and parser.predict_kbest([none], 3) == [
        [(Tree([], []), 0.0)]
    ]
    assert parser.trace(one, ([0], ["root"])).final > 0
    assert Parser(**QUICK).fit([one], [([0], ["root"])]).predict([one]) == [Tree([0], ["root"])]
    few = Parser(**QUICK | {"templates": ["h.t m.t", "bias d"], "labelled": False}).fit(*trees(20))
    long = [[each for x in trees(60)[0] for each in x[part]][:300] for part in (0, 1)]
    (tree,) = few.predict([tuple(long)])
    assert len(tree.heads) == 300 and find_fault(tree.heads) is None and is_projective(tree.heads)


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ({"search": "beam:8"}, "search beam:8: system graph is searched over a chart; use forest:4"),
        ({"search": "exact"}, "search exact: system graph is searched over a chart; use forest:4, or forest"),
        ({"search": "dp:4"}, "search dp:4: system graph is searched over a chart; use forest:4"),
        ({"oracle": "dynamic"}, "there is no dynamic oracle for graph; use"),
        ({"update": "laso"}, "laso .* the bins of search forest:4 have no single order; use early"),
        ({"templates": "rich"}, "templates rich are over states of transition systems, not for system graph"),
        ({"templates": ["s0.w"]}, "'s0.w' see parser states, and system graph has none; write them as 'h.w"),
        ({"templates": ["h.q"]}, "template 'h.q': there is no 'q'"),
        ({"roots": "two"}, "roots 'two' is not possible; use one or many"),
        ({"system": "arc-eager", "search": "forest:4"}, "not over a chart; use a beam as beam:8, or system"),
        ({"system": "swap", "templates": "graph"}, "templates graph are over parts of trees, not for .*swap"),
        ({"system": "swap", "templates": ["h.w"]}, "see parts of trees, and system swap has none; write"),
        ({"system": "swap", "templates": "auto", "learner": "swvp"}, "outputs of parsing cannot be mixed"),
    ],
)
def test_choices_that_make_no_sense_are_refused(settings: dict[str, Any], said: str) -> None:
    with pytest.raises(SettingError, match=said):
        Parser(**QUICK | settings).fit(*trees(5))


def test_a_model_refuses_the_searches_it_has_not(parser: Parser) -> None:
    X, y = trees(2)
    with pytest.raises(
        SettingError, match="search beam:4: system graph is searched over a chart; use forest"
    ):
        parser.trace(X[0], y[0], "beam:4")
    by_transitions = Parser(epochs=1, search="greedy").fit(X, y)
    with pytest.raises(SettingError, match="search forest:4: system arc-standard is searched by actions"):
        by_transitions.trace(X[0], y[0], "forest:4")
    with pytest.raises(SettingError, match="search forest:4: tagging is searched by actions"):
        Tagger(epochs=1).fit([x[0] for x in X], [x[1] for x in X]).trace(X[0][0], None, "forest:4")
    with pytest.raises(SettingError, match=r"search forest:4 leaves a chart and no beams; use Model\.chart"):
        parser.model_.trace(parser.tokens(X)[0])


def test_bad_sentences_are_named(parser: Parser) -> None:
    X, _ = trees(3)
    with pytest.raises(DataError, match=r"sentence 2: .*surrogate pair"):
        parser.predict([X[0], (["\ud800"], ["NN"]), X[1]])
    with pytest.raises(DataError, match="the templates read 2 columns of each word but there is 1"):
        parser.predict([["dogs", "bark"]])


def test_sentences_of_files_teach_the_same(parser: Parser) -> None:
    X, y = trees(150)
    data = [with_tree(Sentence.of(*x, Format("conllu")), tree) for x, tree in zip(X, y)]
    assert Parser(**QUICK).fit(data).predict(X[:20]) == parser.predict(X[:20])


@pytest.mark.parametrize("settings", [{"batch": 8}, {"shards": 3}])
def test_threads_change_nothing(settings: dict[str, Any]) -> None:
    X, y = trees(60)
    one, two = (Parser(threads=threads, **QUICK | settings).fit(X, y) for threads in (1, 2))
    for ours, theirs in zip(one.model_.rows, two.model_.rows):
        np.testing.assert_array_equal(ours, theirs)
    assert one.predict(X) == two.predict(X) and len(one.model_.rows.keys)


def test_an_unfitted_parser_gives_its_examples_to_the_theory() -> None:
    X, y = trees(12)
    short = [i for i, x in enumerate(X) if len(x[0]) <= 5][:3]
    spaces = Parser(**QUICK).spaces([X[i] for i in short], [y[i] for i in short])
    errors = [e.errors for e in train(spaces, search=Forest(2), update="max_violation", epochs=8)]
    assert errors[0] > 0 and errors[-1] == 0


def test_scikit_learn_takes_it_as_it_is() -> None:
    from sklearn.base import clone

    parser = Parser(**QUICK)
    assert clone(parser).get_params() == parser.get_params()
    assert repr(parser) == "Parser(epochs=2, templates='graph_fast_tags', system='graph')"
