"""A trace as text: the beam step by step, gold on its way down, and where each method would update."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from structron.reference import Item, Trace

BAR = 30  # characters for the excess
TAIL = 12  # tags of a path


@dataclass(frozen=True)
class Choice:
    """The choice of an update method: its row, if any, and whether that is a violation."""

    method: str
    row: int | None
    excess: float
    valid: bool


def choices(trace: Trace) -> list[Choice]:
    """Return the row that each prefix method of Huang et al. (2012) would choose."""
    from structron.reference import METHODS, excess, is_violation

    found = []
    amounts, violations = excess(trace), is_violation(trace)
    for name in ("standard", "early", "hybrid", "latest", "max_violation"):
        row = METHODS[name](trace)
        assert not isinstance(row, tuple)  # none of these chooses several
        known = row is not None
        found.append(
            Choice(
                name.replace("_", "-"),
                row,
                float(amounts[row]) if known else math.nan,
                known and bool(violations[row]),
            )
        )
    return found


class Drawing:
    """A sentence's search as lines of text, in colours that `click.echo` removes for files and pipes.

    Parameters
    ----------
    words
        The sentence.
    labels
        The names of the actions.
    gold
        The gold tags, if the trace was watched from the gold side.
    top
        So many items of a beam are shown.
    unit
        What is decided on a step, if not the tag of a word.
    tail
        So many of the last actions of a path are shown.
    """

    def __init__(
        self,
        trace: Trace,
        words: Sequence[str],
        labels: Sequence[str],
        gold: Sequence[str] | None,
        top: int = 8,
        *,
        unit: str = "word",
        tail: int = TAIL,
    ) -> None:
        self.unit, self.tail = unit, tail
        self.trace, self.words, self.labels, self.gold, self.top = trace, words, labels, gold, top
        scores = [item.score for row in [*trace.beams, *trace.gold_beams] for item in row]
        self.width = max((len(f"{score:.2f}") for score in scores), default=4)
        self.choices = choices(trace) if gold is not None else []
        self.wide = max(map(len, words), default=0)

    def whole(self, steps: bool) -> Iterator[str]:
        """Yield the beams if wanted, and with gold the overview and the choice of each method."""
        if steps:
            yield from self.steps()
        if self.gold is not None:
            yield from self.overview()
            yield ""
            yield from self.summary()

    def steps(self) -> Iterator[str]:
        """Yield the beams, one after the other."""
        for step, row in enumerate(self.trace.beams):
            if not row:  # every action went beyond it
                continue
            yield self._head(step)
            gold_rank = next((rank for rank, item in enumerate(row) if item.good), None)
            for rank, item in enumerate(row[: self.top]):
                yield self._item(step, rank, item)
            if gold_rank is not None and gold_rank >= self.top:
                yield self._item(step, gold_rank, row[gold_rank])
            shown = min(len(row), self.top) + (gold_rank is not None and gold_rank >= self.top)
            if shown < len(row):
                yield click.style(f"         … and {len(row) - shown:,} more", dim=True)
            if self.gold is not None and not self.trace.gold_in_beam[step]:
                yield self._fallen(step)
            yield ""

    def overview(self) -> Iterator[str]:
        """Yield one line a step: how far the best is ahead of gold, where gold is, which methods would
        update."""
        from structron.reference import excess, fall_off

        amounts = excess(self.trace)
        fallen = fall_off(self.trace)
        known = [float(a) for a in amounts if not math.isnan(a)]
        low, high = min([0.0, *known]), max([0.0, *known])
        scale = BAR / ((high - low) or 1.0)
        left = round(-low * scale)
        pad = max(self.wide, len(self.unit))
        head = (
            f"step  {self.unit:{pad}}  {'best':>{self.width}}  {'gold':>{self.width}}  excess = best - gold"
        )
        yield click.style(head, bold=True)
        for step, word in enumerate(self.words):
            best, gold = self.trace.best_score[step], self.trace.gold_score[step]
            numbers = f"{step + 1:4}  {word:{pad}}  {self._number(best)}  {self._number(gold)}"
            amount = float(amounts[step])
            bar = self._bar(amount, left, scale)
            yield f"{numbers}  {self._number(amount, '+')} {bar} {self._remark(step, fallen)}"

    def summary(self) -> Iterator[str]:
        """Yield one line a method: its row, the excess there, and whether the update would be valid."""
        yield click.style("update          on step            excess", bold=True)
        for choice in self.choices:
            if choice.row is None:
                yield f"{choice.method:14}  none"
                continue
            place = f"{choice.row + 1} ({self.words[choice.row]})"
            number = f"{choice.excess:+8.2f}"
            verdict = (
                click.style("valid", fg="green")
                if choice.valid
                else click.style(
                    "invalid: gold already scores more, there is nothing to fix", fg="red", bold=True
                )
            )
            yield f"{choice.method:14}  {place:16} {number}   {verdict}"

    def _head(self, step: int) -> str:
        here = [choice.method for choice in self.choices if choice.row == step]
        mark = click.style("  ◀ " + ", ".join(here), fg="cyan") if here else ""
        return click.style(f"step {step + 1}  {self.words[step]}", bold=True) + mark

    def _item(self, step: int, rank: int, item: Item) -> str:
        row = self.trace.beams[step]
        path = self._path(step, rank)
        score = f"{item.score:{self.width}.2f}"
        if self.gold is None:
            behind = "" if rank == 0 else click.style(f"   -{row[0].score - item.score:.2f}", dim=True)
            return f"  {rank + 1:3}    {score}  {path}{behind}"
        if not item.good:
            return f"  {rank + 1:3}    {score}  {path}"
        if rank == 0:
            ahead = f", {item.score - row[1].score:.2f} ahead of the next" if len(row) > 1 else ""
            note = f"gold{ahead}"
        else:
            note = f"gold, {row[0].score - item.score:.2f} behind the best"
        mark, said = (click.style(text, fg="green") for text in ("●", note))
        return f"  {rank + 1:3}  {mark} {score}  {path}   {said}"

    def _fallen(self, step: int) -> str:
        gold, row = self.trace.golds[step], self.trace.beams[step]
        if gold is None:
            return click.style("       ✗ gold cannot be reached: rules or dictionary forbid it", fg="red")
        tags = self._tags(self._gold_path(step))
        below = f"{row[0].score - gold.score:+.2f}"
        first = step == 0 or bool(self.trace.gold_in_beam[step - 1])
        what = "gold falls off the beam" if first else "gold, off the beam"
        if gold.score > row[0].score:
            note = f"{what}, would now win by {gold.score - row[0].score:.2f}"
        elif gold.score > row[-1].score:
            note = f"{what}: excess {below}, a path that ends alike has taken its place"
        else:
            note = f"{what}: excess {below}, {row[-1].score - gold.score:.2f} below the last in the beam"
        mark = click.style("✗", fg="red", bold=True)
        return (
            f"       {mark} {gold.score:{self.width}.2f}  {tags}   {click.style(note, fg='red', bold=first)}"
        )

    def _gold_path(self, step: int) -> Sequence[str]:
        return self.gold[: step + 1] if self.gold is not None else ()

    def _path(self, step: int, rank: int) -> str:
        return self._tags([self.labels[action] for action in self.trace.path(step, rank).actions])

    def _tags(self, tags: Sequence[str]) -> str:
        """Return the last tags of a path, wrong ones in red."""
        first = max(0, len(tags) - self.tail)
        shown = []
        for i, tag in enumerate(tags[first:], first):
            wrong = self.gold is not None and self._is_wrong(tag, self.gold[i])
            shown.append(click.style(tag, fg="red") if wrong else tag)
        return " ".join(["…"] * (first > 0) + shown)

    def _is_wrong(self, tag: str, gold: str) -> bool:
        return tag != gold

    def _number(self, value: float, sign: str = "") -> str:
        width = self.width + len(sign)
        return " " * width if math.isnan(value) else f"{value:{sign}{width}.2f}"

    def _bar(self, amount: float, left: int, scale: float) -> str:
        if math.isnan(amount):
            return " " * (BAR + 1)
        length = round(abs(amount) * scale)
        right = BAR - left
        if amount < 0:
            length = min(length, left)
            return " " * (left - length) + click.style("█" * length, fg="red") + "│" + " " * right
        length = min(length, right)
        return " " * left + "│" + click.style("█" * length, fg="yellow") + " " * (right - length)

    def _remark(self, step: int, fallen: int | None) -> str:
        row = self.trace.beams[step]
        rank = next((rank for rank, item in enumerate(row) if item.good), None)
        if rank is not None:
            where = "gold is best" if rank == 0 else f"gold is number {rank + 1}"
        elif self.trace.gold_in_beam[step]:
            where = "gold goes beyond it"
        elif step == fallen:
            where = click.style("gold falls off", fg="red", bold=True)
        else:
            where = click.style("gold is off", fg="red")
        here = [
            click.style(
                choice.method + ("" if choice.valid else " (invalid)"), fg="cyan" if choice.valid else "red"
            )
            for choice in self.choices
            if choice.row == step
        ]
        return where + ("  ◀ " + ", ".join(here) if here else "")
