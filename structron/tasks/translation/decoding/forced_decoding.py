"""Gold without derivations: all that yield a reference (Yu, Huang, Mi & Zhao 2013)."""

from __future__ import annotations

from collections.abc import Sequence

from structron.tasks.translation.decoding.space import TranslationSpace, TranslationState
from structron.tasks.translation.phrases.options import Words

# What is covered, where the last phrase ended, and how far the reference is: what gold can still do.
Point = tuple[int, int, tuple[str, ...]]

CAP = 4096  # points that cover equally many words


class ForcedDecoding:
    """Gold: the derivations that yield one of the references.

    The same search, with the position in the reference in place of the language model. It is not pruned: all
    its arcs are kept, and then those go that do not lead to an end.

    Parameters
    ----------
    space
        The sentence.
    references
        Its translations.
    prefix
        Where no derivation yields a reference: take those that cover the first words of the sentence, as many
        as can be, and yield the beginning of a reference.
    cap
        How many points may cover equally many words; those found first are kept.

    Attributes
    ----------
    reachable
        Whether some derivation yields a whole reference.
    words
        How many source words gold covers at its end; 0 if there is no gold.
    """

    exhaustive = True

    def __init__(
        self, space: TranslationSpace, references: Sequence[Words], prefix: bool = False, cap: int = CAP
    ) -> None:
        self.space = space
        self.references = [tuple(reference) for reference in references]
        self._arcs: list[tuple[Point, int, Point]] = []
        n = len(space.source)
        stacks = self._forth(cap)
        ends = {p for p in stacks[n] if p[2] in self.references}
        self.reachable = bool(ends)
        self.words = n if ends else 0
        while not ends and prefix and (n := n - 1) > 0:
            ends = {p for p in stacks[n] if p[0] == (1 << n) - 1}
            self.words = n if ends else 0
        self._alive, self._taken = ends, set[int]()
        self._back()

    def _forth(self, cap: int) -> list[list[Point]]:
        """By words covered, the points that can be reached, in the order in which they are found."""
        stacks: list[list[Point]] = [[] for _ in range(len(self.space.source) + 1)]
        states: dict[Point, TranslationState] = {}
        initial = self.space.initial()
        stacks[0].append(_point(initial))
        states[_point(initial)] = initial
        for stack in stacks:
            for point in stack:
                for action in self.space.actions(states[point]):
                    option = self.space.options[action]
                    output = point[2] + option.target
                    if not any(r[: len(output)] == output for r in self.references):
                        continue
                    state = self.space.advance(states[point], action)
                    after, to = _point(state), stacks[self.space.step(state)]
                    if after not in states:
                        if len(to) == cap:
                            continue
                        states[after] = state
                        to.append(after)
                    self._arcs.append((point, action, after))
        return stacks

    def _back(self) -> None:
        """Keep what leads to an end."""
        for point, action, after in reversed(self._arcs):
            if after in self._alive:
                self._alive.add(point)
                self._taken.add(action)

    def allows(self, state: TranslationState, action: int) -> bool:
        """Whether the output stays the beginning of a reference that can still be completed."""
        return _point(self.space.advance(state, action)) in self._alive

    def right(self, state: TranslationState, action: int) -> bool:
        """Whether some gold derivation uses this option, wherever this one has been."""
        return action in self._taken

    def merge_key(self, state: TranslationState) -> tuple[str, ...]:
        """What gold's future depends on beside the state's own key: how far the reference is."""
        return state.output


def _point(state: TranslationState) -> Point:
    return (state.covered, state.end, state.output)
