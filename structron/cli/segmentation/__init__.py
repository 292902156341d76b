"""Segmentation on the command line."""

from __future__ import annotations

from structron.cli.face import Face
from structron.cli.segmentation.face import Item, Segmentation
from structron.data import Sentence
from structron.estimators.segmentation import Segmenter

FACE: Face[Segmenter, Item, Sentence | str, str] = Segmentation()
