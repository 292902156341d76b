"""Translations as text: phrases of gold and guess, the stacks step by step, and where gold falls off."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

import click

from structron.cli.draw.beams import Drawing
from structron.cli.terminal.counting import counted
from structron.cli.terminal.request import Show
from structron.errors import SettingError
from structron.io.formats.parallel_text import words_of
from structron.tasks.translation import rule_drawing as rules
from structron.tasks.translation.reading import line_of

if TYPE_CHECKING:
    from structron.model import Model
    from structron.reference import Item, Trace
    from structron.tasks.translation.decoding.space import TranslationSpace
    from structron.tasks.translation.decoding.task import TranslationTask
    from structron.tasks.translation.phrases.options import Option

COLOURS = ("cyan", "yellow", "magenta", "blue")  # of phrases, by where they stand in the source
PHRASES = 6  # of a path
DONE, OPEN = "▪", "·"


def show(model: Model[Any], request: Show) -> Iterable[str]:
    """Yield the lines that `show` prints."""
    if request.svg is not None:
        raise SettingError("there is no picture of translations; leave --svg out")
    references: Sequence[Sequence[str]]
    if request.place is not None:
        found = line_of((request.place, *request.beside), request.number, request.reading)
        source, *references = found.sides
    else:
        source, references = tuple(words_of(request.text or "")), ()
    if request.gold is not None:
        references = [words_of(request.gold)]
    raw_source, raw_target = model.task.writing.sides
    if raw_source is not None:
        source = tuple(raw_source.read(" ".join(source)).words)
    if raw_target is not None:
        references = [raw_target.read(" ".join(words)).words for words in references]
    if not source:
        raise SettingError("there are no words; give a sentence between quotes, or another --sentence")
    source = model.task.source_words.seen(source)
    drawn = rules.page if model.task.system == "hiero" else page
    return drawn(model, source, references, steps=request.steps, top=request.top)


def page(
    model: Model[Any],
    source: Sequence[str],
    references: Sequence[Sequence[str]],
    *,
    steps: bool = True,
    top: int = 8,
) -> Iterator[str]:
    """Yield all that `show` prints, line by line."""
    task: TranslationTask = model.task
    space = task.space(source)
    words, asked = list(source), [list(reference) for reference in references]
    reached, reachable = task.engine.reach(words, asked, True, task.cap) if asked else (0, False)
    trace = model.trace(words, asked if reachable else None)
    yield from derivation("guess", space, trace.best(trace.final).actions)
    if reachable:
        yield from derivation("gold", space, trace.gold(trace.final).actions)
    elif asked:
        yield click.style(_unreachable(reached, len(words)), fg="red")
        yield ""
    yield f"search {model.search}"
    yield ""
    drawing = Stacks(trace, space, reachable, top)
    yield from drawing.whole(steps)


def _unreachable(reached: int, words: int) -> str:
    if not reached:
        return "gold    no phrases yield the beginning of the reference, whatever they cover"
    return (
        f"gold    no phrases yield the reference; its beginning is reached over the first "
        f"{counted(reached, 'words')} of {words}"
    )


def derivation(name: str, space: TranslationSpace, actions: Sequence[int]) -> Iterator[str]:
    """Return two lines in the order of the output: source phrases, and under each what it becomes."""
    cells = []
    for action in actions:
        option = space.options[action]
        source = " ".join(space.source[option.start : option.end])
        target = " ".join(option.target) + (" (copied)" if option.is_copy else "")
        cells.append((option, f"{option.start + 1}:{source}", target))
    widths = [max(len(above), len(below)) for _, above, below in cells]
    widths[-1:] = [0]  # nothing follows the last
    for title, side in ((name, 1), ("", 2)):
        row = [_coloured(cell[0], f"{cell[side]:{width}}") for cell, width in zip(cells, widths)]
        yield f"{title:7} {'   '.join(row)}"
    yield ""


def _coloured(option: Option, text: str) -> str:
    return click.style(text, fg=COLOURS[option.start % len(COLOURS)])


class Stacks(Drawing):
    """The stacks of one sentence: rows are by source words covered, paths are phrases.

    Parameters
    ----------
    space
        The sentence.
    gold
        Whether the trace was watched from the gold side.
    """

    def __init__(self, trace: Trace, space: TranslationSpace, gold: bool, top: int = 8) -> None:
        covered = [counted(step + 1, "words") for step in range(len(space.source))]
        labels = [" ".join(option.target) for option in space.options]
        super().__init__(trace, covered, labels, () if gold else None, top, unit="covered")
        self.space = space

    def _item(self, step: int, rank: int, item: Item) -> str:
        """Return an item's line; it is kept for its score and what is still to come, which is not shown."""
        good = self.gold is not None and item.good
        mark = click.style("●", fg="green") if good else " "
        said = click.style("   gold", fg="green") if good else ""
        actions = self.trace.path(step, rank).actions
        return f"  {rank + 1:3}  {mark} {item.score:{self.width}.2f}  {self._phrases(actions)}{said}"

    def _fallen(self, step: int) -> str:
        gold, row = self.trace.golds[step], self.trace.beams[step]
        if gold is None:
            return click.style("       ✗ gold goes beyond this stack", fg="red")
        first = not any(
            self.trace.golds[s] is not None and not self.trace.gold_in_beam[s] for s in range(step)
        )
        what = "gold falls off the stack" if first else "gold, off the stacks"
        ahead = max(item.score for item in row) - gold.score
        note = f"{what}: excess {ahead:+.2f}"
        mark = click.style("✗", fg="red", bold=True)
        path = self._phrases(self.trace.gold(step).actions)
        return (
            f"       {mark} {gold.score:{self.width}.2f}  {path}   {click.style(note, fg='red', bold=first)}"
        )

    def _phrases(self, actions: Sequence[int]) -> str:
        """Return which source words are covered, and the last phrases of the output."""
        options = [self.space.options[action] for action in actions]
        done = {i for option in options for i in range(option.start, option.end)}
        cover = "".join(DONE if i in done else OPEN for i in range(len(self.space.source)))
        shown = [_coloured(option, " ".join(option.target)) for option in options[-PHRASES:]]
        return f"{cover}  {' | '.join(['…'] * (len(options) > PHRASES) + shown)}"
