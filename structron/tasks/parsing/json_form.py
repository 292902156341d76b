"""The JSON form of parsing."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from structron.io.values.trees import NO_LABEL
from structron.serve.json_forms import Json, Sentence, words_of
from structron.serve.limits import Limits
from structron.serve.refusals import UNFIT, Refused


class Parsing(Sentence):
    """Words, with tags or without, to trees."""

    gives = '{"words": [...], "tags": [...], "heads": [...], "relations": [...]}; 0 is the root'

    def read(self, estimator: Any, value: Json, where: str) -> Any:
        """Return tuples; refuse too few columns here, where their place is known."""
        tokens = super().read(estimator, value, where)
        found = [(token,) if isinstance(token, str) else token for token in tokens]
        needed = 1 if estimator.view_.taggers else estimator.model_.task.columns
        if found and len(found[0]) < needed:
            raise Refused(
                UNFIT,
                f"{where}: the model has no tagger and reads {needed} columns of each word; "
                "give [word, tag, ...] for each",
            )
        return found

    def answers(self, estimator: Any, xs: Sequence[Any], limits: Limits) -> list[Json]:
        """Return trees, with the tags that the model's own taggers give."""
        trees, columns = estimator.predict_with_tags(xs)
        return [self._tree(x, tree, columns, i) for i, (x, tree) in enumerate(zip(xs, trees))]

    def kbest(self, estimator: Any, xs: Sequence[Any], k: int) -> list[Json]:
        """Return several trees for each input, with scores."""
        found, columns = estimator.predict_kbest_with_tags(xs, k)
        return [
            [{"output": self._tree(x, tree, columns, i), "score": score} for tree, score in best]
            for i, (x, best) in enumerate(zip(xs, found))
        ]

    def _tree(self, x: Any, tree: Any, columns: dict[str, Any], i: int) -> Json:
        # Of several columns the coarse one is what people mean by tags.
        name = next((each for each in ("upos", "tag", *columns) if each in columns), None)
        tags = columns[name][i] if name else [token[1] for token in x if len(token) > 1]
        labelled = any(label != NO_LABEL for label in tree.labels)
        return {
            "words": words_of(x),
            **({"tags": list(tags)} if tags else {}),
            "heads": list(tree.heads),
            **({"relations": list(tree.labels)} if labelled or not x else {}),
        }


FORM = Parsing()
