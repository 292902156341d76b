"""Two examples on which the standard update with greedy search never ends, update by update.

"fruit flies fly ." is Figure 1 of Huang, Fayong & Guo (2012); "time flies" is the tutorial's, with numbers of
our own. The training is the definition's, so that what is seen is what the theorems speak of.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from typing import Any

from structron.reference import METHODS, violation
from structron.reference.learners.weights import Weights
from structron.reference.sequence.search import SearchName, decode
from structron.serve.refusals import UNFIT, Refused
from structron.theory.non_convergence import FRUIT_FLIES, TIME_FLIES, Example

SEARCHES: Mapping[str, SearchName] = {"greedy": "greedy", "beam:2": ("beam", 2, False), "exact": "exact"}
UPDATES = ("standard", "early", "hybrid", "latest", "max_violation")


EXAMPLES = {"fruit": FRUIT_FLIES, "time": TIME_FLIES}


def exhibit(name: str, search: str, update: str) -> Iterator[dict[str, Any]]:
    """Yield the updates one after the other, for ever if training never ends; the last says that it has."""
    if name not in EXAMPLES or search not in SEARCHES or update not in UPDATES:
        raise Refused(
            UNFIT,
            f"exhibit: give example {' or '.join(EXAMPLES)}, search {' or '.join(SEARCHES)}, "
            f"update {' or '.join(UPDATES)}",
        )
    return _updates(EXAMPLES[name], SEARCHES[search], update)


def _updates(example: Example, search: SearchName, update: str) -> Iterator[dict[str, Any]]:
    weights, number, radius, invalid = Weights(), 0, 0.0, 0
    while True:
        trace = decode(example, weights, search, example)
        is_right = bool(trace.best_is_gold[-1])
        # On a right output max-violation may still see a prefix; the exhibit is about outputs.
        step = None if is_right else METHODS[update](trace)
        label = " ".join("NV."[tag] for tag in trace.best(trace.final).actions)
        if step is None or isinstance(step, tuple):
            yield {"update": number, "label": label, "over": True, "right": is_right}
            return
        found = violation(trace, step)
        product = weights.score(found.delta)
        number += 1
        invalid += product > 0
        radius = max(radius, math.sqrt(sum(value * value for value in found.delta.values())))
        weights.add(found.delta)
        yield {
            "update": number,
            "label": label,
            "prefix": step + 1,
            "change": [found.delta.get(0, 0.0), found.delta.get(1, 0.0)],
            "product": product,
            "valid": product <= 0,
            "invalid": int(invalid),
            "weights": [weights[0], weights[1]],
            "norm": weights.norm(),
            "bound": radius * math.sqrt(number),
            "over": False,
        }
