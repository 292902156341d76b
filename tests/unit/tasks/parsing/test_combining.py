"""A parser with experts: other parsers, in the same file, that have a say in which tree is the best."""

from __future__ import annotations

import pickle
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from structron import ModelError, Parser, SettingError
from structron.engine.experts import Part
from structron.io.model_file.archive import read_archive, write_archive
from structron.model import Model
from structron.tasks.parsing import ParsingTask
from structron.tasks.parsing.experts.combined_parser import mirrored
from structron.tasks.parsing.experts.expert import parse_combination
from tests.unit.tasks.parsing.test_parser import CROSSED, CROSSED_TREE, trees

QUICK: dict[str, Any] = {"epochs": 2, "templates": "fast_tags", "combine": "arcs+backward+eager"}


@pytest.fixture(scope="module")
def parser() -> Parser:
    return Parser(**QUICK).fit(*trees(120))


def task_of(parser: Parser) -> ParsingTask:
    task = parser.model_.task
    assert isinstance(task, ParsingTask)
    return task


def test_its_own_weights_are_those_that_it_learns_alone(parser: Parser) -> None:
    alone = Parser(**QUICK | {"combine": "none"}).fit(*trees(120))
    for mine, its in zip(parser.model_.rows, alone.model_.rows):
        assert np.array_equal(mine, its)
    assert task_of(alone).experts == ()
    assert replace(task_of(parser), experts=()) == task_of(alone)


def test_each_expert_is_the_parser_that_its_name_says(parser: Parser) -> None:
    X, y = trees(120)
    arcs = Parser(system="graph", search="forest", epochs=2).fit(X, y)
    turned = [(list(words[::-1]), list(tags[::-1])) for words, tags in X]
    backward = Parser(templates="fast_tags", epochs=2, search="beam:8").fit(
        turned, [mirrored(tree) for tree in y]
    )
    eager = Parser(system="arc-eager", epochs=2, search="beam:8").fit(X, y)
    for expert, its in zip(task_of(parser).experts, (arcs, backward, eager), strict=True):
        assert expert.task.header() | {"crossing": "pseudo"} == its.model_.task.header()
        assert np.array_equal(expert.rows.weights, its.model_.rows.weights)
        assert expert.search == str(its.model_.search)


def test_experts_change_some_trees_and_the_best_comes_first(parser: Parser) -> None:
    X, y = trees(80, seed=4)
    alone = Model(replace(task_of(parser), experts=()), parser.model_.rows, parser.model_.search)
    tokens, guess = parser.tokens(X), parser.predict(X)
    without = [(list(tree[0]), list(tree[1])) for tree in alone.predict(tokens)]
    assert [(tree.heads, tree.labels) for tree in guess] != without
    best = parser.predict_kbest(X, 3)
    assert [trees[0][0] for trees in best] == guess
    for found in best:
        scores = [score for _, score in found]
        assert 1 <= len(found) <= 3 and scores == sorted(scores, reverse=True)
        assert len({str(tree) for tree, _ in found}) == len(found)
    assert parser.score(X, y) > 0.75


def test_it_is_one_file_and_threads_change_nothing(parser: Parser, tmp_path: Path) -> None:
    X, _ = trees(40, seed=5)
    parser.save(tmp_path / "m")
    loaded = Parser.load(tmp_path / "m")
    assert task_of(loaded) == task_of(parser) and hash(task_of(loaded)) == hash(task_of(parser))
    assert loaded.combine == parser.recipe.combine == "arcs:0.8+backward:0.7+eager:0.7"
    guess = parser.predict(X)
    assert loaded.predict(X) == pickle.loads(pickle.dumps(loaded)).predict(X) == guess
    loaded.threads = 2
    assert loaded.predict(X) == guess
    loaded.save(tmp_path / "again")
    assert (tmp_path / "again").read_bytes() == (tmp_path / "m").read_bytes()


