"""Sequence labelling on the command line."""

from __future__ import annotations

from structron.cli.tagging.face import Tagging

FACE = Tagging()
