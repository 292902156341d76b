"""Tasks of one's own, written in plain Python: the engine searches and learns, Python says what states are.

A package that derives from these classes and declares a `structron.task.TaskSpec` has a task with the same
rights as those that come with structron; `examples/truecasing` is one.
"""

from typing import TYPE_CHECKING

from structron.lazy import on_first_use

if TYPE_CHECKING:
    from structron.own.cli import OwnCLI as OwnCLI
    from structron.own.estimator import OwnEstimator as OwnEstimator
    from structron.own.explaining import account as account
    from structron.own.json_form import OwnForm as OwnForm
    from structron.own.playing import OwnPlay as OwnPlay
    from structron.own.scores import best_outputs as best_outputs, structured_loss as structured_loss
    from structron.own.settings import OwnRecipe as OwnRecipe
    from structron.own.task import OwnTask as OwnTask
    from structron.own.training import OwnEpoch as OwnEpoch, OwnWeights as OwnWeights, train as train

on_first_use(__name__)
