"""Transducers with more templates or from the other end, asked where those before them are unsure."""

from __future__ import annotations

import math
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from structron import ModelError, SettingError, Transducer, _core
from structron.engine.experts import Part
from structron.model import Model
from structron.search import parse_search
from structron.synthetic import generate_spellings
from structron.tasks.transduction import settings as recipes
from structron.tasks.transduction.experts.combined_transducer import (
    CANDIDATES,
    UNSURE,
    CombinedTransducer,
    Member,
    parse_combination,
)
from structron.tasks.transduction.settings import TransductionRecipe

WORDS = generate_spellings(500, np.random.default_rng(3))
TRAIN, TEST = WORDS[:400], WORDS[400:]
SETTINGS: dict[str, Any] = {"epochs": 3, "search": "beam:4", "templates": "fast"}


LEAST = UNSURE["opposite",][0]


@pytest.fixture(scope="module")
def both() -> Transducer:
    return Transducer(**SETTINGS, combine="opposite").fit(TRAIN)


@pytest.fixture(scope="module")
def three() -> Transducer:
    return Transducer(**SETTINGS, combine="rich+opposite").fit(TRAIN)


@pytest.fixture(params=["both", "three"])
def asking(request: pytest.FixtureRequest) -> Transducer:
    found: Transducer = request.getfixturevalue(request.param)
    return found


class Said:
    """An engine that says what it was told to say, and remembers what it was asked."""

    def __init__(self, answers: dict[str, list[tuple[list[str], float]]]) -> None:
        self.answers, self.asked = answers, list[str]()

    def kbest(self, xs: list[str], k: int, search: Any, threads: int, lead: float = math.inf) -> list[Any]:
        self.asked += xs
        best = [self.answers[x][:k] for x in xs]
        return [each[:1] if len(each) > 1 and each[0][1] - each[1][1] >= lead else each for each in best]


def combined(own: Said, expert: Said, weight: float = 1.0) -> CombinedTransducer:
    return CombinedTransducer(own, [asked(expert, LEAST, weight)])  # type: ignore[arg-type]


def asked(expert: Said, unsure: float, weight: float = 1.0, within: float = math.inf) -> Member:
    return Member(expert, weight, _core.Search(4, False, within), unsure)  # type: ignore[arg-type]


def test_the_expert_is_asked_where_the_first_is_unsure_and_the_mean_decides() -> None:
    own = Said({
        "ab": [(["x"], 50.0), (["y"], 50.0 - LEAST)],  # far ahead
        "cd": [(["x", "y"], 10.0), (["y", "z"], 8.0), (["z"], 1.0)],
        "e": [(["x"], 1.0)],  # nothing else was found
    })  # fmt: skip
    expert = Said({"cd": [(["y", "z"], 9.0), (["x", "y"], 5.0), (["w"], 3.0)]})
    found = combined(own, expert).kbest(["ab", "cd", "e"], 3, None, 1)  # type: ignore[arg-type]
    assert expert.asked == ["cd"]
    assert found[0] == own.answers["ab"] and found[2] == own.answers["e"]
    # What the expert did not find counts as the last that it found.
    assert found[1] == [(["y", "z"], 8.5), (["x", "y"], 7.5), (["z"], 2.0)]
    weighted = combined(own, expert, 0.25)
    assert weighted.predict(["cd"], None) == [["x", "y"]]  # type: ignore[arg-type]
    assert len(weighted.kbest(["cd"], 1, None, 1)[0]) == 1  # type: ignore[arg-type]


def test_the_next_is_asked_where_all_before_it_are_unsure() -> None:
    own = Said({
        "ab": [(["x"], 50.0), (["y"], 20.0)],
        "cd": [(["x"], 10.0), (["y"], 8.0)],
        "ef": [(["x"], 10.0), (["y"], 8.0)],
    })  # fmt: skip
    second = Said({"cd": [(["y"], 30.0), (["x"], 2.0)], "ef": [(["y"], 8.0), (["x"], 7.0)]})
    third = Said({"ef": [(["y"], 11.0), (["z"], 10.0)]})
    found = CombinedTransducer(own, [asked(second, 25.0), asked(third, 10.0, 2.0, within=4.0)])  # type: ignore[arg-type]
    best = found.kbest(["ab", "cd", "ef"], 2, None, 1)  # type: ignore[arg-type]
    assert (second.asked, third.asked) == (["cd", "ef"], ["ef"])
    # What the third did not find is as far behind as it does not look any more; it counts twice.
    assert best[1:] == [[(["y"], 19.0), (["x"], 6.0)], [(["y"], 9.5), (["x"], 7.75)]]


