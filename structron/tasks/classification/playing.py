"""Classifiers in the playground: one decision, or one for each label."""

from __future__ import annotations

from typing import Any

from structron.io.formats.documents import read_documents
from structron.serve.json_forms import Json, texts
from structron.serve.play.small_models import trees
from structron.serve.play.task_play import Examples, Play
from structron.serve.refusals import UNFIT, Refused
from structron.serve.registry import Loaded


class Classification(Play):
    """A label for a text, or several."""

    formats = "give lines of a label, a tab and a text, or JSON lines"

    def gold(self, model: Loaded, x: Any, value: Json) -> list[str]:
        """Return labels of the model with blanks between, or one alone."""
        known = model.estimator.model_.task.labels
        if isinstance(value, str) and value.strip() in known:
            return [value.strip()]
        given = value.split() if isinstance(value, str) else value
        found = texts(given, "gold", "labels") if isinstance(given, list) else None
        if found is None or not set(found) <= set(known):
            raise Refused(UNFIT, "gold: give labels of the model with blanks between them; see GET /models")
        return found

    def examples(self, count: int, seed: int) -> Examples:
        """Return sentences of the synthetic treebank, labelled by the word that is their root."""
        data = trees(count, seed)
        return [" ".join(tree.words) for tree in data], [tree.words[tree.heads.index(0)] for tree in data]

    def read(self, given: str, most: int) -> Examples:
        """Read documents."""
        return list(self.first(read_documents, given, most)), None


PLAY = Classification()
