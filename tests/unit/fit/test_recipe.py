"""A recipe is data: it survives a file, refuses what cannot be, and its hash tells recipes apart."""

from __future__ import annotations

import json
from dataclasses import fields
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from structron.errors import SettingError
from structron.features import PRESETS
from structron.tasks.tagging.settings import TaggingRecipe, templates_for
from structron.tasks.tagging.template_choice import TokenFigures

RECIPES = st.builds(
    TaggingRecipe,
    templates=st.sampled_from(["auto", "pos", "ner", ("w[0]", "t[-1]  w[0]"), ("suffix(3)[-1]",)]),
    order=st.integers(0, 2),
    search=st.sampled_from(["exact", "greedy", "beam:3", "BEAM:7+merge"]),
    update=st.sampled_from(["early", "Max-Violation", "laso"]),
    learner=st.sampled_from(["perceptron", "perceptron:plain", "perceptron:margin=0.1"]),
    epochs=st.integers(1, 99),
    seed=st.integers(0, 2**40),
    shuffle=st.booleans(),
    constraints=st.sampled_from(["auto", "none", "bio", "iob1", "bioes"]),
    dictionary=st.integers(0, 9),
    cut=st.integers(0, 9),
    min_weight=st.sampled_from([0.0, 1e-3, 0.5]),
    skip_correct=st.booleans(),
)


def toml(settings: dict[str, Any]) -> str:
    # JSON's strings, numbers, lists and booleans are TOML's.
    return "".join(f"{name} = {json.dumps(value)}\n" for name, value in settings.items())


@given(recipe=RECIPES)
def test_a_recipe_survives_a_file(recipe: TaggingRecipe, tmp_path_factory: pytest.TempPathFactory) -> None:
    path = tmp_path_factory.mktemp("recipe") / "r.toml"
    path.write_text(toml(recipe.as_dict()), encoding="utf-8")
    again = TaggingRecipe.from_file(path)
    assert again == recipe
    assert again.hash() == recipe.hash()


def test_a_part_of_a_recipe_leaves_the_rest_as_it_is(tmp_path: Path) -> None:
    path = tmp_path / "r.toml"
    path.write_text('epochs = 3\nsearch = "exact" # a remark\n', encoding="utf-8")
    assert TaggingRecipe.from_file(path) == TaggingRecipe(epochs=3, search="exact")
    path.write_text("", encoding="utf-8")
    assert TaggingRecipe.from_file(path) == TaggingRecipe()


@given(a=RECIPES, b=RECIPES)
def test_the_hash_tells_recipes_apart(a: TaggingRecipe, b: TaggingRecipe) -> None:
    assert (a.hash() == b.hash()) == (a == b)


def test_the_same_choice_written_otherwise_is_the_same_recipe() -> None:
    plain = TaggingRecipe(search="beam:4", update="max_violation", learner="perceptron:margin=20")
    other = TaggingRecipe(search=" BEAM:4", update="max-violation", learner="perceptron:margin=20.0")
    assert plain == other and plain.hash() != TaggingRecipe().hash()


def test_a_tagger_gives_up_what_is_twice_its_margin_behind_and_with_another_learner_nothing() -> None:
    assert str(TaggingRecipe().search_choice) == "beam:4+within=40"
    assert str(TaggingRecipe(learner="perceptron:margin=20.0").search_choice) == "beam:4+within=40"
    for learner in ("perceptron", "perceptron:margin=30", "mira"):
        assert str(TaggingRecipe(learner=learner).search_choice) == "beam:4"
    assert str(TaggingRecipe(prefer="accuracy").search_choice) == "beam:8"


