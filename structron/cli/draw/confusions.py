"""The most frequent mistakes, as `evaluate --confusions` lists them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from structron.cli.draw.trees import cells, pad


def confused_lines(found: Sequence[Mapping[str, Any]]) -> list[str]:
    """Return lines of gold, guess and count; none if none were asked for."""
    if not found:
        return []
    # A symbol that is missing on one side has no text.
    rows = [(each["gold"] or "–", each["guess"] or "–", each["times"]) for each in found]
    width = min(30, max(len("guess"), *(cells(text) for gold, guess, _ in rows for text in (gold, guess))))
    lines = [f"{pad(gold, width)}  {pad(guess, width)}  {times:5,}" for gold, guess, times in rows]
    return ["", f"{'gold':{width}}  {'guess':{width}}  times", *lines]
