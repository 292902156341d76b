"""Separability where gold has many derivations: that of Sun et al. (2009), beside the one of all pairs."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import product
from typing import Any

from structron.errors import SettingError
from structron.theory.confusion import difference, output_rows
from structron.theory.differences import Differences
from structron.theory.maximal_margin import maximal_margin

MOST = 10_000


def latent_margin(examples: Sequence[tuple[Any, Any]], *, limit: int = 2_000) -> float:
    """Return the greatest δ for which a unit u puts the best gold output ahead of every wrong one by δ.

    This is Sun, Matsuzaki, Okanohara & Tsujii's separability by labels: max over gold of u · Φ is at least
    max over wrong outputs of u · Φ, plus δ. It asks for one derivation of each gold output; which, is tried
    out, so this is for few and small examples. 0 or less: nothing separates them.

    Theorem 1 bounds updates by the margin over all pairs of a gold and a wrong derivation, which is never
    greater. With this one alone updates need not end: the derivation that w prefers may be another than u's.

    Parameters
    ----------
    examples
        Pairs of a search space and its oracle.
    limit
        How many derivations an example may have.
    """
    choices: list[list[list[dict[Any, float]]]] = []
    for number, (space, oracle) in enumerate(examples):
        rows = output_rows(space, oracle, limit=limit)
        if rows is None:
            raise SettingError(
                f"latent_margin: example {number + 1} has too many outputs; give a smaller one"
            )
        found = [each for row in rows for each in row]
        wrong = [each for each in found if not each.good]
        choices.append([[difference(g.phi, z.phi) for z in wrong] for g in found if g.good])
    if any(not each for each in choices):
        return 0.0
    tried = list(product(*choices)) if math.prod(map(len, choices)) <= MOST else None
    if tried is None:
        raise SettingError("latent_margin: there are too many gold derivations together; give fewer examples")
    return max(_margin([pair for each in chosen for pair in each]) for chosen in tried)


def _margin(pairs: list[dict[Any, float]]) -> float:
    if not pairs:
        return float("inf")
    return maximal_margin(Differences(pairs)).margin if all(pairs) else 0.0
