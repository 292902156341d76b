"""Who decodes what, when: recipes, epochs, and the serial schedule."""

from structron.training.checkpoints import Checkpoint
from structron.training.epoch import Epoch
from structron.training.recipe import Recipe
from structron.training.serial import Learning, epochs
from structron.training.tagging import TaggingRecipe, templates_for

__all__ = ["Checkpoint", "Epoch", "Learning", "Recipe", "TaggingRecipe", "epochs", "templates_for"]
