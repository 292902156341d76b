"""Dependency parsing, by transitions or by a graph: systems, states, oracles, and the tasks."""

from typing import TYPE_CHECKING

from structron.lazy import on_first_use
from structron.tasks.parsing.transitions.task import ParsingTask, token_width

if TYPE_CHECKING:
    from structron.tasks.parsing.graph.task import GraphParsingTask
    from structron.tasks.parsing.transitions.oracles import GoldTree, ParseOracle
    from structron.tasks.parsing.projective import crossing, is_projective, lift, lower
    from structron.tasks.parsing.transitions.space import ParsingSpace
    from structron.tasks.parsing.transitions.state import State
    from structron.tasks.parsing.transitions.systems import (
        SYSTEMS,
        Arc,
        Transition,
        TransitionSystem,
        transitions_for,
    )
    from structron.tasks.parsing.tree_task import TreeTask
else:
    on_first_use(
        __name__,
        {
            "graph.task": ("GraphParsingTask",),
            "transitions.oracles": ("GoldTree", "ParseOracle"),
            "projective": ("crossing", "is_projective", "lift", "lower"),
            "transitions.space": ("ParsingSpace",),
            "transitions.state": ("State",),
            "transitions.systems": ("SYSTEMS", "Arc", "Transition", "TransitionSystem", "transitions_for"),
            "tree_task": ("TreeTask",),
        },
    )

__all__ = [
    "SYSTEMS",
    "TASK",
    "Arc",
    "GoldTree",
    "GraphParsingTask",
    "ParseOracle",
    "ParsingSpace",
    "ParsingTask",
    "State",
    "Transition",
    "TransitionSystem",
    "TreeTask",
    "crossing",
    "is_projective",
    "lift",
    "lower",
    "token_width",
    "transitions_for",
]

TASK = ParsingTask  # its `restore` knows the other
