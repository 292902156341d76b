"""Conversion of the engine's arrays to the definition's `Trace`, so that both can be inspected alike."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from structron.reference.sequence.trace import Item, Path, Row, Trace

_NO_SPACE: Any = None  # the engine keeps its states to itself


def trace_of(found: Mapping[str, Any]) -> Trace:
    """Convert the engine's trace of a beam to the definition's; states are None."""
    begin, end = found["begin"], found["end"]
    # The place of each item: the engine numbers all items, the definition counts by row and rank.
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
    paths = [None if path is None else tuple(map(int, path)) for path in found["gold_paths"]]
    item_paths = [
        [tuple(map(int, found["paths"][i])) for i in range(int(first), int(last))]
        for first, last in zip(begin, end)
        if "paths" in found
    ]
    gold_rows = _gold_rows(found, len(beams))
    return EngineTrace(_NO_SPACE, None, beams, gold_rows, in_beam, gold_paths=paths, paths=item_paths)


@dataclass(frozen=True, eq=False)
class EngineTrace(Trace):
    """A trace with the engine's best gold path to each row.

    With latent derivations the best gold path to a row need not begin with that to the row before, so that
    the rows of `gold_beams`, of one item each, cannot be followed back. With dynamic programming it gives the
    path to every item: parents alone do not say which predictor a reduction was made upon.
    """

    gold_paths: list[tuple[int, ...] | None] = field(default_factory=list)
    paths: list[list[tuple[int, ...]]] = field(default_factory=list)

    def path(self, step: int, rank: int) -> Path:
        """Return the path to one item; if the engine gives it, without its states."""
        if step < 0 or not self.paths:
            return super().path(step, rank)
        return Path(self.paths[step][rank], self.beams[step][rank].score, ())

    def gold(self, step: int) -> Path:
        """Return the best gold path to row `step`, without its states."""
        path = self.gold_paths[step] if 0 <= step < len(self.gold_paths) else ()
        if path is None:
            raise IndexError(f"no gold path ends on row {step}")
        return Path(path, self.gold_beams[step][0].score if path else 0.0, ())


def _gold_rows(found: Mapping[str, Any], steps: int) -> list[Row]:
    """Return one gold item per row, the end of the best gold path to it, linked to the row before."""
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
