"""The JSON form of pipelines."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from structron.serve.json_forms import Json, Text, text, texts, within
from structron.serve.limits import Limits
from structron.serve.refusals import UNFIT, Refused


class Pipeline(Text):
    """Raw text, or words, to everything."""

    takes = "a text, or one sentence as a list of words"
    gives = (
        '{"text", "sentences": [{"text", "start", "end", "tokens": [...], "words": [...], '
        '"entities": [...]}, ...]}'
    )
    has_kbest = False

    def read(self, estimator: Any, value: Json, where: str) -> Any:
        """Return a text or words."""
        if isinstance(value, list):
            return texts(value, where, self.takes)
        if "segmenter" not in estimator.stages_:
            raise Refused(
                UNFIT, f"{where}: the pipeline does not cut text; give one sentence as a list of words"
            )
        return text(value, where, self.takes)

    def check(self, x: Any, where: str, limits: Limits) -> None:
        """Refuse a text or a sentence that is too long."""
        if isinstance(x, str):
            return super().check(x, where, limits)
        return within(len(x), limits.longest, where, "words")

    def answers(self, estimator: Any, xs: Sequence[Any], limits: Limits) -> list[Json]:
        """Return documents as plain data; sentences that are found may be too long for the parser."""
        raw = [x for x in xs if isinstance(x, str)]
        for sentences in estimator.segment(raw) if raw else ():
            for one in sentences:
                within(len(one), limits.longest, "a sentence of the text", "words")
        return [document.to_dict() for document in estimator.pipe(xs)]


FORM = Pipeline()
