"""Transduction on the command line."""

from __future__ import annotations

from structron.cli.transduction.face import Transduction

FACE = Transduction()
