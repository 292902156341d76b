"""Ready features in place of templates, read as python-crfsuite documents its items."""

from __future__ import annotations

from collections import OrderedDict, defaultdict
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from structron import DataError, SettingError, Tagger

LETTERS = Path(__file__).parents[5] / "shared/data/ocr_letters/letters.npz"

Y = [["A", "B", "A"], ["B", "B", "A"]]


def learned(tokens: list[Any], **choices: Any) -> dict[tuple[int, int], float]:
    """All weights after training on these tokens as one-token sentences, labelled in turn."""
    labels = [["A"] if i % 2 else ["B"] for i in range(len(tokens))]
    tagger = Tagger(epochs=3, learner="perceptron:plain", shuffle=False, **choices)
    cells = tagger.fit([[t] for t in tokens], labels).model_.rows.cells()
    return {(int(k), int(c)): float(w) for k, c, w in zip(*cells)}


@pytest.mark.parametrize(
    ("one", "same"),
    [
        (["x", "y"], {"x": 1.0, "y": 1.0}),
        (["x", "y"], {"x": True, "y": 1}),
        (["x"], {"x": 1.0, "y": False}),
        (["x"], {"x": 1.0, "y": 0}),
        (["x"], {"x": 1.0, "y": 0.0}),
        ({"x", "y"}, ["x", "y"]),
        (frozenset("xy"), ["x", "y"]),
        ({"x": "v"}, {"x:v": 1.0}),
        ({"x": "v"}, ["x:v"]),
        ({"x": "1"}, {"x:1": 1}),
        ({"x": {"a": 2.0, "b": "v", "c": True}}, {"x:a": 2.0, "x:b:v": 1.0, "x:c": 1.0}),
        ({"x": {"y": {"z": "w"}}}, {"x:y:z:w": 1}),
        ({"x": ["a", "b"]}, {"x:a": 1, "x:b": 1}),
        ({"x": {"a", "b"}}, {"x:a": 1, "x:b": 1}),
        ({"x": ("a",)}, {"x:a": 1}),
        ({"x": {"y": ["a"]}}, {"x:y:a": 1}),
        ({"x": []}, {}),
        ({"x": {}}, []),
        ({"x": 2}, {"x": 2.0}),
        ({"x": np.float32(0.5)}, {"x": 0.5}),
        ({"x": np.int64(2)}, {"x": 2.0}),
        ({"x": np.True_, "y": np.False_}, {"x": True}),
        (OrderedDict(x=1.5), {"x": 1.5}),
        (defaultdict(float, x=1.5), {"x": 1.5}),
        ({"x": -1.5}, {"x": -1.5}),
        ({"": 1.0}, [""]),
        ({"ü\0": "中"}, ["ü\0:中"]),
    ],
)
def test_one_thing_said_in_two_ways(one: Any, same: Any) -> None:
    assert learned([one, ["other"]]) == learned([same, ["other"]])


def test_different_things_are_told_apart() -> None:
    tokens: list[Any] = [["x"], ["y"], {"x": 2.0}, {"x": "v"}, {"x": ["v", "w"]}, {"x": -1}, []]
    for i, one in enumerate(tokens):
        for other in tokens[i + 1 :]:
            assert learned([one, ["o"]]) != learned([other, ["o"]]), (one, other)


def test_a_value_weighs_its_feature() -> None:
    # One update at weight 0: gold gets the value, the guess loses it.
    one, three = learned([{"x": 1.0}, ["o"]], order=0), learned([{"x": 3.0}, ["o"]], order=0)
    assert {abs(w) for w in one.values()} == {1.0}
    assert {abs(w) for w in three.values()} == {1.0, 3.0}


@pytest.mark.parametrize("search", ["exact", "greedy", "beam:4"])
def test_what_only_values_tell_is_learned(search: str) -> None:
    rng = np.random.default_rng(0)
    points = rng.normal(size=(300, 4, 2))
    X = [[{"x": float(x), "y": float(y), "one": 1.0} for x, y in sentence] for sentence in points]
    y = [["up" if 2 * a - b > 0.3 else "down" for a, b in sentence] for sentence in points]
    tagger = Tagger(search=search, order=1, learner="perceptron", epochs=20).fit(X[:200], y[:200])
    assert tagger.score(X[200:], y[200:]) > 0.95
    # Without their values all tokens are the same.
    flat = [[dict.fromkeys(token, 1.0) for token in sentence] for sentence in X]
    assert Tagger(search=search, epochs=5).fit(flat[:200], y[:200]).score(flat[200:], y[200:]) < 0.7


