"""The page teaches a copy of a model what is right; the model that others use stays as it is."""

from __future__ import annotations

from typing import Any

import pytest

from structron.registry import estimator_of
from structron.serve.limits import Limits
from structron.serve.play.correcting import KEPT, corrected, corrects
from structron.serve.play.films import film
from structron.serve.play.task_play import play_of
from structron.serve.refusals import Refused
from structron.serve.registry import ModelRegistry

WORDS = "light , water and saw fell ."
OTHERS = ["The dog that chased the cat ran away.", "Time flies like an arrow."]


@pytest.fixture(scope="module")
def registry() -> ModelRegistry:
    found = ModelRegistry.of(["en"])
    for kind in ("tagging", "parsing"):
        for name, _, settings in play_of(kind).small_models:
            fewer: dict[str, Any] = dict(settings) | {"epochs": 2}
            found.add(name, estimator_of(kind)(**fewer).fit(*play_of(kind).examples(120, 0)))
    return found


def ask(registry: ModelRegistry, **body: Any) -> Any:
    return corrected(body, registry, Limits())


def guess(registry: ModelRegistry, model: str, text: str) -> Any:
    return film({"model": model, "input": text}, registry, Limits())["guess"]


def test_a_copy_learns_and_the_model_stays(registry: ModelRegistry) -> None:
    before = guess(registry, "tagger", WORDS)
    gold = ["JJ" if i == 2 else tag for i, tag in enumerate(before)]
    found = ask(registry, model="tagger", input=WORDS, gold=gold)
    assert found["holds"] and found["reason"] is None and found["kept"] == 60 and found["size"] > 0
    assert guess(registry, found["model"], WORDS) == gold
    assert guess(registry, "tagger", WORDS) == before
    for moved in found["moved"]:
        assert moved["changes"] and all(before != after for _, before, after in moved["changes"])
    again = ask(registry, model=found["model"], input=WORDS, gold=before)  # and back, with another copy
    assert guess(registry, again["model"], WORDS) == before and again["model"].count("corrected") == 1


def test_a_tree_of_a_text_is_learned_and_other_texts_stay(registry: ModelRegistry) -> None:
    text, before = "The horse fell.", guess(registry, "en", "The horse fell.")
    gold = {"heads": [2, 0, 2, 2], "relations": ["det", "root", "acl", "punct"]}
    found = ask(registry, model="en", input=text, gold=gold, others=OTHERS)
    assert found["holds"] and found["kept"] == len(OTHERS) and guess(registry, found["model"], text) == gold
    assert guess(registry, "en", text) == before != gold
    assert found["more"] == 0 and len(found["moved"]) <= len(OTHERS)


def test_what_cannot_be_learned_is_said(registry: ModelRegistry) -> None:
    words = "the old man saw the light ."
    tree = {
        "heads": [2, 4, 2, 0, 6, 4, 4],
        "relations": ["det", "nsubj", "amod", "root", "det", "obj", "punct"],
    }
    found = ask(registry, model="parser", input=words, gold=tree)
    assert not found["holds"] and "the model cannot yield this output" in found["reason"]
    assert found["model"] == "parser"  # there is no copy to look at
    assert not corrects(registry.find("chart"))
    for body, message in (
        ({"model": "chart", "input": words, "gold": tree}, "model: parsing is not corrected here"),
        ({"model": "tagger", "input": WORDS}, "gold: there is none; say what is right"),
        ({"model": "tagger", "input": WORDS, "gold": ["NN"]}, "gold: there must be one tag of the model"),
        ({"model": "tagger", "input": "a " * 61, "gold": ["NN"]}, "input: 1 to 60 words are corrected"),
        ({"model": "en", "input": "Go.", "gold": {}, "others": 3}, "others: a number is not possible here"),
        ({"model": "tagger", "input": WORDS, "gold": [], "why": 1}, "there is no field 'why'"),
    ):
        with pytest.raises(Refused, match=message):
            corrected(body, registry, Limits())


def test_copies_do_not_pile_up(registry: ModelRegistry) -> None:
    gold = ["NN", ","]
    for _ in range(KEPT + 3):
        last = ask(registry, model="tagger", input="light ,", gold=gold)
    made = [name for name in registry.models if "-corrected-" in name]
    assert len(made) == KEPT and last["model"] in made and "tagger" in registry.models
