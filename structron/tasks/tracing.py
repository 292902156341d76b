"""From the engine's arrays to the definition's `Trace`, so that both are looked at with the same eyes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from structron.reference.trace import Item, Row, Trace

_NO_SPACE: Any = None  # the engine keeps its states to itself


def trace_of(found: Mapping[str, Any]) -> Trace:
    """The engine's trace as the definition would have left it; states are None."""
    begin, end = found["begin"], found["end"]
    # Where each item stands: the engine numbers items through, the definition by row and rank.
    place = {0: (-1, -1)}
    beams: list[Row] = []
    for step, (first, last) in enumerate(zip(begin, end)):
        row: Row = []
        for i in range(int(first), int(last)):
            parent = int(found["parent"][i])
            parent_step, parent_rank = place[parent]
            gain = float(found["score"][i] - found["score"][parent])
            row.append(
                Item(
                    None,
                    float(found["score"][i]),
                    int(found["action"][i]),
                    parent_rank,
                    parent_step,
                    bool(found["good"][i]),
                    gain,
                )
            )
            place[i] = (step, len(row) - 1)
        beams.append(row)
    in_beam = np.asarray(found["gold_in_beam"], dtype=np.bool_)
    return Trace(_NO_SPACE, None, beams, _gold_rows(found, len(beams)), in_beam)


def _gold_rows(found: Mapping[str, Any], steps: int) -> list[Row]:
    """One gold item per row, each following from the one before: gold is one derivation here."""
    rows: list[Row] = []
    for step in range(steps):
        path = found["gold_paths"][step] if step < len(found["gold_paths"]) else None
        score = float(found["gold_score"][step]) if path is not None else float("nan")
        if path is None or np.isnan(score):
            rows.append([])
            continue
        before = step - 1
        while before >= 0 and not rows[before]:
            before -= 1
        earlier = rows[before][0].score if before >= 0 else 0.0
        parent = 0 if before >= 0 else -1
        rows.append([Item(None, score, int(path[-1]), parent, before, True, score - earlier)])
    return rows
