"""The recipe of a segmenter."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from structron.errors import SettingError
from structron.features.segmentation import PRESETS
from structron.features.tagging.templates import columns_read, parse_all
from structron.tasks.segmentation.units import CLASSES
from structron.training.recipe import Recipe
from structron.training.setting import setting

UNITS = ("auto", "runs", "characters")
ENDS = ("auto", "yes", "no")


@dataclass(frozen=True)
class SegmentationRecipe(Recipe):
    """How a segmenter is made; see `Recipe` for what all tasks share.

    Parameters
    ----------
    templates
        ``auto``, a preset (``words``, ``characters``), or a list of templates over units. ``auto`` takes the
        one that goes with the units.
    units
        ``runs`` of letters, ``characters``, or ``auto``: characters of those classes that the training data
        begin tokens inside of, as in Chinese.
    ends
        Whether labels also say which unit is the last of its token, so that only whole tokens can come out
        (B, M, E and S); ``auto``: where units are characters.
    dictionary
        Tokens of several units that were seen are known; while the model learns, only those seen at least so
        often. With 1 all that is learned from is known, and nothing is learned about new tokens; 0 for none.
    inner
        A way to begin a token inside a unit must be seen so often to be learned.
    passage
        Examples have at most so many sentences of a paragraph.
    """

    task: ClassVar[str] = "segmentation"
    exchanges: ClassVar[bool] = True

    search: str = setting(
        "greedy",
        "How to search for the best output: exact, greedy, beam:8, beam:8+merge or beam:8+within=20",
        "SEARCH",
    )
    templates: str | tuple[str, ...] = setting(
        "auto", f"Features: auto, {', '.join(PRESETS)}, or a file with one template a line", "PRESET|FILE"
    )
    units: str = setting("auto", "What gets a label: runs of letters, or characters", "WHAT", choices=UNITS)
    ends: str = setting("auto", "Labels also say which unit ends a token", "WHETHER", choices=ENDS)
    dictionary: int = setting(
        2, "Tokens of several units are known, in training if seen N times; 0 for none", "N"
    )
    inner: int = setting(2, "Learn where tokens begin inside units if seen N times", "N")
    passage: int = setting(8, "At most N sentences of a paragraph are one example", "N")

    def __post_init__(self) -> None:
        super().__post_init__()
        if not isinstance(self.templates, list | tuple):
            if self.templates not in ("auto", *PRESETS):
                known = ", ".join(["auto", *PRESETS])
                raise SettingError(
                    f"templates {self.templates!r} are not known; use {known} or a list of templates"
                )
        else:
            object.__setattr__(self, "templates", tuple(self.templates))
            if columns_read(parse_all(self.templates)) > 2:
                raise SettingError("units have two columns; read them as w[0] and p[0]")
        self.check_known("units", UNITS)
        self.check_known("ends", ENDS)
        self.check_whole("dictionary", 0)
        self.check_whole("inner", 1)
        self.check_whole("passage", 1)


def templates_for(recipe: SegmentationRecipe, alone: tuple[str, ...], known: bool) -> tuple[str, ...]:
    """The templates a recipe means; those on known tokens go where none is known."""
    chosen = recipe.templates
    if chosen == "auto":
        chosen = "characters" if "other" in alone or len(alone) == len(CLASSES) else "words"
    texts = PRESETS[chosen] if isinstance(chosen, str) else chosen
    kept = tuple(t.text for t in parse_all(texts) if known or columns_read([t]) == 1)
    if not kept:
        raise SettingError("no template is left without known tokens; give one such as w[0]")
    return kept


RECIPE = SegmentationRecipe
