"""Dependency parsing, by transitions or by a graph."""

from typing import TYPE_CHECKING

from structron.lazy import on_first_use
from structron.task import TaskSpec

if TYPE_CHECKING:
    from structron.tasks.parsing.estimator import Parser as Parser
    from structron.tasks.parsing.graph.task import GraphParsingTask as GraphParsingTask
    from structron.tasks.parsing.transitions.oracles import GoldTree as GoldTree, ParseOracle as ParseOracle
    from structron.tasks.parsing.transitions.space import ParsingSpace as ParsingSpace
    from structron.tasks.parsing.transitions.state import State as State
    from structron.tasks.parsing.transitions.systems import (
        SYSTEMS as SYSTEMS,
        Arc as Arc,
        Transition as Transition,
        TransitionSystem as TransitionSystem,
        transitions_for as transitions_for,
    )
    from structron.tasks.parsing.transitions.task import (
        ParsingTask as ParsingTask,
        token_width as token_width,
    )
    from structron.tasks.parsing.trees.projectivity import (
        crossing as crossing,
        is_projective as is_projective,
        lift as lift,
        lower as lower,
    )
    from structron.tasks.parsing.trees.task import TreeTask as TreeTask

on_first_use(__name__)


SPEC = TaskSpec(
    kind="parsing",
    help="Give every word of a sentence its head and its relation.",
    task="structron.tasks.parsing.transitions.task:ParsingTask",
    estimator="structron.tasks.parsing.estimator:Parser",
    settings="structron.tasks.parsing.settings:ParsingRecipe",
    cli="structron.tasks.parsing.cli:CLI",
    json_form="structron.tasks.parsing.json_form:FORM",
    account="structron.tasks.parsing.explaining:account",
    columns="structron.tasks.parsing.column_form:COLUMNS",
    play="structron.tasks.parsing.playing:PLAY",
    rank=1,
)
