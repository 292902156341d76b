"""Dependency parsing on the command line."""

from __future__ import annotations

from structron.cli.parsing.face import Parsing

FACE = Parsing()
