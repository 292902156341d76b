"""Trees of which parts are known: which actions of a transition system still lead to one that agrees.

A state leads to exactly those projective trees over the words on its stack and in its buffer that a few
conditions on the stack leave (for arc-standard see Goldberg, Sartorio & Satta 2014; arc-hybrid and arc-eager
are arc-decomposable, Goldberg & Nivre 2013, but for the end of a sentence in this arc-eager). Whether one of
them agrees with what is known is a walk through Eisner's chart with no more than yes and no in its cells.
"""

from __future__ import annotations

from collections.abc import Sequence

from structron.tasks.parsing.transitions.state import NO_LABEL, State, nodes
from structron.tasks.parsing.transitions.systems import (
    LEFT,
    RIGHT,
    ROOT,
    TransitionSystem,
    buffer_word,
)


class KnownTree:
    """A partly known tree: heads and relations, None where unknown. It judges the actions of a system.

    With swap, whose orders are too many to look ahead, only arcs that are made are looked at.
    """

    def __init__(
        self, system: TransitionSystem, heads: Sequence[int | None], labels: Sequence[int | None]
    ) -> None:
        self.system, self.heads, self.labels = system, [None, *heads], [None, *labels]
        self.length = len(heads)

    def allows(self, state: State, action: int) -> bool:
        """Return True if a tree that agrees can still be built after the action."""
        arc = self.system.attached(state, action, self.length)
        if arc is not None:
            if self.heads[arc.dependent] not in (None, arc.head):
                return False
            if self.labels[arc.dependent] not in (None, arc.label):
                return False
        after = self.system.advance(state, action, self.length)
        return self._keeps_dependents(state, after) if self.system.name == "swap" else self.leads_on(after)

    def leads_on(self, state: State) -> bool:
        """Return True if some derivation goes on from here to a tree that agrees."""
        words, stacked, headed = self._words(state)
        n = len(words) - 1
        can = [[self._may(words, stacked, headed, h, d) for d in range(n + 1)] for h in range(n + 1)]
        reach, among = self._reach(stacked, headed, n)
        return whole(can, reach, among, self.system.single_root)

    def _words(self, state: State) -> tuple[list[int], int, list[bool]]:
        """Return the root and the words that are left, in order; how many are stacked, and who has a head."""
        stack = [*nodes(state.stack)][::-1]
        first = buffer_word(state, self.length)
        waiting = [*range(first, self.length + 1)] if first else []
        words = [0, *(node.token for node in stack), *waiting]
        return words, len(stack), [False, *(node.label != NO_LABEL for node in stack)]

    def _may(self, words: list[int], stacked: int, headed: list[bool], h: int, d: int) -> bool:
        """Return True if the arc may be made, as far as the two words and what is known decide it."""
        if d == 0 or h == d:
            return False
        if self.system.name == "arc-eager" and d <= stacked and headed[d]:
            return h == d - 1  # that arc is there
        if self.heads[words[d]] not in (None, words[h]) or not self._has_action(words[h], words[d]):
            return False
        if h > stacked or d > stacked:
            return True
        if self.system.name == "arc-hybrid":
            return h == d - 1
        if self.system.name == "arc-eager":
            return self._joined_at_end(headed, h, d)
        return True

    def _joined_at_end(self, headed: list[bool], h: int, d: int) -> bool:
        """Return True if arc-eager joins the two at the end; words that have heads are in its way."""
        if not self.system.single_root:
            return h == 0
        if h > d:
            return not any(headed[d : h + 1])
        return not any(headed[h + 1 : d])

    def _has_action(self, head: int, word: int) -> bool:
        kind = ROOT if head == 0 else LEFT if head > word else RIGHT
        known = self.labels[word]
        return any(t.kind == kind and known in (None, t.label) for t in self.system.transitions)

    def _reach(self, stacked: int, headed: list[bool], n: int) -> tuple[list[int], list[int]]:
        """Return how far to the right the descendants of each word must reach.

        First if its head is on its left, then if its head is on its right but dependents are on its left.
        """
        reach, among = list(range(n + 1)), list(range(n + 1))
        for d in range(1, stacked + 1):
            if self.system.name == "arc-standard" and d < stacked:
                reach[d] = among[d] = d + 1
            elif self.system.name == "arc-eager":
                reach[d] = n if self.system.single_root and not headed[d] else d
                among[d] = n + 1
        return reach, among

    def _keeps_dependents(self, before: State, after: State) -> bool:
        """Return True if a word that has left the stack for good leaves no dependent behind."""
        there = self._unattached(after)
        gone = self._unattached(before) - there
        return not any(self.heads[word] in gone for word in there)

    def _unattached(self, state: State) -> set[int]:
        """Return the words that wait for their heads."""
        seen = {node.token for cell in (state.stack, state.front) for node in nodes(cell)}
        return seen | {*range(state.next, self.length + 1)}


def whole(
    can: Sequence[Sequence[bool]], reach: Sequence[int], among: Sequence[int], single_root: bool
) -> bool:
    """Return True if there is a projective tree of these arcs, ``can[head][dependent]``, from word 0.

    Parameters
    ----------
    can
        Head and dependent of the arcs that there may be.
    reach
        The word that the descendants of a word must reach if its head is on its left.
    among
        The same if its head is on its right and it has dependents on its left.
    single_root
        True if word 0 has one dependent.
    """
    n = len(can) - 1
    right, left = ([[i == j for j in range(n + 1)] for i in range(n + 1)] for _ in range(2))
    arc_right, arc_left, arc_far = ([[False] * (n + 1) for _ in range(n + 1)] for _ in range(3))
    for width in range(1, n + 1):
        for i in range(n + 1 - width):
            j = i + width
            cuts = range(i, i + 1) if i == 0 and single_root else range(i, j)
            meet = any(right[i][k] and left[k + 1][j] for k in cuts)
            arc_right[i][j], arc_left[i][j] = meet and can[i][j], meet and can[j][i]
            arc_far[i][j] = can[j][i] and any(right[i][k] and left[k + 1][j] for k in range(among[i], j))
            right[i][j] = any(arc_right[i][k] and right[k][j] and j >= reach[k] for k in range(i + 1, j + 1))
            left[i][j] = any(left[i][k] and (arc_left if k == i else arc_far)[k][j] for k in range(i, j))
    return right[0][n]
