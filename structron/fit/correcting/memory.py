"""A memory of hard examples in a model, which stay right when it is corrected without its training data."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from structron.errors import ModelError, SettingError
from structron.fit.correcting.kept import Kept, least_sure
from structron.fit.data.examples import Examples
from structron.fit.streaming.examples import StreamedExamples
from structron.model import Model

NAME = "memory"  # in the description of a model


def check_memory(problem: Any, examples: Examples[Any], task: Any) -> None:
    """Refuse examples that a model file cannot hold, before anything is learned from them."""
    if isinstance(examples, StreamedExamples):
        raise SettingError("memory: the examples of a stream are not in memory; set memory to 0")
    given = problem.remote(task, examples)
    for x, y in zip(given.xs[:1], given.ys[:1]):
        try:
            json.dumps(problem.remembered(x, y), allow_nan=False)
        except (TypeError, ValueError):
            raise SettingError(
                "memory: a model file holds words and labels, and these examples are others; set memory to 0"
            ) from None


def remember(problem: Any, examples: Examples[Any], model: Model[Any], count: int) -> None:
    """Put the examples into a model that it has right and is least sure of, in their order."""
    given = problem.remote(model.task, examples)
    found = model.predict(given.xs) if len(given.xs) else []
    right = [i for i, (y, each) in enumerate(zip(given.ys, found)) if problem.is_right(model.task, y, each)]
    hard = least_sure(model, [given.xs[i] for i in right], count)
    model.about = model.about | {
        NAME: [problem.remembered(given.xs[right[i]], given.ys[right[i]]) for i in hard]
    }


def remembered(problem: Any, model: Model[Any], is_right: Any) -> Kept:
    """Return a model's memory, decoded with it; nothing if it has none."""
    records: Sequence[Any] = model.about.get(NAME, [])
    try:
        pairs = [problem.recalled(record) for record in records]
    except (TypeError, ValueError, KeyError, IndexError):
        raise ModelError("the model's memory is not as structron writes it; train it again") from None
    places = [f"remembered example {i}" for i in range(1, len(pairs) + 1)]
    return Kept.of([x for x, _ in pairs], [y for _, y in pairs], places, model, is_right)


def size_of(model: Model[Any]) -> dict[str, int] | None:
    """Return how many examples a model remembers, and how many bytes they take; None without a memory."""
    records = model.about.get(NAME)
    if not isinstance(records, list):
        return None
    return {"examples": len(records), "bytes": len(json.dumps(records, ensure_ascii=False).encode())}
