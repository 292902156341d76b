"""Columns that are given: each stage keeps to those that it fills."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from structron import _core
from structron.errors import DataError
from structron.io import Sentence
from structron.io.values.trees import known_tree
from structron.model import Model
from structron.tasks.pipeline.columns import BETWEEN
from structron.tasks.pipeline.names.entities import labels_of
from structron.tasks.pipeline.task import Stage

TREE = ("head", "deprel")
MISC = "misc"  # where names stand
Values = Sequence[str | None]


def check_given(sentences: Sequence[Sentence], stages: Sequence[Stage]) -> None:
    """Refuse columns that no stage fills by a search that could keep to them."""
    fills = {name for stage in stages for name in stage.fills if stage.name not in ("lemma", "names")}
    fills |= set(TREE) if "parser" in fills else set()
    fills |= {MISC} if any(stage.name == "names" for stage in stages) else set()
    for sentence in sentences:
        for name in sentence.given:
            if name not in fills:
                known = ", ".join(sorted(fills - {"segmenter", "parser"}))
                raise DataError(f"{sentence.place}: given {name} is not what a stage fills; give {known}")


def restricted(stage: Stage, part: Model[Any], inputs: list[Any], sentences: Sequence[Sentence]) -> list[Any]:
    """Return the inputs of a stage, with what is given of its outputs."""
    if not any(sentence.given for sentence in sentences):
        return inputs
    of_stage = {"parser": _tree, "names": _names}.get(stage.name, _labels)
    found = []
    for x, sentence in zip(inputs, sentences):
        parts = of_stage(stage, part, sentence)
        found.append(x if parts is None else _core.Restricted(x, parts))
    return found


def _labels(stage: Stage, part: Model[Any], sentence: Sentence) -> list[tuple[str, ...] | None] | None:
    """Return for each word the labels that agree with the columns given."""
    columns: list[Values] = [
        sentence.values(name) if name in sentence.given else [None] * len(sentence) for name in stage.fills
    ]
    if not any(value for column in columns for value in column):
        return None
    split = [(label, label.split(BETWEEN) if len(columns) > 1 else [label]) for label in part.task.labels]
    found: list[tuple[str, ...] | None] = []
    for word, values in enumerate(zip(*columns)):
        if not any(values):
            found.append(None)
            continue
        fit = tuple(label for label, own in split if all(v in (None, o) for v, o in zip(values, own)))
        if not fit:
            said = " ".join(f"{name} {value}" for name, value in zip(stage.fills, values) if value)
            raise DataError(
                f"{sentence.place_of(word)}: no label of the model has the given {said}; leave it out"
            )
        found.append(fit)
    return found


def _tree(stage: Stage, part: Model[Any], sentence: Sentence) -> tuple[list[Any], list[Any]] | None:
    nothing: list[None] = [None] * len(sentence)
    heads, labels = (
        values if name in sentence.given else nothing for name, values in zip(TREE, known_tree(sentence))
    )
    known = set(part.task.labels)
    for word, label in enumerate(labels):
        if label is not None and label not in known:
            raise DataError(
                f"{sentence.place_of(word)}: given relation {label!r} is not one of the model's; leave it out"
            )
    return None if all(each is None for each in (*heads, *labels)) else (list(heads), list(labels))


def _names(stage: Stage, part: Model[Any], sentence: Sentence) -> list[tuple[str, ...] | None] | None:
    """Return the labels of words that stand in names, and that no name goes on behind them."""
    if MISC not in sentence.given:
        return None
    found: list[tuple[str, ...] | None] = [None] * len(sentence)
    ends = tuple(label for label in part.task.labels if label[:1] not in ("I", "E", "M"))
    given = labels_of(sentence)
    for word, label in enumerate(given):
        if label != "O" and label not in part.task.labels:
            raise DataError(
                f"{sentence.place_of(word)}: given name {label!r} is not one of the model's; leave it out"
            )
        if label != "O":
            found[word] = (label,)
        elif word and given[word - 1] != "O":
            found[word] = ends
    return found if any(found) else None
