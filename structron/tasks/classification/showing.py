"""One document as text: the sum of each label, best first, and the features that count most for it."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

import click
import numpy as np

from structron.cli.terminal.request import Show
from structron.errors import DataError, SettingError
from structron.features.keys import named_key
from structron.io.formats.documents import Document, read_documents
from structron.tasks.classification.features import words_of

if TYPE_CHECKING:
    from structron.tasks.classification.estimator import Classifier


def show(classifier: Classifier, request: Show) -> Iterable[str]:
    """Yield the lines that `show` prints."""
    if request.svg is not None:
        raise SettingError("there is no picture of a single decision; leave --svg out")
    many = classifier.model_.task.many
    if request.place is not None:
        documents = read_documents(
            request.place, format=request.reading.format, columns=request.reading.columns, many=many,
            bare=True, encoding=request.reading.encoding,
        )  # fmt: skip
        found = next(itertools.islice(documents, request.number - 1, None), None)
        if found is None:
            raise DataError(f"{request.place}: there is no document {request.number}; check the file")
    else:
        label, tab, text = (request.text or "").partition("\t")
        found = Document(text, (label,)) if tab else Document(label, None)
    if request.gold is not None:
        found = Document(found.content, tuple(request.gold.split(",")) if many else (request.gold,))
    if not found.content:
        raise SettingError("there is no text; give one between quotes")
    return page(classifier, found, top=request.top)


def page(classifier: Classifier, document: Document, *, top: int = 8) -> Iterator[str]:
    """Yield all that `show` prints, line by line."""
    task = classifier.model_.task
    sums = np.atleast_2d(classifier.decision_function([document.content]))[0]
    if task.is_binary:
        sums = np.array([0.0, float(sums[0])])
    order = np.argsort(-sums, kind="stable")
    gold = document.labels or ()
    chosen = classifier.predict([document.content])[0]
    guess = {str(each) for each in (chosen if isinstance(chosen, list) else [chosen])}
    parts = _contributions(classifier, document)
    for number in order[:top]:
        label = task.labels[number]
        mark = ("guess" if label in guess else "") + (" gold" if label in gold else "")
        line = f"{label:24} {sums[number]:9.3f}  {mark}".rstrip()
        yield click.style(line, bold=True) if label in guess else line
        own = parts.get(int(number), [])
        if own:
            yield "    " + "  ".join(f"{name} {value:+.3f}" for name, value in own[:6])
    unknown = [label for label in gold if label not in task.labels]
    if unknown:
        yield click.style(f"gold {', '.join(unknown)} is unknown to the model", fg="red")


def _contributions(classifier: Classifier, document: Document) -> dict[int, list[tuple[str, float]]]:
    """Return by label how much each named feature adds to its sum, the most first."""
    task, rows = classifier.model_.task, classifier.model_.rows
    if task.mistakes is not None:  # the rows are examples, and nobody's weights
        return {}
    names = _names(classifier, document)
    keys, values = task.vectorizer.vector(document.content)
    found: dict[int, list[tuple[str, float]]] = {}
    for key, value in zip(keys.tolist(), values.tolist()):
        at = int(np.searchsorted(rows.keys, np.uint64(key)))
        if key not in names or at == len(rows.keys) or int(rows.keys[at]) != key:
            continue
        for cell in range(int(rows.offsets[at]), int(rows.offsets[at + 1])):
            label = int(rows.columns[cell]) + task.is_binary
            found.setdefault(label, []).append((names[key], float(rows.weights[cell]) * value))
    for own in found.values():
        own.sort(key=lambda each: (-abs(each[1]), each[0]))
    return found


def _names(classifier: Classifier, document: Document) -> dict[int, str]:
    """Name the keys of n-grams and of named features by hashing them again."""
    task = classifier.model_.task
    if isinstance(document.content, dict):
        return {named_key(name): name for name in document.content}
    words = words_of(document.content, task.lowered)
    names: dict[int, str] = {}
    for template in task.parsed:
        if template.unit == "word":
            grams = (" ".join(words[i : i + template.length]) for i in range(len(words)))
        else:
            text = f" {' '.join(words)} "
            grams = (repr(text[i : i + template.length]) for i in range(len(text)))
        names.update(zip(template.keys(words), grams))
    return names
