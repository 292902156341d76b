"""What segmenters see: of units of text that get labels, and of words that are found one after the other."""

from structron.features.segmentation.units import CHARACTERS, PRESETS, WORDS
from structron.features.segmentation.words import WORD_PRESETS

__all__ = ["CHARACTERS", "PRESETS", "WORDS", "WORD_PRESETS"]
