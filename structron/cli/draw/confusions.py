"""The most frequent mistakes, as `evaluate --confusions` lists them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any


def confused_lines(found: Sequence[Mapping[str, Any]]) -> list[str]:
    """Return lines of gold, guess and count; none if none were asked for."""
    if not found:
        return []
    # A symbol that is missing on one side has no text.
    rows = [(each["gold"] or "–", each["guess"] or "–", each["times"]) for each in found]
    width = max(len("guess"), *(len(text) for gold, guess, _ in rows for text in (gold, guess)))
    lines = [f"{gold:{width}}  {guess:{width}}  {times:5,}" for gold, guess, times in rows]
    return ["", f"{'gold':{width}}  {'guess':{width}}  times", *lines]
