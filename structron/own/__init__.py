"""Tasks of one's own, written in plain Python: the engine searches and learns, Python says what states are.

A package that derives from these classes and declares a `structron.task.TaskSpec` has a task with the same
rights as those that come with structron; `examples/truecasing` is one.
"""

from typing import TYPE_CHECKING

from structron.lazy import on_first_use

if TYPE_CHECKING:
    from structron.own.cli import OwnCLI
    from structron.own.estimator import OwnEstimator
    from structron.own.explaining import account
    from structron.own.json_form import OwnForm
    from structron.own.playing import OwnPlay
    from structron.own.settings import OwnRecipe
    from structron.own.task import OwnTask
    from structron.own.training import OwnEpoch, OwnWeights, train
else:
    on_first_use(
        __name__,
        {
            "cli": ("OwnCLI",),
            "estimator": ("OwnEstimator",),
            "explaining": ("account",),
            "json_form": ("OwnForm",),
            "playing": ("OwnPlay",),
            "settings": ("OwnRecipe",),
            "task": ("OwnTask",),
            "training": ("OwnEpoch", "OwnWeights", "train"),
        },
    )

__all__ = [
    "OwnCLI",
    "OwnEpoch",
    "OwnEstimator",
    "OwnForm",
    "OwnPlay",
    "OwnRecipe",
    "OwnTask",
    "OwnWeights",
    "account",
    "train",
]
