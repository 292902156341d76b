"""Gold without derivations: all derivations that yield a reference (Yu, Huang, Mi & Zhao 2013)."""

from __future__ import annotations

from collections.abc import Sequence

from structron.tasks.translation.decoding.space import TranslationSpace, TranslationState
from structron.tasks.translation.phrases.options import Words

# The covered words, the end of the last phrase, and the output, which determine the future of gold.
Point = tuple[int, int, tuple[str, ...]]

CAP = 4096  # points that cover equally many words


class ForcedDecoding:
    """Gold: the derivations that yield one of the references.

    The search uses the position in the reference instead of the language model and is not pruned: all its
    arcs are stored, and those that lead to no end are removed.

    Parameters
    ----------
    space
        The sentence.
    references
        Its translations.
    prefix
        If no derivation yields a reference, take those that cover as many first words of the sentence as
        possible and yield the beginning of a reference.
    cap
        The most points with the same number of covered words; those found first are kept.

    Attributes
    ----------
    reachable
        True if some derivation yields a whole reference.
    words
        The number of source words that gold covers at its end; 0 without gold.
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
        """Return the reachable points by number of covered words, in the order in which they are found."""
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
        """Keep the arcs that lead to an end."""
        for point, action, after in reversed(self._arcs):
            if after in self._alive:
                self._alive.add(point)
                self._taken.add(action)

    def allows(self, state: TranslationState, action: int) -> bool:
        """Return True if the output stays the beginning of a reference that can still be completed."""
        return _point(self.space.advance(state, action)) in self._alive

    def right(self, state: TranslationState, action: int) -> bool:
        """Return True if some gold derivation uses this option, whatever the path before."""
        return action in self._taken

    def merge_key(self, state: TranslationState) -> tuple[str, ...]:
        """Return the part of gold's state that the key lacks: the position in the reference."""
        return state.output


def _point(state: TranslationState) -> Point:
    return (state.covered, state.end, state.output)
