"""Keys are found in few steps, in whatever order they came: restoring weights takes linear time."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import pytest

from structron import _core
from tests.apart import run_apart

COUNT = 50_000
FEW = 128  # slots; with three in five taken, hardly a key of a million needs half as many


def sorted_keys(count: int, below: int) -> npt.NDArray[np.uint64]:
    """Keys as a checkpoint has them: sorted, and of these the first part alone."""
    keys = np.random.default_rng(0).integers(1, below, count, dtype=np.uint64)
    return np.unique(keys)


def restored(keys: npt.NDArray[np.uint64]) -> _core.Weights:
    weights = _core.Weights(3)
    count = len(keys)
    weights.restore(keys, np.zeros(count, np.uint32), np.ones(count, np.float32), np.ones(count), 2)
    return weights


@pytest.mark.parametrize("below", [1 << 63, 1 << 60, 1 << 50, 1 << 20])
def test_sorted_keys_do_not_crowd_together(below: int) -> None:
    keys = sorted_keys(COUNT, below)
    weights = restored(keys)
    assert weights.features == len(keys)
    assert weights.longest_probe < FEW
    assert np.array_equal(weights.state()[0], keys)


def test_keys_in_the_order_of_another_table_do_not_crowd_together() -> None:
    one = restored(np.random.default_rng(1).permutation(sorted_keys(COUNT, 1 << 63)))
    two = _core.Weights(3)
    two.take_keys(one.keys_from(0)[: COUNT // 3])
    three = _core.Weights(3)
    three.adopt(one.state(), 1.0, one.clock)
    assert max(one.longest_probe, two.longest_probe, three.longest_probe) < FEW


def restore_many() -> None:
    """A model of 775,000 features, which took minutes once; all of it together is waited for at most."""
    keys = sorted_keys(775_000, 1 << 63)
    assert restored(keys).features == len(keys)


def test_many_features_are_restored_in_no_time() -> None:
    run_apart(restore_many, longest=60)
