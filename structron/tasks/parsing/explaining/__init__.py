"""Explanations of parsers: transitions one by one, or the arcs of a graph."""

from __future__ import annotations

from typing import Any

from structron.errors import SettingError
from structron.explaining.account import Account, Derived
from structron.model import Model
from structron.tasks.parsing.explaining.graph import BuiltTree
from structron.tasks.parsing.explaining.transitions import ParseNames
from structron.tasks.parsing.graph.task import GraphParsingTask


def account(model: Model[Any], x: Any) -> Account:
    """Explain the tree of a sentence."""
    if isinstance(model.task, GraphParsingTask):
        return BuiltTree(model, x)
    if model.task.experts:
        raise SettingError(
            "several parsers have a say in this output, and explain is of one; train one without combine"
        )
    return Derived(model, x, ParseNames(model.task, x))
