"""The account of an output: what decided it, found by the kind of its task.

A task that explains itself declares a function `account` in its `TaskSpec`, from a model and an input, as the
engine takes it, to an `Account`. Where outputs are derived action by
action, a `Namer` is all that it takes: `Derived` does the rest, and a film of the beam follows from it, too.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cached_property
from typing import Any, Protocol

from structron import registry
from structron.engine.rows import Rows
from structron.errors import SettingError
from structron.explaining.explanation import Decision, Explanation, Named, WeightTable, decided
from structron.model import Model
from structron.reference.sequence.trace import Path


class Namer(Protocol):
    """One input of a task that derives its outputs action by action."""

    @property
    def space(self) -> Any:
        """The input as the definition sees it."""
        ...

    def features(self, state: Any, action: int) -> Iterable[Named]:
        """The features of an action; the same as those of the space, with names."""
        ...

    def about(self, state: Any) -> str:
        """Where a decision is taken."""
        ...

    def label(self, state: Any, action: int) -> str:
        """What an action is called."""
        ...

    def columns(self) -> Sequence[str]:
        """What the columns of weights are called."""
        ...

    def output(self, actions: Sequence[int]) -> str:
        """What the actions make, for the eye."""
        ...


class Account(Protocol):
    """What decided the best output of a model for one input."""

    @property
    def output(self) -> str: ...
    @property
    def score(self) -> float: ...
    def decisions(self, table: WeightTable) -> Iterable[Decision]: ...
    def features(self) -> Iterable[Named]:
        """All features that speak in the output: of all actions where these share them."""
        ...

    def columns(self) -> Sequence[str]:
        """What the columns of weights are called."""
        ...


class Derived:
    """The account of an output that was derived action by action."""

    def __init__(self, model: Model[Any], x: Any, namer: Namer) -> None:
        self.model, self.x, self.namer = model, x, namer

    @cached_property
    def path(self) -> Path:
        """The best derivation, as the engine finds it."""
        trace = self.model.trace(self.x, None)
        return trace.best(trace.final)

    @property
    def output(self) -> str:
        """What was chosen."""
        return self.namer.output(self.path.actions)

    @property
    def score(self) -> float:
        """What the engine says of it."""
        return float(self.path.score)

    def columns(self) -> Sequence[str]:
        """What the columns of weights are called."""
        return self.namer.columns()

    def decisions(self, table: WeightTable) -> Iterator[Decision]:
        """Each action, beside the best other one in the same state."""
        return walked(self.namer, self.path.actions, table)

    def features(self) -> Iterator[Named]:
        """Those of the actions that were taken."""
        # Where an action has no features of its own, as a no, those of the other one would have spoken.
        rather = getattr(self.namer, "rather", lambda action: action)
        state = self.namer.space.initial()
        for action in self.path.actions:
            yield from self.namer.features(state, rather(action))
            state = self.namer.space.advance(state, action)


def walked(namer: Namer, actions: Sequence[int], table: WeightTable) -> Iterator[Decision]:
    """The decisions of a derivation."""
    state = namer.space.initial()
    for action in actions:
        others = (
            (namer.label(state, other), table.weigh(namer.features(state, other)))
            for other in namer.space.actions(state)
            if other != action
        )
        own = namer.label(state, action), table.weigh(namer.features(state, action))
        yield decided(namer.about(state), own, others)
        state = namer.space.advance(state, action)


def account_of(model: Model[Any], x: Any) -> Account:
    """What decided the best output for an input; a task whose features have no names is refused."""
    spec = registry.spec_of(model.task.kind)
    if not spec.account:
        raise SettingError(f"explain is not for {spec.kind}, whose features have no names yet; use show")
    make: Callable[[Model[Any], Any], Account] = spec.load("account")
    return make(model, x)


def explained(account: Account, rows: Rows) -> Explanation:
    """An account with the weights of its model.

    The best derivation is taken from the engine; the features of each of its decisions are extracted again
    in plain Python, with names, and their weights looked up. Nothing is stored for it in the model's file.
    """
    return Explanation(account.output, account.score, tuple(account.decisions(WeightTable(rows))))
