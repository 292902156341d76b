"""Corrections of an estimator: make one, keep examples, take one back."""

from __future__ import annotations

import copy
from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from structron.engine.changes import only_labels
from structron.errors import DataError, SettingError
from structron.fit.correcting.correcting import Correcting, check_margin, learned, wanted
from structron.fit.correcting.correction import Correction
from structron.fit.correcting.kept import IsRight, Kept
from structron.fit.correcting.memory import remembered
from structron.fit.preparation import is_pair


def keeping(own: Any, X: Iterable[object], y: Iterable[object] | None) -> Kept:
    """Return examples that are to stay right, decoded once."""
    fitted = own._ready()
    examples = learned(own, X, y)
    places = [examples.place(i) for i in range(len(examples.xs))]
    return Kept.of(examples.xs, examples.ys, places, fitted.model, _judge(own))


def kept_of(own: Any, keep: Any) -> Kept:
    """Return what `keep` stands for: prepared examples, data as `fit` takes them for dev, or nothing."""
    model, is_right = own._ready().model, _judge(own)
    if keep is None:
        return remembered(own.problem, model, is_right)
    if isinstance(keep, Kept):
        return keep.seen_by(model, is_right)
    return keeping(own, *keep) if is_pair(keep) else keeping(own, keep, None)


def _judge(own: Any) -> IsRight:
    return partial(own.problem.is_right, own._learned().model.task)


def correct(
    own: Any,
    X: Iterable[object],
    y: Iterable[object] | None,
    keep: Any,
    margin: float | None,
    dry_run: bool,
    new_labels: bool = False,
) -> Correction:
    """Look for the smallest change, and let the estimator have it unless it is a dry run."""
    fitted = own._ready()
    own.problem.check_correctable(fitted.model)
    X, y = once(X), None if y is None else once(y)
    kept = kept_of(own, keep)
    wide, labels = with_new_labels(own, X, y) if new_labels else (own, ())
    examples = wanted(wide, X, y)
    if not examples.places:
        raise DataError("there is nothing to correct; give at least one example")
    search = Correcting(wide, examples, kept, check_margin(margin, own.recipe), own.threads)
    found, model = search.run()
    found = replace(found, new_labels=tuple(labels))
    if dry_run or not found.change.cells:
        return found
    change = found.change._replace(about=found.record())
    model = fitted.model.with_changes([*fitted.model.changes, change])
    model.threads = own.threads
    own._fitted = replace(fitted, model=model, learning=None)
    if isinstance(keep, Kept):
        search.weights.become(model)
        keep.take(replace(search.kept_after, model=model, live=search.weights))
        for example, number in enumerate(examples.numbers):
            outcome = found.outcomes[number]
            if outcome.holds:
                keep.add(examples.xs[example], examples.ys[example], outcome.place, outcome.after)
    return replace(found, change=change)


def once(values: Any) -> Any:
    """Return a list, also of an iterator that can be read only once."""
    return values if isinstance(values, Sequence) or not isinstance(values, Iterable) else list(values)


def with_new_labels(own: Any, X: Iterable[object], y: Iterable[object] | None) -> tuple[Any, list[str]]:
    """Return an estimator whose model has the labels of these examples, too, and which are new."""
    fitted, problem = own._learned(), own.problem
    labels = problem.new_labels(fitted.model.task, problem.read(X, y, fitted.findings))
    if not labels:
        return own, []
    wide = copy.copy(own)
    model = fitted.model.with_changes([*fitted.model.changes, only_labels(labels)])
    wide._fitted = replace(fitted, model=model, learning=None)
    return wide, labels


def undo(own: Any) -> dict[str, Any]:
    """Take the last change back, and return what it said of itself."""
    fitted = own._ready()
    changes = fitted.model.changes
    if not changes:
        raise SettingError("there is no correction to take back; the model is as training left it")
    own._fitted = replace(fitted, model=fitted.model.with_changes(changes[:-1]), learning=None)
    return dict(changes[-1].about)
