"""Labels that are given at prediction: the search keeps to them."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from difflib import get_close_matches

from structron import _core
from structron.errors import DataError
from structron.fit.data.examples import Examples
from structron.fit.data.inputs import listed
from structron.io import Sentence
from structron.labelling.restriction import Forbidden, Known, names_in
from structron.labelling.task import TaggingTask
from structron.tasks.tagging.inputs import Inputs, as_known, known_labels


def given_columns(sources: Sequence[Sentence], target: str | int | None) -> list[list[str | None]] | None:
    """Return the labels that sentences from files bring along and keep; None if they keep none."""
    if not any(sentence.given for sentence in sources):
        return None
    found = []
    for sentence in sources:
        wanted = sentence.format.target if target is None else target
        index = None if wanted is None else sentence.format.find(wanted)
        kept = index is not None and index in [sentence.format.find(name) for name in sentence.given]
        found.append(known_labels(sentence, wanted) if kept else [None] * len(sentence))
    return found


def with_given(inputs: Examples[Inputs], given: Sequence[object], task: TaggingTask) -> Examples[Inputs]:
    """Return inputs whose labels must be among those given."""
    xs = []
    labels = frozenset(task.labels)
    for i, (tokens, each) in enumerate(zip(inputs.xs, given)):
        if each is None:
            xs.append(tokens)
            continue
        parts = listed(each, f"given of {inputs.place(i)}", "give a label or None for each token")
        if len(parts) != len(tokens):
            raise DataError(f"{inputs.place(i)}: {len(tokens)} tokens but {len(parts)} given; give one each")
        known = [
            _known(part, task.labels, labels, inputs.source.place(i, at)) for at, part in enumerate(parts)
        ]
        xs.append(_core.Restricted(tokens, known) if any(part is not None for part in known) else tokens)
    return Examples(xs, inputs.ys, inputs.source, inputs.place)


def _known(part: object, labels: Sequence[str], known: Collection[str], place: str) -> Known:
    left = part
    if isinstance(part, Forbidden):
        left = part.left(labels)
        if not left:
            raise DataError(f"{place}: every label is forbidden; leave one")
    found = as_known(left, f"{place}: given label")
    named = part.labels if isinstance(part, Forbidden) else names_in([found])
    for name in named:
        if name not in known:
            near = get_close_matches(name, labels, 1)
            raise DataError(
                f"{place}: given label {name!r} is not one of the model's; "
                + (f"use {near[0]!r}?" if near else "leave it out")
            )
    return found
