"""Translation, learned from parallel text: by phrases, or by rules with gaps."""

from typing import TYPE_CHECKING

from structron.lazy import on_first_use
from structron.task import TaskSpec

if TYPE_CHECKING:
    from structron.tasks.translation.decoding.task import TranslationTask as TranslationTask
    from structron.tasks.translation.estimator import Translator as Translator

on_first_use(__name__)


SPEC = TaskSpec(
    kind="translation",
    help="Translate sentences phrase by phrase, from parallel text alone.",
    task="structron.tasks.translation.decoding.task:TranslationTask",
    estimator="structron.tasks.translation.estimator:Translator",
    settings="structron.tasks.translation.settings:TranslationRecipe",
    cli="structron.tasks.translation.cli:CLI",
    json_form="structron.tasks.translation.json_form:FORM",
    account="structron.tasks.translation.explaining:account",
    play="structron.tasks.translation.explaining.playing:PLAY",
    rank=3,
)
