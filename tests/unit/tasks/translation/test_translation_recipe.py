"""The recipe of a translator refuses in one sentence what cannot be, and names what it means."""

from __future__ import annotations

from typing import Any

import pytest

from structron.errors import SettingError
from structron.tasks.translation.features import PRESETS
from structron.tasks.translation.settings import TranslationRecipe


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"templates": "rich"}, "templates 'rich' are not known; use auto, dense, rules, context, edges,"),
        ({"templates": ["t[-9]"]}, "template 't[-9]': t[-9] is too far; t goes from -1 back to -3"),
        ({"cut": 2}, "cut = 2 is not possible for translation; give 0"),
        ({"longest": 16}, "longest = 16 is not possible; give a whole number from 1 to 15"),
        ({"distortion_limit": 64}, "distortion_limit = 64 is not possible; give a whole number from 0 to 63"),
        ({"scale": 0}, "scale = 0 is not possible; give a number above 0"),
        ({"unreachable": "nearest"}, "unreachable = 'nearest' is not known; use one of skip, prefix"),
        (
            {"update_towards": "bold"},
            "update_towards = 'bold' is not known; use one of reference, hope, local",
        ),
        ({"folds": 1}, "folds = 1 leaves nothing to learn from; give 2 or more, or 0"),
        ({"candidates": 0}, "candidates = 0 is not possible; give a whole number at least 1"),
        (
            {"update_towards": "hope", "search": "exact"},
            "update_towards hope chooses among the outputs of a beam, which search exact is not; use a beam",
        ),
        ({"search": "exact"}, "exact search would never end in translation; use greedy or a beam as beam:8"),
        ({"search": "dp:8"}, "search dp:8: states of translation have no stack; use a beam as beam:8+merge"),
        (
            {"learner": "swvp"},
            "learner swvp:single,wm,balanced,beta=1: outputs of translation cannot be mixed",
        ),
        (
            {"update": "laso", "search": "beam:30+merge+by_class"},
            "laso goes on from one bin to the next, and the bins of search beam:30+merge+by_class have no",
        ),
    ],
)
def test_refusals(settings: dict[str, Any], message: str) -> None:
    with pytest.raises(SettingError) as error:
        TranslationRecipe(**settings)
    assert str(error.value).startswith(message)


def test_what_it_means() -> None:
    recipe = TranslationRecipe(templates="edges", longest=5, tuning=0)
    assert recipe.template_texts == tuple(PRESETS["edges"])
    assert recipe.extractor.longest == 5
    assert recipe.tuner is None
    assert TranslationRecipe(tuning=3, seed=7).tuner is not None
