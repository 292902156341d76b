"""Two examples on which the standard update with greedy search never ends, update by update.

"fruit flies fly ." is Figure 1 of Huang, Fayong & Guo (2012); "time flies" is the tutorial's, with numbers of
our own. The training is the definition's, so that what is seen is what the theorems speak of.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from structron.reference import METHODS, violation
from structron.reference.search import SearchName, decode
from structron.reference.weights import Weights
from structron.serve.refusal import UNFIT, Refused

N, V, DOT = 0, 1, 2
SEARCHES: Mapping[str, SearchName] = {"greedy": "greedy", "beam:2": ("beam", 2, False), "exact": "exact"}
UPDATES = ("standard", "early", "hybrid", "latest", "max_violation")


@dataclass(frozen=True)
class Example:
    """One sentence: the tags each word may have, gold, and two features of the tag before and the tag."""

    words: tuple[str, ...]
    choices: Sequence[Sequence[int]]
    gold: tuple[int, ...]
    features_of: Mapping[tuple[int | None, int], tuple[float, float]]
    names: tuple[str, str]
    said: str

    def initial(self) -> tuple[int, ...]:
        """No tag yet."""
        return ()

    def actions(self, state: tuple[int, ...]) -> Sequence[int]:
        """The tags of the next word."""
        return self.choices[len(state)] if len(state) < len(self.choices) else []

    def advance(self, state: tuple[int, ...], action: int) -> tuple[int, ...]:
        """One more tag."""
        return (*state, action)

    def features(self, state: tuple[int, ...], action: int) -> dict[int, float]:
        """The two features of one more tag."""
        before = state[-1] if state else None
        return dict(enumerate(self.features_of.get((before, action), (0.0, 0.0))))

    def merge_key(self, state: tuple[int, ...]) -> tuple[int, ...]:
        """The last tag is all that later features see."""
        return state[-1:]

    def step(self, state: tuple[int, ...]) -> int:
        """How many tags there are."""
        return len(state)

    def is_final(self, state: tuple[int, ...]) -> bool:
        """Whether all words have tags."""
        return len(state) == len(self.choices)

    def allows(self, state: tuple[int, ...], action: int) -> bool:
        """The oracle: gold alone."""
        return action == self.gold[len(state)]


EXAMPLES = {
    "fruit": Example(
        ("fruit", "flies", "fly", "."),
        [[N], [N, V], [N, V], [DOT]],
        (N, N, V, DOT),
        {(N, N): (1.0, 0.0), (V, DOT): (0.0, 1.0)},
        ("N→N", "V→."),
        "Figure 1 of Huang, Fayong & Guo (2012)",
    ),
    "time": Example(
        ("time", "flies"),
        [[N, V], [N, V]],
        (N, V),
        {(None, N): (0.0, 1.0), (None, V): (1.0, 0.0), (N, V): (2.0, 0.0)},
        ("first", "second"),
        "after the tutorial on structured perceptrons; the numbers are ours",
    ),
}


def exhibit(name: str, search: str, update: str) -> Iterator[dict[str, Any]]:
    """The updates one after the other, for ever if training never ends; the last says that it has."""
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
