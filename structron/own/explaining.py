"""Explanations of a task of one's own."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from structron.explaining.account import Account, Derived
from structron.explaining.explanation import Named
from structron.explaining.own import SpaceNames
from structron.features.keys import fold, named_key
from structron.model import Model
from structron.own.task import OwnTask


class OwnNames(SpaceNames):
    """The features of a space by their names, with the keys that the engine has for them."""

    def __init__(self, task: OwnTask, x: Any) -> None:
        super().__init__(task.space(x))
        self.task, self.x = task, x

    def features(self, state: Any, action: int) -> Iterable[Named]:
        """Return the features of an action."""
        for named in super().features(state, action):
            yield named._replace(key=fold(named_key(named.name), self.task.bits))

    def columns(self) -> list[str]:
        """Return one column: a feature has one weight."""
        return [""]


def account(model: Model[OwnTask], x: Any) -> Account:
    """Explain the output for one input."""
    return Derived(model, x, OwnNames(model.task, x))
