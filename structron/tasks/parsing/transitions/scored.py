"""Transitions whose scores come from outside: the definition of `structron.own.scores` for states and actions.

A feature is a place in the table of scores: the word on top of the stack, the word in front of the buffer,
and the action. So the scores are the weights, and what a violation says of the weights is minus the gradient
of its excess.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from structron.tasks.parsing.transitions.space import ParsingSpace
from structron.tasks.parsing.transitions.state import State
from structron.tasks.parsing.transitions.systems import KINDS, Transition, TransitionSystem, buffer_word


class ScoredTransitions(ParsingSpace):
    """The space of one input with so many words."""

    def __init__(self, system: str, actions: Sequence[tuple[str, int]], length: int) -> None:
        made = tuple(Transition(KINDS.index(kind), relation) for kind, relation in actions)
        super().__init__(TransitionSystem(system, made), [], [], 0, [()] * length)

    def seen(self, state: State) -> tuple[int, int]:
        """Return what a score sees of a state: the words on top of the stack and in front; 0 is none."""
        top = state.on_stack(0)
        return 0 if top is None else top.token, buffer_word(state, len(self.tokens))

    def features(self, state: State, action: int) -> Iterator[tuple[Any, float]]:
        """Yield the place of the only score."""
        yield (*self.seen(state), action), 1.0
