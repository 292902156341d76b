"""Taggers in the playground: tags are corrected by clicking."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from structron.errors import DataError
from structron.io import read
from structron.serve.json_forms import Json, texts, words_of
from structron.serve.play.small_models import trees
from structron.serve.play.task_play import Examples, Play, listed
from structron.serve.refusals import UNFIT, Refused
from structron.serve.registry import Loaded


class Tagging(Play):
    """A tag for each word."""

    editor = "tags"
    small_models = (("tagger", 500, {"epochs": 5, "search": "beam:4"}),)
    formats = "give CoNLL-U, columns or word/tag lines"

    def gold(self, model: Loaded, x: Any, value: Json) -> list[str]:
        """Return one tag of the model for each word."""
        tags = texts(listed(value, "a list of tags"), "gold", "a list of tags")
        if len(tags) != len(x) or not set(tags) <= set(model.estimator.labels_):
            raise Refused(UNFIT, "gold: there must be one tag of the model for each word; see GET /models")
        return tags

    def teaches(self, estimator: Any) -> bool:
        """Return True unless words are more than forms, which made-up sentences do not have."""
        return not estimator.model_.task.ready

    def guess(self, model: Loaded, x: Any) -> Json:
        """Return the tags."""
        return list(model.estimator.predict([x])[0])

    def words(self, model: Loaded, x: Sequence[Any]) -> list[str]:
        """Return the words."""
        if model.estimator.model_.task.ready:
            return [str(i + 1) for i in range(len(x))]
        return words_of(x)

    def shown(self, x: Any, y: Any) -> dict[str, Any]:
        """Return an example of a lesson as the page would ask for its film."""
        return {"text": " ".join(words_of(x)), "gold": list(y)}

    def examples(self, count: int, seed: int) -> Examples:
        """Return sentences of the synthetic treebank."""
        data = trees(count, seed)
        return [list(tree.words) for tree in data], [list(tree.tags) for tree in data]

    def read(self, given: str, most: int) -> Examples:
        """Read words and the column of labels."""
        found = self.first(lambda lines: filter(len, read(lines)), given, most)
        if found[0].format.target is None:
            raise DataError(f"the file has words without labels; {self.formats}")
        return [one.words() for one in found], [one.column(one.format.target or 0) for one in found]


PLAY = Tagging()
