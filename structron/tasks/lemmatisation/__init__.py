"""Lemmas: edit scripts, and what is known of words seen before."""

from structron.tasks.lemmatisation.scripts import applied, script_of
from structron.tasks.lemmatisation.task import Known, LemmatisationTask

__all__ = ["TASK", "Known", "LemmatisationTask", "applied", "script_of"]

TASK = LemmatisationTask
