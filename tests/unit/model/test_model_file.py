"""A damaged model file gives a ModelError, never a crash, also where its digest is right.

The digest catches accidents. Here it is made anew after every damage, so that what stands behind it is tried:
the checks of headers, arrays and templates, and the engine's own. All of it runs in a process of its own.
"""

from __future__ import annotations

import hashlib
import os
import random
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from structron import Exact, Greedy, ModelError, Tagger
from structron.data.archive import read_archive, write_archive
from structron.model import Model
from structron.search import Beam
from tests.unit.estimators.corpora import spans, treebank

KINDS = ("words", "spans", "ready", "dictionary", "hidden")
CASES = 700  # for each kind

Header = dict[str, Any]
Arrays = dict[str, np.ndarray[Any, Any]]


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


def some_sentences(model: Model) -> list[Any]:
    X, _ = treebank(4)
    if model.task.ready:
        return [[{"w": w, "n": len(w) / 9} for w in s] for s in X]
    return [[("x",) * model.task.columns, *((w,) * model.task.columns for w in s)] for s in X]


ODD: list[Any] = [None, True, -1, 0, 3, 2**70, 1.5, "", "x", "w[0]", [], [None], ["x", "x"], {}, {"x": 1}]


def damaged_headers(header: Header, rng: random.Random) -> Header:
    header = header | {"labels": list(header["labels"]), "templates": list(header["templates"])}
    name = rng.choice(list(header))
    match rng.randrange(5):
        case 0:
            del header[name]
        case 1:
            header[name] = rng.choice(ODD)
        case 2:
            values = header[rng.choice(["labels", "templates"])]
            values[rng.randrange(len(values))] = rng.choice(
                [*ODD, "\ud800", "col(99)[0]", "t[-2]", "B-X", "E-X"]
            )
        case 3:
            values = header[rng.choice(["labels", "templates"])]
            values[rng.randrange(len(values)) :] = []
        case 4:
            header["scheme"] = rng.choice(["bio", "iob1", "bioes", "BIO", None])
            header["search"] = rng.choice(["exact", "beam:0", "beam:3+merge", "beam:99999999999"])
    return header


def damaged_arrays(arrays: Arrays, rng: random.Random) -> Arrays:
    arrays = {name: np.array(array) for name, array in arrays.items()}
    name = rng.choice(list(arrays))
    array = arrays[name]
    match rng.randrange(6):
        case 0:
            del arrays[name]
        case 1:
            arrays[name] = array[: rng.randrange(len(array))]
        case 2:
            arrays[name] = np.concatenate([array, array[: rng.randrange(1, 4)]])
        case 3:
            arrays[name] = array.astype(rng.choice(["u1", "<u2", "<u4", "<u8", "<f4", "<f8", "<i4"]))
        case 4:
            arrays[name] = array.reshape(1, -1) if rng.random() < 0.5 else array[::-1].copy()
        case 5:
            floats = array.dtype.kind == "f"
            odd = [np.nan, np.inf, 3e38, -3e38] if floats else [0, 1, 254, np.iinfo(array.dtype).max]
            array[rng.randrange(len(array))] = rng.choice(odd)
    return arrays


def damaged_bytes(whole: bytes, rng: random.Random) -> bytes:
    """Flip some bytes anywhere, then make the digest right again."""
    data = bytearray(whole)
    for _ in range(rng.choice([1, 1, 2, 8])):
        data[rng.randrange(len(data))] ^= 1 << rng.randrange(8)
    at = whole.index(b'"sha256":"') + len(b'"sha256":"')
    data[at : at + 64] = b"0" * 64
    data[at : at + 64] = hashlib.sha256(data).hexdigest().encode()
    return bytes(data)


def attempts(path: Path, seed: int) -> Iterator[None]:
    """Damage the file again and again, each time otherwise."""
    rng = random.Random(seed)
    whole = path.read_bytes()
    header, arrays = read_archive(path)
    arrays = {name: np.array(array) for name, array in arrays.items()}
    for _ in range(CASES):
        match rng.randrange(3):
            case 0:
                write_archive(path, damaged_headers(header, rng), arrays)
            case 1:
                write_archive(path, header, damaged_arrays(arrays, rng))
            case 2:
                path.write_bytes(damaged_bytes(whole, rng))
        yield


def try_all(kind: str, folder: Path) -> None:
    path = folder / f"{kind}.safetensors"
    make(kind, path)
    os.fsync = lambda descriptor: None  # thousands of files that nobody will miss
    refused = used = 0
    for _ in attempts(path, seed=KINDS.index(kind)):
        try:
            model = Tagger.load(path).model_
        except ModelError as error:
            refused += 1
            assert str(error).startswith(f"{path}: "), error
            assert "\n" not in str(error), error
            continue
        # It fits together, so it must work, whatever it says.
        used += 1
        X = some_sentences(model)
        for search in (Exact(), Greedy(), Beam(3), Beam(2, merge=True)):
            assert [len(tags) for tags in model.predict(X, search)] == list(map(len, X))
        model.kbest(X[:1], 2, Beam(3))
    assert refused > CASES / 3, (refused, used)
    assert used > CASES / 50, (refused, used)


@pytest.mark.parametrize("kind", KINDS)
def test_damage_behind_a_right_digest_never_crashes(kind: str, tmp_path: Path) -> None:
    code = "import sys; from pathlib import Path; from tests.unit.model.test_model_file import try_all; "
    code += "try_all(sys.argv[1], Path(sys.argv[2]))"
    root = Path(__file__).parents[3]
    done = subprocess.run(
        [sys.executable, "-X", "faulthandler", "-c", code, kind, str(tmp_path)],
        cwd=root,
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert done.returncode == 0, done.stderr[-2000:]


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
        ({"labels": ["a", "a"]}, "a label is there twice"),
        ({"labels": ["a"]}, "an action that is not there"),
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
