"""Derivations as text: gold and guess piece by piece, and the beam at each step."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

import click

from structron.cli.draw.beams import TAIL, Drawing
from structron.cli.terminal.counting import counted
from structron.cli.terminal.request import Show
from structron.errors import DataError, SettingError
from structron.io import read_pairs
from structron.tasks.transduction.direction.reversal import FORWARD
from structron.tasks.transduction.words.unseen_symbols import as_known

if TYPE_CHECKING:
    from structron.tasks.transduction.estimator import Transducer
    from structron.tasks.transduction.experts.combined_transducer import TransductionExpert
    from structron.tasks.transduction.task import TransductionTask

NOTHING = "–"


def show(transducer: Transducer, request: Show) -> Iterable[str]:
    """Yield the lines that `show` prints."""
    if request.svg is not None:
        raise SettingError("there is no picture of derivations; leave --svg out")
    if request.place is not None:
        pairs = read_pairs(
            request.place, format=request.reading.format, bare=True, encoding=request.reading.encoding
        )
        found = next(itertools.islice(pairs, request.number - 1, None), None)
        if found is None:
            raise DataError(f"{request.place}: there is no word {request.number}; check the file")
        source, gold = found.source, list(found.targets)
    else:
        source, tab, target = (request.text or "").partition("\t")
        source, gold = source.strip(), [target.strip()] if tab else []
    if not source:
        raise SettingError("there is no word; give one between quotes")
    if request.gold is not None:
        gold = [request.gold]
    return page(transducer, source, gold, steps=request.steps, top=request.top)


def page(
    transducer: Transducer, source: str, gold: Sequence[str], *, steps: bool = True, top: int = 8
) -> Iterator[str]:
    """Yield all that `show` prints, line by line."""
    task: TransductionTask = transducer.model_.task
    notation = transducer.script_.notation
    symbols = as_known(notation.symbols_of_source(source), task.source_symbols)
    references = [notation.symbols_of_target(text) for text in gold]
    read, wanted = task.turned(symbols), [task.turned(each) for each in references]
    reachable = bool(references) and task.inventory.reaches(read, wanted)
    trace = transducer.trace(symbols, references if reachable else None)
    own = trace.best(trace.final).actions
    chosen = own
    if task.experts:
        (output,) = transducer.model_.predict([symbols])
        if output != task.emitted(own):
            watched = transducer.trace(symbols, [output])
            chosen = watched.gold(watched.final).actions
    yield from derivation("guess", task, read, chosen)
    if chosen != own:  # the beams below lead there
        yield from derivation("alone", task, read, own)
    if reachable:
        yield from derivation("gold", task, read, trace.gold(trace.final).actions)
    elif references:
        yield click.style(f"gold    {' or '.join(gold)} has no derivation from these pieces", fg="red")
        yield ""
    ways = ("begins", "ends") if task.direction == FORWARD else ("ends", "begins")
    for way, alike in zip(ways, task.known_words.alike(read) if task.known_words else ()):
        if alike is not None:
            word = notation.source(task.turned(alike.word))
            yield f"known   {word} {way} alike: {counted(alike.shared, 'symbols')}"
    yield f"search {transducer.model_.search}{''.join(map(_asked, task.experts))}"
    yield ""
    drawing = Derivations(trace, task, read, reachable, top)
    yield from drawing.whole(steps)


def _asked(expert: TransductionExpert) -> str:
    """Yield the experts that are asked."""
    end = "beginning" if expert.task.direction == FORWARD else "end"
    return f", and where that is unsure another transducer from the {end} ({expert.name})"


def derivation(
    name: str, task: TransductionTask, source: Sequence[str], actions: Sequence[int]
) -> Iterator[str]:
    """Return two lines: the pieces of the source, and under each what it becomes."""
    cells = []
    at = 0
    for action in actions:
        consumed, emitted = (source[at : at + 1], ()) if action == task.skip else task.pairs[action]
        cells.append((" ".join(consumed), " ".join(emitted) or NOTHING))
        at += len(consumed)
    widths = [max(map(len, cell)) for cell in cells]
    above, below = ("   ".join(f"{cell[i]:{w}}" for cell, w in zip(cells, widths)) for i in (0, 1))
    yield f"{name:7} {above}".rstrip()
    yield f"        {below}".rstrip()
    yield ""


class Derivations(Drawing):
    """The beams of one source: rows are source symbols consumed, paths are pieces.

    Parameters
    ----------
    gold
        Whether the trace was watched from the gold side.
    """

    def __init__(
        self, trace: Any, task: TransductionTask, source: Sequence[str], gold: bool, top: int = 8
    ) -> None:
        labels = [*(_name(x, y) for x, y in task.pairs), f"?→{NOTHING}"]
        super().__init__(trace, source, labels, () if gold else None, top)

    def steps(self) -> Iterator[str]:
        """Yield the beams; there is none between where all pieces are longer than a symbol."""
        if not any(self.trace.beams):
            yield "there is nothing to decide"
        yield from super().steps()

    def _tags(self, tags: Sequence[str]) -> str:
        """Return the last pieces of a path."""
        first = max(0, len(tags) - TAIL)
        return " ".join(["…"] * (first > 0) + list(tags[first:]))

    def _gold_path(self, step: int) -> Sequence[str]:
        return [self.labels[action] for action in self.trace.gold(step).actions]


def _name(source: Sequence[str], target: Sequence[str]) -> str:
    return f"{'+'.join(source)}→{'+'.join(target) or NOTHING}"
