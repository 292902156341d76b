"""Sentences of texts of which only tokens are known.

Where sentences begin is no part of the tokens. If training left it open, those beginnings would be right that
the first updates happened to favour, and more of them with each update. So a segmenter that has learned from
whole texts says where sentences begin; the other tokens stay open.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from structron import _core
from structron.fit.estimator import AnyEstimator
from structron.fit.schedules.hooks import stage_of
from structron.fit.schedules.schedule import Stage
from structron.model import Model
from structron.segments.boundaries import SENTENCE, SomeTokens, Token
from structron.tasks.segmentation.settings import SegmentationRecipe
from structron.tasks.segmentation.units.given import parts_of


def learned_from_whole(
    make: Callable[..., AnyEstimator],
    recipe: SegmentationRecipe,
    xs: Sequence[str],
    ys: Sequence[Sequence[Token]],
    stage: Stage | None = None,
) -> Model[Any] | None:
    """Return a segmenter that has learned from those texts that are known as a whole; None without any."""
    whole = [(x, y) for x, y in zip(xs, ys) if not isinstance(y, SomeTokens)]
    if not whole:
        return None
    segmenter = make(epochs=recipe.epochs, seed=recipe.seed, units=recipe.units)
    progress = stage_of(stage, "finding sentences", recipe.epochs)
    segmenter.fit([x for x, _ in whole], [_sentences(x, y) for x, y in whole], progress=progress)
    model: Model[Any] = segmenter.model_
    return model


def with_sentences(
    model: Model[Any], xs: Sequence[str], ys: Sequence[Sequence[Token]]
) -> list[Sequence[Token]]:
    """Return the tokens of each text; where only some are known, with the sentences that a model finds."""
    holes = [i for i, y in enumerate(ys) if isinstance(y, SomeTokens)]
    given: list[Any] = []
    for i in holes:
        spans = ((begin, end) for begin, end, _ in ys[i])
        given.append(_core.Restricted(xs[i], parts_of(model.task, xs[i], spans, leave_out=True)))
    found = list(ys)
    for i, (begins, _, flags) in zip(holes, model.predict(given)):
        starts = (begin for begin, flag in zip(begins.tolist(), flags.tolist()) if flag & SENTENCE)
        found[i] = SomeTokens(ys[i], frozenset(starts))
    return found


def _sentences(text: str, tokens: Sequence[Token]) -> list[list[str]]:
    found: list[list[str]] = []
    for begin, end, flags in tokens:
        if flags & SENTENCE or not found:
            found.append([])
        found[-1].append(text[begin:end])
    return found
