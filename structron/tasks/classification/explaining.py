"""Explanations of classifiers: the n-grams of a text, or features by name, with their weights."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from structron.explaining.account import Account, Derived
from structron.explaining.explanation import Named
from structron.explaining.names import ready_names
from structron.features.keys import fold, named_key
from structron.model import Model
from structron.tasks.classification.features import INTERCEPT, column_key, words_of
from structron.tasks.classification.task import ClassificationTask


def account(model: Model[ClassificationTask], x: Any) -> Account:
    """Explain the labels of an input."""
    width = model.about.get("width")
    return Derived(model, x, TextNames(model.task, x, width if isinstance(width, int) else 0))


class TextNames:
    """An input of a classifier."""

    def __init__(self, task: ClassificationTask, x: Any, width: int = 0) -> None:
        self.task = task
        self.space = task.space(bag_of(x) if isinstance(x, Mapping) else x)
        self._names = text_names(task, x, width)

    def features(self, state: int, action: int) -> Iterator[Named]:
        """Yield the features of the input, each with its value."""
        for (key, column), value in self.space.features(state, action):
            yield Named(self._names.get(key, f"feature {key:016x}"), key, column, value)

    def about(self, state: int) -> str:
        """Return the label that is decided, where there may be several, or the input."""
        return self.task.labels[state] if self.task.many else "the text"

    def label(self, state: int, action: int) -> str:
        """Return the label, or whether it is given."""
        return ("no", "yes")[action] if self.task.many else self.task.labels[action]

    def columns(self) -> Sequence[str]:
        """Return the labels; of two only the second has weights, and they speak against the first."""
        return self.task.labels[1:] if self.task.is_binary else self.task.labels

    def rather(self, action: int) -> int:
        """Give the features of a yes-or-no decision to the yes."""
        return 1 if self.task.many or self.task.is_binary else action

    def output(self, actions: Sequence[int]) -> str:
        """Return the labels that were given."""
        if self.task.many:
            return " ".join(label for label, given in zip(self.task.labels, actions) if given)
        return self.task.labels[actions[0]]


def bag_of(x: Mapping[str, Any]) -> tuple[Any, Any]:
    """Return features by name as keys and numbers."""
    named = ready_names(x)
    keys = np.array([named_key(name) for name in named], np.uint64)
    return keys, np.array(list(named.values()), np.float32)


def text_names(task: ClassificationTask, x: Any, width: int = 0) -> dict[int, str]:
    """Name the keys of an input: n-grams, features by name, columns of an array."""
    names: dict[int, str] = {}
    if isinstance(x, Mapping):
        names = {named_key(name): name for name in ready_names(x)}
    elif isinstance(x, tuple) and len(x) == 2 and not isinstance(x[0], str):
        names = {column_key(i): f"column {i}" for i in range(width)}
    else:
        words = words_of(x, task.lowered) if isinstance(x, str) else [str(word) for word in x]
        text = f" {' '.join(words)} "
        for template in task.parsed:
            n = template.length
            if template.unit == "word":
                grams = [" ".join(words[i : i + n]) for i in range(len(words))]
            else:
                grams = [repr(text[i : i + n]) for i in range(len(text))]
            names.update(zip(template.keys(words), grams))
    found: dict[int, str] = {}
    for key, name in [*names.items(), (INTERCEPT, "intercept")]:
        folded = fold(key, task.bits)  # folded, several may share a row
        found[folded] = f"{found[folded]} or {name}" if folded in found else name
    return found
