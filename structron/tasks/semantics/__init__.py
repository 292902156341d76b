"""Questions to forms, and forms to answers."""

from structron.tasks.semantics.task import SemanticTask

__all__ = ["TASK", "SemanticTask"]

TASK = SemanticTask
