"""Segmenters in the playground: the right words are typed with blanks between them, a sentence a line."""

from __future__ import annotations

from typing import Any

from structron.io import read
from structron.serve.json_forms import Json, text
from structron.serve.play.small_models import trees
from structron.serve.play.task_play import Examples, Play
from structron.serve.refusals import UNFIT, Refused
from structron.serve.registry import Loaded

TOGETHER = 3  # sentences of a made-up text
CLOSE = (",", ".", "?", "!")  # marks that stand close to the word before them


class Segmentation(Play):
    """Sentences of tokens for a text."""

    formats = "give CoNLL-U with SpaceAfter=No where no blank follows"

    def gold(self, model: Loaded, x: Any, value: Json) -> Any:
        """Parse sentences of tokens, which have tags after a slash where the model gives tags."""
        given = text(value, "gold", "the right words with blanks between them, a sentence a line")
        found = [line.split() for line in given.splitlines() if line.strip()]
        if not found:
            raise Refused(UNFIT, "gold: there are no words; give them with blanks between, a sentence a line")
        if not getattr(model.estimator.model_.task, "tags", None) or not model.estimator.labels_:
            return found
        return [[tuple(token.rpartition("/")[::2]) for token in one] for one in found]

    def guess(self, model: Loaded, x: Any) -> Json:
        """Return the prediction in the shape of gold."""
        (found,) = model.estimator.predict([x])
        tagged = getattr(model.estimator.model_.task, "tags", None) and model.estimator.labels_
        if tagged:
            return "\n".join(
                " ".join(f"{t.text}/{tag}" for t, tag in zip(one.tokens, one.tags)) for one in found
            )
        return "\n".join(" ".join(t.text for t in one.tokens) for one in found)

    def examples(self, count: int, seed: int) -> Examples:
        """Return the synthetic treebank as running text."""
        data = [list(tree.words) for tree in trees(count * TOGETHER, seed)]
        parts = [data[i : i + TOGETHER] for i in range(0, len(data), TOGETHER)]
        return [" ".join(_glued(one) for one in part) for part in parts], parts

    def read(self, given: str, most: int) -> Examples:
        """Read sentences of a treebank, whose text is what is cut."""
        return list(self.first(lambda lines: filter(len, read(lines)), given, most)), None


def _glued(words: list[str]) -> str:
    return "".join(word if word in CLOSE or not i else f" {word}" for i, word in enumerate(words))


PLAY = Segmentation()
