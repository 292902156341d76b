"""The preference of a user: accuracy, speed, or a balance of both. Nothing else should have to be said.

A preference settles nothing that was set by name; it says what ``auto`` means. That is found in the data
alone, by counting and without training. Beyond it, trials on held-out data may choose
(`structron.fit.trials.trials`), by successive halving and at a cost that is stated beforehand, in trainings.
"""

from __future__ import annotations

from typing import Any

from structron.fit.recipe import Settings
from structron.settings import setting, settings

ACCURACY, BALANCE, SPEED = PREFERENCES = ("accuracy", "balance", "speed")
MOST_TRIALS = 4


@settings
class PreferSettings(Settings):
    """The setting of tasks where one word says what matters most: how wide to search."""

    prefer: str = setting(
        default=BALANCE,
        help="What matters most",
        metavar="WHAT",
        choices=PREFERENCES,
        old_flag="--for",
        young=True,
        basic=True,
    )


@settings
class PreferenceSettings(PreferSettings):
    """The settings of tasks where trials may choose besides."""

    trials: int | str = setting(
        default="auto",
        help="Training runs to spend on trials of settings that are auto",
        more=(
            "trials are scored on DEV, or on a tenth of TRAIN; auto is 1 for accuracy with DEV, otherwise 0"
        ),
        metavar="N",
        low=0,
        high=MOST_TRIALS,
        young=True,
    )


def trials_meant(recipe: Any, *, held_out: bool) -> int:
    """Return how many trainings trials may cost."""
    trials = getattr(recipe, "trials", 0)
    if trials == "auto":
        return int(recipe.prefer == ACCURACY and held_out)
    return int(trials)
