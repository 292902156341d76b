"""Sequence labelling on the command line."""

from __future__ import annotations

from typing import TYPE_CHECKING

from structron.cli.tagging.face import Tagging

if TYPE_CHECKING:
    from structron.cli.face import Face
    from structron.data import Sentence
    from structron.estimators.tagging import Tagger

FACE: Face[Tagger, Sentence, Sentence, str] = Tagging()
