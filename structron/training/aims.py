"""What matters most, which is the one thing a user should have to say: accuracy, speed, or a balance of both.

An aim settles nothing that was set by name; it says what ``auto`` means. That is found in the data alone, by
counting and without training. Beyond it, trials on held-out data may choose (`structron.estimators.trials`),
by successive halving and at a cost that is stated beforehand, in trainings.
"""

from __future__ import annotations

from typing import Any

from structron.errors import SettingError
from structron.training.setting import setting

ACCURACY, BALANCE, SPEED = AIMS = ("accuracy", "balance", "speed")
MOST_TRIALS = 4


def aim_setting() -> Any:
    """The setting ``aim``, which the command line calls ``--for``."""
    return setting(BALANCE, "What matters most, which is what auto means", "AIM", choices=AIMS, flags="--for")


def trials_setting() -> Any:
    """The setting ``trials``."""
    return setting(
        "auto",
        "Choose among settings that are auto by trials on DEV, or on a tenth of TRAIN, for no more than N "
        "trainings; auto is 1 for accuracy with DEV, otherwise 0",
        "N",
    )


def check_aim(recipe: Any) -> None:
    """Refuse an aim that is not known, and a count of trials that is not possible."""
    recipe.check_known("aim", AIMS)
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
        return int(recipe.aim == ACCURACY and held_out)
    return int(trials)
