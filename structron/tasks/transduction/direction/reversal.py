"""Reading from the end: words and their targets are reversed on their way into the engine and out of it.

The engine itself does not know the direction: what a template calls before is nearer to the end of the word.
Training words are reversed here. Inputs and outputs are reversed in the bindings, where that is cheapest.
"""

from __future__ import annotations

from collections.abc import Sequence

from structron import _core

FORWARD, BACKWARD = DIRECTIONS = ("forward", "backward")


class BackwardCorpus(_core.TransductionCorpus):
    """A corpus of words that are read from their ends."""

    def add(self, source: Sequence[str], references: Sequence[Sequence[str]], /) -> None:
        """Add a word, given as it is written."""
        super().add(source[::-1], [reference[::-1] for reference in references])
