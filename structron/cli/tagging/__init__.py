"""Sequence labelling on the command line."""

from __future__ import annotations

from structron.cli.face import Face
from structron.cli.tagging.face import Tagging
from structron.data import Sentence
from structron.estimators.tagging import Tagger

FACE: Face[Tagger, Sentence, Sentence, str] = Tagging()
