"""Transition systems: arc-standard, arc-eager, arc-hybrid, and arc-standard with swap.

The root is not a word: ``root`` attaches the last word left on the stack to it. Every word is pushed once and
popped once, so that all derivations of a sentence have the same length; with swap, unused swaps become idle
steps. `core/tasks/parsing/transitions.hpp` is the engine's twin.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import NamedTuple

from structron.errors import SettingError
from structron.records import dataclass
from structron.tasks.parsing.transitions.state import NO_LABEL, Cell, Node, State

SYSTEMS = {"arc-standard": 0, "arc-eager": 1, "arc-hybrid": 2, "swap": 3}
KINDS = ("shift", "reduce", "swap", "left", "right", "root", "idle")
SHIFT, REDUCE, SWAP, LEFT, RIGHT, ROOT, IDLE = range(7)
MOST_SWAPS = 65535


class Transition(NamedTuple):
    """A kind of action and the number of its relation, -1 without relation."""

    kind: int
    label: int = NO_LABEL


class Arc(NamedTuple):
    """The arc that an action makes; head 0 is the root."""

    head: int
    dependent: int
    label: int


@dataclass(frozen=True)
class TransitionSystem:
    """One system with its actions, for sentences of any length.

    Parameters
    ----------
    name
        ``arc-standard`` (Nivre 2004), ``arc-eager`` (Nivre 2003), ``arc-hybrid`` (Kuhlmann, Gómez-Rodríguez &
        Satta 2011) or ``swap`` (arc-standard with swap, Nivre 2009).
    transitions
        All actions, sorted by kind.
    single_root
        Attach exactly one word to the root.
    swaps
        The most swaps for each word of the sentence in system swap, which keeps parsing linear.
    """

    name: str
    transitions: tuple[Transition, ...]
    single_root: bool = True
    swaps: int = 1

    def __post_init__(self) -> None:
        if self.name not in SYSTEMS:
            raise SettingError(f"system {self.name!r} is not known; use one of {', '.join(SYSTEMS)}")

    @cached_property
    def number(self) -> dict[Transition, int]:
        """Return the number of each action."""
        return {transition: i for i, transition in enumerate(self.transitions)}

    @property
    def joins_buffer(self) -> bool:
        """Return True if left arcs come from the buffer's first word."""
        return self.name in ("arc-eager", "arc-hybrid")

    def most_swaps(self, length: int) -> int:
        """Return the most swaps in a sentence; no two words are swapped twice, whatever `swaps` says."""
        if self.name != "swap":
            return 0
        return min(self.swaps * length, length * (length - 1) // 2, MOST_SWAPS)

    def steps(self, length: int) -> int:
        """Return the length of every derivation."""
        return 2 * length + 2 * self.most_swaps(length)

    def possible(self, state: State, length: int) -> set[int]:
        """Return the kinds of action that are possible."""
        s0, s1 = state.on_stack(0), state.on_stack(1)
        has_buffer = buffer_word(state, length) != 0
        if s0 is None:
            return {SHIFT} if has_buffer else {IDLE}
        if self.name == "arc-eager":
            return self._possible_eager(s0, s1, has_buffer)
        kinds = {SHIFT} if has_buffer else set()
        if self.name == "arc-hybrid" and has_buffer:
            kinds.add(LEFT)
        if s1 is not None:
            kinds |= {RIGHT} if self.name == "arc-hybrid" else {LEFT, RIGHT}
            if self.name == "swap" and state.swaps < self.most_swaps(length) and s1.token < s0.token:
                kinds.add(SWAP)
        elif not (self.single_root and has_buffer):
            kinds.add(ROOT)
        return kinds

    def _possible_eager(self, s0: Node, s1: Node | None, has_buffer: bool) -> set[int]:
        """Return the kinds possible in arc-eager; without a buffer, headless words join as in arc-standard.

        This leaves one word for the root (after Nivre & Fernández-González 2014, without their extra
        transition).
        """
        headed = s0.label != NO_LABEL
        if has_buffer:
            return {SHIFT, RIGHT, REDUCE if headed else LEFT}
        if headed:
            return {REDUCE}
        if not self.single_root or s1 is None:
            return {ROOT}
        return {RIGHT, LEFT} if s1.label == NO_LABEL else {RIGHT}

    def attached(self, state: State, action: int, length: int) -> Arc | None:
        """Return the arc that an action makes."""
        kind, label = self.transitions[action]
        s0, s1, b = state.on_stack(0), state.on_stack(1), buffer_word(state, length)
        if kind not in (LEFT, RIGHT, ROOT) or s0 is None:
            return None
        if kind == ROOT:
            return Arc(0, s0.token, label)
        if kind == LEFT and self.joins_buffer and b:
            return Arc(b, s0.token, label)
        if kind == RIGHT and self.name == "arc-eager" and b:
            return Arc(s0.token, b, label)
        assert s1 is not None
        pair = (s0.token, s1.token) if kind == LEFT else (s1.token, s0.token)
        return Arc(*pair, label)

    def advance(self, state: State, action: int, length: int) -> State:
        """Return the state after a possible action."""
        kind, label = self.transitions[action]
        after = state._replace(step=state.step + 1)
        if kind == IDLE:
            return after
        if kind == SHIFT:
            b, after = _take(after)
            return after._replace(stack=Cell(b, after.stack))
        assert after.stack is not None
        s0, below = after.stack
        if kind in (REDUCE, ROOT):
            return after._replace(stack=below)
        if kind == LEFT and self.joins_buffer and buffer_word(state, length):
            b, after = _take(after._replace(stack=below))
            return after._replace(front=Cell(b.with_left(s0, label), after.front))
        if kind == RIGHT and self.name == "arc-eager" and buffer_word(state, length):
            b, after = _take(after)
            grown = Cell(s0.with_right(b, label), below)
            return after._replace(stack=Cell(b._replace(label=label), grown))
        assert below is not None
        s1, rest = below
        if kind == SWAP:
            return after._replace(stack=Cell(s0, rest), front=Cell(s1, after.front), swaps=after.swaps + 1)
        grown = Cell(s0.with_left(s1, label) if kind == LEFT else s1.with_right(s0, label), rest)
        return after._replace(stack=grown)


def buffer_word(state: State, length: int) -> int:
    """Return the first word of the buffer, 0 if it is empty."""
    if state.front is not None:
        return state.front.node.token
    return state.next if state.next <= length else 0


def _take(state: State) -> tuple[Node, State]:
    """Return the buffer's first word and the state without it."""
    if state.front is not None:
        return state.front.node, state._replace(front=state.front.below)
    return Node(state.next), state._replace(next=state.next + 1)


def transitions_for(name: str, arcs: Sequence[Arc]) -> tuple[Transition, ...]:
    """Return the actions that arcs need: relations to the left, to the right and to the root, as seen.

    The swap system may attach words in both directions. Some right arc and some root action always exist, so
    that no search ends in a state without actions.
    """
    left = {arc.label for arc in arcs if arc.head > arc.dependent}
    right = {arc.label for arc in arcs if 0 < arc.head < arc.dependent}
    root = {arc.label for arc in arcs if arc.head == 0}
    if name == "swap":
        left = right = left | right
    right = right or left or root
    bare = {"arc-eager": [SHIFT, REDUCE], "swap": [SHIFT, SWAP]}.get(name, [SHIFT])
    made = [Transition(kind) for kind in bare]
    for kind, labels in ((LEFT, left), (RIGHT, right), (ROOT, root)):
        made += [Transition(kind, label) for label in sorted(labels)]
    return (*made, Transition(IDLE)) if name == "swap" else tuple(made)


def check_stacked(system: str) -> None:
    """Refuse a system that has no kernels."""
    if system != "arc-standard":
        raise SettingError(
            f"search dp shares the stacks of arc-standard, not of {system}; use a beam as beam:8"
        )
