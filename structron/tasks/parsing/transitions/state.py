"""Parser states: a stack and a buffer as immutable linked lists.

A node records a word's children as they were when the node was made. A word that is attached no longer
changes, except in arc-eager, where it may still get children of its own on the stack.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

NO_LABEL = -1


class Child(NamedTuple):
    """A word that was attached, with the number of its relation."""

    node: Node
    label: int


class Node(NamedTuple):
    """A word on the stack or at the front of the buffer, with its children.

    `lefts` and `rights` are the last attached child and the one before; the sets have one bit for each
    relation (modulo 64). `label` is that of the arc to its head, if the word has one while still on the
    stack.
    """

    token: int
    label: int = NO_LABEL
    lefts: tuple[Child, ...] = ()
    rights: tuple[Child, ...] = ()
    left_count: int = 0
    right_count: int = 0
    left_set: int = 0
    right_set: int = 0

    def with_left(self, child: Node, label: int) -> Node:
        """Return the word with one more child on the left."""
        return self._replace(
            lefts=(Child(child, label), *self.lefts[:1]),
            left_count=self.left_count + 1,
            left_set=self.left_set | 1 << label % 64,
        )

    def with_right(self, child: Node, label: int) -> Node:
        """Return the word with one more child on the right."""
        return self._replace(
            rights=(Child(child, label), *self.rights[:1]),
            right_count=self.right_count + 1,
            right_set=self.right_set | 1 << label % 64,
        )


class Cell(NamedTuple):
    """A linked list of nodes; states that descend from one another share its tail."""

    node: Node
    below: Cell | None


def nodes(cell: Cell | None) -> Iterator[Node]:
    """Yield the nodes of a list from its first."""
    while cell is not None:
        yield cell.node
        cell = cell.below


class State(NamedTuple):
    """Stack, buffer and counts; words ahead of `next` in the buffer were swapped back or have children."""

    stack: Cell | None = None
    front: Cell | None = None
    next: int = 1
    swaps: int = 0
    step: int = 0

    def on_stack(self, depth: int) -> Node | None:
        """Return the word at this depth of the stack; 0 is the top."""
        return next((node for i, node in enumerate(nodes(self.stack)) if i == depth), None)
