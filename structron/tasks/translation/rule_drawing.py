"""Drawings of translations by rules with gaps: derivations as trees, and the spans where gold drops out."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

import click

from structron.reference import METHODS

if TYPE_CHECKING:
    from structron.model import Model
    from structron.reference import ForestTrace
    from structron.reference.forest.hypergraph import ForestItem
    from structron.tasks.translation.hiero.matching import Side
    from structron.tasks.translation.hiero.space import HieroSpace
    from structron.tasks.translation.hiero.task import HieroTask

SHOWN = ("standard", "skip", "early", "latest", "max_violation", "parallel")


def page(
    model: Model[Any],
    source: Sequence[str],
    references: Sequence[Sequence[str]],
    *,
    steps: bool = True,
    top: int = 8,
) -> Iterator[str]:
    """Yield all that `show` prints of one sentence, line by line."""
    task: HieroTask = model.task
    words, asked = list(source), [list(reference) for reference in references]
    reached, reachable = task.engine.reach(words, asked, True, task.cap) if asked else (0, False)
    trace = model.chart(words, asked if reachable else None)
    space: HieroSpace = trace.space
    yield from derivation("guess", space, trace.items[trace.final][0])
    if reachable:
        yield from derivation("gold", space, trace.gold_items[trace.final][0])
    elif asked:
        said = f"no derivation yields the reference; gold gets as far as {reached} of {len(words)} words"
        yield click.style(said, fg="red")
        yield ""
    yield f"search {model.search}"
    yield ""
    if steps:
        yield from spans(trace, reachable, top)
    if reachable:
        yield from summary(trace)


def derivation(name: str, space: HieroSpace, item: ForestItem) -> Iterator[str]:
    """Yield the output of a derivation, and its rules, each below the one whose gap it fills."""
    yield f"{click.style(name, bold=True)}  {' '.join(space.words_of(item.tree()))}  ({item.score:.3f})"
    yield from _tree(space, item, 1)
    yield ""


def _tree(space: HieroSpace, item: ForestItem, depth: int) -> Iterator[str]:
    if space.is_beginning(item.node):
        for tail in item.tails:
            yield from _tree(space, tail, depth)
        return
    begin, end = space.span(item.node)
    rule = space.rules.options[item.tails[0].state]
    copied = " (copied)" if rule.is_copy else ""
    place = click.style(f"[{begin},{end})", fg="cyan")
    yield f"{'  ' * depth}{place} {side(rule.source)} → {side(rule.target)}{copied}"
    for tail in item.tails[1:]:
        yield from _tree(space, tail, depth + 1)


def side(symbols: Side) -> str:
    """Write words, and gaps as X1 and X2."""
    return " ".join(s if isinstance(s, str) else click.style(f"X{s + 1}", fg="yellow") for s in symbols)


def spans(trace: ForestTrace, has_gold: bool, top: int) -> Iterator[str]:
    """Yield the items of every span that has any, best first, with gold ones marked."""
    space: HieroSpace = trace.space
    for node in range(space.patterns, len(trace.items)):
        if not trace.items[node]:
            continue
        begin, end = space.span(node)
        kind = "beginning" if space.is_beginning(node) else "span"
        out = has_gold and bool(trace.fallen[node])
        yield f"{kind} [{begin},{end})" + (click.style("  gold is out", fg="red") if out else "")
        for item in trace.items[node][:top]:
            mark = click.style("*", fg="green") if item.good else " "
            yield f" {mark} {item.score:9.3f}  {' '.join(space.words_of(item.tree()))}"
    yield ""


def summary(trace: ForestTrace) -> Iterator[str]:
    """Yield the places where each method would update."""
    space: HieroSpace = trace.space
    for name in SHOWN:
        chosen = METHODS[name](trace)
        nodes = () if chosen is None else (chosen,) if isinstance(chosen, int) else chosen
        places = ", ".join("[{},{})".format(*space.span(node)) for node in nodes)
        yield f"{name.replace('_', '-'):>14}  {places or 'no update'}"
