"""Dependency parsing, by transitions or by a graph: systems, states, oracles, and the tasks."""

from structron.tasks.parsing.graph.task import GraphParsingTask
from structron.tasks.parsing.oracles import GoldTree, ParseOracle
from structron.tasks.parsing.projective import crossing, is_projective, lift, lower
from structron.tasks.parsing.space import ParsingSpace
from structron.tasks.parsing.state import State
from structron.tasks.parsing.systems import SYSTEMS, Arc, Transition, TransitionSystem, transitions_for
from structron.tasks.parsing.task import ParsingTask, token_width
from structron.tasks.parsing.tree_task import TreeTask

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
