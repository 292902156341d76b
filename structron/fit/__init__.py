"""Who decodes what, when: recipes, epochs, and the schedules."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

from structron.lazy import on_first_use
from structron.registry import KINDS


def recipe_of(kind: str) -> type[Recipe]:
    """The recipe of a task."""
    recipe: type[Recipe] = import_module(f"structron.fit.{kind}").RECIPE
    return recipe


def _recipe(name: str) -> type[Recipe] | None:
    """Every task's recipe by its own name, such as TaggingRecipe."""
    recipes = map(recipe_of, KINDS if name.endswith("Recipe") else ())
    return next((recipe for recipe in recipes if recipe.__name__ == name), None)


def __dir__() -> list[str]:
    return sorted([*__all__, *(recipe_of(kind).__name__ for kind in KINDS)])


if TYPE_CHECKING:
    from structron.fit.checkpoints.checkpoints import Checkpoint, CheckpointWriter, Preparation
    from structron.fit.cluster.cluster import Cluster
    from structron.fit.cluster.distributed import ClusterBatches, ClusterMixing
    from structron.fit.epoch import Epoch
    from structron.fit.cluster.hosts import OwnFiles
    from structron.fit.learning import Learning, Packed
    from structron.fit.logging_hook import logged
    from structron.fit.schedules.mixing import Mixing
    from structron.fit.recipe import Recipe
    from structron.fit.schedules.schedule import (
        Finish,
        Progress,
        Schedule,
        Stage,
        Watch,
        Worker,
        epochs,
        one_pass,
    )
    from structron.fit.schedules.serial import Serial, Streamed
    from structron.fit.streaming.store import Store, prepare

    def __getattr__(name: str) -> type[Recipe]: ...

else:
    on_first_use(
        __name__,
        {
            "checkpoints.checkpoints": ("Checkpoint", "CheckpointWriter", "Preparation"),
            "cluster.cluster": ("Cluster",),
            "cluster.distributed": ("ClusterBatches", "ClusterMixing"),
            "epoch": ("Epoch",),
            "cluster.hosts": ("OwnFiles",),
            "learning": ("Learning", "Packed"),
            "logging_hook": ("logged",),
            "schedules.mixing": ("Mixing",),
            "recipe": ("Recipe",),
            "schedules.schedule": ("Finish", "Progress", "Schedule", "Stage", "Watch", "Worker", "epochs", "one_pass"),
            "schedules.serial": ("Serial", "Streamed"),
            "streaming.store": ("Store", "prepare"),
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
