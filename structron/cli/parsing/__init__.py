"""Dependency parsing on the command line."""

from __future__ import annotations

from structron.cli.face import Face
from structron.cli.parsing.face import Parsing
from structron.data import Sentence
from structron.estimators.parsing import Parser

FACE: Face[Parser, Sentence, Sentence, str] = Parsing()