def test_each_expert_learns_as_the_one_before_it_but_for_what_its_name_says(three: Transducer) -> None:
    for expert, direction in zip(three.model_.task.experts, ("forward", "backward")):
        own = {"templates": "rich", "direction": direction, "combine": "none"}
        alone = Transducer(**SETTINGS | own).fit(TRAIN).model_
        assert expert.task == alone.task and same_weights(expert.rows, alone.rows)
        assert expert.search == SETTINGS["search"] == str(three.model_.search)


def test_the_usual_search_is_narrower_to_predict_with() -> None:
    usual = SETTINGS | {"search": "auto"}
    found = Transducer(**usual, combine="rich").fit(TRAIN)
    assert str(found.model_.search) == "beam:4+within=40"
    assert [expert.search for expert in found.model_.task.experts] == ["beam:4+within=40"]
    alone = Transducer(**usual, combine="none").fit(TRAIN)
    assert str(alone.model_.search) == "beam:8" and same_weights(found.model_.rows, alone.model_.rows)
    mira = TransductionRecipe(learner="mira", combine="rich").suited(100)  # scores may be of any size
    assert str(mira.search_to_predict) == mira.search_of_experts == "beam:8"


def test_reading_backward_is_reading_words_that_are_turned_round() -> None:
    turned = [list(pair.source[::-1]) for pair in TRAIN]
    sounds = [[target.split()[::-1] for target in pair.targets] for pair in TRAIN]
    for more in ({}, {"search": "exact", "templates": "context"}, {"unreachable": "nearest", "min_count": 3}):
        forward = Transducer(**SETTINGS | more, direction="forward", combine="none").fit(turned, sounds)
        backward = Transducer(**SETTINGS | more, direction="backward", combine="none").fit(TRAIN)
        assert backward.model_.task.pairs == forward.model_.task.pairs
        assert same_weights(backward.model_.rows, forward.model_.rows)
        assert backward.unreachable_ == forward.unreachable_
        words = [pair.source for pair in TEST]
        found = forward.predict_kbest([list(word[::-1]) for word in words], 3)
        expected = [[(" ".join(output[::-1]), score) for output, score in best] for best in found]
        assert backward.predict_kbest(words, 3) == expected


def same_weights(a: Any, b: Any) -> bool:
    return all(np.array_equal(getattr(a, name), getattr(b, name)) for name in ("keys", "columns", "weights"))


@pytest.mark.parametrize("direction", ["forward", "backward"])
def test_the_expert_reads_in_the_opposite_direction(direction: str) -> None:
    found = Transducer(**SETTINGS, direction=direction, combine="opposite").fit(TRAIN).model_
    (expert,) = found.task.experts
    other = "forward" if direction == "backward" else "backward"
    alone = Transducer(**SETTINGS, direction=other, combine="none").fit(TRAIN).model_
    assert found.task.direction == direction and expert.task == alone.task and expert.search == "beam:4"
    assert same_weights(expert.rows, alone.rows)


def test_beside_rich_templates_the_expert_asks_known_words() -> None:
    settings = SETTINGS | {"templates": "rich"}
    found = Transducer(**settings, combine="opposite").fit(TRAIN).model_
    (expert,) = found.task.experts
    alike = SETTINGS | {"templates": "rich_alike", "direction": "backward"}
    alone = Transducer(**alike, combine="none").fit(TRAIN).model_
    assert expert.task == alone.task and same_weights(expert.rows, alone.rows)
    assert found.task.known_words is None and expert.task.known_words is not None


def test_the_definition_reads_from_the_end_too() -> None:
    from structron.tasks.transduction.forced_decoding import gold_of

    made = Transducer(**SETTINGS, direction="backward", combine="none").fit(TRAIN)
    (trace,) = [made.trace("phone", "F OW N")]
    task = made.model_.task
    space = task.space("phone")
    assert space.source == list("enohp")
    assert task.emitted(trace.gold(trace.final).actions) == ["F", "OW", "N"]
    gold = gold_of(space, [["F", "OW", "N"]])
    state = space.initial()
    for action in trace.gold(trace.final).actions:
        assert gold is not None and gold.allows(state, action)
        state = space.advance(state, action)
    assert space.is_final(state)


