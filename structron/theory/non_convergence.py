"""Two sentences on which standard updates with inexact search never converge, while others do.

"fruit flies fly ." is Figure 1 of Huang, Fayong & Guo (2012). "time flies" is from the tutorial, which draws
its two features as a picture without numbers; these numbers are ours: Φ(N V) = (2, 1), Φ(N N) = (0, 1),
Φ(V N) = Φ(V V) = (1, 0), where the first tag alone gives (0, 1) for N and (1, 0) for V. u = (1, 2) separates
outputs and prefixes, so that Theorems 4 and 6 hold for greedy search and for beams.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

N, V, DOT = 0, 1, 2


@dataclass(frozen=True)
class Example:
    """A sentence: the possible tags of each word, gold, and two features of the previous tag and the tag."""

    words: tuple[str, ...]
    choices: Sequence[Sequence[int]]
    gold: tuple[int, ...]
    features_of: Mapping[tuple[int | None, int], tuple[float, float]]
    names: tuple[str, str]
    said: str

    def initial(self) -> tuple[int, ...]:
        """Return the state without tags."""
        return ()

    def actions(self, state: tuple[int, ...]) -> Sequence[int]:
        """Return the tags of the next word."""
        return self.choices[len(state)] if len(state) < len(self.choices) else []

    def advance(self, state: tuple[int, ...], action: int) -> tuple[int, ...]:
        """Add one more tag."""
        return (*state, action)

    def features(self, state: tuple[int, ...], action: int) -> dict[int, float]:
        """Return the two features of one more tag."""
        before = state[-1] if state else None
        return dict(enumerate(self.features_of.get((before, action), (0.0, 0.0))))

    def merge_key(self, state: tuple[int, ...]) -> tuple[int, ...]:
        """Return the last tag: later features see nothing else."""
        return state[-1:]

    def step(self, state: tuple[int, ...]) -> int:
        """Return the number of tags."""
        return len(state)

    def is_final(self, state: tuple[int, ...]) -> bool:
        """Return True if all words have tags."""
        return len(state) == len(self.choices)

    def allows(self, state: tuple[int, ...], action: int) -> bool:
        """Allow gold alone."""
        return action == self.gold[len(state)]


FRUIT_FLIES = Example(
    ("fruit", "flies", "fly", "."),
    [[N], [N, V], [N, V], [DOT]],
    (N, N, V, DOT),
    {(N, N): (1.0, 0.0), (V, DOT): (0.0, 1.0)},
    ("N→N", "V→."),
    "Figure 1 of Huang, Fayong & Guo (2012)",
)
TIME_FLIES = Example(
    ("time", "flies"),
    [[N, V], [N, V]],
    (N, V),
    {(None, N): (0.0, 1.0), (None, V): (1.0, 0.0), (N, V): (2.0, 0.0)},
    ("first", "second"),
    "after the tutorial on structured perceptrons; the numbers are ours",
)
