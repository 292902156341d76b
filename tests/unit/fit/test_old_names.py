"""Settings are taken by what they were called before, too, and files and hashes keep these names."""

from __future__ import annotations

import warnings
from pathlib import Path
from typing import Any

import pytest

from structron import Lemmatizer, Pipeline, Tagger, Transducer, Translator
from structron.cli.commands.train import training
from structron.cli.commands.trials.options import settings_given
from structron.errors import SettingError
from structron.fit.recipe import Recipe
from structron.tasks.transduction.settings import TransductionRecipe
from structron.tasks.translation.settings import TranslationRecipe

OLD = [
    (Tagger, "negligible", "min_weight", 0.5),
    (Transducer, "least", "min_count", 3),
    (Transducer, "anew", "restart_every", 2),
    (Translator, "least", "min_count", 3),
    (Translator, "most", "max_options", 3),
    (Translator, "aim", "update_towards", "hope"),
    (Translator, "among", "candidates", 9),
    (Lemmatizer, "least", "min_count", 3),
    (Lemmatizer, "least_tags", "min_tags", 0),
    (Pipeline, "settings", "prefer", "speed"),
]


@pytest.mark.parametrize(("kind", "old", "new", "value"), OLD)
def test_a_constructor_takes_the_old_name_with_a_warning(kind: Any, old: str, new: str, value: Any) -> None:
    with pytest.warns(DeprecationWarning, match=f"^{old} is now {new};"):
        made = kind(**{old: value})
    assert getattr(made, new) == value and made.get_params() == kind(**{new: value}).get_params()
    with pytest.warns(DeprecationWarning, match=new):
        assert getattr(kind().set_params(**{old: value}), new) == value
    with pytest.raises(SettingError, match=f"{old} is now {new}; give one of them"):
        kind(**{old: value, new: value})


@pytest.mark.parametrize(
    ("kind", "settings", "said"),
    [
        (TransductionRecipe, {"negligible": 0.5, "least": 2, "anew": 3}, "2ab7bc7fca21"),
        (TranslationRecipe, {"least": 3, "most": 9, "aim": "hope", "among": 5}, "3fb8b77b715e"),
    ],
)
def test_old_recipes_are_read_and_have_their_hashes(kind: type[Recipe], settings: Any, said: str) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        read = kind.from_mapping(settings)
    assert read.record() | settings == read.record()
    assert kind.from_mapping(read.record()) == read == kind(**read.as_dict())
    assert read.hash() == said


def test_the_words_of_a_pipeline(tmp_path: Path) -> None:
    with pytest.warns(DeprecationWarning, match="prefer fast is now speed"):
        Pipeline(prefer="fast").check()


@pytest.mark.parametrize(
    ("task", "args", "name", "value"),
    [
        ("transduction", ["--anew", "3"], "restart_every", 3),
        ("transduction", ["--least=3"], "min_count", 3),
        ("tagging", ["--for", "speed"], "prefer", "speed"),
        ("tagging", ["--negligible", "0.5"], "min_weight", 0.5),
        ("translation", ["--aim", "hope"], "update_towards", "hope"),
    ],
)
def test_old_options(task: str, args: list[str], name: str, value: Any) -> None:
    data = ["A", "B"] if task == "translation" else ["A"]
    old, new = args[0].partition("=")[0], f"--{name.replace('_', '-')}"
    with pytest.warns(DeprecationWarning, match=f"{old} is now {new}; the old name goes"):
        given = training(task).make_context(task, [*data, "-o", "M", *args]).params
    assert given[name] == value


def test_old_names_of_what_is_tried() -> None:
    with pytest.warns(DeprecationWarning, match="--set anew is now restart_every"):
        assert settings_given("transduction", ["anew=0|3"]) == {"restart_every": [0, 3]}
    with pytest.warns(DeprecationWarning, match="--set for is now prefer"):
        assert settings_given("tagging", ["for=speed"]) == {"prefer": ["speed"]}
