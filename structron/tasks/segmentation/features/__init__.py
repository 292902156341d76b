"""Features of segmenters: for units of text that get labels, and for words that are built one by one."""

from typing import TYPE_CHECKING

from structron.lazy import on_first_use

if TYPE_CHECKING:
    from structron.tasks.segmentation.features.units import CHARACTERS, PRESETS, WORDS
    from structron.tasks.segmentation.features.words import WORD_PRESETS
else:
    on_first_use(
        __name__,
        {
            "units": ("CHARACTERS", "PRESETS", "WORDS"),
            "words": ("WORD_PRESETS",),
        },
    )

__all__ = ["CHARACTERS", "PRESETS", "WORDS", "WORD_PRESETS"]
