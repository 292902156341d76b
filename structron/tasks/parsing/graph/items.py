"""Items of Eisner's chart, what is seen of them, and the parts of a tree that features see."""

from __future__ import annotations

from typing import NamedTuple


class Seen(NamedTuple):
    """The state of an item: what templates see of it.

    Attributes
    ----------
    child, before
        In a complete item, the outermost child of its head and the one before. In an incomplete item
        `before` is the sibling of the modifier.
    relation
        The relation of the child, or of an arc.
    children
        The number of children.
    """

    child: int | None = None
    relation: int | None = None
    before: int | None = None
    children: int = 0


class Part(NamedTuple):
    """Words that features see together, with other values that they see."""

    head: int
    modifier: int
    others: dict[str, int | None]
    numbers: dict[str, int]


class Item(NamedTuple):
    """A node of the forest."""

    begin: int
    end: int
    shape: str

    @property
    def arc(self) -> tuple[int, int]:
        """Return head and modifier of an arc or an incomplete item."""
        return (self.begin, self.end) if self.shape[1] == ">" else (self.end, self.begin)
