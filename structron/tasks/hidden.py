"""Latent-variable sequence labelling (Sun, Matsuzaki, Okanohara & Tsujii 2009): labels own hidden sub-labels.

Each label owns the same number of sub-labels. Search runs over sub-labels and features see them; gold is any
sequence of sub-labels of the gold labels. The same mechanism as in transduction, with another oracle.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Protocol

from structron.errors import SettingError
from structron.tasks.tagging import TaggingSpace, TaggingTask, TagState, Tokens
from structron.weights import SparseVector


class Chance(Protocol):
    """A source of chance: `random.Random` is one."""

    def uniform(self, a: float, b: float, /) -> float: ...


@dataclass(frozen=True)
class HiddenTagging:
    """A tagging task whose labels own hidden sub-labels.

    Parameters
    ----------
    task
        The task as it is observed.
    hidden
        How many sub-labels each label owns; with 1 it is the observed task.
    """

    task: TaggingTask
    hidden: int = 2

    def __post_init__(self) -> None:
        if self.hidden < 1:
            raise SettingError(f"hidden = {self.hidden} cannot be; a label owns at least 1 sub-label")
        if self.task.scheme is not None or len(self.task.dictionary.keys):
            raise SettingError("hidden sub-labels know no scheme and no dictionary; leave these out")

    @property
    def inner(self) -> TaggingTask:
        """The task over sub-labels: number `action` belongs to label `action // hidden`."""
        names = [f"{label}#{h}" for label in self.task.labels for h in range(self.hidden)]
        if self.hidden == 1:
            names = list(self.task.labels)
        return TaggingTask(tuple(names), self.task.templates, self.task.ready, bits=self.task.bits)

    def space(self, tokens: Tokens) -> TaggingSpace:
        """One sentence, over sub-labels."""
        return self.inner.space(tokens)

    def oracle(self, tags: Sequence[str]) -> HiddenOracle:
        """Every sequence of sub-labels of these labels."""
        return HiddenOracle([self.task.labels.index(tag) for tag in tags], self.hidden)

    def labels_of(self, actions: Iterable[int]) -> list[str]:
        """The labels that sub-labels belong to: the projection is no choice."""
        return [self.task.labels[action // self.hidden] for action in actions]

    def start(self, sentences: Iterable[Tokens], chance: Chance, scale: float = 0.1) -> SparseVector:
        """Small random weights for the features of the words, so that sub-labels are not all alike.

        Learning with latent variables is not convex: from zero, the sub-labels of a label differ only by the
        rule for ties. Features of previous tags start at zero.
        """
        found: SparseVector = {}
        local = TaggingTask(
            self.inner.labels, tuple(t.text for t in self.task.parsed if not t.tags), bits=self.task.bits
        )
        for tokens in sentences:
            space = local.space(tokens)
            state = space.initial()
            while not space.is_final(state):
                for action in space.actions(state):
                    for name, _ in space.features(state, action):
                        if name not in found:
                            found[name] = chance.uniform(-scale, scale)
                state = space.advance(state, 0)
        return found


class HiddenOracle:
    """Gold labels, sub-labels left open."""

    def __init__(self, labels: Sequence[int], hidden: int) -> None:
        self.labels, self.hidden = labels, hidden

    def allows(self, state: TagState, action: int) -> bool:
        """Whether the sub-label belongs to the gold label."""
        return self.labels[state.position] == action // self.hidden