def test_with_many_words_both_directions_are_tried(monkeypatch: pytest.MonkeyPatch) -> None:
    # What a letter becomes is decided by the letter before it; in words turned round, by the one after it.
    words = ["".join(word) for word in np.random.default_rng(0).choice(list("abcdef"), (600, 6))]
    by_last = ["".join(a.upper() if b > "c" else a for a, b in zip(word, "a" + word)) for word in words]
    monkeypatch.setattr(recipes, "_MANY", 100)
    from structron.tasks.transduction.direction import choice

    asked: list[tuple[int, int]] = []
    whole = choice.better_direction

    def watched(*given: Any) -> str:
        found = whole(*given)
        asked.append((len(given[2]), len(given[3])))
        return found

    monkeypatch.setattr(choice, "better_direction", watched)
    plain = {"templates": ["s[0]", "s[-1] s[0]", "emit t[-1]"], "epochs": 3, "longest_source": 1}
    forward = Transducer(**plain).fit(words, [" ".join(word) for word in by_last])
    turned = [word[::-1] for word in words], [" ".join(word[::-1]) for word in by_last]
    backward = Transducer(**plain).fit(*turned)
    different = len(set(words))
    assert asked == [(different, different)] * 2
    assert (forward.model_.task.direction, backward.model_.task.direction) == ("forward", "backward")
    assert backward.model_.about["settled"]["direction"] == "backward"
    assert Transducer(**plain).partial_fit(*turned).model_.task.direction == "forward"


def test_outputs_are_those_with_the_best_mean(both: Transducer) -> None:
    model = both.model_
    first = Model(replace(model.task, experts=()), model.rows, model.search)
    (expert,) = model.task.experts
    other = Model(expert.task, expert.rows, parse_search(expert.search))
    asked = changed = 0
    for pair, said in zip(TEST, both.predict(TEST)):
        symbols = list(pair.source)
        (candidates,) = first.kbest([symbols], CANDIDATES)
        best = candidates[0][0]
        if len(candidates) > 1 and candidates[0][1] - candidates[1][1] < LEAST:
            (opinion,) = other.kbest([symbols], CANDIDATES)
            scores = {tuple(output): score for output, score in opinion}
            sums = [score + scores.get(tuple(output), opinion[-1][1]) for output, score in candidates]
            best = candidates[int(np.argmax(sums))][0]
            asked += 1
        changed += best != candidates[0][0]
        assert said == " ".join(best)
    assert 0 < changed < asked < len(TEST)


def test_a_file_a_thread_and_a_pickle_say_the_same(asking: Transducer, tmp_path: Path) -> None:
    import pickle

    expected = asking.predict_kbest(TEST, 5)
    asking.save(tmp_path / "model")
    loaded = Transducer.load(tmp_path / "model")
    assert loaded.model_.task.experts == asking.model_.task.experts
    assert loaded.predict_kbest(TEST, 5) == expected
    assert loaded.set_params(threads=2).predict_kbest(TEST, 5) == expected
    assert pickle.loads(pickle.dumps(asking)).predict_kbest(TEST, 5) == expected
    assert loaded.get_params()["combine"] in ("opposite:1", "rich:1+opposite:1")


def test_a_file_with_a_broken_expert_is_refused(both: Transducer, tmp_path: Path) -> None:
    header, arrays = both.model_.stored()
    for change in (
        {"experts": [header["experts"][0] | {"name": "sideways"}]},
        {"experts": [header["experts"][0] | {"search": "forest:4"}]},
        {"experts": [header["experts"][0] | {"weight": float("nan")}]},
        {"experts": header["experts"] * 2},
        {"experts": ["opposite"]},
        {"experts": {"opposite": 1}},
    ):
        with pytest.raises((ModelError, SettingError, KeyError)):
            Model.restored(header | change, arrays)
    shorter = dict(arrays) | {"opposite_weights": arrays["opposite_weights"][:-1]}
    with pytest.raises(ModelError):
        Model.restored(header, shorter)


def test_a_file_whose_experts_are_in_another_order_is_refused(three: Transducer) -> None:
    header, arrays = three.model_.stored()
    with pytest.raises(SettingError, match="combine opposite\\+rich is not possible; use none, or one of"):
        Model.restored(header | {"experts": header["experts"][::-1]}, arrays)


def test_one_batch_trains_no_expert_and_leaves_one_as_it_is(both: Transducer) -> None:
    with pytest.raises(SettingError, match="partial_fit trains no experts; fit first"):
        Transducer(combine="opposite").partial_fit(TRAIN)
    assert not Transducer(**SETTINGS).partial_fit(TRAIN).model_.task.experts
    again = Transducer(**SETTINGS, combine="opposite").fit(TRAIN[:100])
    experts = again.model_.task.experts
    assert again.partial_fit(TRAIN[:100]).model_.task.experts == experts != ()


