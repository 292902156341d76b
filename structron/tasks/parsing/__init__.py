"""Dependency parsing, by transitions or by a graph."""

from typing import TYPE_CHECKING

from structron.lazy import on_first_use
from structron.task import TaskSpec

if TYPE_CHECKING:
    from structron.tasks.parsing.estimator import Parser
    from structron.tasks.parsing.graph.task import GraphParsingTask
    from structron.tasks.parsing.transitions.oracles import GoldTree, ParseOracle
    from structron.tasks.parsing.transitions.space import ParsingSpace
    from structron.tasks.parsing.transitions.state import State
    from structron.tasks.parsing.transitions.systems import (
        SYSTEMS,
        Arc,
        Transition,
        TransitionSystem,
        transitions_for,
    )
    from structron.tasks.parsing.transitions.task import ParsingTask, token_width
    from structron.tasks.parsing.trees.projectivity import crossing, is_projective, lift, lower
    from structron.tasks.parsing.trees.task import TreeTask
else:
    on_first_use(
        __name__,
        {
            "estimator": ("Parser",),
            "transitions.task": ("ParsingTask", "token_width"),
            "graph.task": ("GraphParsingTask",),
            "transitions.oracles": ("GoldTree", "ParseOracle"),
            "trees.projectivity": ("crossing", "is_projective", "lift", "lower"),
            "transitions.space": ("ParsingSpace",),
            "transitions.state": ("State",),
            "transitions.systems": ("SYSTEMS", "Arc", "Transition", "TransitionSystem", "transitions_for"),
            "trees.task": ("TreeTask",),
        },
    )

__all__ = [
    "SPEC",
    "SYSTEMS",
    "Arc",
    "GoldTree",
    "GraphParsingTask",
    "ParseOracle",
    "Parser",
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

SPEC = TaskSpec(
    kind="parsing",
    help="Give every word of a sentence its head and its relation.",
    task="structron.tasks.parsing.transitions.task:ParsingTask",
    estimator="structron.tasks.parsing.estimator:Parser",
    settings="structron.tasks.parsing.settings:ParsingRecipe",
    cli="structron.tasks.parsing.cli:CLI",
    json_form="structron.tasks.parsing.json_form:FORM",
    account="structron.tasks.parsing.explaining:account",
    play="structron.tasks.parsing.playing:PLAY",
    rank=1,
)
