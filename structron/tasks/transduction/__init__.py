"""Monotone transduction."""

from typing import TYPE_CHECKING

from structron.lazy import on_first_use
from structron.task import TaskSpec

if TYPE_CHECKING:
    from structron.tasks.transduction.estimator import Transducer as Transducer
    from structron.tasks.transduction.space import (
        Pair as Pair,
        Symbols as Symbols,
        TransductionSpace as TransductionSpace,
        TransductionState as TransductionState,
    )
    from structron.tasks.transduction.task import (
        UNREACHABLE as UNREACHABLE,
        TransductionTask as TransductionTask,
    )

on_first_use(__name__)


SPEC = TaskSpec(
    kind="transduction",
    help="Rewrite words symbol by symbol: letters as sounds.",
    task="structron.tasks.transduction.task:TransductionTask",
    estimator="structron.tasks.transduction.estimator:Transducer",
    settings="structron.tasks.transduction.settings:TransductionRecipe",
    cli="structron.tasks.transduction.cli:CLI",
    json_form="structron.tasks.transduction.json_form:FORM",
    account="structron.tasks.transduction.explaining:account",
    play="structron.tasks.transduction.playing:PLAY",
    rank=2,
)
