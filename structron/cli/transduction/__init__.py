"""Transduction on the command line."""

from __future__ import annotations

from structron.cli.face import Face
from structron.cli.transduction.face import Transduction
from structron.data import Pair
from structron.estimators.transduction import Transducer

FACE: Face[Transducer, Pair, str, str] = Transduction()
