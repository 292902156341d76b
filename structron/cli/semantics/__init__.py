"""Semantic parsing on the command line."""

from __future__ import annotations

from structron.cli.face import Face
from structron.cli.semantics.face import Semantics
from structron.data import Question
from structron.estimators.semantics import SemanticParser

FACE: Face[SemanticParser, Question, str, str] = Semantics()
