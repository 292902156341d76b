"""The JSON form of segmentation."""

from __future__ import annotations

from typing import Any

from structron.serve.json_forms import Json, Text


class Segmentation(Text):
    """Raw text to sentences and tokens."""

    gives = '{"sentences": [{"text", "start", "end", "words": [...], "tokens": [...]}, ...]}'

    def shown(self, estimator: Any, x: Any, y: Any) -> Json:
        """Return sentences with their places in the text."""
        return {
            "sentences": [
                {
                    "text": one.text,
                    "start": one.start,
                    "end": one.end,
                    "words": one.words,
                    "tokens": [t._asdict() | {"words": list(t.words)} for t in one.tokens],
                }
                for one in y
            ]
        }


FORM = Segmentation()
