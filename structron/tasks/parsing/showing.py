"""One sentence: its tree, and the beam step by step or the chart cell by cell."""

from __future__ import annotations

import itertools
import shutil
import sys
from collections.abc import Iterable, Iterator
from typing import Any

from structron.cli.draw.beams import Drawing
from structron.cli.draw.trees import draw_tree, tree_svg
from structron.cli.files.streams import opened
from structron.cli.terminal.request import Show
from structron.errors import DataError, SettingError
from structron.io import Report, Tree
from structron.io.files.streams import writing
from structron.reference.forest.forest import ForestTrace
from structron.reference.sequence.trace import Trace
from structron.tasks.parsing.charts import Chart
from structron.tasks.parsing.estimator import Parser
from structron.tasks.parsing.reading import has_tree, own_tree, read_for
from structron.tasks.parsing.transitions.task import ParsingTask

ACTIONS = 5  # shown of a path


def show(parser: Parser, request: Show) -> Iterator[str]:
    """Yield the lines that `show` prints."""
    sentence, gold = (
        _from_file(parser, request) if request.place is not None else _from_words(parser, request)
    )
    if request.gold is not None:
        gold = _gold(request.gold)
    try:
        tokens, guess, trace = parser.predict_traced(sentence, gold)
    except DataError as error:
        if gold is None:
            raise
        raise SettingError(f"the gold tree cannot be followed: {error}") from None
    words = [token[0] for token in tokens]
    tags = [token[1] for token in tokens] if len(tokens[0]) > 1 else None
    if request.svg is not None:
        with writing(request.svg) as put:
            put(tree_svg(words, guess, tags=tags, gold=gold))
        if request.svg == "-":
            return
    encoding = (getattr(sys.stdout, "encoding", None) or "").lower()
    width = min(shutil.get_terminal_size((80, 24)).columns, 120)
    yield from draw_tree(words, guess, tags=tags, gold=gold, width=width, plain="utf" not in encoding)
    yield ""
    yield f"search {parser.model_.search}"
    yield ""
    if isinstance(trace, ForestTrace):
        drawn = Chart(
            trace,
            words,
            parser.model_.task.labels,
            has_gold=gold is not None,
            top=request.top,
            width=width,
        )
        yield from _parts(drawn.cells(), drawn, gold, request)
        return
    task = parser.model_.task
    yield from _beams(list(task.transitions) if isinstance(task, ParsingTask) else [], trace, gold, request)


def _parts(steps: Iterable[str], drawn: Chart | Drawing, gold: Tree | None, request: Show) -> Iterable[str]:
    """Yield every step, and with gold the fate of gold."""
    if request.steps:
        yield from steps
    if gold is not None:
        yield from drawn.overview()
        yield ""
        yield from drawn.summary()


def _beams(actions: list[str], trace: Trace, gold: Tree | None, request: Show) -> Iterable[str]:
    path = [actions[action] for action in trace.best(trace.final).actions]
    right = None if gold is None else [actions[action] for action in trace.gold(trace.final).actions]
    drawing = Drawing(trace, right or path, actions, right, request.top, unit="action", tail=ACTIONS)
    yield from _parts(drawing.steps(), drawing, gold, request)


def _from_words(parser: Parser, request: Show) -> tuple[list[tuple[str, ...]], None]:
    """Return words of the command line: alone if the model tags them, otherwise with tags behind slashes."""
    texts = (request.text or "").split()
    if not texts:
        raise SettingError("there are no words; give some between quotes")
    columns = 1 if parser.model_.parts else parser.model_.task.columns
    tokens: list[tuple[str, ...]] = []
    for text in texts:
        parts = text.rsplit("/", columns - 1) if columns > 1 else [text]
        if len(parts) < columns or not all(parts):
            names = "/".join(["word", "tag", "xpos", "feats", "lemma"][:columns])
            raise SettingError(f"{text!r} has no tags, and the model has no tagger; write {names}")
        tokens.append(tuple(parts))
    return tokens, None


def _from_file(parser: Parser, request: Show) -> tuple[Any, Tree | None]:
    """Return a sentence of a file, with its tree if it has one."""
    assert request.place is not None
    with opened(request.place) as (_, stream):
        sentences = read_for(parser, stream, request.reading, Report())
        found = next(itertools.islice(sentences, request.number - 1, None), None)
    if found is None:
        raise DataError(f"{request.place}: there is no sentence {request.number}; check the file")
    return found, own_tree(parser, found) if has_tree(found) else None


def _gold(text: str) -> Tree:
    """Parse heads with relations, such as ``2:nsubj 0:root``; heads alone for a parser without relations."""
    heads, labels = [], []
    for part in text.split():
        head, _, label = part.partition(":")
        if not head.isdecimal() or len(head) > 9:
            raise SettingError(f"cannot read {part!r} of --gold; write heads and relations: 2:nsubj 0:root")
        heads.append(int(head))
        labels.append(label or "_")
    return Tree(heads, labels)
