"""Labels that come after training: learned where they are asked for, refused elsewhere, and taken back."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from structron import Classifier, Parser, Tagger, Transducer, load
from structron.engine.changes import applied, only_labels
from structron.errors import DataError, ModelError, SettingError
from structron.model import Model
from structron.synthetic import generate_treebank

TREES = generate_treebank(60, np.random.default_rng(3))
WORDS, TAGS = [list(t.words) for t in TREES], [list(t.tags) for t in TREES]
TAGGED = [list(zip(t.words, t.tags)) for t in TREES]
PARSED = [(list(t.heads), list(t.labels)) for t in TREES]


@pytest.fixture
def tagger() -> Tagger:
    return Tagger(epochs=3).fit(WORDS, TAGS)


def strange(own: Tagger) -> tuple[list[list[str]], list[list[str]]]:
    """Return a sentence whose first word has a label that the model does not know."""
    x = ["zebras", *WORDS[0][1:]]
    return [x], [["ZZ", *own.predict([x])[0][1:]]]


def test_a_tagger_is_corrected_with_a_new_label_and_back(tagger: Tagger, tmp_path: Any) -> None:
    before, labels = tagger.to_bytes(), tagger.labels_
    right = [own == tags for own, tags in zip(tagger.predict(WORDS), TAGS)]
    xs, ys = strange(tagger)
    found = tagger.correct(xs, ys, keep=(WORDS, TAGS), new_labels=True)
    assert (found.hold, found.broken, found.new_labels) == (1, 0, ("ZZ",))
    assert tagger.predict(xs) == ys and tagger.labels_ == [*labels, "ZZ"]
    assert all(own == tags for own, tags, was in zip(tagger.predict(WORDS), TAGS, right) if was)
    tagger.save(tmp_path / "m")
    again = load(tmp_path / "m")
    assert again.predict([*WORDS, *xs]) == tagger.predict([*WORDS, *xs])
    assert again.to_bytes() == tagger.to_bytes()
    # What comes later may have a new label as well, and each is taken back in its turn.
    again.correct([["yaks"]], [["YY"]], new_labels=True)
    assert again.predict([["yaks"]]) == [["YY"]] and again.labels_[-2:] == ["ZZ", "YY"]
    again.undo()
    assert again.to_bytes() == tagger.to_bytes()
    again.undo()
    assert again.to_bytes() == before and again.labels_ == labels


def test_nothing_is_new_without_being_asked_for(tagger: Tagger) -> None:
    before = tagger.to_bytes()
    xs, ys = strange(tagger)
    for learn in (tagger.correct, tagger.partial_fit):
        with pytest.raises(
            DataError, match="'ZZ' was not there before; ask for new_labels \\(--new-labels\\)"
        ):
            learn(xs, ys)
    assert tagger.to_bytes() == before
    found = tagger.correct(xs, ys, new_labels=True, dry_run=True)
    assert found.new_labels == ("ZZ",) and tagger.to_bytes() == before
    # With labels that are all known, asking changes nothing.
    ys = [[TAGS[0][0], *ys[0][1:]]]
    plain, asked = Tagger.from_bytes(before), Tagger.from_bytes(before)
    plain.correct(xs, ys)
    assert asked.correct(xs, ys, new_labels=True).new_labels == ()
    assert asked.to_bytes() == plain.to_bytes()


def test_one_more_batch_has_a_new_label(tagger: Tagger) -> None:
    xs, ys = strange(tagger)
    loaded = Tagger.from_bytes(tagger.to_bytes())
    for own in (tagger, loaded):
        known = own.predict(WORDS)
        own.partial_fit(WORDS[:1], TAGS[:1], new_labels=True)
        assert "ZZ" not in own.labels_
        for _ in range(12):
            own.partial_fit([*xs, *WORDS], [*ys, *TAGS], new_labels=True)
        assert own.labels_[-1] == "ZZ" and own.predict(xs) == ys
        changed = sum(a != b for a, b in zip(own.predict(WORDS), known))
        assert changed <= 2  # what was learned is still there


def test_spans_of_a_new_type_are_whole() -> None:
    towns = [["New", "York", "is", "big"], ["in", "old", "Paris", "now"]]
    own = Tagger(epochs=4).fit(towns, [["B-LOC", "I-LOC", "O", "O"], ["O", "O", "B-LOC", "O"]])
    found = own.correct([["Bob", "ran"]], [["B-PER", "O"]], new_labels=True)
    assert found.new_labels == ("B-PER", "I-PER") and own.predict([["Bob", "ran"]]) == [["B-PER", "O"]]
    assert own.predict([["Bob", "ran"]], given=[["B-PER", "I-PER"]]) == [["B-PER", "I-PER"]]


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"system": "arc-eager"},
        {"system": "arc-hybrid"},
        {"system": "swap"},
        {"system": "graph"},
        {"system": "graph", "search": "mst"},
        {"combine": "graph+backward"},
    ],
    ids=str,
)
def test_parsers_learn_a_new_relation(options: dict[str, Any]) -> None:
    own = Parser(epochs=2, **options).fit(TAGGED, PARSED)
    before = own.to_bytes()
    heads, labels = PARSED[0]
    at = next(i for i, head in enumerate(heads) if head)
    y = [(heads, [*labels[:at], "vocative", *labels[at + 1 :]])]
    with pytest.warns(match="vocative"):
        assert not own.correct(TAGGED[:1], y).hold
    found = own.correct(TAGGED[:1], y, keep=(TAGGED[1:], PARSED[1:]), new_labels=True)
    assert (found.hold, found.broken, found.new_labels) == (1, 0, ("vocative",))
    assert own.predict(TAGGED[:1])[0].labels == y[0][1] and "vocative" in own.labels_
    again = Parser.from_bytes(own.to_bytes())
    assert again.predict(TAGGED) == own.predict(TAGGED) and again.to_bytes() == own.to_bytes()
    own.undo()
    assert own.to_bytes() == before
    if "combine" not in options:
        own.partial_fit(TAGGED[:1], y, new_labels=True)
        assert "vocative" in own.labels_


def test_a_relation_may_be_new_in_one_direction_only() -> None:
    words = [[("dogs", "N"), ("bark", "V")], [("see", "V"), ("dogs", "N")]]
    own = Parser(epochs=2).fit(words, [([2, 0], ["nsubj", "root"]), ([0, 1], ["root", "obj"])])
    y = [([0, 1], ["root", "nsubj"])]
    assert not own.correct(words[1:], y).hold
    found = own.correct(words[1:], y, new_labels=True)
    assert found.new_labels == ("nsubj",) and own.predict(words[1:])[0].labels == y[0][1]
    assert own.labels_ == ["nsubj", "obj", "root"]


def test_classifiers_learn_a_third_label_only_with_a_row_for_it() -> None:
    texts = ["good film", "bad film", "so so film", "odd film"]
    own = Classifier(epochs=5).fit(texts[:3], ["pos", "neg", "mid"])
    found = own.correct(["bad odd film"], ["weird"], new_labels=True)
    assert found.hold and own.predict(["bad odd film"]) == ["weird"]
    assert own.partial_fit(["a film"], ["dull"], new_labels=True).labels_[-1] == "dull"
    two = Classifier(epochs=5).fit(texts[:2], ["pos", "neg"])
    with pytest.raises(SettingError, match="two labels has one weight for both"):
        two.partial_fit(texts, ["pos", "neg", "mid", "weird"], new_labels=True)


def test_tasks_without_labels_refuse_and_so_do_damaged_files(tagger: Tagger) -> None:
    own = Transducer(epochs=3).fit(["phone", "tone"], ["F OW N", "T OW N"])
    with pytest.raises(SettingError, match="new labels are not for transduction"):
        own.correct(["pone"], ["F OW N"], new_labels=True)
    xs, ys = strange(tagger)
    tagger.correct(xs, ys, new_labels=True)
    header, arrays = tagger.model_.stored()
    about = header["changes"][0]
    for labels, said in (
        (["NN"], "twice"),
        (3, "should be texts"),
        ([3], "should be texts"),
        ([], "cannot be used|does not fit|not there"),
    ):
        with pytest.raises((ModelError, SettingError, ValueError), match=said):
            Model.restored(header | {"changes": [about | {"labels": labels}]}, arrays)
    task = own.model_.task
    with pytest.raises(SettingError, match="train it again"):
        applied(task, own.model_.rows, [only_labels(["x"])])
