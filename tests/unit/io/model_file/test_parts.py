"""A model inside a model: one file, read back whole, and checked as strictly as the outer one."""

from pathlib import Path

import numpy as np
import pytest

from structron import ModelError, Tagger
from structron.io.model_file.archive import read_archive, write_archive
from structron.model import Model
from tests.unit.estimators.corpora import spans, treebank


@pytest.fixture
def pair(tmp_path: Path) -> tuple[Model, Path]:
    outer, inner = Tagger(epochs=1).fit(*treebank(12)).model_, Tagger(epochs=1).fit(*spans(12)).model_
    outer.parts["tagger.upos"] = inner
    path = tmp_path / "both.model"
    outer.save(path)
    return outer, path


def test_both_come_back_as_they_were(pair: tuple[Model, Path], tmp_path: Path) -> None:
    outer, path = pair
    loaded = Model.load(path)
    X, _ = treebank(4)
    assert list(loaded.parts) == ["tagger.upos"]
    assert loaded.predict(X) == outer.predict(X)
    part, tokens = loaded.parts["tagger.upos"], spans(4)[0]
    assert part.predict(tokens) == outer.parts["tagger.upos"].predict(tokens)
    assert part.about == outer.parts["tagger.upos"].about
    loaded.save(tmp_path / "again.model")
    assert (tmp_path / "again.model").read_bytes() == path.read_bytes()


def test_a_model_without_parts_says_nothing_of_them(tmp_path: Path) -> None:
    Tagger(epochs=1).fit(*treebank(3)).save(tmp_path / "one.model")
    header, arrays = read_archive(tmp_path / "one.model")
    assert "parts" not in header and not any("/" in name for name in arrays)


@pytest.mark.parametrize("damage", ["kind", "array", "weights", "nested", "type", "list"])
def test_a_damaged_part_is_refused(pair: tuple[Model, Path], damage: str) -> None:
    _, path = pair
    header, arrays = read_archive(path)
    arrays = dict(arrays)
    part = header["parts"]["tagger.upos"]
    if damage == "kind":
        part["kind"] = "weather"
    elif damage == "array":
        del arrays["tagger.upos/keys"]
    elif damage == "weights":
        arrays["tagger.upos/weights"] = np.full_like(arrays["tagger.upos/weights"], np.inf)
    elif damage == "nested":
        part["parts"] = {}
    elif damage == "type":
        header["parts"]["tagger.upos"] = 7
    else:
        header["parts"] = []
    write_archive(path, header, arrays)
    with pytest.raises(ModelError, match=r"both\.model: the model cannot be used .*; train it again"):
        Model.load(path)
