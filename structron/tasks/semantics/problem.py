"""The problem of semantic parsing: questions with their forms, or with answers."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, ClassVar

from structron.errors import DataError
from structron.fit.data.examples import Examples
from structron.fit.data.inputs import listed
from structron.fit.data.signature import checksum
from structron.fit.learning import Packed
from structron.fit.problem import Context, Fitted, Metric, Plan, Problem, Restored, Step
from structron.io.values.terms import Term
from structron.model import Model
from structron.reference.sequence.training import Example
from structron.tasks.semantics.execution.answers import share_right
from structron.tasks.semantics.execution.execution import Execution
from structron.tasks.semantics.fitting.answers import Answer
from structron.tasks.semantics.fitting.plan import Findings, SemanticPlan, plan_of_answers, plan_of_forms
from structron.tasks.semantics.fitting.task_from_data import derive_forms
from structron.tasks.semantics.inputs import (
    examples_of,
    gazetteer_of,
    grammar_of,
    place_of,
    words_of,
    written,
)
from structron.tasks.semantics.language.grammar import FormTree, Grammar
from structron.tasks.semantics.settings import SemanticRecipe
from structron.tasks.semantics.task import SemanticTask
from structron.tasks.semantics.words import Words

if TYPE_CHECKING:
    from structron.metrics import Judgement

SemanticContext = Context[SemanticRecipe, None]


@dataclass(frozen=True)
class SemanticProblem(Problem[SemanticTask, SemanticRecipe, None, Findings, str | None]):
    """Questions with their forms, or with answers.

    Attributes
    ----------
    grammar, names
        The productions of the language, if they are known, and the names of constants.
    threads
        How many threads search for forms.
    execution
        Gives what asks the executor; refused if there is none.
    """

    kind: ClassVar[str] = "semantics"
    grammar: Any
    names: Any
    threads: int
    execution: Callable[[], Execution]

    @classmethod
    def of(cls, estimator: Any) -> SemanticProblem:
        return cls(estimator.grammar, estimator.names, estimator.threads, estimator.execution)

    def read(
        self, X: Iterable[object], y: Iterable[object] | None, findings: Findings | None = None
    ) -> Examples[None]:
        return examples_of(X, y)

    def read_dev(
        self, X: Iterable[object], y: Iterable[object] | None, given: Examples[None]
    ) -> Examples[None]:
        examples = self.read(X, y)
        # Forms are not sequences, and sets of answers have no order, so the checksum is of their text.
        return replace(examples, checksum=checksum(examples.xs, [[written(y)] for y in examples.ys]))

    def inputs(self, X: Iterable[object], fitted: Fitted[SemanticTask, Findings]) -> Examples[None]:
        items = listed(X, "X", "give a list of questions")
        place = place_of(items)
        found = [Words.of(fitted.findings.grammar, words_of(item, place(i))) for i, item in enumerate(items)]
        return Examples(found, (), None, place)

    def seen(self, examples: Examples[None], findings: Findings) -> Examples[None]:
        return replace(examples, xs=[Words.of(findings.grammar, words) for words in examples.xs])

    def check(self, task: SemanticTask, examples: Examples[None]) -> None:
        """Refuse a question whose chart would be too large, before any other is searched."""
        for i, words in enumerate(examples.xs):
            if wrong := task.too_large(words):
                raise DataError(f"{examples.place(i)}: {wrong}; fix it or leave it out")

    def steps(self, recipe: SemanticRecipe) -> list[Step]:
        return [
            Step(
                "grammar", "read off the forms which productions there are, if none are given", self._grammar
            ),
            Step("task", "search for forms that have the answers, and associate words", self._task),
        ]

    def _grammar(self, plan: SemanticPlan, context: SemanticContext) -> SemanticPlan:
        given, classes = plan.examples, context.classes
        if not given.xs:
            raise DataError("there is nothing to learn from; give at least one question with its form")
        answered = any(isinstance(each, Answer) for each in given.ys)
        grammar = grammar_of(self.grammar)
        if grammar is None:
            if answered:
                raise DataError("answers do not say which forms there are; give a grammar")
            whole, read = Grammar.read(given.ys, overlap=plan.recipe.overlap), True
        else:
            whole, read = grammar, False
        grammar = whole.binarised(read=read)
        if self.names:
            grammar = grammar.extended(gazetteer_of(self.names))
        known = {production.text for each in (whole, grammar) for production in each.productions}
        missing = sorted(set(classes or ()) - known)
        if missing:
            raise DataError(f"the grammar has no production {missing[0]!r}; pass grammar= with all of them")
        examples = replace(given, xs=[Words.of(grammar, words) for words in given.xs])
        return replace(plan, examples=examples, findings=Findings(grammar))

    def _task(self, plan: SemanticPlan, context: SemanticContext) -> SemanticPlan:
        recipe, given, grammar = plan.recipe, plan.examples, plan.findings.grammar
        if any(isinstance(each, Answer) for each in given.ys):
            return plan_of_answers(recipe, given, grammar, self.execution, self.threads, context.stage)
        return plan_of_forms(recipe, given, grammar)

    def extend(
        self, recipe: SemanticRecipe, given: Examples[None], fitted: Fitted[SemanticTask, Findings]
    ) -> SemanticPlan:
        task = fitted.model.task
        if any(isinstance(each, Answer) for each in given.ys):
            raise DataError("batches are learned from forms, and these are answers; call fit")
        trees = derive_forms(task.grammar, given.ys, given.place)
        examples = replace(
            given,
            xs=[Words.of(task.grammar, words) for words in given.xs],
            ys=[[tree.preorder()] for tree in trees],
        )
        return Plan(recipe, task, examples, fitted.findings)

    def packed(self, findings: Findings, packed: Packed) -> Findings:
        if not packed.sentences:
            raise DataError(
                f"none of {packed.unreachable} questions has a derivation of its form; allow a longer chain, "
                "or give questions with more words"
            )
        return replace(findings, unreachable=packed.unreachable)

    def spaces(self, plan: SemanticPlan) -> list[Example]:
        """Return spaces with oracles; those without a derivation are left out."""
        found: list[Example] = []
        for words, forms in zip(plan.examples.xs, plan.examples.ys):
            space: Any = plan.task.space(words)
            gold: Any = plan.task.gold(space, [plan.task.grammar.tree(form) for form in forms])
            if gold.reachable:
                found.append((space, gold))
        return found

    def score(self, task: SemanticTask) -> Metric:
        """Exact match of forms, or where only answers are known the share of right ones."""

        def matches(gold: Sequence[Term | Answer], guess: Sequence[FormTree | None]) -> float:
            forms = [None if tree is None else task.grammar.term(tree) for tree in guess]
            return share_right(gold, forms, self.execution)

        return matches

    def judge(
        self, examples: Examples[None], found: Sequence[Any], fitted: Fitted[SemanticTask, Findings]
    ) -> list[Judgement]:
        from structron.metrics.meaning import judge_form

        forms = [None if tree is None else fitted.model.task.grammar.term(tree) for tree in found]
        judged = []
        for i, (words, gold, guess) in enumerate(zip(examples.xs, examples.ys, forms)):
            if isinstance(gold, Answer):
                raise DataError(f"{examples.place(i)}: there is an answer and no form; give its form")
            judged.append(judge_form(examples.place(i), " ".join(words), gold, guess))
        return judged

    def labels(self, task: SemanticTask) -> list[str]:
        return [production.text for production in task.grammar.productions]

    def output(
        self, found: FormTree | None, i: int, inputs: Examples[None], findings: Findings
    ) -> str | None:
        return None if found is None else str(findings.grammar.term(found))

    def describe(self, examples: Examples[None], findings: Findings) -> dict[str, object]:
        return {"unreachable": findings.unreachable, "unanswered": findings.unanswered}

    @classmethod
    def restore(cls, model: Model[SemanticTask], where: str) -> Restored:
        unreachable, unanswered = (int(model.about.get(name, 0)) for name in ("unreachable", "unanswered"))
        return Restored(Findings(model.task.grammar, unreachable, unanswered))