@pytest.mark.parametrize("combine", ["opposite", "rich+opposite"])
def test_a_training_goes_on_where_it_was(combine: str, tmp_path: Path) -> None:
    whole = Transducer(**SETTINGS, combine=combine).fit(TRAIN[:150])
    file = tmp_path / "checkpoint"
    Transducer(**SETTINGS | {"epochs": 1}, combine="none").fit(TRAIN[:150], checkpoint=tmp_path / "other")
    with pytest.raises(KeyboardInterrupt):
        Transducer(**SETTINGS, combine=combine).fit(TRAIN[:150], checkpoint=file, on_epoch=interrupt)
    found = Transducer(**SETTINGS, combine=combine).fit(TRAIN[:150], checkpoint=file, resume=True)
    assert found.to_bytes() == whole.to_bytes()


def interrupt(epoch: Any) -> None:
    if epoch.epoch == 2:
        raise KeyboardInterrupt


def test_what_auto_means(monkeypatch: pytest.MonkeyPatch) -> None:
    def means(words: int, **settings: Any) -> str:
        return TransductionRecipe(**settings).suited(words).combine

    assert means(100) == means(29_999) == "opposite:1"
    assert means(30_000) == "rich:1+opposite:1" and means(30_000, templates="rich") == "none"
    assert means(30_000, prefer="speed") == means(30_000, search="greedy") == "none"
    assert means(100, prefer="speed") == means(100, search="greedy") == "none"
    assert means(30_000, prefer="accuracy") == "opposite:1"
    assert means(100, combine="none") == "none" and means(30_000, combine="opposite:0.5") == "opposite:0.5"
    found = Transducer(**SETTINGS).fit(TRAIN)
    assert found.model_.task.experts and found.model_.about["settled"]["combine"] == "opposite:1"
    assert found.model_.about["recipe"].get("combine") is None  # of what is usual nothing is said
    monkeypatch.setattr(recipes, "_MANY", 100)
    assert not Transducer(**SETTINGS).fit(TRAIN).model_.task.experts


def test_many_words_are_learned_by_a_quick_one_and_two_that_it_asks(monkeypatch: pytest.MonkeyPatch) -> None:
    recipe = TransductionRecipe().suited(30_000)
    assert (recipe.templates, recipe.search) == ("fast_alike", "beam:8")
    assert (recipe.cut, recipe.min_count, recipe.min_weight) == (3, 10, 1.0)
    assert (recipe.rich_settings["templates"], recipe.rich_settings["cut"]) == ("rich_alike", 2)
    assert TransductionRecipe(combine="rich").suited(100).rich_settings["templates"] == "rich"
    assert TransductionRecipe(combine="none").suited(30_000).templates == "rich_alike"
    assert TransductionRecipe(combine="rich").suited(100).cut == 0
    monkeypatch.setattr(recipes, "_MANY", 100)
    made = Transducer(epochs=2).fit(TRAIN)
    assert [expert.name for expert in made.model_.task.experts] == ["rich", "opposite"]
    assert str(made.model_.search) == "beam:4+within=40"
    assert not Transducer(epochs=2).partial_fit(TRAIN).model_.task.experts


def test_too_few_words_for_an_expert_have_none() -> None:
    few = TRAIN[:12]
    found = Transducer(min_count=2, epochs=2).fit(few)
    assert not found.model_.task.experts
    assert found.predict(few) == Transducer(min_count=2, epochs=2, combine="none").fit(few).predict(few)


def test_what_was_chosen_is_explained(asking: Transducer) -> None:
    words = [pair.source for pair in TEST[:40]]
    alone = replace(asking.model_.task, experts=())
    first = Model(alone, asking.model_.rows, asking.model_.search)
    overruled = 0
    for word, output in zip(words, asking.predict(words)):
        found = asking.explain(word)
        assert found.output == output
        assert found.sum == pytest.approx(found.score, rel=1e-4)
        overruled += " ".join(first.predict([list(word)])[0]) != output
    assert overruled


def test_settings_are_read() -> None:
    assert parse_combination("opposite:0.5") == (Part("opposite", 0.5),)
    assert parse_combination("none") == ()
    assert parse_combination("rich+opposite:2") == (Part("rich", 1.0), Part("opposite", 2.0))
    for wrong in ("sideways", "opposite:", "opposite+opposite", "opposite+rich", 3, ""):
        with pytest.raises(SettingError, match="combine"):
            Transducer(combine=wrong).fit(TRAIN)  # type: ignore[arg-type]
