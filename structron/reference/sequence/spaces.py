"""The interface of a task: a graph of states for one input, and an oracle for the gold arcs."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import Protocol, TypeVar, runtime_checkable

from structron.reference.learners.weights import Features, SparseVector

__all__ = ["Features", "Oracle", "SearchSpace", "SparseVector", "StackSpace"]

State = TypeVar("State")
AnyState = TypeVar("AnyState", contravariant=True)


class SearchSpace(Protocol[State]):
    """One input, seen as a graph: outputs are the paths from the initial state to a final one.

    States are never changed: `advance` makes a new one. Every action leads to a later step, a step may be
    skipped, and all final states share one step, the last. `check_space` tests all of this.
    """

    def initial(self) -> State:
        """Return the state that every path begins in."""
        ...

    def actions(self, state: State) -> Sequence[int]:
        """Return the possible actions in increasing order; none if and only if the state is final."""
        ...

    def advance(self, state: State, action: int) -> State:
        """Return the state that `action` leads to."""
        ...

    def features(self, state: State, action: int) -> Features:
        """Return the features of the arc from `state` by `action`; Φ of a path is the sum over its arcs."""
        ...

    def merge_key(self, state: State) -> Hashable:
        """Return a key: equal keys on one step promise equal actions, features and futures."""
        ...

    def step(self, state: State) -> int:
        """Return the number of the state's beam: actions taken, or words covered."""
        ...

    def is_final(self, state: State) -> bool:
        """Return True if the path that ends here is an output."""
        ...


@runtime_checkable
class StackSpace(SearchSpace[State], Protocol[State]):
    """A space whose states have a stack: an action pushes one element, joins the two on top, or removes one.

    An action that does not push looks at the topmost element and at what the kernel tells of the rest, and
    leaves what stands below those two as it is.
    """

    def kernel(self, state: State, margin: bool = False) -> Hashable:
        """Return a key that is equal on one step for states with equal features, now and after the same
        actions.

        With `margin`, also for those of which the oracle allows the same.
        """
        ...

    def pushes(self, action: int) -> bool:
        """Return True if an action pushes an element."""
        ...

    def on_top_of(self, below: State, state: State) -> State:
        """Return `state` with its topmost element on the stack of `below`."""
        ...

    def under(self, state: State) -> State | None:
        """Return `state` without its topmost element; None if the stack is empty."""
        ...


class Oracle(Protocol[AnyState]):
    """The gold arcs. One or many paths of gold arcs may lead from the initial state to the end.

    An oracle may also have `merge_key(state)`, what gold's future depends on beside the state's own merge key
    (in forced decoding: how far the reference is), and `right(state, action)`, which the margin asks instead
    of `allows`: whether the action is right in itself. Where gold depends on the weights there is
    `aim(weights, search)`, called whenever training comes to the example.
    """

    def allows(self, state: AnyState, action: int) -> bool:
        """Return True if `action` keeps a gold `state` on a gold path.

        Asked for states that are themselves gold; with a margin also for others, where it should say whether
        the action is right in itself.
        """
        ...
