"""The JSON form of classification."""

from __future__ import annotations

from typing import Any

from structron.serve.json_forms import Json, Text, check_nested, text, within
from structron.serve.limits import Limits


class Classification(Text):
    """A text or a bag of features to labels."""

    takes = "a text, or an object of features with their numbers"
    gives = "a label, or a list of labels"

    def read(self, estimator: Any, value: Json, where: str) -> Any:
        """Return a text, or features by name."""
        if isinstance(value, dict):
            check_nested(value, where)
            return value
        return text(value, where, self.takes)

    def check(self, x: Any, where: str, limits: Limits) -> None:
        """Refuse a text or an object that is too long."""
        within(len(x.split() if isinstance(x, str) else x), limits.text, where, "words")


FORM = Classification()
