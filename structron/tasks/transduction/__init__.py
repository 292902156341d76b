"""Monotone transduction."""

from structron.tasks.transduction.task import (
    UNREACHABLE,
    Pair,
    Symbols,
    TransductionSpace,
    TransductionState,
    TransductionTask,
)

__all__ = [
    "TASK",
    "UNREACHABLE",
    "Pair",
    "Symbols",
    "TransductionSpace",
    "TransductionState",
    "TransductionTask",
]

TASK = TransductionTask
