"""Jackknifing: tags for the training data as a tagger would give them for text it has not seen."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from structron.errors import DataError
from structron.estimators.tagger import Tagger

Words = Sequence[Sequence[str]]
Tags = list[list[str]]


def jackknife(
    make: Callable[[], Tagger],
    words: Words,
    tags: Sequence[Sequence[str]],
    folds: int,
    on_fold: Callable[[int], None] | None = None,
) -> tuple[Tags, Tagger]:
    """Tag each part with a tagger trained on the others; and a tagger trained on all, for new text.

    Parameters
    ----------
    make
        A new tagger with the settings wanted.
    folds
        How many parts; sentence i belongs to part i modulo `folds`, so that every part is of all the data.
    on_fold
        Told after each part, and after the whole.
    """
    if len(words) < folds:
        raise DataError(f"{len(words)} sentences cannot be put into {folds} parts; use fewer parts")
    found: Tags = [[] for _ in words]
    for fold in range(folds):
        inside = [i for i in range(len(words)) if i % folds != fold]
        outside = range(fold, len(words), folds)
        tagger = make().fit([words[i] for i in inside], [tags[i] for i in inside])
        for i, guess in zip(outside, tagger.predict([words[i] for i in outside])):
            found[i] = guess
        if on_fold is not None:
            on_fold(fold + 1)
    whole = make().fit(words, tags)
    if on_fold is not None:
        on_fold(folds + 1)
    return found, whole