def test_a_tagger_with_many_labels_drops_candidates_beyond_its_margin_unless_the_search_is_named() -> None:
    def search(labels: int, **settings: str) -> str:
        figures = TokenFigures(False, 1, False, labels=labels)
        return str(TaggingRecipe(**settings).suited(figures).search_choice)

    assert (search(299), search(300)) == ("beam:4+within=40", "beam:4+within=20")
    assert search(300, search="beam:4+within=40") == "beam:4+within=40"
    assert search(300, learner="mira") == "beam:4"
    assert (search(300, prefer="accuracy"), search(300, prefer="speed")) == ("beam:8", "greedy")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("epoch = 3", "no setting 'epoch'; the settings are search, update"),
        ("[tagging]\nepochs = 3", "no setting 'tagging'"),
        ("epochs = 0", "epochs = 0 is not possible; give a whole number at least 1"),
        ("epochs = 2.5", "epochs = 2.5 is not possible"),
        ("epochs = true", "epochs = True is not possible"),
        ('epochs = "3"', "epochs = '3' is not possible"),
        ("order = 3", "order = 3 is not possible; give a whole number from 0 to 2"),
        ("seed = -1", "seed = -1 is not possible"),
        ('search = "beam:0"', "beam width 0 is not possible"),
        ("search = 4", "search 4 is not known"),
        ("update = 4", "update 4 is not known"),
        ("learner = 4", "learner 4 is not known"),
        ('constraints = "BIO"', "constraints = 'BIO' is not known; use one of auto, none"),
        ("constraints = [1]", "constraints = .1. is not known"),
        ("cut = -1", "cut = -1 is not possible"),
        ("dictionary = 1.0", "dictionary = 1.0 is not possible"),
        ("min_weight = -0.1", "min_weight = -0.1 is not possible"),
        ("min_weight = nan", "min_weight = nan is not possible"),
        ("min_weight = inf", "min_weight = inf is not possible"),
        ('min_weight = "0"', "min_weight = '0' is not possible"),
        ("shuffle = 1", "shuffle = 1 is not possible; give true or false"),
        ('skip_correct = "no"', "skip_correct = 'no' is not possible"),
        (
            'templates = "tags"',
            "templates 'tags' are not known; use auto, pos, chunk, ner, ner_pos, characters, ready or a list",
        ),
        ("templates = 3", "templates 3 are not known"),
        ("templates = [3]", "template 3 is not text"),
        ('templates = ["w[0]", "w[0] "]', r"template 'w\[0\]' is given twice"),
        ("epochs = ", "not a TOML file"),
        ("epochs = 3\nepochs = 3", "not a TOML file"),
    ],
)
def test_what_cannot_be_is_refused_with_the_files_name(tmp_path: Path, text: str, said: str) -> None:
    path = tmp_path / "r.toml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(SettingError, match=said) as caught:
        TaggingRecipe.from_file(path)
    assert str(caught.value).startswith(f"{path}: ")
    assert "\n" not in str(caught.value)


def test_a_recipe_that_is_not_there_or_not_text(tmp_path: Path) -> None:
    with pytest.raises(SettingError, match="no such recipe"):
        TaggingRecipe.from_file(tmp_path / "none.toml")
    with pytest.raises(SettingError, match="cannot be read"):
        TaggingRecipe.from_file(tmp_path)
    (tmp_path / "r.toml").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(SettingError, match="not a TOML file"):
        TaggingRecipe.from_file(tmp_path / "r.toml")


def test_every_setting_is_a_parameter_of_the_tagger() -> None:
    from structron import Tagger

    assert {f.name for f in fields(TaggingRecipe)} == set(Tagger().get_params()) - {
        "target",
        "threads",
        "partial",
    }
    assert Tagger().recipe == TaggingRecipe()
    other = TaggingRecipe(epochs=3, search="exact", templates=("w[0]",), constraints="none", dictionary=2)
    assert Tagger.from_recipe(other).recipe == other


def test_the_order_leaves_out_templates_that_look_further_back() -> None:
    texts = ("w[0]", "t[-1]", "t[-2]", "t[-2] t[-1] w[0]", "t[-1] w[1]")

    def left(order: int) -> tuple[str, ...]:
        return templates_for(TaggingRecipe(templates=texts, order=order), ready=False)

    assert left(2) == texts
    assert left(1) == ("w[0]", "t[-1]", "t[-1] w[1]")
    assert left(0) == ("w[0]",)
    for name in PRESETS:
        words = name != "ready"
        recipe = TaggingRecipe(templates=name, order=1)
        kept = templates_for(recipe, ready=not words)
        assert not any("t[-2]" in text for text in kept)
        assert set(kept) < set(PRESETS[name])


def test_auto_takes_the_preset_that_fits_the_data() -> None:
    def chosen(ready: bool, spans: bool, columns: int, **shares: float) -> tuple[str, ...]:
        suited = TaggingRecipe().suited(TokenFigures(ready, columns, spans, **shares))
        return templates_for(suited, ready=ready)

    assert chosen(False, False, 1) == tuple(PRESETS["pos"])
    assert chosen(False, False, 2) == tuple(PRESETS["pos"])
    assert chosen(False, True, 1) == tuple(PRESETS["ner"])
    assert chosen(False, True, 2) == tuple(PRESETS["chunk"])
    assert chosen(True, True, 1) == tuple(PRESETS["ready"])
    assert chosen(False, True, 2, covered=0.1) == tuple(PRESETS["ner_pos"]), "a second column, but names"
    assert chosen(False, True, 1, letters=0.95) == tuple(PRESETS["characters"])
    assert chosen(False, False, 1, letters=0.95) == tuple(PRESETS["pos"])


def test_words_without_any_template_are_refused() -> None:
    for recipe in (TaggingRecipe(templates=()), TaggingRecipe(templates=("t[-1]", "t[-2]"), order=0)):
        with pytest.raises(SettingError, match="no template is left"):
            templates_for(recipe, ready=False)
        assert templates_for(recipe, ready=True) == ()
