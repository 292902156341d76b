"""The task of words and their targets: the pieces that turn one into the other, and the vowels."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import partial

from structron.errors import DataError
from structron.fit.schedules.schedule import Stage
from structron.tasks.transduction.direction.reversal import BACKWARD
from structron.tasks.transduction.features import parse_all
from structron.tasks.transduction.settings import TransductionRecipe
from structron.tasks.transduction.space import Symbols
from structron.tasks.transduction.task import TransductionTask
from structron.tasks.transduction.words.known_words import KnownWords
from structron.tasks.transduction.words.vowels import NO_VOWELS, Vowels, find_vowels


def make_task(
    recipe: TransductionRecipe,
    xs: Sequence[tuple[str, ...]],
    references: Sequence[Sequence[tuple[str, ...]]],
    pairs: Iterable[tuple[Symbols, Symbols]] | None = None,
    stage: Stage | None = None,
) -> tuple[TransductionTask, int]:
    """The task that a recipe makes of words, and how many pairs of them could not be aligned.

    Parameters
    ----------
    recipe
        Suited to the words, with a direction.
    pairs
        The inventory, if it is known; otherwise words and references are aligned.
    """
    way = -1 if recipe.direction == BACKWARD else 1
    templates = parse_all(recipe.template_texts)
    unaligned, known_words = 0, None
    if pairs is None:
        aligned = recipe.aligner.align(
            [(x[::way], target[::way]) for x, targets in zip(xs, references) for target in targets],
            None if stage is None else partial(stage, "alignment"),
        )
        unaligned = aligned.impossible + aligned.too_long
        inventory = [
            (tuple(source), tuple(target)) for source, target in aligned.inventory(recipe.least_pieces)
        ]
        if any(template.hints for template in templates):
            known_words = KnownWords.of(pieces for i in range(len(aligned)) if (pieces := aligned.pieces(i)))
    else:
        inventory = [(tuple(source)[::way], tuple(target)[::way]) for source, target in pairs]
    if not inventory:
        raise DataError("there is nothing to learn from; give at least one source that is not empty")
    vowels = NO_VOWELS
    if any(template.sees_vowels for template in templates):
        targets = (target for some in references for target in some)
        vowels = Vowels(find_vowels(xs), find_vowels(targets))
    task = TransductionTask.of(
        inventory,
        recipe.template_texts,
        bits=recipe.bits,
        unreachable=recipe.unreachable,
        vowels=vowels,
        direction=recipe.direction,
        known_words=known_words,
    )
    return task, unaligned
