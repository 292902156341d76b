"""Translation: sentences of one language to sentences of another, learned from parallel text."""

from structron.tasks.translation.task import TranslationTask

TASK = TranslationTask

__all__ = ["TASK", "TranslationTask"]
