"""Questions to forms, and forms to answers."""

from typing import TYPE_CHECKING

from structron.lazy import on_first_use
from structron.task import TaskSpec

if TYPE_CHECKING:
    from structron.tasks.semantics.estimator import SemanticParser as SemanticParser
    from structron.tasks.semantics.task import SemanticTask as SemanticTask

on_first_use(__name__)


SPEC = TaskSpec(
    kind="semantics",
    help="Find the form of a question in a language of meaning, which a program can answer.",
    task="structron.tasks.semantics.task:SemanticTask",
    estimator="structron.tasks.semantics.estimator:SemanticParser",
    settings="structron.tasks.semantics.settings:SemanticRecipe",
    cli="structron.tasks.semantics.cli:CLI",
    json_form="structron.tasks.semantics.json_form:FORM",
    account="structron.tasks.semantics.explaining:account",
    rank=5,
)
