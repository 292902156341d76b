"""The JSON form of lemmatisation."""

from __future__ import annotations

from typing import Any

from structron.serve.json_forms import Json, Sentence, words_of


class Lemmatisation(Sentence):
    """Words with their tags to lemmas."""

    gives = '{"words": [...], "lemmas": [...]}'
    has_kbest = False

    def shown(self, estimator: Any, x: Any, y: Any) -> Json:
        """Return lemmas beside their words."""
        return {"words": words_of(x), "lemmas": y}


FORM = Lemmatisation()
