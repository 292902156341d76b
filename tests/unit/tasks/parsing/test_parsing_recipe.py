"""A parser's recipe refuses what cannot be, and knows a setting however it is written."""

from pathlib import Path
from typing import Any

import pytest

from structron.errors import SettingError
from structron.tasks.parsing.features.presets import CLUSTERED, LEAN, LEAN_CLUSTERED, RICH
from structron.tasks.parsing.settings import ParsingRecipe, parsing_templates


def test_settings_are_known_however_they_are_written() -> None:
    recipe = ParsingRecipe(system="arc_eager", oracle="dynamic", tagger="jackknife", crossing="leave_out")
    assert (recipe.system, recipe.tagger, recipe.crossing) == ("arc-eager", "jackknife:5", "leave-out")
    assert recipe.folds == 5 and ParsingRecipe().folds == 0
    assert ParsingRecipe.from_mapping(recipe.as_dict()) == recipe


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ({"system": "arc-slow"}, "arc-slow"),
        ({"oracle": "delphi"}, "delphi"),
        ({"oracle": "dynamic"}, "there is no dynamic oracle for arc-standard"),
        ({"crossing": "cut"}, "cut"),
        ({"search": "exact"}, "exact search would never end"),
        ({"tagger": "jackknife:1"}, "use none, jackknife or jackknife:K"),
        ({"tagger": 7}, "use none, jackknife or jackknife:K"),
        ({"templates": "best"}, "templates 'best' are not known"),
        ({"templates": ["s9.w"]}, "s9"),
        ({"labelled": "yes"}, "give true or false"),
    ],
)
def test_what_cannot_be_is_refused(settings: dict[str, Any], said: str) -> None:
    with pytest.raises(SettingError, match=said):
        ParsingRecipe(**settings)


def test_templates_follow_the_system_unless_named() -> None:
    own = parsing_templates(ParsingRecipe(templates=["s0.w", "s0.t q0.t"]))
    assert own == ("s0.w", "s0.t q0.t")
    assert parsing_templates(ParsingRecipe(templates="zhang_nivre")) != parsing_templates(
        ParsingRecipe(templates="huang_sagae")
    )


@pytest.mark.parametrize(
    ("settings", "update"),
    [
        ({"search": "greedy"}, "laso"),
        ({"search": "beam:1"}, "laso"),
        ({"search": "beam:8"}, "max_violation"),
        ({"search": "greedy", "batch": 4}, "max_violation"),  # laso cannot wait for a batch
        ({"search": "greedy", "update": "early"}, "early"),
    ],
)
def test_the_update_follows_the_search_unless_named(settings: dict[str, Any], update: str) -> None:
    assert ParsingRecipe(**settings).update_choice.name == update


@pytest.mark.parametrize(
    ("settings", "search", "family"),
    [
        ({}, "beam:8+within=200", "lean"),
        ({"system": "arc-hybrid"}, "beam:8+within=200", "lean"),
        ({"learner": "perceptron:margin=100"}, "beam:8", "lean"),  # whose scores are larger
        ({"combine": "arcs"}, "beam:8", "lean"),  # more trees than the best are asked for
        ({"prefer": "accuracy"}, "beam:8", "rich"),
        ({"prefer": "speed"}, "greedy", "fast"),
        ({"search": "beam:4"}, "beam:4", "lean"),
        ({"system": "graph"}, "forest:4", "graph"),
    ],
)
def test_what_auto_means_follows_the_preference(settings: dict[str, Any], search: str, family: str) -> None:
    recipe = ParsingRecipe(**settings)
    assert (str(recipe.search_choice), recipe.family) == (search, family)


def test_a_lean_set_has_lean_clusters(tmp_path: Path) -> None:
    path = tmp_path / "clusters"
    path.write_text("0\ta\t1\n", encoding="utf-8")
    rich, lean = (
        parsing_templates(ParsingRecipe(templates=name, clusters=str(path))) for name in ("rich", "lean_case")
    )
    assert [t for t in rich if "cluster" in t] == CLUSTERED
    assert [t for t in lean if "cluster" in t] == LEAN_CLUSTERED
    assert set(LEAN_CLUSTERED) < set(CLUSTERED) and set(LEAN) < set(RICH)
