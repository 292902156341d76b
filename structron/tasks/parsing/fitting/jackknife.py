"""Jackknifing: tags for the training data from taggers that have not seen them, as for new text."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from structron.engine.texts import pack_sequences, unpack_sequences
from structron.errors import DataError, ModelError
from structron.fit.schedules.hooks import stage_of
from structron.fit.schedules.schedule import Stage
from structron.io.files.step_cache import CachedStep, cached_step
from structron.model import Model
from structron.registry import estimator_of

if TYPE_CHECKING:
    from structron.tasks.tagging import Tagger

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
    """Tag each part with a tagger trained on the others; also return a tagger trained on all parts.

    Finished steps are saved, see `structron.io.files.step_cache`.

    Parameters
    ----------
    make
        Creates a tagger with the wanted settings.
    folds
        The number of parts; sentence i belongs to part i modulo `folds`, so that every part covers all the
        data.
    stage, name
        Called with the progress of each tagger, under this name.
    """
    if len(words) < folds:
        raise DataError(f"{len(words)} sentences cannot be put into {folds} parts; use fewer parts")
    settings = {key: value for key, value in make().get_params().items() if key != "threads"}
    made_of = (sorted(settings.items()), list(map(list, words)), list(map(list, tags)), folds)
    found: Tags = [[] for _ in words]
    for fold in range(folds):
        kept = cached_step("fold", fold, *made_of)
        inside = [i for i in range(len(words)) if i % folds != fold]
        outside = range(fold, len(words), folds)
        guesses = _kept_tags(kept, len(outside))
        if guesses is None:
            tagger = make()
            progress = stage_of(stage, f"{name}, fold {fold + 1} of {folds}", tagger.epochs)
            tagger.fit([words[i] for i in inside], [tags[i] for i in inside], progress=progress)
            guesses = tagger.predict([words[i] for i in outside])
            kept.keep({"is": "tags"}, pack_sequences("tags", guesses))
        for i, guess in zip(outside, guesses):
            found[i] = guess
    kept = cached_step("tagger", *made_of)
    if kept.header:
        return found, _kept_tagger(kept)
    tagger = make()
    tagger.fit(words, tags, progress=stage_of(stage, f"{name}, all data", tagger.epochs))
    kept.keep(*tagger.model_.stored())
    return found, tagger


def _kept_tags(kept: CachedStep, sentences: int) -> Tags | None:
    """Return the tags of a fold that was finished before; None if it was not."""
    if not kept.header:
        return None
    try:
        found = [list(each) for each in unpack_sequences(kept.arrays, "tags")]
    except (KeyError, TypeError, ValueError, ModelError) as error:
        raise kept.refused(error) from None
    if len(found) != sentences:
        raise kept.refused("a fold has other sentences")
    return found


def _kept_tagger(kept: CachedStep) -> Tagger:
    """Return the tagger of all data, which was finished before."""
    try:
        model: Model[Any] = Model.restored(kept.header, kept.arrays)
        tagging: type[Tagger] = estimator_of("tagging")
        return tagging.of_model(model, "the tagger")
    except (KeyError, TypeError, ValueError, ModelError) as error:
        raise kept.refused(error) from None
