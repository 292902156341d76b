"""Jackknifing: tags for the training data as a tagger would give them for text it has not seen."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from structron.errors import DataError
from structron.estimators.stages import stage_of
from structron.estimators.tagging import Tagger
from structron.training.schedule import Stage

Words = Sequence[Sequence[str]]
Tags = list[list[str]]


def jackknife(
    make: Callable[[], Tagger],
    words: Words,
    tags: Sequence[Sequence[str]],
    folds: int,
    stage: Stage | None = None,
    name: str = "tagger",
) -> tuple[Tags, Tagger]:
    """Tag each part with a tagger trained on the others; and a tagger trained on all, for new text.

    Parameters
    ----------
    make
        A new tagger with the settings wanted.
    folds
        How many parts; sentence i belongs to part i modulo `folds`, so that every part is of all the data.
    stage, name
        Called with how far each of the taggers is, under this name.
    """
    if len(words) < folds:
        raise DataError(f"{len(words)} sentences cannot be put into {folds} parts; use fewer parts")
    found: Tags = [[] for _ in words]
    for fold in range(folds):
        inside = [i for i in range(len(words)) if i % folds != fold]
        outside = range(fold, len(words), folds)
        tagger = make()
        progress = stage_of(stage, f"{name}, fold {fold + 1} of {folds}", tagger.epochs)
        tagger.fit([words[i] for i in inside], [tags[i] for i in inside], progress=progress)
        for i, guess in zip(outside, tagger.predict([words[i] for i in outside])):
            found[i] = guess
    tagger = make()
    return found, tagger.fit(words, tags, progress=stage_of(stage, f"{name}, all data", tagger.epochs))
