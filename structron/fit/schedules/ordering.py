"""The order of an epoch: all examples shuffled together, or in blocks, and the places where it may be cut."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import numpy.typing as npt

from structron.fit.recipe import Recipe

# Examples between two updates of the progress bar, and two checks for Ctrl-C.
CHUNK = 256

Numbers = npt.NDArray[np.uint32]


def order_of(recipe: Recipe, examples: int, rng: np.random.Generator) -> Numbers:
    """Return the examples in the order of the next epoch.

    With blocks, first the blocks are shuffled and then each of them, so that only one block at a time is
    needed.
    """
    order = np.arange(examples, dtype=np.uint32)
    if not recipe.shuffle:
        return order
    if not recipe.block_size:
        rng.shuffle(order)
        return order
    blocks = [order[at : at + recipe.block_size] for at in range(0, examples, recipe.block_size)]
    chosen = [blocks[number] for number in rng.permutation(len(blocks))]
    for block in chosen:
        rng.shuffle(block)
    return np.concatenate([order[:0], *chosen])


def pieces(order: Numbers, done: int, recipe: Recipe) -> Iterator[tuple[int, int]]:
    """Yield the pieces of the rest of an epoch; no batch is cut in two, and no piece has two blocks."""
    chunk = max(1, CHUNK // recipe.batch) * recipe.batch
    ends = np.array([len(order)])
    if recipe.block_size:
        ends = np.append(np.flatnonzero(np.diff(order // recipe.block_size)) + 1, len(order))
    for end in ends[ends > done].tolist():
        while done < end:
            yield done, min(done + chunk, end)
            done = min(done + chunk, end)
