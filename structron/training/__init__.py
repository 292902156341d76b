"""Who decodes what, when: recipes, epochs, and the schedules."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

from structron.first_use import on_first_use
from structron.tasks import KINDS


def recipe_of(kind: str) -> type[Recipe]:
    """The recipe of a task."""
    recipe: type[Recipe] = import_module(f"structron.training.{kind}").RECIPE
    return recipe


def _recipe(name: str) -> type[Recipe] | None:
    """Every task's recipe by its own name, such as TaggingRecipe."""
    recipes = map(recipe_of, KINDS if name.endswith("Recipe") else ())
    return next((recipe for recipe in recipes if recipe.__name__ == name), None)


def __dir__() -> list[str]:
    return sorted([*__all__, *(recipe_of(kind).__name__ for kind in KINDS)])


if TYPE_CHECKING:
    from structron.training.checkpoints import Checkpoint, CheckpointWriter, Preparation
    from structron.training.cluster import Cluster
    from structron.training.distributed import ClusterBatches, ClusterMixing
    from structron.training.epoch import Epoch
    from structron.training.hosts import OwnFiles
    from structron.training.learning import Learning, Packed
    from structron.training.logged import logged
    from structron.training.mixing import Mixing
    from structron.training.recipe import Recipe
    from structron.training.schedule import Finish, Progress, Schedule, Stage, Watch, Worker, epochs, one_pass
    from structron.training.serial import Serial, Streamed
    from structron.training.store import Store, prepare

    def __getattr__(name: str) -> type[Recipe]: ...

else:
    on_first_use(
        __name__,
        {
            "checkpoints": ("Checkpoint", "CheckpointWriter", "Preparation"),
            "cluster": ("Cluster",),
            "distributed": ("ClusterBatches", "ClusterMixing"),
            "epoch": ("Epoch",),
            "hosts": ("OwnFiles",),
            "learning": ("Learning", "Packed"),
            "logged": ("logged",),
            "mixing": ("Mixing",),
            "recipe": ("Recipe",),
            "schedule": ("Finish", "Progress", "Schedule", "Stage", "Watch", "Worker", "epochs", "one_pass"),
            "serial": ("Serial", "Streamed"),
            "store": ("Store", "prepare"),
        },
        otherwise=_recipe,
    )

__all__ = [
    "Checkpoint",
    "CheckpointWriter",
    "Cluster",
    "ClusterBatches",
    "ClusterMixing",
    "Epoch",
    "Finish",
    "Learning",
    "Mixing",
    "OwnFiles",
    "Packed",
    "Preparation",
    "Progress",
    "Recipe",
    "Schedule",
    "Serial",
    "Stage",
    "Store",
    "Streamed",
    "Watch",
    "Worker",
    "epochs",
    "logged",
    "one_pass",
    "prepare",
    "recipe_of",
]
