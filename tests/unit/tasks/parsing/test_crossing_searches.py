"""Parser(system="graph") with the searches that build crossing arcs: mst, and a chart with swaps."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from structron import Parser
from structron.errors import SettingError
from structron.tasks.parsing.trees.projectivity import is_projective

# Each sentence is a tree whose arcs cross; the last word says how many there are before it.
CROSSING = [
    ([("a", "A"), ("b", "B"), ("c", "C"), ("d", "D")], ([3, 4, 0, 3], ["x", "y", "root", "z"])),
    ([("b", "B"), ("a", "A"), ("d", "D"), ("c", "C")], ([3, 4, 4, 0], ["y", "x", "z", "root"])),
    ([("a", "A"), ("c", "C"), ("b", "B")], ([2, 0, 2], ["x", "root", "y"])),
    ([("c", "C"), ("e", "A")], ([0, 1], ["root", "z"])),
]
X, Y = [x for x, _ in CROSSING], [y for _, y in CROSSING]
SEARCHES = ["mst", "forest:2+swaps", "forest+swaps"]


def parser(search: str, **more: Any) -> Parser:
    settings: dict[str, Any] = {"epochs": 10, "templates": "auto", "cut": 0, **more}
    return Parser(system="graph", search=search, **settings)


@pytest.mark.parametrize("search", SEARCHES)
def test_trees_that_cross_are_learned_as_they_are(search: str, tmp_path: Path) -> None:
    fitted = parser(search).fit(X, Y)
    found = fitted.predict(X)
    assert [tuple(tree) for tree in found] == Y
    assert not all(is_projective(tree.heads) for tree in found)
    assert fitted.labels_ == ["root", "x", "y", "z"]  # no arc was lifted and marked
    assert fitted.score(X, Y) == 1.0
    fitted.save(tmp_path / "model")
    again = Parser.load(tmp_path / "model")
    assert again.predict(X) == found
    again.threads = 2
    assert again.predict(X * 9) == found * 9


@pytest.mark.parametrize(
    "learner", ["perceptron", "perceptron:margin=3", "mira", "pa:C=0.1", "swvp:single,wm,balanced"]
)
@pytest.mark.parametrize("search", SEARCHES[:2])
def test_every_learner_goes_with_them(search: str, learner: str) -> None:
    for update in ("standard", "skip", "max_violation"):
        assert parser(search, learner=learner, update=update, epochs=15).fit(X, Y).score(X, Y) > 0.9


def test_templates_of_mst_are_of_arcs_alone() -> None:
    fitted = parser("mst").fit(X, Y)
    assert fitted.chosen_["templates"] == "graph_fast_tags"
    with pytest.raises(
        SettingError, match="templates see siblings or grandchildren; use templates graph_fast"
    ):
        parser("mst", templates="graph_tags").fit(X, Y)
    with pytest.raises(SettingError, match="search mst: a tree is the sum of its arcs"):
        parser("forest:2", templates="graph_tags").fit(X, Y).model_.predict(X, fitted.model_.search)


def test_what_they_cannot_do_is_told() -> None:
    for search in ("mst", "forest:2+swaps"):
        with pytest.raises(
            SettingError, match="finds one tree and not the k best; use mira, or search forest:4"
        ):
            parser(search, learner="mira:3").fit(X, Y)
        with pytest.raises(SettingError, match="laso"):
            parser(search, update="laso").fit(X, Y)
        with pytest.raises(SettingError, match="searched by actions and not over a chart"):
            Parser(search=search).fit(X, Y)
        with pytest.raises(
            SettingError, match="leaves a tree behind, and neither beams nor a chart; use forest"
        ):
            parser(search).fit(X, Y).model_.trace(X[0])
        assert parser(search).fit(X, Y).trace(X[0]).final > 0  # the chart of the same sentence


def test_left_out_trees_are_those_that_cannot_be_built() -> None:
    assert parser("mst", crossing="leave-out").fit(X, Y).score(X, Y) == 1.0
    assert parser("forest", crossing="leave-out").fit(X, Y).score(X, Y) < 1.0
