"""A parser's recipe refuses what cannot be, and knows a setting however it is written."""

from typing import Any

import pytest

from structron.errors import SettingError
from structron.training.parsing import ParsingRecipe, parsing_templates


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
