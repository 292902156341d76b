"""Measurements of a lesson while it learns: counts, lengths, bounds, and how each weight moved."""

from __future__ import annotations

import math
import time
from collections.abc import Collection, Sequence
from typing import Any

import numpy as np

from structron.fit import Learning
from structron.learners import Perceptron
from structron.serve.json_forms import Json
from structron.theory import Differences, maximal_margin, updates_bound

Cell = tuple[int, int]  # key and column
POINTS = 1500  # of a curve
CELLS = 500_000  # weights that moved, of which the history is kept: 8 MB
SEPARATED = 200  # updates whose maximal margin is computed: it takes a third of a second then
ROUNDS, CLOSE, AGAIN = 250, 3e-3, 1.5
CHOICES, LABELS = 60, 6  # features to choose from, and labels of each that are drawn


class Watch:
    """Counts, the length of the weights, and its bounds, as valid updates keep them (Huang et al. 2012)."""

    def __init__(self, learning: Learning[Any], learner: Any, update: str, examples: int) -> None:
        self.weights = learning.weights
        self.every = max(1, examples // POINTS)
        # Of a margin or of MIRA the plain bounds do not speak.
        self.is_plain = isinstance(learner, Perceptron) and not learner.margin and learner.step == 1
        # LaSO makes several updates of one example, and only their sum is seen.
        self.is_single = self.is_plain and update != "laso"
        self.seen = self.updates = self.invalid = self.errors = 0
        self.radius = self.due = 0.0
        self.log: list[tuple[int, Any, Any, Any]] = []  # examples seen, keys, columns, changes
        self._values: dict[Cell, float] = {}
        self._cells, self._separated, self._most = 0, 0, None  # type: int, int, float | None
        self.weights.mark()

    def example(self, made: Any, is_step: bool = False) -> dict[str, Any] | None:
        """Count an example; add a point to the curves if one is due."""
        _, _, errors, updates, invalid, _ = (int(count) for count in made)
        self.seen += 1
        self.errors, self.updates, self.invalid = (
            self.errors + errors,
            self.updates + updates,
            self.invalid + invalid,
        )
        if updates and (self.is_plain or self._cells < CELLS):
            change = self._change()
            # The sum of several updates is no longer than the sum of their lengths.
            self.radius = max(self.radius, math.hypot(*change.values()) / updates)
            if self._cells < CELLS:
                self._cells += len(change)
                keys, columns = np.array(list(change), np.uint64).reshape(-1, 2).T
                self.log.append((self.seen, keys, columns, np.array(list(change.values()), np.float32)))
        # The length is a sum over all weights: taken a few times a second it costs little.
        if not is_step and (self.seen % self.every or time.monotonic() < self.due):
            return None
        began = time.monotonic()
        point = {"kind": "point"} | self.point()
        self.due = time.monotonic() + max(0.05, 5 * (time.monotonic() - began))
        return point

    def _change(self) -> dict[Cell, float]:
        """Return by how much each weight has moved since it was asked last."""
        keys, columns, values, _ = self.weights.changes()
        self.weights.mark()
        moved = {}
        for cell, value in zip(zip(keys.tolist(), columns.tolist()), values.tolist()):
            if value != (before := self._values.get(cell, 0.0)):
                moved[cell], self._values[cell] = value - before, value
        return moved

    def forget(self) -> None:
        """Drop what only a training that goes on needs."""
        self._values.clear()

    def point(self) -> dict[str, Any]:
        """Return the point of the curves."""
        return {
            "seen": self.seen,
            "errors": self.errors,
            "updates": self.updates,
            "invalid": self.invalid,
            "norm": _length(self.weights.state()[2]),
            "bound": self.radius * math.sqrt(self.updates) if self.is_plain else None,
            "most": self.most(),
        }

    def most(self) -> float | None:
        """Return R²/δ² for the updates so far; None where it is not known.

        δ is the greatest margin by which some weights have gold ahead in all of them. No violation-fixing
        method has made more updates than that, since its proof speaks of nothing but the updates made.
        """
        count = self.updates
        if not self.is_single or count > SEPARATED or count != len(self.log):
            return None
        if count and (self._most is None or count >= AGAIN * self._separated):
            made = Differences(
                [dict(zip(zip(k.tolist(), c.tolist()), v.tolist())) for _, k, c, v in self.log]
            )
            found = maximal_margin(made, tolerance=CLOSE, rounds=ROUNDS)
            self._separated = count
            self._most = updates_bound(made.radius, found.margin) if found.separable else None
            return self._most
        return None

    def greatest(self, known: Collection[int]) -> list[int]:
        """Return the keys among some that have the greatest weights now, greatest first."""
        keys, _, values, _ = self.weights.state()
        found: dict[int, float] = {}
        for place in np.argsort(-np.abs(values), kind="stable"):
            key = int(keys[place])
            if key in known and values[place]:
                found.setdefault(key, abs(float(values[place])))
            if len(found) == CHOICES:
                break
        return list(found)

    def history(self, key: int, labels: Sequence[str]) -> list[Json]:
        """Return the weights of a feature after each update that moved them, a curve for each label."""
        curves: dict[int, list[list[float]]] = {}
        for seen, keys, columns, change in list(self.log):
            for place in np.flatnonzero(keys == np.uint64(key)):
                curve = curves.setdefault(int(columns[place]), [[0, 0.0]])
                curve.append([seen, curve[-1][1] + float(change[place])])
        curves = {column: curve for column, curve in curves.items() if column < len(labels)}
        first = sorted(curves, key=lambda column: -max(abs(value) for _, value in curves[column]))[:LABELS]
        return [{"label": labels[column], "points": curves[column]} for column in first]


def _length(values: Any) -> float:
    return float(np.sqrt(np.square(values, dtype=np.float64).sum()))
