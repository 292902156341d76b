"""Who decodes what, when: recipes, epochs, and the serial schedule."""

from structron.training.epoch import Epoch
from structron.training.recipe import Recipe, templates_for
from structron.training.serial import Learning, epochs

__all__ = ["Epoch", "Learning", "Recipe", "epochs", "templates_for"]
