"""Several models in one file, each of which reads what those before it have written."""

from structron.tasks.pipeline.task import STAGES, PipelineTask, Stage

__all__ = ["STAGES", "TASK", "PipelineTask", "Stage"]

TASK = PipelineTask
