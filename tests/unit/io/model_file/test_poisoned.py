"""Model files of every kind in which one number or one entry of the header is not what it should be."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import structron
from structron import Classifier, Lemmatizer, ModelError, Parser, Pipeline, Transducer, Translator
from structron.io.model_file.archive import read_archive_bytes, write_archive
from structron.synthetic import generate_treebank
from tests.pipelines import treebank
from tests.unit.estimators.test_alike import WORLD, fitted

TREES = generate_treebank(30, np.random.default_rng(1))
SENTENCES = [(list(t.words), list(t.tags)) for t in TREES], [(list(t.heads), list(t.labels)) for t in TREES]
X, Y = WORLD["translation"].X * 3, WORLD["translation"].y * 3
TEXTS = WORLD["classification"].X
# Hard enough that a transducer makes mistakes, and has weights.
PAIRS = ["ab", "ba", "aab", "bba", "abab", "bb"] * 2, ["x y z", "y x", "x z y", "y y x x", "z y x", "q"] * 2
LEMMAS = [[("dogs", "NOUN", "_"), ("ran", "VERB", "_")]] * 3, [["dog", "run"]] * 3

# Beside one model of every task: those whose files have arrays of their own.
MORE: dict[str, Callable[[], Any]] = {
    "hiero": lambda: Translator(system="hiero").fit(X, Y),
    "experts of a parser": lambda: Parser(combine="graph+backward", epochs=1).fit(*SENTENCES),
    "pruner": lambda: Parser(system="graph", search="forest:2", epochs=1).fit(*SENTENCES),
    "transduction": lambda: Transducer(epochs=2).fit(*PAIRS),
    "experts of a transducer": lambda: Transducer(combine="opposite", epochs=2).fit(*PAIRS),
    "voted": lambda: Classifier(voted=True, epochs=2).fit(TEXTS, WORLD["classification"].y),
    "whole numbers": lambda: Classifier(weighting="log+idf", epochs=2).fit(TEXTS, [1, 1, 2] * 2),
    "floats": lambda: Classifier(epochs=2).fit(np.eye(3), np.array([1.0, 2.0, 3.0])),
    "truth values": lambda: Classifier(epochs=2).fit(TEXTS, [True, True, False] * 2),
    "many": lambda: Classifier(multilabel=True, epochs=2).fit(np.eye(3), np.eye(3, dtype=int)),
    "lemmatisation": lambda: Lemmatizer(epochs=1).fit(*LEMMAS),
    "pipeline": lambda: Pipeline(prefer="speed", folds=2, stages=("upos", "parser")).fit(treebank(20)),
}
ALL = pytest.mark.parametrize("kind", [*(WORLD | MORE)])


@cache
def stored(kind: str) -> tuple[dict[str, Any], dict[str, Any]]:
    """Header and arrays of a model's file."""
    estimator: Any = MORE[kind]() if kind in MORE else fitted(kind)
    return read_archive_bytes(estimator.model_.to_bytes())


def refused(path: Path, header: dict[str, Any], arrays: dict[str, Any]) -> str:
    """What is said of such a file."""
    write_archive(path, header, arrays)
    with pytest.raises(ModelError) as caught:
        structron.load(path)
    said = str(caught.value)
    assert said.startswith(f"{path}: ") and "; " in said and "\n" not in said
    return said


@ALL
def test_the_file_itself_can_be_loaded(kind: str, tmp_path: Path) -> None:
    write_archive(tmp_path / "m", *stored(kind))
    structron.load(tmp_path / "m")


@ALL
def test_floats_that_are_no_numbers_are_refused_in_every_array(kind: str, tmp_path: Path) -> None:
    header, arrays = stored(kind)
    floats = [name for name, values in arrays.items() if values.dtype.kind == "f" and values.size]
    assert floats or kind == "voted"
    for name in floats:
        for value in (np.nan, np.inf, -np.inf):
            poisoned = arrays[name].copy()
            poisoned[-1] = value
            refused(tmp_path / "m", header, arrays | {name: poisoned})


@ALL
def test_dense_weights_in_more_bytes_or_dimensions_are_refused_too(kind: str, tmp_path: Path) -> None:
    header, arrays = stored(kind)
    for values in (np.array([np.nan]), np.array([[1.0, np.inf]], np.float32)):
        refused(tmp_path / "m", header, arrays | {"more": values})


def entries(header: dict[str, Any], path: tuple[str, ...] = ()) -> list[tuple[str, ...]]:
    """The places of a header's entries, those of how it was made and of its recipe included."""
    found: list[tuple[str, ...]] = []
    for name, value in header.items():
        found.append((*path, name))
        if isinstance(value, dict) and name in ("about", "recipe"):
            found += entries(value, (*path, name))
    return found


def changed(header: dict[str, Any], path: tuple[str, ...], value: object) -> dict[str, Any]:
    first, *rest = path
    return header | {first: changed(header[first], tuple(rest), value) if rest else value}


@ALL
@pytest.mark.parametrize("value", [None, True, {}], ids=["null", "true", "object"])
def test_entries_of_another_type_are_refused_or_do_no_harm(kind: str, value: object, tmp_path: Path) -> None:
    header, arrays = stored(kind)
    for path in entries(header):
        write_archive(tmp_path / "m", changed(header, path, value), arrays)
        try:
            structron.load(tmp_path / "m")
        except ModelError as error:
            assert str(error).startswith(f"{tmp_path / 'm'}: "), path


@pytest.mark.parametrize(
    ("kind", "path"),
    [
        ("transduction", ("unreachable",)),
        ("translation", ("unreachable",)),
        ("hiero", ("unreachable",)),
        ("transduction", ("about", "unreachable")),
        ("semantics", ("about", "unreachable")),
        ("semantics", ("about", "unanswered")),
        ("translation", ("about", "empty")),
    ],
)
def test_counts_and_choices_that_are_null_are_refused(
    kind: str, path: tuple[str, ...], tmp_path: Path
) -> None:
    header, arrays = stored(kind)
    refused(tmp_path / "m", changed(header, path, None), arrays)


@pytest.mark.parametrize(
    ("kind", "other"),
    [
        ("classification", "int"),
        ("classification", "bool"),
        ("classification", "float"),
        ("whole numbers", "bool"),
        ("whole numbers", "float"),
        ("floats", "int"),
        ("floats", "bool"),
        ("truth values", "int"),
        ("many", "text"),
        ("many", "bool"),
    ],
)
def test_labels_of_another_kind_than_the_file_names_are_refused(
    kind: str, other: str, tmp_path: Path
) -> None:
    header, arrays = stored(kind)
    said = refused(tmp_path / "m", changed(header, ("about", "label_kind"), other), arrays)
    assert "the labels are not of the kind that the model names" in said


@pytest.mark.parametrize(
    ("kind", "name", "value"),
    [
        ("classification", "inputs", "x"),
        ("classification", "width", 3),
        ("floats", "width", None),
        ("floats", "width", True),
        ("classification", "indicator", True),
        ("classification", "indicator", 1),
    ],
)
def test_inputs_of_another_kind_are_refused(kind: str, name: str, value: object, tmp_path: Path) -> None:
    header, arrays = stored(kind)
    refused(tmp_path / "m", changed(header, ("about", name), value), arrays)
