"""Lemmas: edit scripts, and what is known of words seen before."""

from typing import TYPE_CHECKING

from structron.lazy import on_first_use
from structron.task import TaskSpec

if TYPE_CHECKING:
    from structron.tasks.lemmatisation.estimator import Lemmatizer as Lemmatizer
    from structron.tasks.lemmatisation.scripts import applied as applied, script_of as script_of
    from structron.tasks.lemmatisation.task import Known as Known, LemmatisationTask as LemmatisationTask

on_first_use(__name__)


SPEC = TaskSpec(
    kind="lemmatisation",
    help="Give every word of a sentence its lemma, from form and tags.",
    task="structron.tasks.lemmatisation.task:LemmatisationTask",
    estimator="structron.tasks.lemmatisation.estimator:Lemmatizer",
    json_form="structron.tasks.lemmatisation.json_form:FORM",
    account="structron.labelling.explaining:account",
    columns="structron.fit.data.columns:LABELS",
    rank=7,
)
