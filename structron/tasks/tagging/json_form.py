"""The JSON form of tagging."""

from __future__ import annotations

from typing import Any

from structron.serve.json_forms import Json, Sentence, check_nested, words_of
from structron.serve.refusals import UNFIT, Refused


class Tagging(Sentence):
    """Words to tags."""

    gives = '{"words": [...], "tags": [...]}'

    def read(self, estimator: Any, value: Json, where: str) -> Any:
        """Return words, or whatever ready features the model was trained on."""
        if not estimator.model_.task.ready:
            return super().read(estimator, value, where)
        if not isinstance(value, list) or not all(isinstance(token, list | dict) for token in value):
            raise Refused(
                UNFIT, f"{where}: this model takes ready features; give a list with a dict for each token"
            )
        for token in value:
            check_nested(token, where)
        return value

    def shown(self, estimator: Any, x: Any, y: Any) -> Json:
        """Return tags beside their words."""
        return {"tags": y} if estimator.model_.task.ready else {"words": words_of(x), "tags": y}


FORM = Tagging()
