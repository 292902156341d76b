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
        """Return the features of an action, with names."""
        ...

    def about(self, state: Any) -> str:
        """Return where a decision is taken."""
        ...

    def label(self, state: Any, action: int) -> str:
        """Return the name of an action."""
        ...

    def columns(self) -> Sequence[str]:
        """Return the names of the columns of weights."""
        ...

    def output(self, actions: Sequence[int]) -> str:
        """Return the output that the actions make, as text."""
        ...


class Account(Protocol):
    """The decisions behind the best output of a model for one input."""

    @property
    def output(self) -> str: ...
    @property
    def score(self) -> float: ...
    def decisions(self, table: WeightTable) -> Iterable[Decision]: ...
    def features(self) -> Iterable[Named]:
        """Return the features of the output: those of all actions that share them."""
        ...

    def columns(self) -> Sequence[str]:
        """Return the names of the columns of weights."""
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
        """The output that was chosen."""
        return self.namer.output(self.path.actions)

    @property
    def score(self) -> float:
        """The engine's score of it."""
        return float(self.path.score)

    def columns(self) -> Sequence[str]:
        """Return the names of the columns of weights."""
        return self.namer.columns()

    def decisions(self, table: WeightTable) -> Iterator[Decision]:
        """Return each action beside the best other one in the same state."""
        return walked(self.namer, self.path.actions, table)

    def features(self) -> Iterator[Named]:
        """Return the features of the actions that were taken."""
        # An action without features, such as a no, is explained by those of the other action.
        rather = getattr(self.namer, "rather", lambda action: action)
        state = self.namer.space.initial()
        for action in self.path.actions:
            yield from self.namer.features(state, rather(action))
            state = self.namer.space.advance(state, action)


def walked(namer: Namer, actions: Sequence[int], table: WeightTable) -> Iterator[Decision]:
    """Return the decisions of a derivation."""
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
    """Explain the best output for an input; refuse a task whose features have no names."""
    spec = registry.spec_of(model.task.kind)
    if not spec.account:
        raise SettingError(f"explain is not for {spec.kind}, whose features have no names yet; use show")
    make: Callable[[Model[Any], Any], Account] = spec.load("account")
    return make(model, x)


def explained(account: Account, rows: Rows) -> Explanation:
    """Explain an account by the weights of its model.

    The best derivation is taken from the engine; the features of each of its decisions are extracted again
    in plain Python, with names, and their weights looked up. Nothing is stored for it in the model's file.
    """
    return Explanation(account.output, account.score, tuple(account.decisions(WeightTable(rows))))
