"""Corrections on the page: say what is right, and see the model learn it and what else moved.

The model that is served stays as it is, since others use it: a copy of it is corrected, and served beside it.
"""

from __future__ import annotations

import copy
import itertools
from collections.abc import Iterable
from typing import Any

from structron.fit.correcting.correction import REASONS, Correction, Outcome
from structron.serve.json_forms import Json, kind_of, texts
from structron.serve.limits import Limits
from structron.serve.play.films import LONGEST, searched
from structron.serve.play.task_play import play_of
from structron.serve.refusals import CONFLICT, TOO_LARGE, UNFIT, Refused
from structron.serve.registry import Loaded, ModelRegistry
from structron.serve.requests import fields_of, read

FIELDS = ("model", "input", "gold", "search", "sentence", "others")
KEPT = 20  # corrected models that are served at a time
MOST = 12  # of what else moved is told
OTHERS = 40  # texts that stay as they are
MARK = "corrected"
_numbers = itertools.count(1)


def corrects(model: Loaded) -> bool:
    """Return whether a model can be taught on the page."""
    return hasattr(model.estimator, "correct") and play_of(model.kind).teaches(model.estimator)


def corrected(value: Json, registry: ModelRegistry, limits: Limits) -> Json:
    """Correct a copy of a model, serve it, and return what ``POST /play/correct`` is told of it."""
    value = fields_of(value, FIELDS)
    model = registry.find(value.get("model"))
    if not corrects(model):
        raise Refused(CONFLICT, f"model: {model.kind} is not corrected here; see structron correct --help")
    model = searched(model, value.get("search"))
    x = read(model, value.get("input"), "input", limits)
    play = play_of(model.kind)
    x, _ = play.one_of(model, x, value.get("sentence"))
    words = play.words(model, x)
    if not 1 <= len(words) <= LONGEST:
        raise Refused(TOO_LARGE, f"input: 1 to {LONGEST} words are corrected; give as many")
    others = _others(value.get("others", []))
    for each in others:
        model.form.check(each, "others", limits)
    lesson = play.lesson(model, x, play.checked(model, x, value.get("gold")), others)
    own = copy.copy(model.estimator)
    found = own.correct(lesson.xs, lesson.ys, lesson.keep)
    parts: list[Correction] = list(found.values()) if isinstance(found, dict) else [found]
    moved = [each for part in parts for each in part.moved]
    failed = [each for part in parts for each in part.outcomes if each.reason]
    name = model.name
    if not failed:  # otherwise there is nothing new to look at
        name = f"{model.name.partition(f'-{MARK}-')[0]}-{MARK}-{next(_numbers)}"
        registry.add(name, own)
        _forget(registry)
    return {
        "model": name,
        "holds": not failed,
        "reason": _reason(failed[0]) if failed else None,
        "kept": max((part.kept for part in parts), default=0),
        "size": sum(part.size**2 for part in parts) ** 0.5,
        "moved": [
            _changed(lesson.said[each.number], each)
            for each in moved[:MOST]
            if each.number < len(lesson.said)
        ],
        "more": max(0, len(moved) - MOST),
    }


def _others(value: Json) -> list[str]:
    if not isinstance(value, list):
        raise Refused(UNFIT, f"others: {kind_of(value)} is not possible here; give a list of texts")
    return texts(value, "others", "a list of texts")[:OTHERS]


def _reason(outcome: Outcome) -> str:
    return REASONS[outcome.reason] + (f": {outcome.detail}" if outcome.detail else "")


def _forget(registry: ModelRegistry) -> None:
    made = [name for name in registry.models if f"-{MARK}-" in name]
    for name in made[: max(0, len(made) - KEPT)]:
        registry.remove(name)


def _changed(words: list[str], moved: Any) -> Json:
    """Return a kept sentence with what changed in it: words with what was said of them before and after."""
    before, after = (list(_told(each, words)) for each in (moved.before, moved.after))
    if len(before) == len(after) == len(words):
        changes = [[word, *pair] for word, *pair in zip(words, before, after) if pair[0] != pair[1]]
    else:
        changes = [["", " ".join(before), " ".join(after)]]
    return {"words": words, "changes": changes, "mended": bool(moved.is_right and not moved.was_right)}


def _told(output: Any, words: list[str]) -> Iterable[str]:
    """Yield what an output says of each word; of other outputs, what they are."""
    heads, labels = getattr(output, "heads", None), getattr(output, "labels", None)
    if heads is not None and labels is not None:
        for head, label in zip(heads, labels):
            yield f"{label} of {words[head - 1] if head else 'the root'}"
    elif isinstance(output, list | tuple):
        yield from map(str, output)
    else:
        yield str(output)
