"""Reading from the end: a word and what it becomes are turned round at the engine's doors, both ways.

Behind the doors nothing knows of it: what a template calls before is nearer to the end of the word. What is
learned from is turned round here, what is predicted in the bindings, where it costs least.
"""

from __future__ import annotations

from collections.abc import Sequence

from structron import _core

FORWARD, BACKWARD = DIRECTIONS = ("forward", "backward")


class BackwardCorpus(_core.TransductionCorpus):
    """A corpus of words that are read from their ends."""

    def add(self, source: Sequence[str], references: Sequence[Sequence[str]], /) -> None:
        """One word, as it is written."""
        super().add(source[::-1], [reference[::-1] for reference in references])
