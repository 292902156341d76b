"""Heads and relations that are given at prediction: the search keeps to them."""

from __future__ import annotations

from collections.abc import Sequence
from difflib import get_close_matches
from typing import Any, cast

from structron import _core
from structron.errors import DataError
from structron.fit.data.examples import Examples
from structron.io import Sentence
from structron.io.values.trees import NO_LABEL, PartialTree, known_tree, tree_columns
from structron.tasks.parsing.inputs import Sentences, read_tree
from structron.tasks.parsing.trees.projectivity import MARK
from structron.tasks.parsing.trees.task import TreeTask


def given_columns(sources: Sequence[Sentence], *, one_root: bool, labelled: bool) -> list[PartialTree]:
    """Return what sentences from files bring along of their trees and keep."""
    found: list[PartialTree] = []
    for sentence in sources:
        columns = tree_columns(sentence.format)
        kept = [sentence.format.find(name) for name in sentence.given]
        nothing: list[None] = [None] * len(sentence)
        if sentence.given and columns.head not in kept and columns.label not in kept:
            raise DataError(
                f"{sentence.place}: the model predicts heads and relations, not what is given "
                f"({' '.join(sentence.given)}); give their columns"
            )
        heads, labels = known_tree(sentence, one_root=one_root, labelled=labelled)
        own = heads if columns.head in kept else nothing, labels if columns.label in kept else nothing
        found.append(own)
    return found


def with_given(
    inputs: Examples[Sentences], given: Sequence[object], task: TreeTask, *, one_root: bool
) -> Examples[Sentences]:
    """Return inputs whose trees must have the heads and relations given."""
    xs = []
    known = {label.partition(MARK)[0] for label in task.labels}
    for i, (tokens, each) in enumerate(zip(inputs.xs, given)):
        if each is None:
            xs.append(tokens)
            continue
        heads, labels = cast(Any, read_tree)(inputs.source, i, each, one_root, True)
        if known == {NO_LABEL} or all(label == NO_LABEL for label in labels):
            labels = [None] * len(heads)
        for word, label in enumerate(labels):
            if label is not None and label not in known:
                near = get_close_matches(label, sorted(known), 1)
                raise DataError(
                    f"{inputs.source.place(i, word)}: given relation {label!r} is not one of the model's; "
                    + (f"use {near[0]!r}?" if near else "leave it out")
                )
        parts = list(heads), list(labels)
        is_free = all(part is None for each in parts for part in each)
        xs.append(tokens if is_free else _core.Restricted(tokens, parts))
    return Examples(xs, inputs.ys, inputs.source, inputs.place)
