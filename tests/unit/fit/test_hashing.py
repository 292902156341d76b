"""Hashed features: bounded memory, the same after a round trip, refused where it cannot be."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from structron import SettingError, Tagger
from structron.synthetic import generate_treebank


def test_hashing_bounds_the_rows_and_survives_saving(tmp_path: Path) -> None:
    trees = generate_treebank(200, np.random.default_rng(1))
    X, y = [list(t.words) for t in trees], [list(t.tags) for t in trees]
    exact = Tagger(epochs=3).fit(X, y)
    hashed = Tagger(epochs=3, bits=10).fit(X, y)
    assert len(hashed.model_.rows.keys) <= 2**10 < len(exact.model_.rows.keys)
    assert hashed.score(X, y) > 0.8  # collisions cost something, not everything
    hashed.save(tmp_path / "m.safetensors")
    again = Tagger.load(tmp_path / "m.safetensors")
    assert again.predict(X) == hashed.predict(X)
    assert again.partial_fit(X, y).score(X, y) > 0.8


@pytest.mark.parametrize("bits", [-1, 33, 1.5])
def test_impossible_bits_are_refused(bits: float) -> None:
    with pytest.raises(SettingError, match=r"bits = .* is not possible"):
        Tagger(bits=bits).fit([["a"]], [["X"]])  # type: ignore[arg-type]
