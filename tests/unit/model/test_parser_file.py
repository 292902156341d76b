"""A parser's damaged model file gives a ModelError, never a crash, also where its digest is right."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from structron import DataError, Greedy, ModelError, Parser
from structron.data.archive import read_archive, write_archive
from structron.data.synthetic import generate_treebank
from structron.data.trees import find_fault
from structron.model import Model
from structron.search import Beam
from tests.unit.model.test_model_file import CASES, attempts

SYSTEMS = ("arc-standard", "arc-eager", "swap")


def make(system: str, path: Path) -> None:
    trees = generate_treebank(12, np.random.default_rng(1))
    X, y = [(list(t.words), list(t.tags)) for t in trees], [(list(t.heads), list(t.labels)) for t in trees]
    Parser(system=system, epochs=1, search="beam:2").fit(X, y).save(path)


def try_all(system: str, folder: Path) -> None:
    path = folder / "parser.safetensors"
    make(system, path)
    os.fsync = lambda descriptor: None  # many files that nobody will miss
    refused = used = 0
    for _ in attempts(path, seed=SYSTEMS.index(system)):
        try:
            model = Model.load(path)
        except ModelError as error:
            refused += 1
            assert str(error).startswith(f"{path}: ") and "\n" not in str(error), error
            continue
        used += 1
        if model.task.kind != "parsing":
            continue
        trees = generate_treebank(3, np.random.default_rng(7))
        X = [[(word,) * model.task.columns for word in tree.words] for tree in trees]
        for search in (Greedy(), Beam(3), Beam(2, merge=True)):
            for heads, labels in model.predict(X, search):
                assert (
                    len(heads) == len(labels) and find_fault(heads, one_root=model.task.single_root) is None
                )
        try:
            model.kbest(X[:1], 2)
        except DataError as error:
            assert "exact search would never end" in str(error)
    assert refused > CASES / 3, (refused, used)
    assert used > CASES / 50, (refused, used)


@pytest.mark.parametrize("system", SYSTEMS)
def test_damage_behind_a_right_digest_never_crashes(system: str, tmp_path: Path) -> None:
    code = "import sys; from pathlib import Path; from tests.unit.model.test_parser_file import try_all; "
    code += "try_all(sys.argv[1], Path(sys.argv[2]))"
    done = subprocess.run(
        [sys.executable, "-X", "faulthandler", "-c", code, system, str(tmp_path)],
        cwd=Path(__file__).parents[3],
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert done.returncode == 0, done.stderr[-2000:]


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
    make("arc-standard", path)
    header, arrays = read_archive(path)
    write_archive(path, header | change, {name: np.array(array) for name, array in arrays.items()})
    with pytest.raises(ModelError, match=said) as caught:
        Parser.load(path)
    assert str(caught.value).startswith(f"{path}: ")
