"""Who decodes what, when: recipes, epochs, and the schedules."""

from importlib import import_module

from structron.tasks import KINDS
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


def recipe_of(kind: str) -> type[Recipe]:
    """The recipe of a task."""
    recipe: type[Recipe] = import_module(f"structron.training.{kind}").RECIPE
    return recipe


def __getattr__(name: str) -> type[Recipe]:
    # Every task's recipe by its own name, such as TaggingRecipe.
    for recipe in map(recipe_of, KINDS if name.endswith("Recipe") else ()):
        if recipe.__name__ == name:
            return recipe
    raise AttributeError(f"module 'structron.training' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted([*__all__, *(recipe_of(kind).__name__ for kind in KINDS)])
