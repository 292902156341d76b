"""Translation: sentences of one language to sentences of another, learned from parallel text."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from structron.tasks.translation.decoding.task import TranslationTask

    TASK = TranslationTask

__all__ = ["TASK", "TranslationTask"]


def __getattr__(name: str) -> Any:
    # The command line takes names from modules of this folder and should not wait for the engine.
    if name in __all__:
        return import_module("structron.tasks.translation.decoding.task").TranslationTask
    raise AttributeError(f"module 'structron.tasks.translation' has no attribute {name!r}")
