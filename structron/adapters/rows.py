"""Weights of other libraries as rows of structron's."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from structron.engine.rows import Rows


def rows_of(weights: Mapping[int, Mapping[int, float]]) -> Rows:
    """Return the rows of a model, by key and by column; what is 0 is left out."""
    keys, lengths, columns, values = [], [0], [], []
    for key in sorted(weights):
        own = [(column, weight) for column, weight in sorted(weights[key].items()) if weight]
        if own:
            keys.append(key)
            lengths.append(len(own))
            columns += [column for column, _ in own]
            values += [weight for _, weight in own]
    return Rows(
        np.array(keys, np.uint64),
        np.cumsum(lengths).astype(np.uint32),
        np.array(columns, np.uint32),
        np.array(values, np.float32),
    )
