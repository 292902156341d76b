"""Translation on the command line."""

from __future__ import annotations

from structron.cli.face import Face
from structron.cli.translation.face import Translation
from structron.data.parallel import Segment
from structron.estimators.translation import Translator

FACE: Face[Translator, Segment, str, tuple[str, ...]] = Translation()
