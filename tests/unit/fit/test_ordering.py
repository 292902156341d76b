"""Blocks: each is gone through whole, in an order of its own, and no batch has examples of two."""

from __future__ import annotations

import numpy as np
import pytest

from structron.fit.schedules.ordering import order_of, pieces
from structron.tasks.tagging.settings import TaggingRecipe


@pytest.mark.parametrize(("size", "block", "batch"), [(1000, 300, 16), (7, 3, 2), (5, 9, 4), (0, 4, 1)])
def test_an_epoch_goes_through_one_block_after_the_other(size: int, block: int, batch: int) -> None:
    recipe = TaggingRecipe(block=block, batch=batch)
    rng = np.random.default_rng(3)
    first, second = order_of(recipe, size, rng), order_of(recipe, size, rng)
    for order in (first, second):
        assert sorted(order) == list(range(size)), "every example comes once"
        changes = np.count_nonzero(np.diff(order // block))
        assert changes == max(0, -(-size // block) - 1), "a block that is left does not come back"
        cut = list(pieces(order, 0, recipe))
        assert [end for _, end in cut[:-1]] == [start for start, _ in cut[1:]]
        assert not cut or (cut[0][0], cut[-1][1]) == (0, size)
        for start, end in cut:
            assert len({*(order[start:end] // block)}) == 1
            ends_block = end == size or order[end] // block != order[start] // block
            assert (end - start) % batch == 0 or ends_block
        for at, (_, end) in enumerate(cut):
            assert list(pieces(order, end, recipe)) == cut[at + 1 :], "after an interruption the same cuts"
    assert size < 8 or first.tolist() != second.tolist()


def test_without_blocks_or_shuffling_nothing_changes() -> None:
    rng, same = np.random.default_rng(0), np.random.default_rng(0)
    expected = np.arange(50, dtype=np.uint32)
    same.shuffle(expected)
    assert order_of(TaggingRecipe(), 50, rng).tolist() == expected.tolist()
    assert order_of(TaggingRecipe(shuffle=False, block=7), 50, rng).tolist() == list(range(50))
    assert TaggingRecipe(block=0).hash() == TaggingRecipe().hash() != TaggingRecipe(block=5).hash()
