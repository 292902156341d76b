"""Hybrid trees as text: which production says which words."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any

import click

from structron.cli.terminal.request import Show
from structron.errors import DataError, SettingError
from structron.io import read_questions
from structron.tasks.semantics.space import CLOSED, FULL, OPEN, SLOT, HybridSpace

NOTHING = "–"

if TYPE_CHECKING:
    from structron.reference.forest.hypergraph import Tree
    from structron.tasks.semantics.estimator import SemanticParser


def show(parser: SemanticParser, request: Show) -> Iterable[str]:
    """Yield the lines that `show` prints."""
    if request.svg is not None:
        raise SettingError("there is no picture of forms; leave --svg out")
    gold = request.gold
    if request.place is not None:
        questions = read_questions(request.place, target=None, encoding=request.reading.encoding)
        found = next(itertools.islice(questions, request.number - 1, None), None)
        if found is None:
            raise DataError(f"{request.place}: there is no question {request.number}; check the file")
        text = found.text
        if gold is None and found.form is not None:
            gold = str(found.form)
    else:
        text, tab, form = (request.text or "").partition("\t")
        gold = form.strip() if tab and gold is None else gold
    if not text.strip():
        raise SettingError("there is no question; give one between quotes")
    return page(parser, text, gold)


def page(parser: SemanticParser, text: str, gold: str | None) -> Iterator[str]:
    """Yield all that `show` prints, line by line."""
    trace = parser.trace(text, gold)
    space: HybridSpace = trace.space
    words = text.lower().split()
    texts = parser.labels_
    if not trace.items[trace.final]:
        yield "there is no guess: the words and names of this question make no form of the grammar"
        return
    guess = trace.best(trace.final)
    yield f"guess  {guess.score:.4g}"
    yield from drawn(space, guess, words, texts)
    if gold is None:
        return
    right = trace.gold(trace.final)
    yield f"gold   {right.score:.4g}"
    yield from drawn(space, right, words, texts)
    if bool(trace.best_is_gold[trace.final]):
        yield click.style("the guess is right", fg="green")
    elif trace.fallen.any():
        node = space.node(int(trace.fallen.argmax()))
        where = "the whole" if node is None else f"'{' '.join(words[node.begin : node.end])}'"
        yield click.style(f"gold was pruned first at {where}", fg="red")
    else:
        yield click.style("gold was found, and scores less", fg="red")


def drawn(space: HybridSpace, tree: Tree, words: list[str], texts: list[str]) -> Iterator[str]:
    """Yield a line for each production with the words that it says itself; its parts follow, indented."""
    stack: list[Any] = []
    for use in tree.uses:
        first = len(stack) - len(use.edge.tails)
        tails = stack[first:]
        node = space.node(use.node)
        if node is None or node.kind == SLOT:
            made = tails[0]
        elif node.kind == CLOSED:
            said, parts = ([], [tails[0]]) if node.which else tails[0] if tails else (None, [])
            if said is None:  # a name
                said = list(range(node.begin, node.end))
            made = (texts[node.production], said, parts)
        else:
            said, parts = [], []
            for tail, value in zip(use.edge.tails, tails):
                at = space.node(tail)
                if at is not None and at.kind in (FULL, OPEN):
                    said, parts = [*said, *value[0]], [*parts, *value[1]]
                else:
                    parts = [*parts, value]
            if space.says(use.edge):
                said = [*said, node.end - 1]
            made = (said, parts)
        stack[first:] = [made]
    yield from _lines(stack[-1], words, 0)
    yield ""


def _lines(made: tuple[str, list[int], list[Any]], words: list[str], depth: int) -> Iterator[str]:
    text, said, parts = made
    spoken = " ".join(
        words[i] if not k or said[k - 1] == i - 1 else f"… {words[i]}" for k, i in enumerate(said)
    )
    yield f"{'  ' * depth}{text}".ljust(40) + f"  {spoken or NOTHING}"
    for part in parts:
        yield from _lines(part, words, depth + 1)
