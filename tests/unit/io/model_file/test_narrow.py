"""Model files store arrays as narrow as their values are, and give all of them back."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from structron import Parser
from structron.engine.rows import Rows, without_small
from structron.io.model_file.archive import read_archive
from structron.model import Model, halved
from structron.synthetic import generate_treebank


def parser(**settings: object) -> tuple[Parser, list[tuple[list[str], list[str]]]]:
    trees = generate_treebank(40, np.random.default_rng(3))
    X, y = [(list(t.words), list(t.tags)) for t in trees], [(list(t.heads), list(t.labels)) for t in trees]
    return Parser(epochs=2, search="beam:2", **settings).fit(X, y), X  # type: ignore[arg-type]


def test_half_precision_makes_the_file_smaller_and_comes_back_bit_for_bit(tmp_path: Path) -> None:
    for half, kind in ((True, np.float16), (False, np.float32)):
        made, X = parser(half=half)
        made.save(tmp_path / f"{half}.model")
        arrays = read_archive(tmp_path / f"{half}.model")[1]
        assert arrays["weights"].dtype == kind
        assert arrays["actions"].dtype == np.uint8 and arrays["lengths"].dtype == np.uint8
        loaded = Model.load(tmp_path / f"{half}.model")
        for ours, theirs in zip(loaded.rows, made.model_.rows):
            np.testing.assert_array_equal(ours, theirs)
            assert ours.dtype == theirs.dtype
        assert Parser.load(tmp_path / f"{half}.model").predict(X) == made.predict(X)
    assert (tmp_path / "True.model").stat().st_size < (tmp_path / "False.model").stat().st_size


def test_weights_beyond_half_precision_stay_as_they_are() -> None:
    def rows(weight: float) -> Rows:
        return Rows(
            np.array([7], np.uint64),
            np.array([0, 1], np.uint32),
            np.array([0], np.uint32),
            np.array([weight], np.float32),
        )

    assert halved(rows(70000.0)).weights[0] == 70000.0
    assert halved(rows(1 / 3)).weights[0] == np.float16(1 / 3)


def test_small_weights_are_left_out_and_all_others_stay() -> None:
    made, _ = parser()
    before, after = made.model_.rows, without_small(made.model_.rows, 1.5)

    def cells(rows: Rows) -> dict[tuple[int, int], float]:
        owners = np.repeat(rows.keys, np.diff(rows.offsets.astype(int)))
        return dict(zip(zip(owners.tolist(), rows.columns.tolist()), rows.weights.tolist()))

    wanted = {cell: weight for cell, weight in cells(before).items() if abs(weight) >= 1.5}
    assert 0 < len(wanted) < len(before.weights) and cells(after) == wanted
    assert set(after.keys.tolist()) == {key for key, _ in wanted} and (np.diff(after.offsets) > 0).all()
    Model(made.model_.task, after, made.model_.search).predict([[("a", "DT")]])
