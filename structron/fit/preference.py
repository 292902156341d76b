"""What matters most, which is the one thing a user should have to say: accuracy, speed, or a balance of both.

A preference settles nothing that was set by name; it says what ``auto`` means. That is found in the data
alone, by counting and without training. Beyond it, trials on held-out data may choose
(`structron.fit.trials.trials`), by successive halving and at a cost that is stated beforehand, in trainings.
"""

from __future__ import annotations

from typing import Any

from structron.errors import SettingError
from structron.settings import setting

ACCURACY, BALANCE, SPEED = PREFERENCES = ("accuracy", "balance", "speed")
MOST_TRIALS = 4


def prefer_setting() -> Any:
    """The setting ``prefer``, which the command line calls ``--for``."""
    help = "What matters most, which is what auto means"
    return setting(BALANCE, help, "WHAT", choices=PREFERENCES, flags="--for")


def trials_setting() -> Any:
    """The setting ``trials``."""
    return setting(
        "auto",
        "Choose among settings that are auto by trials on DEV, or on a tenth of TRAIN, for no more than N "
        "trainings; auto is 1 for accuracy with DEV, otherwise 0",
        "N",
    )


def check_preference(recipe: Any) -> None:
    """Refuse a preference that is not known, and a count of trials that is not possible."""
    recipe.check_known("prefer", PREFERENCES)
    if recipe.trials == "auto":
        return
    try:
        recipe.check_whole("trials", 0, MOST_TRIALS)
    except SettingError as error:
        raise SettingError(f"{error}, or auto") from None


def trials_meant(recipe: Any, *, held_out: bool) -> int:
    """How many trainings trials may cost."""
    trials = getattr(recipe, "trials", 0)
    if trials == "auto":
        return int(recipe.prefer == ACCURACY and held_out)
    return int(trials)