def test_ready_features_with_tags_before_them(tmp_path: Path) -> None:
    X = [[["w"], ["w"], ["w"], ["w"]]] * 3
    y = [["A", "B", "A", "B"]] * 3
    tagger = Tagger(epochs=10).fit(X, y)
    assert tagger.predict(X) == y
    assert tagger.model_.task.templates == ("bias", "t[-1]", "t[-2] t[-1]")
    tagger.save(tmp_path / "m")
    again = Tagger.load(tmp_path / "m")
    assert again.predict(X) == y
    assert again.partial_fit(X, y).predict(X) == y
    alone = Tagger(epochs=5, templates=[]).fit(X, y)
    assert alone.predict(X)[0] in (["A"] * 4, ["B"] * 4)


def test_very_many_features_in_one_token() -> None:
    huge = {f"f{i}": float(i % 7) for i in range(100_000)}
    tagger = Tagger(epochs=2).fit([[huge, {"f1": 1.0}]], [["A", "B"]])
    assert tagger.predict([[huge, {"f1": 1.0}]]) == [["A", "B"]]
    circle: dict[str, Any] = {}
    circle["x"] = circle
    with pytest.raises(DataError, match="sentence 1: features are nested too deep"):
        Tagger().fit([[circle]], [["A"]])
    deep: Any = "end"
    for _ in range(200):
        deep = {"d": deep}
    assert Tagger(epochs=2).fit([[deep, ["x"]]], [["A", "B"]]).predict([[deep]]) == [["A"]]


@pytest.mark.parametrize(
    ("token", "said"),
    [
        ({"x": None}, "a feature value must be a str, a number, a bool, a list or a dict, not NoneType"),
        ({"x": float("nan")}, "not a finite number"),
        ({"x": float("inf")}, "not a finite number"),
        ({"x": 1j}, "a feature value must be"),
        ({"x": b"v"}, "a feature value must be"),
        ({"x": object()}, "a feature value must be"),
        ({3: 1.0}, "a feature name must be a str, not int"),
        ({"x": {3: 1.0}}, "a feature name must be a str, not int"),
        ({"x": [3]}, "a feature in a list must be a str, not int"),
        ({"x": [None]}, "a feature in a list must be a str"),
        ([3], "a feature name must be a str, not int"),
        ("word", "ready features must be a dict or a list of str per token, not str"),
        (3, "ready features must be a dict or a list of str"),
        (None, "ready features must be a dict or a list of str"),
        ({"\ud800": 1.0}, "half of a surrogate pair"),
        ({"x": "\ud800"}, "half of a surrogate pair"),
        ({"x": 10**400}, "a feature value must be|finite"),
    ],
)
def test_bad_features_are_reported_with_their_sentence(token: Any, said: str) -> None:
    with pytest.raises(DataError, match=f"sentence 2: .*{said}"):
        Tagger().fit([[{"a": 1.0}], [{"a": 1.0}, token]], [["A"], ["A", "B"]])
    tagger = Tagger(epochs=1).fit([[{"a": 1.0}]], [["A"]])
    with pytest.raises(DataError, match=f"sentence 2: .*{said}"):
        tagger.predict([[{"a": 1.0}], [{"a": 1.0}, token]])


def test_words_where_features_were_and_the_other_way_round() -> None:
    tagger = Tagger(epochs=1).fit([[{"a": 1.0}]], [["A"]])
    with pytest.raises(DataError, match="trained on ready features"):
        tagger.predict([["a"]])
    for go in (
        lambda: Tagger(templates=["w[0]"]).fit([[["a"]]], [["A"]]),
        lambda: Tagger(templates="pos").fit([[["a"]]], [["A"]]),
        lambda: Tagger(dictionary=1).fit([[["a"]]], [["A"]]),
    ):
        with pytest.raises(SettingError, match="ready features"):
            go()


@pytest.mark.skipif(not LETTERS.exists(), reason="the handwriting data are not there")
def test_handwriting_is_read_from_numbers() -> None:
    """Taskar's letters: train on one fold; shades of grey only, no feature that is merely there or not."""
    data = np.load(LETTERS)
    ends = np.cumsum(data["lengths"].astype(int))
    blocks = data["pixels"].reshape(-1, 8, 2, 8).astype(float).mean(axis=2)  # two rows in one

    def words(fold: int) -> tuple[list[list[dict[str, float]]], list[list[str]]]:
        X, y = [], []
        for end, length in zip(ends[data["folds"] == fold], data["lengths"][data["folds"] == fold]):
            letters = range(end - int(length), end)
            X.append([{f"p{k}": v for k, v in enumerate(blocks[i].ravel().tolist())} for i in letters])
            y.append([chr(97 + data["labels"][i]) for i in letters])
        return X, y

    train, test = words(0), words(1)
    assert Tagger(order=1, search="exact", epochs=10).fit(*train).score(*test) > 0.75
    assert Tagger(epochs=10).fit(*train).score(*test) > 0.82
