"""Trees that are partly known and arcs that are given, as users meet them."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import pytest

from structron import Parser
from structron.errors import DataError
from structron.io import Sentence
from structron.io.files.format import Format
from structron.io.values.trees import tree_of
from structron.tasks.parsing.fitting.completion import completed
from structron.tasks.parsing.trees.partial import without_crossing
from tests.pipelines import treebank

X = [
    (["dogs", "bark", "now"], ["NOUN", "VERB", "ADV"]),
    (["cats", "sleep", "."], ["NOUN", "VERB", "P"]),
    (["the", "cats", "sleep"], ["DET", "NOUN", "VERB"]),
]
Y: list[Any] = [
    ([2, 0, 2], ["nsubj", "root", "advmod"]),
    ([2, None, 2], ["nsubj", "root", "punct"]),
    ([2, 3, None], ["det", None, None]),
]
SYSTEMS = ["arc-standard", "arc-eager", "arc-hybrid", "swap", "graph"]


@pytest.mark.parametrize("system", SYSTEMS)
def test_every_system_learns_and_keeps_what_is_given(system: str) -> None:
    parser = Parser(partial=True, system=system, epochs=2, combine="none").fit(X, Y)
    free = parser.predict(X)
    assert parser.predict(X, given=[None] * 3) == free == parser.predict(X, given=[([None] * 3,) * 2] * 3)
    given = [([3, None, None], [None] * 3), None, ([None, 0, 2], [None] * 3)]
    found = parser.predict(X, given=given)
    assert found[0].heads[0] == 3 and found[1] == free[1] and found[2].heads[1:] == [0, 2]
    best = parser.predict_kbest(X[:1], 2, given=[([3, None, None], [None] * 3)])[0]
    assert all(tree.heads[0] == 3 for tree, _ in best)


def test_parsers_that_are_combined_keep_what_is_given() -> None:
    parser = Parser(partial=True, epochs=1, combine="backward").fit(X, Y)
    assert parser.predict(X[:1], given=[([3, None, None], [None] * 3)])[0].heads[0] == 3


def test_wrong_parts_are_one_sentence() -> None:
    parser = Parser(epochs=1, combine="none").fit(X[:1], Y[:1])
    for given, message in (
        (([3, None, None], ["x", None, None]), "given relation 'x' is not one of the model's"),
        (([9, None, None], [None] * 3), "word 1 has head 9 but the sentence has 3 words"),
        (([0, 0, None], [None] * 3), "words 1 and 2 both have head 0, but a tree has one root"),
        (([2, 1, None], [None] * 3), "words 1 and 2 form a cycle"),
        (([2, None], [None] * 3), "3 words but 2 heads and 3 relations"),
    ):
        with pytest.raises(DataError) as raised:
            parser.predict(X[:1], given=[given])
        assert message in str(raised.value)
    with pytest.raises(DataError, match="head None is not an int"):
        Parser().fit(X, Y)
    with pytest.raises(DataError, match="not all arcs are known"):
        Parser(partial=True, epochs=1, combine="none").fit(X, Y).score(X, Y)


def test_a_parser_is_corrected_to_the_best_tree_that_has_what_is_known() -> None:
    parser = Parser(partial=True, epochs=3, combine="none").fit(X, Y)
    assert parser.predict(X[:1])[0].heads == [2, 0, 2]
    assert parser.correct(X[:1], [([None, None, 1], [None] * 3)]).hold == 1
    assert parser.predict(X[:1])[0].heads[2] == 1
    chart = Parser(partial=True, epochs=1, system="graph").fit(X, Y)
    assert chart.predict(X[:1])[0].labels[2] == "advmod"
    assert chart.correct(X[:1], [([None] * 3, [None, None, "punct"])]).hold == 1
    assert chart.predict(X[:1])[0].labels[2] == "punct"


def test_files_bring_what_is_known_and_keep_what_is_given() -> None:
    def sentence(heads: list[str], labels: list[str]) -> Sentence:
        rows = [
            [str(i), word, "_", tag, "_", "_", head, label, "_", "_"]
            for i, (word, tag, head, label) in enumerate(zip(*X[0], heads, labels), 1)
        ]
        return Sentence(rows, Format("conllu"))

    known = [
        sentence(["2", "0", "_"], ["nsubj", "root", "_"]),
        sentence(["2", "0", "2"], ["nsubj", "root", "x"]),
    ]
    parser = Parser(partial=True, epochs=2, combine="none").fit(known)
    assert parser.predict([sentence(["3", "_", "_"], ["_", "_", "_"])], given="head")[0].heads[0] == 3
    with pytest.raises(DataError, match="predicts heads and relations, not what is given"):
        parser.predict(known, given="upos")


def test_of_known_arcs_that_cross_the_longest_are_forgotten() -> None:
    assert without_crossing(([3, 4, None, 0], ["a", "b", None, "c"])) == (
        [None, 4, None, 0],
        [None, "b", None, "c"],
    )
    parser = Parser(partial=True, epochs=1, combine="none")
    x = (["a", "b", "c", "d"], ["X"] * 4)
    parser.fit([*X, x], [*Y, ([3, 4, None, 0], ["det", "det", None, "root"])])
    assert len(parser.predict([x])[0].heads) == 4


@pytest.mark.parametrize("search", ["dp:4", "greedy", "forest:2+swaps", "mst"])
def test_every_search_keeps_given_arcs(search: str) -> None:
    system = "graph" if search in ("forest:2+swaps", "mst") else "arc-standard"
    y: Any = [([2, 0, 2], ["nsubj", "root", "x"])] * len(X)
    parser = Parser(system=system, search=search, epochs=2, combine="none").fit(X, y)
    free = parser.predict(X)
    assert parser.predict(X, given=[None] * 3) == free == parser.predict(X, given=[([None] * 3,) * 2] * 3)
    given = [([3, None, None], [None] * 3), None, ([None, 3, None], [None, "nsubj", None])]
    found = parser.predict(X, given=given)
    assert found[0].heads[0] == 3 and found[1] == free[1]
    assert found[2].heads[1] == 3 and found[2].labels[1] == "nsubj"
    assert parser.predict_kbest(X[:1], 1, given=given[:1])[0][0][0] == found[0]
    if system == "graph":  # which also builds arcs that cross
        x = (["a", "b", "c", "d"], ["X"] * 4)
        crossing = parser.predict([x], given=[([3, 4, None, 0], [None] * 4)])[0]
        assert crossing.heads == [3, 4, crossing.heads[2], 0]


@pytest.mark.parametrize(
    "settings",
    [
        {"search": "dp:4"},
        {"search": "greedy", "system": "arc-eager"},
        {"system": "swap"},
        {"system": "graph"},
        {"system": "graph", "search": "mst"},
        {"system": "graph", "search": "mst", "learner": "crf"},
        {"system": "graph", "search": "forest:2+swaps"},
    ],
    ids=str,
)
def test_trees_are_completed_for_whatever_learns_from_whole_ones(settings: dict[str, Any]) -> None:
    data, dev = treebank(120), treebank(30, seed=2)
    words = [[(f, u) for f, u in zip(s.words(), s.column("upos"))] for s in data]
    trees = [tree_of(sentence) for sentence in data]
    rng = random.Random(0)
    partly = [[[None if rng.random() < 0.5 else own for own in part] for part in tree] for tree in trees]
    parser = Parser(partial=True, epochs=3, combine="none", trials=0, columns=("form", "upos"), **settings)
    half, whole = parser.fit(words, partly).score(dev), parser.fit(words, trees).score(dev)
    assert half > whole - 0.15 and whole > 0.5


def test_known_arcs_stay_in_completed_trees_where_they_can() -> None:
    parser = Parser(partial=True, epochs=1, combine="none")
    x = (["a", "b", "c", "d"], ["X"] * 4)
    crossing = [3, 4, None, 0], ["det", "det", None, "root"]
    given = parser.problem.read([*X, x], [*Y, crossing], None)
    trees = completed(Parser, parser.recipe, given, one_root=True, labelled=True)
    assert trees[-1].heads == [3, 4, trees[-1].heads[2], 0] and trees[-1].labels[:2] == ["det", "det"]
    for tree, known in zip(trees, given.ys):
        assert all(own in (None, found) for own, found in zip(known.labels, tree.labels))


def test_an_interrupted_training_does_not_complete_trees_again(tmp_path: Path) -> None:
    def stop(name: str, done: int, total: int) -> None:
        names.append(name)

    def end(epoch: object) -> None:
        raise KeyboardInterrupt

    names: list[str] = []
    parser = Parser(partial=True, epochs=2, combine="none")
    with pytest.raises(KeyboardInterrupt):
        parser.fit(X, Y, on_stage=stop, on_epoch=end, checkpoint=tmp_path / "kept")
    assert "completing trees" in names
    names.clear()
    parser.fit(X, Y, on_stage=stop, checkpoint=tmp_path / "kept", resume=True).save(tmp_path / "resumed")
    assert "completing trees" not in names
    Parser(partial=True, epochs=2, combine="none").fit(X, Y).save(tmp_path / "straight")
    assert (tmp_path / "straight").read_bytes() == (tmp_path / "resumed").read_bytes()


def test_a_later_batch_is_completed_by_the_model() -> None:
    y = [([2, 0, 2], ["nsubj", "root", "x"])] * len(X)
    later: Any = [([2, None, 2], ["nsubj", None, "x"])] * len(X)
    parser = Parser(partial=True, epochs=3, combine="none").fit(X, y)
    parser.partial_fit(X, later)
    assert parser.predict(X)[0].heads == [2, 0, 2]
    parser = Parser(partial=True, epochs=3, combine="none", search="dp:4").fit(X, y)
    assert parser.partial_fit(X, later).predict(X)[0].heads == [2, 0, 2]
