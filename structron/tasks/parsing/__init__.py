"""Dependency parsing by transitions: systems, states, oracles, and the task."""

from structron.tasks.parsing.oracles import GoldTree, ParseOracle
from structron.tasks.parsing.projective import crossing, is_projective, lift, lower
from structron.tasks.parsing.space import ParsingSpace
from structron.tasks.parsing.state import State
from structron.tasks.parsing.systems import SYSTEMS, Arc, Transition, TransitionSystem, transitions_for
from structron.tasks.parsing.task import ParsingTask, token_width

__all__ = [
    "SYSTEMS",
    "TASK",
    "Arc",
    "GoldTree",
    "ParseOracle",
    "ParsingSpace",
    "ParsingTask",
    "State",
    "Transition",
    "TransitionSystem",
    "crossing",
    "is_projective",
    "lift",
    "lower",
    "token_width",
    "transitions_for",
]

TASK = ParsingTask
