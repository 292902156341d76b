"""Plans of semantic parsing: questions with their forms, or with the forms found for their answers."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from structron.errors import DataError
from structron.fit.data.examples import Examples
from structron.fit.problem import Plan
from structron.fit.schedules.schedule import Stage
from structron.tasks.semantics.execution.execution import Execution
from structron.tasks.semantics.fitting.answers import Answer, Search
from structron.tasks.semantics.fitting.task_from_data import (
    derive_forms,
    make_task,
    spoken_productions,
    unnamed,
)
from structron.tasks.semantics.inputs import key_of
from structron.tasks.semantics.language.grammar import Grammar
from structron.tasks.semantics.settings import SemanticRecipe
from structron.tasks.semantics.task import SemanticTask


@dataclass(frozen=True)
class Findings:
    """The findings of a semantic parser about its data.

    Attributes
    ----------
    grammar
        The language of meaning, with the names.
    unreachable
        The number of questions whose form has no derivation.
    unanswered
        With answers only: the number of questions without a form that has the answer.
    found
        With answers only: the forms of each question that have the answer, best first.
    """

    grammar: Grammar
    unreachable: int = 0
    unanswered: int = 0
    found: tuple[tuple[str, ...], ...] = ()


SemanticPlan = Plan[SemanticTask, SemanticRecipe, None, Findings]


def plan_of_forms(recipe: SemanticRecipe, given: Examples[None], grammar: Grammar) -> SemanticPlan:
    """Plan training on questions, as the grammar sees them, and their forms."""
    trees = derive_forms(grammar, given.ys, given.place)
    pairs = list(zip(given.xs, trees))
    task = make_task(recipe, grammar, spoken_productions(grammar, pairs), pairs)
    examples = replace(given, ys=[[tree.preorder()] for tree in trees])
    return Plan(recipe, task, examples, Findings(grammar))


def plan_of_answers(
    recipe: SemanticRecipe,
    given: Examples[None],
    grammar: Grammar,
    executing: Callable[[], Execution],
    threads: int,
    stage: Stage | None,
) -> SemanticPlan:
    """Plan training on forms found for the answers; questions without one are left out."""
    if not all(isinstance(each, Answer) for each in given.ys):
        raise DataError("some questions have a form and some an answer alone; give the same for all")
    keys = [key_of(each.value, given.place(i)) for i, each in enumerate(given.ys)]
    found = Search(recipe, grammar, given.xs, keys, given.place, executing(), threads, stage).forms()
    kept = [i for i, trees in enumerate(found) if trees]
    examples = Examples(
        [given.xs[i] for i in kept],
        [[tree.preorder() for tree in found[i]] for i in kept],
        None,
        lambda k: given.place(kept[k]),
    )
    task = make_task(recipe, grammar, unnamed(grammar), [(given.xs[i], found[i][0]) for i in kept])
    texts = tuple(tuple(str(grammar.term(tree)) for tree in trees) for trees in found)
    return Plan(recipe, task, examples, Findings(grammar, unanswered=len(found) - len(kept), found=texts))
