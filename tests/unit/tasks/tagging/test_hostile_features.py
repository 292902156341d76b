"""Ready features that no honest program makes, tried in processes of their own in case one crashes."""

from __future__ import annotations

import subprocess
import sys

import pytest

HEAD = """
from structron import DataError, Tagger
X, y = [[{"a": 1.0}, {"b": 1.0}], [{"b": 1.0}, {"a": 1.0}]], [["N", "V"], ["V", "N"]]
circle = {}
circle["x"] = circle
deep = "end"
for _ in range(30_000):
    deep = {"": deep}
def refused(go):
    try:
        go()
    except DataError as error:
        assert "sentence 1: " in str(error) and "\\n" not in str(error), error
    else:
        raise SystemExit("not refused")
"""


def run(code: str) -> None:
    done = subprocess.run([sys.executable, "-c", HEAD + code], capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, (done.returncode, done.stderr[-500:])


@pytest.mark.parametrize("search", ["exact", "greedy", "beam:4", "beam:2+merge"])
@pytest.mark.parametrize("value", ["1e20", "1e39", "-1e300"])
def test_values_whose_squares_no_float_can_hold_are_refused(search: str, value: str) -> None:
    run(
        f"refused(lambda: Tagger(epochs=5, search={search!r}).fit([[{{'a': {value}}}, {{'b': 1.0}}]], y[:1]))"
    )
    run(
        f"t = Tagger(epochs=5, search={search!r}).fit(X, y)\nrefused(lambda: t.predict([[{{'a': {value}}}]]))"
    )


@pytest.mark.parametrize("search", ["exact", "greedy", "beam:4", "beam:2+merge"])
def test_great_values_below_that_do_not_crash(search: str) -> None:
    run(
        f"""
from itertools import product
for value, update in product((1e10, -1e15), ("standard", "early", "max_violation", "laso")):
    great = [[{{"a": value}}, {{"b": 1.0}}], [{{"b": 1.0}}, {{"a": value, "c": -value}}]]
    tagger = Tagger(epochs=5, search={search!r}, update=update).fit(great, y)
    for each in (great, [[{{"a": -value, "b": -value, "c": -value}}] * 3]):
        assert [len(tags) for tags in tagger.predict(each)] == list(map(len, each))
        tagger.predict_kbest(each, 3)
"""
    )


@pytest.mark.parametrize("name", ["circle", "deep"])
def test_features_nested_without_end_are_refused_in_training(name: str) -> None:
    run(f"refused(lambda: Tagger().fit([[{name}]], [['N']]))")


@pytest.mark.parametrize("name", ["circle", "deep"])
def test_features_nested_without_end_are_refused_in_prediction(name: str) -> None:
    run(f"t = Tagger(epochs=1).fit(X, y)\nrefused(lambda: t.predict([[{name}]]))")


def test_rare_ready_features_are_cut() -> None:
    run("assert len(Tagger(epochs=3, cut=5, templates=[]).fit(X, y).model_.rows.keys) == 0")
