"""Tuning of dense weights beside sparse ones, whose score becomes one more dense feature.

Sparse weights are learned on the training data with dense weights that were tuned alone. The development set
shows how much they should count on new text, and the best weights of length and language model beside them.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from structron import _core
from structron.engine.rows import Rows
from structron.metrics.bleu import SIZE, References
from structron.model import Model
from structron.tasks.translation.decoding.task import TranslationTask
from structron.tasks.translation.fitting.batch_mira import KBest, Vector, tune
from structron.tasks.translation.hiero.task import HieroTask
from structron.tasks.translation.inputs import Words
from structron.tasks.translation.settings import TranslationRecipe

AnyTask = TranslationTask | HieroTask
LEAST = 1e-3  # a smaller factor of the sparse score would have no effect


def retuned(
    model: Model[AnyTask],
    sentences: Sequence[tuple[Words, Sequence[Words]]],
    recipe: TranslationRecipe,
    threads: int = 1,
) -> tuple[Model[AnyTask], dict[str, float]]:
    """Return the model with the weights of the best round, and notes on the changes."""
    task, rows = model.task, model.rows
    sources, references = [x for x, _ in sentences], [y for _, y in sentences]
    how = recipe.search_choice
    search = _core.Search(how.width or 0, True, how.within)

    def decode(weights: Vector) -> list[KBest]:
        made = _weighed(rows, weights, task.scale)
        dense, sparse = task.scale * made.dense.astype(np.float64), _factor(weights)
        lists: list[KBest] = []
        for outputs, scores, features in task.frozen(made).listed(sources, recipe.list_size, search, threads):
            table = features.reshape(len(outputs), task.dense)
            lists.append((outputs, np.column_stack([table, (scores - table @ dense) / sparse])))
        return lists

    start = np.append(rows.dense.astype(np.float64) * task.scale, 1.0)
    best, ratio = start, 0.0
    if recipe.retuner is None:
        ratio = _length_ratio(model, sources, references, threads)
    else:
        rounds = list(tune(decode, references, start, recipe.retuner))
        chosen = max(rounds, key=lambda each: each.bleu)
        best, ratio = chosen.before, chosen.length_ratio
    notes = {
        "length ratio": ratio,
        "language model": float(best[task.dense_names.index("language_model")]),
        "words": float(best[task.dense_names.index("words")]),
        "sparse": _factor(best),
    }
    return Model(task, _weighed(rows, best, task.scale), model.search), notes


def _factor(weights: Vector) -> float:
    factor = float(weights[-1])
    return factor if abs(factor) >= LEAST else LEAST


def _weighed(rows: Rows, weights: Vector, scale: float) -> Rows:
    """Return rows with other dense weights, and with sparse ones multiplied by the last of the weights."""
    sparse = (rows.weights.astype(np.float64) * _factor(weights)).astype(rows.weights.dtype)
    return rows._replace(weights=sparse, dense=(weights[:-1] / scale).astype(np.float32))


def _length_ratio(
    model: Model[AnyTask],
    sources: Sequence[Words],
    references: Sequence[Sequence[Words]],
    threads: int,
) -> float:
    model.threads = threads
    counts = [References(y).counts(output) for y, output in zip(references, model.predict(sources))]
    total = sum(counts, np.zeros(SIZE))
    return float(total[-2] / max(total[-1], 1.0))
