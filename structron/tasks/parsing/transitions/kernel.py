"""Kernel features (Huang & Sagae 2010, Section 3): all that templates can see of a state, now or later.

States of one step with equal kernels have equal futures as far as scores go, whatever else their stacks hold.
The kernel is derived from the templates. It includes everything that they read on s0, s1 and so on. Because
s0 may become s1 and then s2, whatever is read deeper in the stack must be known above as well (the paper's
condition that kernels are monotonic). A word may become a child, and a child the second child, so whatever is
read of children must be known of the words that may become children.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from typing import NamedTuple

from structron.tasks.parsing.features.templates import STEPS, ParseAtom, ParseTemplate, Place

DEPTHS = 4  # s0 to s3
TOKEN = "token"  # the word's position, which distances and a margin depend on


class View(NamedTuple):
    """One thing seen on a word of the stack, or on a descendant at the end of `path`."""

    path: tuple[int, ...]
    sight: str
    aspect: str = "w"
    length: int = 0
    column: int = 0

    def at(self, depth: int) -> ParseAtom:
        """Return the atom that reads it on the word at this depth."""
        first, second, *_ = (*self.path, 0, 0)
        return ParseAtom(
            "", self.sight, (depth, first, second), (0, 0, 0), self.aspect, self.length, self.column
        )


class Kernel:
    """The kernel that templates call for.

    Parameters
    ----------
    templates
        Any templates. In arc-standard, words on the stack have no head and words in the buffer have no
        children, so that what atoms read there never changes.
    tokens
        Include the positions of s0 and s1: a margin depends on whether their arc is gold.
    """

    def __init__(self, templates: Sequence[ParseTemplate], tokens: bool = False) -> None:
        read: list[set[View]] = [set() for _ in range(DEPTHS)]
        for atom in (atom for template in templates for atom in template.atoms):
            for depth, view in _views(atom):
                read[depth].add(view)
        if tokens:
            read[1].add(View((), TOKEN))
        for depth in reversed(range(DEPTHS - 1)):  # monotonic
            read[depth] |= read[depth + 1]
        _close(read[0])
        self.views = tuple(tuple(sorted(views)) for views in read)

    def of(self, value: Callable[[ParseAtom], int], token: Callable[[Place], int]) -> Hashable:
        """Return the kernel of a state's stack, given functions that read an atom and the word at a place."""
        return tuple(
            token(view.at(depth).place) if view.sight == TOKEN else value(view.at(depth))
            for depth, views in enumerate(self.views)
            for view in views
        )


def _views(atom: ParseAtom) -> Iterator[tuple[int, View]]:
    """Yield an atom's views of the stack, by depth, without those that arc-standard cannot change."""
    for anchor, *steps in (atom.place, atom.other) if atom.sight == "d" else (atom.place,):
        path = tuple(step for step in steps if step)
        unchanging = STEPS["h"] in path or (atom.sight == "r" and not path)
        if anchor < DEPTHS and not unchanging:
            sight = TOKEN if atom.sight == "d" else atom.sight
            yield anchor, View(path, sight, atom.aspect, atom.length, atom.column)


def _close(views: set[View]) -> None:
    """Add what a reduction needs to know of the two words that it joins."""
    todo = list(views)
    while todo:
        for view in _before(todo.pop()):
            if view not in views:
                views.add(view)
                todo.append(view)


def _before(view: View) -> Iterable[View]:
    """Return the views that must be known before a reduction for this one to be known after it."""
    if not view.path:
        return ()
    first, *rest = view.path
    if first in (STEPS["lc2"], STEPS["rc2"]):  # it was the outermost child
        return (view._replace(path=(first - 1, *rest)),)
    if view.sight == "r" and not rest:  # the reduction itself gives it
        return ()
    return (view._replace(path=tuple(rest)),)  # it was the other word
