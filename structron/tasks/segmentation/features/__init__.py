"""Features of segmenters: for units of text that get labels, and for words that are built one by one."""

from typing import TYPE_CHECKING

from structron.lazy import on_first_use

if TYPE_CHECKING:
    from structron.tasks.segmentation.features.units import (
        CHARACTERS as CHARACTERS,
        PRESETS as PRESETS,
        WORDS as WORDS,
    )
    from structron.tasks.segmentation.features.words import WORD_PRESETS as WORD_PRESETS

on_first_use(__name__)
