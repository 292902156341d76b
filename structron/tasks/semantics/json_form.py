"""The JSON form of semantic parsing."""

from __future__ import annotations

from typing import Any

from structron.serve.json_forms import Json, Line
from structron.serve.refusals import TOO_LARGE, Refused


class Semantics(Line):
    """A question to its form."""

    has_labels = False  # productions
    gives = "a text, the form; null if there is none"
    example: Json = "what is the capital of utah"

    def read(self, estimator: Any, value: Json, where: str) -> Any:
        """Return the input as it was given; refuse one whose chart would be too large."""
        x = super().read(estimator, value, where)
        if wrong := estimator.too_large(x):
            raise Refused(TOO_LARGE, f"{where}: {wrong}; cut it into pieces")
        return x


FORM = Semantics()
