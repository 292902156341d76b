"""The task of classification data: its labels, its features, and the weights of labels."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from structron.errors import DataError
from structron.fit.data.examples import Examples
from structron.model import fault
from structron.task import Supplied
from structron.tasks.classification.frequencies import Frequencies
from structron.tasks.classification.inputs import Inputs, check_size
from structron.tasks.classification.settings import BALANCED, ClassificationRecipe
from structron.tasks.classification.task import ClassificationTask

_LARGEST = 2.0**49  # an intercept: the last power of 2 below what a value may be


def make_task(
    recipe: ClassificationRecipe, given: Examples[Inputs], labels: Sequence[str]
) -> tuple[ClassificationTask, Examples[Inputs]]:
    """The task of labelled inputs, and these as it learns from them."""
    inputs = given.source
    check_size(inputs)
    task = ClassificationTask(
        tuple(labels),
        recipe.template_texts(is_text=inputs.is_text),
        recipe.weighting_for(is_text=inputs.is_text),
        recipe.lowercase,
        recipe.intercept_value,
        recipe.multilabel,
        recipe.bits,
        voted=recipe.voted,
    )
    least = recipe.cut if isinstance(recipe.cut, int) else 0
    examples = given
    if task.parsed_weighting.idf or least >= 2:
        found, examples = _counted(task, given, least)
        task = replace(task, frequencies=found)
    if recipe.is_sized(is_text=inputs.is_text):
        task = replace(task, intercept=_size(task, examples))
    return task, examples


def _size(task: ClassificationTask, examples: Examples[Inputs]) -> float:
    """Return how long inputs are, in the root mean square, as the nearest power of 2.

    With a power of 2 what is whole stays exact, and the order of inputs makes no difference. A root half-way
    between two powers is rounded up, whatever the powers: twice the inputs have exactly twice the intercept.
    """
    try:
        squares = math.fsum(float(np.square(task.vectorizer.vector(x)[1]).sum()) for x in examples.xs)
    except (ValueError, TypeError) as error:
        raise _blame(task, examples, error) from None
    if not squares:
        return 1.0
    return min(2.0 ** (math.frexp(squares / len(examples.xs))[1] // 2), _LARGEST)


def widened(
    task: ClassificationTask, recipe: ClassificationRecipe, given: Examples[Inputs]
) -> tuple[ClassificationTask, Examples[Inputs]]:
    """Return the same for one more batch: features that are new join in."""
    if not task.frequencies.documents:
        return task, given
    least = recipe.cut if isinstance(recipe.cut, int) else 0
    found, examples = _counted(task, given, least)
    return replace(task, frequencies=task.frequencies.widened(found)), examples


def _counted(
    task: ClassificationTask, given: Examples[Inputs], least: int
) -> tuple[Frequencies, Examples[Inputs]]:
    """Count of how many inputs each feature is one; what was read for that is not read again."""
    try:
        bags, (keys, times) = task.vectorizer.bags(given.xs)
    except (ValueError, TypeError) as error:
        raise _blame(task, given, error) from None
    return Frequencies.observed(keys, times, len(bags), max(1, least)), replace(given, xs=bags)


def _blame(task: ClassificationTask, given: Examples[Inputs], error: Exception) -> DataError:
    for i, x in enumerate(given.xs):
        try:
            task.vectorizer.bags([x])
        except (ValueError, TypeError) as own:
            return DataError(f"{given.place(i)}: {fault(own)}; fix it or leave it out")
    return DataError(f"X: {fault(error)}; fix it or leave it out")


def weighted(recipe: ClassificationRecipe, labels: Sequence[str], ys: Sequence[list[str]]) -> list[Any]:
    """Gold labels, with the scale of each example where labels have weights; of a recipe suited to them."""
    weights = recipe.weights
    if weights is None:
        return list(ys)
    if weights == BALANCED:
        times = Counter(label for own in ys for label in own)
        weights = {label: len(ys) / (len(times) * n) for label, n in times.items()}
    assert isinstance(weights, Mapping)
    unknown = sorted(set(weights) - set(labels))
    if unknown:
        raise DataError(f"class_weight has label {unknown[0]!r}, which is not in y; leave it out")
    found = []
    for own in ys:
        supplied = Supplied(own)
        # With several labels, the one with the largest weight.
        weight = max((float(weights.get(label, 1.0)) for label in own), default=1.0)
        supplied.more = (recipe.scale_of(weight),)
        found.append(supplied)
    return found
