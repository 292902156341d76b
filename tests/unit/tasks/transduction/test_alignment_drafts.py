"""An alignment that is interrupted goes on from its last iteration and ends with the same numbers."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from structron.alignment.bitext import BitextAligner, Links
from structron.alignment.pairs import Aligner, Alignment
from structron.io.files.step_cache import StepCache, caching_in

Progress = Callable[[int, int], None]
RNG = np.random.default_rng(0)
PAIRS = [(RNG.choice([*"abcd"], 6).tolist(), RNG.choice([*"wxyz"], 5).tolist()) for _ in range(30)]


def letters(progress: Progress) -> Alignment:
    return Aligner(iterations=8, tolerance=0.0).align(PAIRS, progress)


def words(progress: Progress) -> Links:
    sources, targets = zip(*PAIRS)
    return BitextAligner(model1=3, hmm=4).align(sources, targets, progress)


def numbers(found: Alignment | Links) -> list[object]:
    if isinstance(found, Links):
        return [array.tolist() for array in (found.offsets, found.source, found.target)]
    return [found.likelihoods, found._best.tolist(), found._expected.tolist(), found._counts.tolist()]


@pytest.mark.parametrize("align", [letters, words])
@pytest.mark.parametrize("at", [1, 2, 3, 5, 7])
def test_iterations_that_are_done_are_not_done_again(
    align: Callable[[Progress], object], at: int, tmp_path: Path
):
    whole: list[int] = []
    expected = align(lambda done, total: whole.append(done))

    def stop(done: int, total: int) -> None:
        if done == at:
            raise KeyboardInterrupt

    with caching_in(StepCache(tmp_path / "d", resume=False)), pytest.raises(KeyboardInterrupt):
        align(stop)
    again: list[int] = []
    with caching_in(StepCache(tmp_path / "d", resume=True)):
        found = align(lambda done, total: again.append(done))
    assert again == [done for done in whole if done > at]
    assert numbers(found) == numbers(expected)


@pytest.mark.parametrize("align", [letters, words])
def test_one_of_other_data_starts_again(align: Callable[[Progress], object], tmp_path: Path, monkeypatch):
    def stop(done: int, total: int) -> None:
        raise KeyboardInterrupt

    with caching_in(StepCache(tmp_path / "d", resume=False)), pytest.raises(KeyboardInterrupt):
        align(stop)
    monkeypatch.setattr(f"{__name__}.PAIRS", PAIRS[1:])
    told: list[int] = []
    with caching_in(StepCache(tmp_path / "d", resume=True)):
        align(lambda done, total: told.append(done))
    assert told[0] == 1
