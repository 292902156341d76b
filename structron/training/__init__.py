"""Who decodes what, when: recipes, epochs, and the serial schedule."""

from structron.training.checkpoints import Checkpoint
from structron.training.epoch import Epoch
from structron.training.parsing import ParsingRecipe, parsing_templates
from structron.training.recipe import Recipe
from structron.training.serial import Learning, epochs
from structron.training.tagging import TaggingRecipe, templates_for

__all__ = [
    "Checkpoint",
    "Epoch",
    "Learning",
    "ParsingRecipe",
    "Recipe",
    "TaggingRecipe",
    "epochs",
    "parsing_templates",
    "templates_for",
]
