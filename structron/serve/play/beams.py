"""Beams as plain data, step by step, with what becomes of gold on its way.

What is in it is what `structron show` draws; the curve is Figure 3 of Huang, Fayong & Guo (2012).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

from structron.explaining import Namer
from structron.reference import METHODS, excess, fall_off, is_violation
from structron.reference.sequence.trace import Trace
from structron.serve.json_forms import Json

SHOWN = ("standard", "early", "hybrid", "latest", "max_violation")
TOP = 16  # items that are sent
Grow = Callable[[list[Json], Any, int], list[Json]]
"""Returns the parts of an output after an action, from those before it and the state it is taken in."""


class Walks:
    """Actions by name, and what they have built: both may depend on what was done before them."""

    def __init__(self, namer: Namer | None, grow: Grow | None = None) -> None:
        self.namer, self.grow = namer, grow
        start = None if namer is None else namer.space.initial()
        self._known: dict[tuple[int, ...], tuple[Any, ...]] = {(): (start, "", "", [])}

    def names(self, actions: Sequence[int]) -> list[str]:
        """Return the name of each action."""
        if self.namer is None:
            return list(map(str, actions))
        return [self._after(tuple(actions[: i + 1]))[1] for i in range(len(actions))]

    def about(self, actions: Sequence[int]) -> str:
        """Return where the last action was taken."""
        return "" if self.namer is None or not actions else self._after(tuple(actions))[2]

    def built(self, actions: Sequence[int]) -> Json:
        """Return the parts of the output so far; nothing where a task does not say."""
        return None if self.namer is None or self.grow is None else self._after(tuple(actions))[3]

    def _after(self, actions: tuple[int, ...]) -> tuple[Any, ...]:
        """Return the state after some actions, with the name and the place of the last; prefixes are
        shared."""
        assert self.namer is not None
        known = len(actions)
        while actions[:known] not in self._known:
            known -= 1
        for i in range(known, len(actions)):
            (state, *_, parts), action = self._known[actions[:i]], actions[i]
            told = self.namer.label(state, action), self.namer.about(state)
            parts = parts if self.grow is None else self.grow(parts, state, action)
            self._known[actions[: i + 1]] = (self.namer.space.advance(state, action), *told, parts)
        return self._known[actions]


def beams(trace: Trace, namer: Namer | None, has_gold: bool, grow: Grow | None = None) -> Json:
    """Return the beams and the three numbers of each step; leave out steps that all paths skip."""
    walks, steps, shown = Walks(namer, grow), [], []
    for step, row in enumerate(trace.beams):
        is_gold = has_gold and not math.isnan(float(trace.gold_score[step]))
        if not row and not is_gold:
            continue
        shown.append(step)
        gold = trace.gold(step).actions if is_gold else None
        best = trace.best(step).actions if row else gold or ()
        steps.append(
            {
                "name": walks.about(gold or best),
                "items": _items(trace, step, walks, has_gold),
                "size": len(row),
                "worst": _number(min(item.score for item in row)) if row else None,
                "goldPath": None if gold is None else walks.names(gold),
                "goldBuilt": None if gold is None else walks.built(gold),
            }
            | numbers(trace, step, has_gold)
        )
    place = {step: i for i, step in enumerate(shown)}
    for step in steps:
        for item in step["items"]:
            item["parentStep"] = place.get(item["parentStep"])
    return {"kind": "beam", "steps": steps} | golden(trace, has_gold, place)


def _items(trace: Trace, step: int, walks: Walks, has_gold: bool) -> list[Json]:
    """Return the best of a beam, and gold wherever it is."""
    row = trace.beams[step]
    rank = next((rank for rank, item in enumerate(row) if item.good), None) if has_gold else None
    listed = [*range(min(TOP, len(row)))] + ([rank] if rank is not None and rank >= TOP else [])
    paths = {at: trace.path(step, at).actions for at in listed}
    merged = trace.classes[step] if trace.classes else []
    return [
        {
            "rank": at + 1,
            "score": row[at].score,
            "gold": has_gold and row[at].good,
            "path": walks.names(paths[at]),
            "built": walks.built(paths[at]),
            "parent": row[at].parent if row[at].parent >= 0 else None,
            "parentStep": row[at].parent_step,
            "merged": sorted({item.parent for item in merged[at]} - {row[at].parent}) if merged else [],
        }
        for at in listed
    ]


def numbers(trace: Any, step: int, has_gold: bool) -> Json:
    """Return the best score, gold's, the difference, and whether gold is in; null where there is none."""
    return {
        "best": _number(trace.best_score[step]),
        "goldScore": _number(trace.gold_score[step]) if has_gold else None,
        "excess": _number(excess(trace)[step]) if has_gold else None,
        "inBeam": bool(trace.gold_in_beam[step]) if has_gold else None,
        "violation": bool(is_violation(trace)[step]) if has_gold else None,
    }


def golden(trace: Any, has_gold: bool, place: dict[int, int]) -> Json:
    """Return where gold falls, and what each method would pick; `place` gives the step of a row."""
    if not has_gold:
        return {"fall": None, "methods": []}
    fallen = fall_off(trace)
    amounts, violations = excess(trace), is_violation(trace)
    methods = []
    for name in SHOWN:
        row = METHODS[name](trace)
        assert not isinstance(row, tuple), "none of these chooses several"
        methods.append(
            {
                "method": name.replace("_", "-"),
                "step": None if row is None else place.get(row),
                "excess": None if row is None else _number(amounts[row]),
                "valid": row is not None and bool(violations[row]),
            }
        )
    return {"fall": None if fallen is None else place.get(fallen), "methods": methods}


def _number(value: Any) -> float | None:
    number = float(value)
    return number if math.isfinite(number) else None
