"""A damaged model file gives a ModelError that says what is wrong; `tests/fuzz` tries many more."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from structron import ModelError, Tagger
from structron.io.model_file.archive import read_archive, write_archive
from structron.model import Model
from tests.unit.estimators.corpora import spans, treebank

KINDS = ("words", "spans", "ready", "dictionary", "hidden")

Header = dict[str, Any]


def make(kind: str, path: Path) -> None:
    X, Y = treebank(12)
    if kind == "spans":
        Tagger(epochs=1).fit(*spans(12)).save(path)
    elif kind == "ready":
        Tagger(epochs=1).fit([[{"w": w, "n": len(w) / 9} for w in s] for s in X], Y).save(path)
    elif kind == "hidden":
        Tagger(epochs=1, dictionary=2, hidden=2).fit(X, Y).save(path)
    else:
        Tagger(epochs=1, dictionary=2 * (kind == "dictionary")).fit(X, Y).save(path)


@pytest.mark.parametrize("kind", KINDS)
def test_flipped_bits_and_cut_files_are_refused(kind: str, tmp_path: Path) -> None:
    path = tmp_path / "m"
    make(kind, path)
    whole = path.read_bytes()
    rng = random.Random(0)
    for _ in range(60):
        at = rng.randrange(len(whole))
        path.write_bytes(whole[:at] + bytes([whole[at] ^ 1 << rng.randrange(8)]) + whole[at + 1 :])
        with pytest.raises(ModelError):
            Tagger.load(path)
        path.write_bytes(whole[:at])
        with pytest.raises(ModelError):
            Tagger.load(path)


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"kind": "knitting"}, "a model of kind 'knitting', which this version"),
        ({"labels": []}, "there are no labels"),
        ({"labels": "abc"}, "its labels should be of type list"),
        ({"labels": ["a", 3]}, "its labels should be texts"),
        ({"labels": ["a", "a"]}, "a label is given twice"),
        ({"labels": ["a"]}, "a column that is not there"),
        ({"templates": ["foo[0]"]}, "there is no 'foo'"),
        ({"templates": {"w[0]": 1}}, "its templates should be of type list"),
        ({"templates": ["col(200000)[0]"]}, "too far"),
        ({"ready": 1}, "its ready should be of type bool"),
        ({"scheme": "bilou"}, "scheme 'bilou' is not known"),
        ({"scheme": 3}, "its scheme should be of type str"),
        ({"search": None}, "its search should be of type str"),
        ({"search": "beam"}, "search 'beam' is not known"),
        ({"about": []}, "its about should be of type dict"),
        ({"about": {}}, "does not say how it was made"),
        ({"about": {"recipe": 3}}, "does not say how it was made"),
        ({"about": {"recipe": {}, "target": [1]}}, "does not say how it was made"),
        ({"about": {"recipe": {}, "epochs": [{"epoch": 1}]}}, "made: its epochs is not as"),
        ({"about": {"recipe": {}, "chosen": [1]}}, "made: its chosen is not as"),
        (
            {"about": {"recipe": {}, "format": {"name": "*slash", "separator": " ", "columns": ["form"]}}},
            "its format is not valid: unknown format",
        ),
        ({"about": {"recipe": {}, "format": {"name": 1}}}, "made: its format is not as"),
        ({"about": {"recipe": {"\ud800": 1}}}, "half of a surrogate pair"),
        ({"search": "beam:999999999"}, "beam width 999999999 is too large; use at most 100000, or Exact"),
        ({"kind": ["x"] * 2000}, "a model of kind .* … .*use the program that made it"),
    ],
)
def test_a_wrong_header_is_told_in_words(change: Header, said: str, tmp_path: Path) -> None:
    path = tmp_path / "m"
    make("words", path)
    header, arrays = read_archive(path)
    write_archive(path, header | change, {name: np.array(array) for name, array in arrays.items()})
    with pytest.raises(ModelError, match=said) as caught:
        Tagger.load(path)
    assert str(caught.value).startswith(f"{path}: ")


@pytest.mark.parametrize("name", ["kind", "labels", "templates", "ready", "scheme", "search", "about"])
def test_a_missing_part_of_the_header_is_named(name: str, tmp_path: Path) -> None:
    path = tmp_path / "m"
    make("words", path)
    header, arrays = read_archive(path)
    del header[name]
    write_archive(path, header, {name: np.array(array) for name, array in arrays.items()})
    with pytest.raises(ModelError, match=name):
        Tagger.load(path)


@pytest.mark.parametrize("weight", [float("nan"), float("inf"), -float("inf"), 3e38])
def test_weights_that_no_training_makes_are_refused(weight: float, tmp_path: Path) -> None:
    path = tmp_path / "m"
    make("words", path)
    header, arrays = read_archive(path)
    arrays = {name: np.array(array) for name, array in arrays.items()}
    arrays["weights"][7] = weight
    write_archive(path, header, arrays)
    with pytest.raises(ModelError, match="a weight is out of range"):
        Model.load(path)


def test_settings_of_another_version_do_not_keep_a_model_from_predicting(tmp_path: Path) -> None:
    path = tmp_path / "m"
    make("words", path)
    header, arrays = read_archive(path)
    header["about"]["recipe"]["learner"] = "of the future"
    write_archive(path, header, {name: np.array(array) for name, array in arrays.items()})
    X, _ = treebank(3)
    assert [len(tags) for tags in Tagger.load(path).predict(X)] == list(map(len, X))
