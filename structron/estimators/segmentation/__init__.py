"""Sentences and words in raw text."""

from structron.estimators.segmentation.segmented import SegmentedSentence, SegmentedToken, conllu
from structron.estimators.segmentation.segmenter import Segmenter

__all__ = ["ESTIMATOR", "SegmentedSentence", "SegmentedToken", "Segmenter", "conllu"]

ESTIMATOR = Segmenter
