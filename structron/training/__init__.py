"""Who decodes what, when: recipes, epochs, and the schedules."""

from structron.training.checkpoints import Checkpoint, CheckpointWriter
from structron.training.cluster import Cluster
from structron.training.distributed import ClusterBatches, ClusterMixing
from structron.training.epoch import Epoch
from structron.training.learning import Learning, Packed
from structron.training.mixing import Mixing
from structron.training.parsing import ParsingRecipe, parsing_templates
from structron.training.recipe import Recipe
from structron.training.schedule import Progress, Schedule, Stage, Watch, Worker, epochs
from structron.training.serial import Serial
from structron.training.tagging import TaggingRecipe, templates_for
from structron.training.transduction import TransductionRecipe

__all__ = [
    "Checkpoint",
    "CheckpointWriter",
    "Cluster",
    "ClusterBatches",
    "ClusterMixing",
    "Epoch",
    "Learning",
    "Mixing",
    "Packed",
    "ParsingRecipe",
    "Progress",
    "Recipe",
    "Schedule",
    "Serial",
    "Stage",
    "TaggingRecipe",
    "TransductionRecipe",
    "Watch",
    "Worker",
    "epochs",
    "parsing_templates",
    "templates_for",
]
