"""What `fit` plans and what it has learned: one object each, built whole."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Generic, TypeVar

from structron.model import Model, TaskT

if TYPE_CHECKING:
    from structron.fit import Epoch, Learning, Recipe
    from structron.fit.examples import Examples

RecipeT = TypeVar("RecipeT", bound="Recipe")
SourceT = TypeVar("SourceT")
FindingsT = TypeVar("FindingsT")


@dataclass(frozen=True)
class Plan(Generic[TaskT, RecipeT, SourceT, FindingsT]):
    """What data and recipe together ask for.

    Attributes
    ----------
    recipe
        With what its ``auto`` means for these data.
    task
        What is predicted from what.
    examples
        As they are learned from.
    findings
        What else the estimator found out about its data, such as how they are written.
    """

    recipe: RecipeT
    task: TaskT
    examples: Examples[SourceT]
    findings: FindingsT


@dataclass(frozen=True)
class Fitted(Generic[TaskT, FindingsT]):
    """All that one `fit` has learned.

    An estimator holds one of these and replaces it by a single assignment: a thread that predicts has read it
    once, and never sees a part of one fit and a part of another.

    Attributes
    ----------
    model
        The best so far.
    history
        The epochs that are over.
    findings
        What else the estimator found out about its data.
    learning
        The weights as training left them, for `partial_fit`; None for a loaded model.
    """

    model: Model[TaskT]
    history: list[Epoch]
    findings: FindingsT
    learning: Learning[TaskT] | None = None
