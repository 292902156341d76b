"""White space inside tokens, which only a model may find whose training data had such tokens.

Most treebanks have none. In some a number contains blanks (French *20 000*), in others words do (Vietnamese
*chủ tịch*). Elsewhere white space always begins a token, in training as in prediction.
"""

from __future__ import annotations

import string
from bisect import bisect_left
from collections.abc import Iterable, Sequence

from structron.engine.rows import Arrays, stored_rows
from structron.segments.units import Unit

PROBES = string.ascii_lowercase + string.digits + "аαאاक人ก가"
"""Characters whose weights show whether an older model has learned tokens with white space."""


def holds_white(units: Iterable[Unit], begins: Iterable[int]) -> bool:
    """Return True if a token of a text contains white space; one begins at each of `begins`."""
    known = set(begins)
    return any(unit.white and unit.begin not in known for unit in units)


def was_learned(arrays: Arrays, keys: Iterable[int], columns: Sequence[int]) -> bool:
    """Return True if the weights of a model file show that its training data had white space in tokens.

    Older files do not say so. Take a feature that is seen only after white space: its weight for going on
    with a token becomes positive only if gold did so there.

    Parameters
    ----------
    keys
        Such features.
    columns
        Columns of weights for going on with a token.
    """
    if "keys" not in arrays:
        return False
    rows = stored_rows(arrays, "actions", float("inf"))
    for key in keys:
        at = bisect_left(rows.keys, key)
        if at < len(rows.keys) and rows.keys[at] == key:
            cells = range(rows.offsets[at], rows.offsets[at + 1])
            if any(rows.weights[cell] > 0 and rows.columns[cell] in columns for cell in cells):
                return True
    return False
