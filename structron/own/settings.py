"""The settings of a task of one's own."""

from __future__ import annotations

from structron.errors import SettingError
from structron.fit.recipe import Recipe
from structron.settings import setting, settings


@settings
class OwnRecipe(Recipe):
    """The recipe of a task of your own. A subclass names its `task`, and may add settings."""

    epochs: int = setting(default=15, tried=(5, 30))

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.cut:
            raise SettingError(f"cut = {self.cut}: features of {self.task} are not known beforehand; use 0")
