"""Labels that are given at prediction: the search keeps to them."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from difflib import get_close_matches

from structron import _core
from structron.errors import DataError
from structron.fit.data.dictionary_file import warn_of_replaced
from structron.fit.data.entries import Chosen, Entries
from structron.fit.data.examples import Examples
from structron.fit.data.inputs import listed
from structron.io import Sentence
from structron.io.values.labels import parts
from structron.labelling.restriction import Forbidden, Known, names_in
from structron.labelling.task import TaggingTask
from structron.tasks.tagging.inputs import Inputs, as_known, known_labels


def given_columns(sources: Sequence[Sentence], target: str | int | None) -> list[list[str | None]]:
    """Return the labels that sentences from files bring along and keep."""
    found: list[list[str | None]] = []
    for sentence in sources:
        wanted = sentence.format.target if target is None else target
        index = None if wanted is None else sentence.format.find(wanted)
        if sentence.given and index not in [sentence.format.find(name) for name in sentence.given]:
            said = "has no column for" if index is None else f"predicts {sentence.names[index]}, not"
            raise DataError(
                f"{sentence.place}: the model {said} what is given ({' '.join(sentence.given)}); "
                "give the column that it predicts"
            )
        found.append(known_labels(sentence, wanted) if sentence.given else [None] * len(sentence))
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


def labels_of_entries(
    inputs: Examples[Inputs], entries: Entries, task: TaggingTask
) -> list[list[object] | None]:
    """Return the labels that entries of a dictionary give to sentences; None where there is no entry.

    Where labels mark spans, an entry is a span of its own.
    """
    if task.ready:
        raise DataError("a dictionary needs words, not ready features; leave it out")
    found: list[list[object] | None] = []
    inside = [label for label in task.labels if label[:1] in ("I", "E", "M")]
    for i, tokens in enumerate(inputs.xs):
        words = [token if isinstance(token, str) else token[0] for token in tokens]
        given: list[object] = [None] * len(words)
        for begin, end, labels in entries.found(words):
            if not entries.wins(i, begin, tuple(words[begin:end])):
                continue
            if not labels:
                raise DataError(f"dictionary entry {' '.join(words[begin:end])!r} has no label; give it one")
            if task.scheme is None:
                _check_labels(words[begin:end], labels, task)
                given[begin:end] = [labels] * (end - begin)
                continue
            given[begin:end] = _span(labels, end - begin, task, f"{inputs.place(i)}")
            if end < len(words) and given[end] is None:
                given[end] = Forbidden(inside)
        found.append(given if any(each is not None for each in given) else None)
    return found


def _check_labels(words: Sequence[str], labels: Sequence[str], task: TaggingTask) -> None:
    """Refuse labels of an entry that the model does not have."""
    for label in labels:
        if label not in task.labels:
            near = get_close_matches(label, task.labels, 1)
            raise DataError(
                f"dictionary entry {' '.join(words)!r}: label {label!r} is not one of the model's; "
                + (f"use {near[0]!r}?" if near else f"give one that it has, such as {task.labels[0]}")
            )


def _span(types: Sequence[str], length: int, task: TaggingTask, place: str) -> list[tuple[str, ...]]:
    """Return the labels of a span of one of these types."""
    if task.scheme == "iob1":
        raise DataError("a dictionary needs labels in which every span begins with B; train on bio or bioes")
    first, middle, last = ("S", "", "") if task.scheme == "bioes" and length == 1 else ("B", "I", "I")
    if task.scheme == "bioes" and length > 1:
        last = "E"
    prefixes = [first, *[middle] * (length - 2), *([last] if length > 1 else [])]
    known = {parts(label): label for label in task.labels if label != "O"}
    found = []
    for prefix in prefixes:
        fit = tuple(known[prefix, kind] for kind in types if (prefix, kind) in known)
        if not fit:
            raise DataError(
                f"{place}: the model has no label {prefix}-{types[0]} for an entry of the dictionary; "
                "give one of its types"
            )
        found.append(fit)
    return found


def with_entries(examples: Examples[Inputs], entries: Entries, task: TaggingTask) -> list[list[Known]]:
    """Return the labels of training data, of which those that a dictionary has otherwise are replaced.

    Entries with a weight do not win always, and replace nothing.
    """
    found: list[list[Known]] = [list(labels) for labels in examples.ys]
    known = frozenset(task.labels)
    replaced = 0
    for i, given in enumerate(labels_of_entries(examples, Chosen(entries), task)):
        for at, part in enumerate(given or ()):
            allowed = _known(part, task.labels, known, examples.source.place(i, at))
            if allowed is None:
                continue
            own = set(names_in([allowed]))
            left = own & set(names_in([found[i][at]]))
            if found[i][at] is not None and not left:
                replaced += 1
            if found[i][at] is None or not left:
                found[i][at] = allowed
            elif len(left) < len(set(names_in([found[i][at]]))):
                found[i][at] = as_known(left, "label")
    warn_of_replaced(replaced, "label" if replaced == 1 else "labels")
    return found