def test_a_broken_expert_is_refused(parser: Parser, tmp_path: Path) -> None:
    parser.save(tmp_path / "m")
    header, arrays = read_archive(tmp_path / "m")

    def refused(header: Any, arrays: Any) -> None:
        write_archive(tmp_path / "bad", header, arrays)
        with pytest.raises(ModelError):
            Parser.load(tmp_path / "bad")

    refused(header, {name: array for name, array in arrays.items() if name != "arcs_keys"})
    refused(header, arrays | {"arcs_columns": arrays["arcs_columns"][:-1]})
    refused(header, arrays | {"backward_columns": np.full_like(arrays["backward_columns"], 250)})
    refused(header, arrays | {"arcs_weights": np.full_like(arrays["arcs_weights"], np.nan)})
    arcs, backward, eager = header["experts"]
    for experts in (
        [arcs | {"name": "oracle"}, backward],
        [arcs | {"weight": "much"}, backward],
        [arcs | {"search": "beam:8"}, backward],
        [arcs | {"task": arcs["task"] | {"labels": ["x"]}}, backward],
        [arcs | {"task": header}, backward],
        [eager | {"search": "forest"}],
        [eager | {"task": arcs["task"]}],
        ["arcs"],
        "arcs",
    ):
        refused(header | {"experts": experts}, arrays)


def test_the_dev_set_measures_the_parser_alone() -> None:
    dev = trees(30, seed=6)
    with_experts, alone = (
        Parser(**QUICK | {"combine": who}).fit(*trees(60), dev=dev) for who in ("arcs", "none")
    )
    assert [e.dev_score for e in with_experts.history_] == [e.dev_score for e in alone.history_]


def test_lifted_arcs_are_put_back() -> None:
    parser = Parser(templates="fast_tags", epochs=8, cut=0, combine="arcs+backward+eager")
    parser.fit([CROSSED] * 3, [CROSSED_TREE] * 3)
    assert parser.predict([CROSSED]) == [CROSSED_TREE]


def test_sentences_of_no_word_and_of_one_have_an_answer(parser: Parser) -> None:
    words: list[Any] = [([], []), (["dogs"], ["NN"])]
    empty, one = parser.predict(words)
    assert (empty.heads, one.heads) == ([], [0])


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"combine": "oracle"}, "combine 'oracle' is not known; use none, or one or more of graph, arcs"),
        ({"combine": "arcs+"}, "is not known"),
        ({"combine": "arcs:much"}, "is not known"),
        ({"combine": 3}, "is not known"),
        ({"combine": "arcs+arcs:1"}, "name each expert once"),
        ({"combine": "arcs", "system": "graph"}, "system graph takes no advice"),
        ({"combine": "arcs", "system": "swap"}, "system swap takes no advice"),
        ({"combine": "arcs", "search": "dp:8"}, "search dp:8 finds one tree"),
    ],
)
def test_what_cannot_be_combined_is_refused_in_one_sentence(settings: dict[str, Any], message: str) -> None:
    with pytest.raises(SettingError, match=message):
        Parser(**settings).recipe  # noqa: B018


def test_partial_fit_trains_no_experts(parser: Parser, tmp_path: Path) -> None:
    X, y = trees(20)
    with pytest.raises(SettingError, match="partial_fit trains no experts; fit first"):
        Parser(**QUICK).partial_fit(X, y)
    parser.save(tmp_path / "m")
    again = Parser.load(tmp_path / "m").partial_fit(X, y)
    assert task_of(again).experts == task_of(parser).experts


def test_combinations_are_read() -> None:
    assert parse_combination("none") == parse_combination(None) == ()
    assert parse_combination("graph:2+arcs") == (Part("graph", 2.0), Part("arcs", 0.8))


def test_a_graph_learns_for_five_of_eight_epochs() -> None:
    X, y = trees(30)
    parser = Parser(**QUICK | {"combine": "graph", "epochs": 4}).fit(X, y)
    (expert,) = task_of(parser).experts
    three = Parser(system="graph", epochs=3).fit(X, y).model_
    assert np.array_equal(expert.rows.weights, three.rows.weights)
