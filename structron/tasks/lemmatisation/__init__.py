"""Lemmas: edit scripts, and what is known of words seen before."""

from typing import TYPE_CHECKING

from structron.lazy import on_first_use
from structron.task import TaskSpec

if TYPE_CHECKING:
    from structron.tasks.lemmatisation.estimator import Lemmatizer
    from structron.tasks.lemmatisation.scripts import applied, script_of
    from structron.tasks.lemmatisation.task import Known, LemmatisationTask
else:
    on_first_use(
        __name__,
        {
            "estimator": ("Lemmatizer",),
            "scripts": ("applied", "script_of"),
            "task": ("Known", "LemmatisationTask"),
        },
    )

__all__ = ["SPEC", "Known", "LemmatisationTask", "Lemmatizer", "applied", "script_of"]

SPEC = TaskSpec(
    kind="lemmatisation",
    help="Give every word of a sentence its lemma, from form and tags.",
    task="structron.tasks.lemmatisation.task:LemmatisationTask",
    estimator="structron.tasks.lemmatisation.estimator:Lemmatizer",
    json_form="structron.tasks.lemmatisation.json_form:FORM",
    account="structron.labelling.explaining:account",
    rank=7,
)
