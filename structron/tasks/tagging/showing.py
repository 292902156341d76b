"""The beam for one sentence, step by step."""

from __future__ import annotations

import itertools
import shutil
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import click

from structron.cli.draw.beams import Drawing
from structron.cli.files.streams import opened
from structron.cli.task_cli import Reading
from structron.cli.terminal.request import Show
from structron.errors import DataError, SettingError
from structron.io import Report
from structron.tasks.tagging.estimator import Tagger
from structron.tasks.tagging.inputs import read_inputs
from structron.tasks.tagging.reading import check_columns, gold_labels, read_for


def show(tagger: Tagger, request: Show) -> Iterable[str]:
    """Yield the lines that `show` prints."""
    if request.svg is not None:
        raise SettingError("there is no picture of tags; leave --svg out")
    if request.place is not None:
        tokens, tags = _from_file(tagger, request.place, request.number, request.reading)
    else:
        tokens, tags = _from_words(request.text or "")
        check_columns(tagger, "words", 1)
    if request.gold is not None:
        tags = request.gold.split()
    if tags is not None:
        _check_gold(tagger, tokens, tags)
    return page(tagger, tokens, tags, steps=request.steps, top=request.top)


def page(
    tagger: Tagger, tokens: Sequence[Any], gold: Sequence[str] | None, *, steps: bool = True, top: int = 8
) -> Iterable[str]:
    """Yield all that `show` prints, line by line."""
    words = [token if isinstance(token, str) else token[0] for token in tokens]
    trace = tagger.trace(tokens, gold)
    task, best = tagger.model_.task, trace.best(trace.final).actions
    rows = {"words": words, "guess": task.labels_of(best)}
    if task.hidden > 1:
        rows["hidden"] = [task.tags[action] for action in best]
    yield from _lines(rows if gold is None else rows | {"gold": gold}, gold)
    yield f"search {tagger.model_.search}"
    yield ""
    kind = Drawing if task.hidden == 1 else SubLabels
    drawing = kind(trace, words, task.tags, gold, top)
    yield from drawing.whole(steps)


class SubLabels(Drawing):
    """The beams of a sentence whose labels own hidden sub-labels: paths are sub-labels, gold is labels."""

    def _is_wrong(self, tag: str, gold: str) -> bool:
        return tag.rpartition(":")[0] != gold

    def _gold_path(self, step: int) -> Sequence[str]:
        return [self.labels[action] for action in self.trace.gold(step).actions]


def _lines(named: Mapping[str, Sequence[str]], gold: Sequence[str] | None) -> Iterable[str]:
    """Yield words, guess and gold, one under the other, folded to the terminal's width."""
    rows = list(named.items())
    size = len(named["words"])
    widths = [max(len(row[i]) for _, row in rows) for i in range(size)]
    room = shutil.get_terminal_size((100, 24)).columns - 7
    first = 0
    while first < size:
        last = first + 1
        while last < size and sum(widths[first : last + 1]) + last - first <= room:
            last += 1
        for name, row in rows:
            cells = []
            for i in range(first, last):
                wrong = gold is not None and name == "guess" and row[i] != gold[i]
                padded = f"{row[i]:{widths[i]}}"
                cells.append(click.style(padded, fg="red", bold=True) if wrong else padded)
            yield f"{name:6} {' '.join(cells)}".rstrip()
        yield ""
        first = last


def _from_words(text: str) -> tuple[list[str], list[str] | None]:
    """Return words, with their tags if all come as word/tag."""
    tokens = text.split()
    if not tokens:
        raise SettingError("there are no words; give some between quotes")
    pairs = [token.rpartition("/") for token in tokens]
    if all(word and tag for word, _, tag in pairs):
        return [word for word, _, _ in pairs], [tag for _, _, tag in pairs]
    return tokens, None


def _from_file(
    tagger: Tagger, place: str, number: int, reading: Reading
) -> tuple[Sequence[Any], list[str] | None]:
    """Return sentence `number` of a file, with its tags if it has some."""
    with opened(place) as (_, stream):
        sentences = read_for(tagger, stream, reading, Report())
        found = next(itertools.islice(sentences, number - 1, None), None)
    if found is None:
        raise DataError(f"{place}: there is no sentence {number}; check the file")
    tokens = read_inputs([found], tagger.target).tokens[0]
    try:
        return tokens, gold_labels(tagger, found)
    except DataError:  # some words have a label and some have none
        return tokens, None


def _check_gold(tagger: Tagger, tokens: Sequence[Any], tags: Sequence[str]) -> None:
    if len(tokens) != len(tags):
        raise SettingError(f"{len(tokens)} words but {len(tags)} gold tags; give one each")
    for tag in tags:
        if tag not in tagger.labels_:
            known = ", ".join(tagger.labels_[:40]) + (", …" if len(tagger.labels_) > 40 else "")
            raise SettingError(f"the model has no label {tag!r}; its labels are {known}")
