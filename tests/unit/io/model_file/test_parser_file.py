"""A parser's damaged model file gives a ModelError that says what is wrong."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from structron import ModelError, Parser
from structron.io.model_file.archive import read_archive, write_archive
from structron.synthetic import generate_treebank


def make(path: Path, **settings: Any) -> None:
    trees = generate_treebank(12, np.random.default_rng(1))
    X, y = [(list(t.words), list(t.tags)) for t in trees], [(list(t.heads), list(t.labels)) for t in trees]
    Parser(**{"epochs": 1, "search": "beam:2"} | settings).fit(X, y).save(path)


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"system": "arc-slow"}, "system 'arc-slow' is not known"),
        ({"transitions": []}, "transition"),
        ({"transitions": ["shift", "jump"]}, "transition 'jump' is not known"),
        ({"labels": []}, "there are 0 relations"),
        ({"templates": ["s9.w"]}, "s9"),
        ({"single_root": 1}, "its single_root should be of type bool"),
        ({"swaps": -1}, "swap"),
        ({"swaps": 2**40}, "swap"),
        ({"about": {"recipe": {}, "roots": 3}}, "does not say how it was made"),
        ({"about": {"recipe": {}, "shown": 3}}, "does not say how it was made"),
    ],
)
def test_a_wrong_header_is_told_in_words(change: dict[str, object], said: str, tmp_path: Path) -> None:
    path = tmp_path / "m"
    make(path)
    header, arrays = read_archive(path)
    write_archive(path, header | change, {name: np.array(array) for name, array in arrays.items()})
    with pytest.raises(ModelError, match=said) as caught:
        Parser.load(path)
    assert str(caught.value).startswith(f"{path}: ")


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"system": "arc-standard"}, "the model has no 'transitions'"),
        ({"labels": []}, "there are 0 relations"),
        ({"labels": ["one"]}, "does not fit together|column"),
        ({"templates": ["s0.w"]}, "s0"),
        ({"single_root": 1}, "its single_root should be of type bool"),
        ({"crossing": "cut"}, "crossing 'cut' is not known"),
        ({"bits": 77}, "bits = 77"),
        ({"search": "beam:8"}, "search beam:8: system graph is searched over a chart"),
    ],
)
def test_a_wrong_header_of_a_graph_is_told_in_words(
    change: dict[str, object], said: str, tmp_path: Path
) -> None:
    path = tmp_path / "m"
    make(path, system="graph", search="forest:2", templates="graph_fast_tags")
    header, arrays = read_archive(path)
    write_archive(path, header | change, {name: np.array(array) for name, array in arrays.items()})
    with pytest.raises(ModelError, match=said) as caught:
        Parser.load(path)
    assert str(caught.value).startswith(f"{path}: ")
