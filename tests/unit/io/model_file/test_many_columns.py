"""More columns than sixteen bits can number, from training to a file and back; files of older versions."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from structron import ModelError, SettingError, _core
from structron.engine.rows import Rows
from structron.fit import Learning
from structron.io.model_file.archive import read_archive, write_archive
from structron.model import Model
from structron.tasks.transduction import TransductionTask
from structron.tasks.transduction.settings import TransductionRecipe

PAIRS = 66_000


def trained(pairs: int) -> tuple[Model, list[list[str]]]:
    """The symbol numbered i becomes symbol i modulo 7; those that are learned stand at both ends of a row."""
    listed = [
        ([f"{i:06d}"], [f"t{i % 7 + j}"]) for i in range(pairs) for j in ((0, 1) if i % 100 == 0 else (0,))
    ]
    task = TransductionTask.of(listed, ("s[0]", "s[0] a[-1]", "s[0] t[-1]"))
    X = [[f"{i:06d}" for i in (0, pairs - 1, k, pairs - k)] for k in range(100, pairs, pairs // 10)]
    Y: Any = [[[f"t{(int(symbol) % 7) + (int(symbol) % 200 == 0)}" for symbol in x]] for x in X]
    learning = Learning.start(task, TransductionRecipe(search="beam:4"))
    trainer = learning.learner(learning.pack(X, Y))
    for _ in range(3):
        trainer.run(np.arange(len(X), dtype=np.uint32))
    return learning.model(), X


def test_a_transducer_has_more_than_65536_columns(tmp_path: Path) -> None:
    model, X = trained(PAIRS)
    assert model.task.weight_columns > 2**16
    assert model.rows.columns.max() > 2**16 and model.rows.columns.min() < 2**8
    guesses = model.predict(X)
    model.save(tmp_path / "m")
    header, arrays = read_archive(tmp_path / "m")
    assert arrays["actions"].dtype == np.uint32 and arrays["lengths"].dtype == np.uint8
    assert "pairs" not in header
    loaded = Model.load(tmp_path / "m")
    assert loaded.task == model.task and loaded.predict(X) == guesses
    for ours, theirs in zip(loaded.rows, model.rows, strict=True):
        np.testing.assert_array_equal(ours, theirs)
        assert ours.dtype == theirs.dtype
    again = Learning.from_model(loaded, TransductionRecipe(search="beam:4"))
    for ours, theirs in zip(Rows(*again.weights.pack(False)), model.rows, strict=True):
        np.testing.assert_array_equal(ours, theirs)


def test_target_symbols_have_numbers_of_sixteen_bits() -> None:
    task = TransductionTask.of([(["a"], [str(i)]) for i in range(65_520)], ("s[0]",))
    assert task.inventory.columns == task.weight_columns == 2 * 65_520 + 4
    with pytest.raises(SettingError, match="65521 target symbols are too many; at most 65520 are possible"):
        TransductionTask.of([(["a"], [str(i)]) for i in range(65_521)], ("s[0]",))


def test_a_file_whose_header_has_the_pairs_is_read(tmp_path: Path) -> None:
    model, X = trained(300)
    model.save(tmp_path / "m")
    header, arrays = read_archive(tmp_path / "m")
    pairs = [[list(pair.source), list(pair.target)] for pair in model.task.pairs]
    older = {name: array for name, array in arrays.items() if not name.startswith("pairs.")}
    older |= {"actions": arrays["actions"].astype(np.uint16), "lengths": arrays["lengths"].astype(np.uint16)}
    write_archive(tmp_path / "old", header | {"pairs": pairs}, older)
    loaded = Model.load(tmp_path / "old")
    assert loaded.task == model.task and loaded.predict(X) == model.predict(X)


def test_sources_and_targets_that_differ_in_number_are_refused(tmp_path: Path) -> None:
    trained(300)[0].save(tmp_path / "m")
    header, arrays = read_archive(tmp_path / "m")
    emptied = {name: array for name, array in arrays.items() if name.startswith("pairs.target")}
    emptied["pairs.target.lengths"] = np.array([int(arrays["pairs.target.lengths"].sum())], np.uint32)
    write_archive(tmp_path / "m", header, {n: np.array(a) for n, a in (arrays | emptied).items()})
    with pytest.raises(ModelError, match="its pairs do not fit together"):
        Model.load(tmp_path / "m")


@pytest.mark.parametrize("columns", [3, 200, 70_000, 200_000])
def test_rows_of_any_length_hold_what_they_are_given(columns: int) -> None:
    rng = np.random.default_rng(columns)
    weights, expected = _core.Weights(columns), {}
    for key, cells in ((1, 1), (2, 3), (3, 40), (4, min(columns, 40_000))):
        for column in rng.choice(columns, min(cells, columns), replace=False).tolist():
            weights.add(key, column, 1.0 + column)
            expected[key, column] = float(np.float32(1.0 + column))
    keys, column, weight, past = weights.state()
    assert dict(zip(zip(keys.tolist(), column.tolist()), weight.tolist())) == expected
    other = _core.Weights(columns)
    other.restore(keys, column, weight, past, weights.clock)
    other.mark()
    other.add(3, columns - 1, 5.0)
    weights.mix([other.changes()], [other.clock], [1.0])
    for ours, theirs in zip(weights.state(), other.state(), strict=True):
        np.testing.assert_array_equal(ours, theirs)
    assert weights.get(3, columns - 1) == expected.get((3, columns - 1), 0.0) + 5.0
