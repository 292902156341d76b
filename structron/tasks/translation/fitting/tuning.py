"""Tuning of a translator's dense weights, on sentences that its tables have not seen."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from structron import _core
from structron.engine.rows import Rows
from structron.errors import DataError
from structron.fit.checkpoints.checkpoints import Preparation
from structron.fit.schedules.schedule import Stage
from structron.tasks.translation.decoding.space import DENSE
from structron.tasks.translation.decoding.task import TranslationTask
from structron.tasks.translation.fitting.batch_mira import KBest, Tuner, Vector, has_ended, tune
from structron.tasks.translation.hiero.task import HieroTask
from structron.tasks.translation.inputs import Words
from structron.tasks.translation.settings import TranslationRecipe

# The weights at the beginning of tuning, and without it.
START = {
    "phrase": 0.2,
    "lexical": 0.1,
    "inverse_phrase": 0.1,
    "inverse_lexical": 0.1,
    "phrases": 0.0,
    "words": 0.3,
    "distortion": 0.1,
    "previous_monotone": 0.1,
    "previous_swap": 0.1,
    "previous_discontinuous": 0.1,
    "next_monotone": 0.1,
    "next_swap": 0.1,
    "next_discontinuous": 0.1,
    "language_model": 0.5,
    "copies": -1.0,
    "rules": 0.0,
    "gaps": 0.0,
    "swaps": 0.0,
    "glue": 0.0,
}


NAME = "tuning"  # in a checkpoint
Kept = tuple[float, float, tuple[float, ...]]  # BLEU, length ratio, and the weights at the end of a round


class Tuned(NamedTuple):
    """Dense weights, and BLEU and length ratio of each round's outputs."""

    weights: tuple[float, ...]
    rounds: list[tuple[float, float]]


def start(names: Sequence[str] = DENSE) -> tuple[float, ...]:
    """Return the dense weights before tuning."""
    return tuple(START[name] for name in names)


def tuned_on(
    task: TranslationTask | HieroTask,
    sentences: Sequence[tuple[Words, Sequence[Words]]],
    recipe: TranslationRecipe,
    tuner: Tuner,
    preparation: Preparation,
    threads: int = 1,
    stage: Stage | None = None,
) -> Tuned:
    """Return the weights of the round with the best outputs, on sources with their references.

    Rounds are saved in `preparation`. A saved round is not repeated: only its lists are made again, and not
    even these if all rounds are saved.
    """
    kept = [(source, references) for source, references in sentences if source and any(references)]
    if not kept:
        raise DataError(
            f"none of {len(sentences):,} pairs to tune on has words on both sides; "
            "give other development data"
        )
    sources = [source for source, _ in kept]
    how = recipe.search_choice
    # Lists come from the arcs that remain after merging.
    search = _core.Search(how.width or 0, True, how.within)

    def decode(weights: Vector) -> list[KBest]:
        engine = task.frozen(_rows(weights / task.scale))
        found = engine.listed(sources, recipe.list_size, search, threads)
        return [(outputs, dense.reshape(len(outputs), -1)) for outputs, _, dense in found]

    first = start(task.dense_names)
    known = _known(preparation, len(first))
    if not _is_over(first, known, tuner):
        references, done = [references for _, references in kept], [weights for *_, weights in known]
        known = []
        if stage is not None:
            stage("tuning", 0, tuner.rounds)
        for each in tune(decode, references, np.array(first), tuner, done):
            known.append((each.bleu, each.length_ratio, tuple(each.weights.tolist())))
            if len(known) > len(done):
                preparation.keep(NAME, known)
            if stage is not None:
                is_over = _is_over(first, known, tuner)
                name = f"tuning, BLEU {max(bleu for bleu, *_ in known):.2f}"
                stage(name, tuner.rounds if is_over else len(known), tuner.rounds)
    before = [first, *(weights for *_, weights in known)]
    best = max(range(len(known)), key=lambda i: known[i][0])
    return Tuned(before[best], [(bleu, ratio) for bleu, ratio, _ in known])


def _is_over(first: tuple[float, ...], known: Sequence[Kept], tuner: Tuner) -> bool:
    """Return True if all rounds are finished, or the last ones found no improvement."""
    return len(known) >= tuner.rounds or has_ended([first, *(weights for *_, weights in known)])


def _known(preparation: Preparation, size: int) -> list[Kept]:
    """Return the checked rounds of an interrupted training; `size` is the number of weights."""
    try:
        known = [
            (float(bleu), float(ratio), tuple(map(float, weights)))
            for bleu, ratio, weights in preparation.known.get(NAME, ())
        ]
    except (TypeError, ValueError):
        raise preparation.refuse("its rounds of tuning are not numbers") from None
    if not all(len(weights) == size and np.isfinite([a, b, *weights]).all() for a, b, weights in known):
        raise preparation.refuse("its rounds of tuning are not numbers")
    return known


def _rows(dense: Vector) -> Rows:
    weights = _core.Weights(1, 0, len(dense))
    for i, value in enumerate(dense):
        weights.add(_core.Weights.DENSE, i, float(value))
    return Rows(*weights.pack(False))
