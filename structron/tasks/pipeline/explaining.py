"""Explanations of a pipeline: each stage by itself, on what the stages before it have found."""

from __future__ import annotations

from collections.abc import Sequence

from structron.errors import SettingError
from structron.explaining import Explanation, account_of, explained, joined
from structron.model import Model
from structron.task import Task
from structron.tasks.pipeline.stages import Stages


def explained_stages(stages: Stages, x: str | Sequence[str]) -> dict[str, Explanation]:
    """Explain each stage, by name, sentence after sentence.

    A stage that cannot be explained, such as several parsers that vote, says so for its output.
    """
    parts: dict[str, Model[Task]] = stages.model.parts
    found: dict[str, Explanation] = {}
    if isinstance(x, str):
        paragraphs = [] if stages.segmenter is None else stages.segmenter.paragraphs(x)
        found["segmenter"] = joined(_explained(parts["segmenter"], each) for each in paragraphs)
    seen = stages.seen(x)
    for stage in stages.model.task.stages:
        if stage.name == "segmenter":
            continue
        sentences = seen.zipped(stage.sees) if len(seen) else []
        if stage.name == "lemma" and stages.lemmatizer is not None:
            found[stage.name] = joined(map(stages.lemmatizer.explain, sentences))
        else:
            found[stage.name] = joined(_explained(parts[stage.name], tokens) for tokens in sentences)
    return found


def _explained(model: Model[Task], x: object) -> Explanation:
    try:
        return explained(account_of(model, x), model.rows)
    except SettingError as error:
        return Explanation(f"not explained: {error}", 0.0, ())
