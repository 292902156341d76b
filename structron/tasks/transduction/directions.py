"""Reading from the end: a word and what it becomes are turned round at the engine's doors, both ways.

Behind the doors nothing knows of it: what a template calls before is nearer to the end of the word.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from structron import _core

FORWARD, BACKWARD = DIRECTIONS = ("forward", "backward")


class BackwardCorpus(_core.TransductionCorpus):
    """A corpus of words that are read from their ends."""

    def add(self, source: Sequence[str], references: Sequence[Sequence[str]], /) -> None:
        """One word, as it is written."""
        super().add(source[::-1], [reference[::-1] for reference in references])


class BackwardTransducer:
    """A predictor that reads words from their ends."""

    def __init__(self, engine: _core.FrozenTransducer) -> None:
        self._engine = engine

    @property
    def decode_seconds(self) -> float:
        """CPU time spent searching."""
        return self._engine.decode_seconds

    def predict(self, xs: Sequence[Any], search: _core.Search, threads: int = 1) -> list[list[str]]:
        """The best output of each source."""
        found = self._engine.predict([x[::-1] for x in xs], search, threads)
        return [output[::-1] for output in found]

    def kbest(
        self, xs: Sequence[Any], k: int, search: _core.Search, threads: int = 1
    ) -> list[list[tuple[list[str], float]]]:
        """The best outputs of each source with their scores."""
        found = self._engine.kbest([x[::-1] for x in xs], k, search, threads)
        return [[(output[::-1], score) for output, score in best] for best in found]

    def trace(self, x: Any, gold: Any, search: _core.Search) -> dict[str, Any]:
        """Its beams, the first at the end of the word."""
        turned = None if gold is None else [reference[::-1] for reference in gold]
        return self._engine.trace(x[::-1], turned, search)
