"""Several models in one file, each of which reads what those before it have written."""

from typing import TYPE_CHECKING

from structron.lazy import on_first_use
from structron.task import TaskSpec

if TYPE_CHECKING:
    from structron.tasks.pipeline.document import AnalysedSentence as AnalysedSentence, Document as Document
    from structron.tasks.pipeline.estimator import Pipeline as Pipeline
    from structron.tasks.pipeline.results.tokens import Token as Token, Word as Word
    from structron.tasks.pipeline.task import STAGES as STAGES, PipelineTask as PipelineTask, Stage as Stage

on_first_use(__name__)


SPEC = TaskSpec(
    kind="pipeline",
    help="From text, or words, to tags, lemmas and trees: several models in one file.",
    task="structron.tasks.pipeline.task:PipelineTask",
    estimator="structron.tasks.pipeline.estimator:Pipeline",
    cli="structron.tasks.pipeline.cli:CLI",
    train_command="structron.tasks.pipeline.training_command:COMMAND",
    json_form="structron.tasks.pipeline.json_form:FORM",
    columns="structron.tasks.pipeline.results.column_form:COLUMNS",
    play="structron.tasks.pipeline.json_form:PLAY",
    rank=8,
)
