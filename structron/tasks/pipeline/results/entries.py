"""The entries of a dictionary in a pipeline: each stage keeps to those whose labels it has."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from structron import _core
from structron.errors import DataError
from structron.io.values.labels import parts
from structron.registry import estimator_of
from structron.tasks.pipeline.columns import BETWEEN

if TYPE_CHECKING:
    from structron.fit.data.entries import Entries
    from structron.model import Model
    from structron.tasks.pipeline.task import Stage

Known = dict[str, tuple[str, ...]]  # by a label of the dictionary, the labels of a stage


def by_stage(
    entries: Entries, stages: Iterable[Stage], models: Mapping[str, Model[Any]]
) -> dict[str, Entries]:
    """Return by stage the entries that it keeps to, with its own labels; those without labels are tokens."""
    known = {
        stage.name: _known(stage, models[stage.name])
        for stage in stages
        if stage.name not in ("segmenter", "lemma", "parser")
    }
    found: dict[str, dict[tuple[str, ...], tuple[str, ...]]] = {}
    for words, labels in entries.labels.items():
        said = f"dictionary entry {' '.join(words)!r}"
        if not labels and "segmenter" not in models:
            raise DataError(f"{said} has no label, and there is no segmenter to keep tokens; give it one")
        if not labels:
            found.setdefault("segmenter", {})[words] = ()
        for label in labels:
            if not any(label in own for own in known.values()):
                raise DataError(f"{said}: no stage has the label {label!r}; give a tag, or a type of name")
        for name, own in known.items():
            if fit := tuple(dict.fromkeys(each for label in labels for each in own.get(label, ()))):
                found.setdefault(name, {})[words] = fit
    made = {name: entries.with_labels(own) for name, own in found.items()}
    return {name: own for name, own in made.items() if own is not None}


def _known(stage: Stage, model: Model[Any]) -> Known:
    if stage.name == "names":
        return {kind: (kind,) for kind in (parts(label)[1] for label in model.task.labels if label != "O")}
    found: dict[str, list[str]] = {}
    for label in model.task.labels:
        for part in dict.fromkeys(label.split(BETWEEN)):
            found.setdefault(part, []).append(label)
    return {part: tuple(labels) for part, labels in found.items()}


def kept(model: Model[Any], xs: Sequence[Any], words: Sequence[Any], entries: Entries) -> list[Any]:
    """Return the inputs of a stage that tags, with what entries give of its labels.

    Parameters
    ----------
    words
        What it sees, as lists of words or of tuples.
    """
    own = estimator_of("tagging").of_model(model, "the stage")
    inputs = own.kept_inputs(words, entries)
    return [
        _core.Restricted(x, each.parts) if isinstance(each, _core.Restricted) else x
        for x, each in zip(xs, inputs)
    ]
