"""Several models in one file, each of which reads what those before it have written."""

from structron.tasks.pipeline.task import NO_ROWS, STAGES, PipelineTask, Stage

__all__ = ["NO_ROWS", "STAGES", "TASK", "PipelineTask", "Stage"]

TASK = PipelineTask
