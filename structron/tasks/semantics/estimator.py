"""SemanticParser: questions to forms, forms to answers, in scikit-learn's shape."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Self

from structron.errors import DataError
from structron.fit import Checkpoint, Cluster, Progress, Watch
from structron.fit.estimator import Dev, Estimator, OnEpoch
from structron.fit.examples import Examples
from structron.fit.fitted import Fitted, Plan
from structron.fit.inputs import listed
from structron.fit.learning import Packed
from structron.fit.locks import exclusive
from structron.fit.parameters import parameters
from structron.fit.predictor import Metric
from structron.fit.schedules.schedule import Stage
from structron.fit.signature import checksum
from structron.fit.streaming.examples import Stream
from structron.io.values.terms import Term
from structron.model import Model
from structron.reference.forest.forest import ForestTrace
from structron.reference.sequence.training import Example
from structron.search import Search, parse_search
from structron.settings import setting
from structron.tasks.semantics.execution.answers import first_answer, share_right
from structron.tasks.semantics.execution.execution import Counts, Execution
from structron.tasks.semantics.execution.executors import executor_of
from structron.tasks.semantics.fitting.answers import Answer
from structron.tasks.semantics.fitting.plan import Findings, SemanticPlan, plan_of_answers, plan_of_forms
from structron.tasks.semantics.fitting.problem import derived
from structron.tasks.semantics.inputs import (
    examples_of,
    form_of,
    gazetteer_of,
    grammar_of,
    place_of,
    targets_of,
    words_of,
    written,
)
from structron.tasks.semantics.language.gazetteer import Gazetteer
from structron.tasks.semantics.language.grammar import FormTree, Grammar
from structron.tasks.semantics.settings import SemanticRecipe, SemanticSettings
from structron.tasks.semantics.task import SemanticTask
from structron.tasks.semantics.words import Words


class Executing:
    """What runs the executor, and counts how often; made when it is first needed."""

    _executing: Execution | None = None


@parameters
class SemanticParser(
    Executing, Estimator[SemanticTask, SemanticRecipe, None, Findings, str | None], SemanticSettings
):
    """Finds the form of a question: a term of a language of meaning, which may be executed.

    ``SemanticParser().fit(questions, forms)`` is the good choice. Which words mean what is not given: every
    derivation of a form is gold (hybrid trees, Lu et al. 2008, with a latent perceptron).

    X is a list of questions, each a str, a list of words, or a `Question` from a file; y has for each a form,
    such as ``"answer(capital(loc_2(stateid('texas'))))"``. A question without words has no form: None.

    ``SemanticParser(grammar, executor=f).fit(questions, answers=answers)`` learns from answers alone: gold is
    every form that is found whose answer is right. Which forms there can be, the grammar says.

    Attributes
    ----------
    labels_ : list of str
        The productions.
    history_ : list of Epoch
    model_ : Model
    grammar_ : Grammar
    unreachable_ : int
        Questions of the last fit of which no derivation yields the form.
    unanswered_ : int
        From answers alone: questions of the last fit of which no form was found that has the answer.
    executed_ : Counts
        How often the executor was asked, and what went wrong.
    found_ : list of list of str
        From answers alone: the forms of each question that have it, best first; empty for a loaded model.
    """

    kind = "semantics"
    recipe_type = SemanticRecipe

    grammar: Grammar | str | Path = setting(
        default="",
        help="A file with the productions of the language, TYPE -> f(TYPE); else read off the forms",
        metavar="FILE",
        kw_only=False,
    )
    names: Gazetteer | Iterable[tuple[str, str]] | str | Path = setting(
        default="", help="A file of names, words TAB constant", metavar="FILE"
    )
    executor: Callable[[Term], object] | str | None = setting(
        default=None,
        help="What gives a form its answer, to learn from answers",
        metavar="MODULE:FUNCTION",
    )
    seconds: float = setting(
        default=1.0, help="How long the executor may take for one form", metavar="X", low=0, above=True
    )

    # -------------------------------------------------------------------------------------- what was learned

    @property
    def grammar_(self) -> Grammar:
        """The language of meaning, with the names."""
        return self._learned().findings.grammar

    @property
    def unreachable_(self) -> int:
        """Questions of which no derivation yields the form."""
        return self._learned().findings.unreachable

    @property
    def unanswered_(self) -> int:
        """From answers alone: questions of which no form was found that has the answer."""
        return self._learned().findings.unanswered

    @property
    def found_(self) -> list[list[str]]:
        """From answers alone: the forms of each question that have it, best first."""
        return [list(forms) for forms in self._learned().findings.found]

    @property
    def executed_(self) -> Counts:
        """How often the executor was asked, and what went wrong."""
        return Counts() if self._executing is None else self._executing.counts

    # -------------------------------------------------------------------------------------------- learning

    @exclusive
    def fit(
        self,
        X: Iterable[object],
        y: Iterable[object] | None = None,
        dev: Dev | None = None,
        *,
        on_epoch: OnEpoch | None = None,
        progress: Progress | None = None,
        checkpoint: Checkpoint | str | Path | None = None,
        resume: bool = False,
        on_workers: Watch | None = None,
        on_stage: Stage | None = None,
        cluster: Cluster | None = None,
        calibrate: bool = False,
        stream: Stream | str | Path | None = None,
        answers: Iterable[object] | None = None,
    ) -> Self:
        """Learn from questions with their forms, or with answers alone; else see `Estimator.fit`.

        Parameters
        ----------
        answers
            The answer of each question, in the place of `y`; it needs a grammar and an executor.
        """
        return super().fit(
            X,
            targets_of(y, answers),
            dev,
            on_epoch=on_epoch,
            progress=progress,
            checkpoint=checkpoint,
            resume=resume,
            on_workers=on_workers,
            on_stage=on_stage,
            cluster=cluster,
            calibrate=calibrate,
            stream=stream,
        )

    @exclusive
    def partial_fit(
        self,
        X: Iterable[object],
        y: Iterable[object] | None = None,
        classes: Sequence[str] | None = None,
    ) -> Self:
        """One pass over one batch; call it again with the next. The grammar is that of the first.

        Parameters
        ----------
        classes
            On the first call, productions that will come later: refused if the grammar has not all of them.
        """
        return self._batch(X, y, lambda recipe, given: self._plan(recipe, given, classes=classes), classes)

    def _examples(
        self, X: Iterable[object], y: Iterable[object] | None, findings: Findings | None = None
    ) -> Examples[None]:
        return examples_of(X, y)

    def _held_out(self, dev: Dev, findings: Findings | None) -> Examples[None]:
        examples = super()._held_out(dev, findings)
        # Forms are no sequences, and sets of answers have no order: what is summed is how they are written.
        return replace(examples, checksum=checksum(examples.xs, [[written(y)] for y in examples.ys]))

    def _plan(
        self,
        recipe: SemanticRecipe,
        given: Examples[None],
        stage: Stage | None = None,
        classes: Sequence[str] | None = None,
    ) -> SemanticPlan:
        if not given.xs:
            raise DataError("there is nothing to learn from; give at least one question with its form")
        answered = any(isinstance(each, Answer) for each in given.ys)
        grammar = grammar_of(self.grammar)
        if grammar is None:
            if answered:
                raise DataError("answers do not say which forms there are; give a grammar")
            whole, read = Grammar.read(given.ys, overlap=recipe.overlap), True
        else:
            whole, read = grammar, False
        grammar = whole.broken(read=read)
        if self.names:
            grammar = grammar.extended(gazetteer_of(self.names))
        known = {production.text for each in (whole, grammar) for production in each.productions}
        missing = sorted(set(classes or ()) - known)
        if missing:
            raise DataError(f"the grammar has no production {missing[0]!r}; pass grammar= with all of them")
        seen = replace(given, xs=[Words.of(grammar, words) for words in given.xs])
        if answered:
            return plan_of_answers(recipe, seen, grammar, self._execution, self.threads, stage)
        return plan_of_forms(recipe, seen, grammar)

    def _execution(self) -> Execution:
        if self.executor is None:
            raise DataError("there is no executor; set one, a function from a form to its answer")
        executor = executor_of(self.executor) if isinstance(self.executor, str) else self.executor
        known = self._executing
        if known is None or known.executor is not executor or known.seconds != self.seconds:
            known = self._executing = Execution(executor, seconds=self.seconds)
        return known

    def _next_plan(
        self, recipe: SemanticRecipe, given: Examples[None], fitted: Fitted[SemanticTask, Findings]
    ) -> SemanticPlan:
        task = fitted.model.task
        if any(isinstance(each, Answer) for each in given.ys):
            raise DataError("batches are learned from forms, and these are answers; call fit")
        trees = derived(task.grammar, given.ys, given.place)
        examples = replace(
            given,
            xs=[Words.of(task.grammar, words) for words in given.xs],
            ys=[[tree.preorder()] for tree in trees],
        )
        return Plan(recipe, task, examples, fitted.findings)

    def _packed(self, findings: Findings, packed: Packed) -> Findings:
        if not packed.sentences:
            raise DataError(
                f"none of {packed.unreachable} questions has a derivation of its form; allow a longer chain, "
                "or give questions with more words"
            )
        return replace(findings, unreachable=packed.unreachable)

    def _seen(self, examples: Examples[None], findings: Findings) -> Examples[None]:
        return replace(examples, xs=[Words.of(findings.grammar, words) for words in examples.xs])

    def _check(self, task: SemanticTask, examples: Examples[None]) -> None:
        """Refuse a question whose chart would be too large, before any other is searched."""
        for i, words in enumerate(examples.xs):
            if wrong := task.too_large(words):
                raise DataError(f"{examples.place(i)}: {wrong}; fix it or leave it out")

    def too_large(self, x: object) -> str | None:
        """Return why a question cannot be parsed: its chart would be too large. None if it can."""
        fitted = self._ready()
        (words,) = self._inputs([x], fitted).xs
        return fitted.model.task.too_large(words)

    def _metric(self, task: SemanticTask) -> Metric:
        """Exact match of forms, or where only answers are known the share of right ones."""

        def matches(gold: Sequence[Term | Answer], guess: Sequence[FormTree | None]) -> float:
            forms = [None if tree is None else task.grammar.term(tree) for tree in guess]
            return share_right(gold, forms, self._execution)

        return matches

    def _labels(self, task: SemanticTask) -> list[str]:
        return [production.text for production in task.grammar.productions]

    def _spaces(self, plan: SemanticPlan) -> list[Example]:
        """Those without a derivation are left out."""
        found: list[Example] = []
        for words, forms in zip(plan.examples.xs, plan.examples.ys):
            space: Any = plan.task.space(words)
            gold: Any = plan.task.gold(space, [plan.task.grammar.tree(form) for form in forms])
            if gold.reachable:
                found.append((space, gold))
        return found

    def _about(self, examples: Examples[None], findings: Findings) -> dict[str, object]:
        return {"unreachable": findings.unreachable, "unanswered": findings.unanswered}

    @classmethod
    def _findings_of(cls, model: Model[SemanticTask], where: str) -> Findings:
        unreachable, unanswered = (int(model.about.get(name, 0)) for name in ("unreachable", "unanswered"))
        return Findings(model.task.grammar, unreachable, unanswered)

    # ------------------------------------------------------------------------------------------ predicting

    def execute(self, X: Iterable[object], k: int = 1) -> list[object]:
        """The answer of each question; None where there is none.

        Parameters
        ----------
        k
            Of so many best forms the first is taken whose answer is not empty.
        """
        execution = self._execution()
        return [first_answer([form for form, _ in best], execution) for best in self.predict_kbest(X, k)]

    def answers(self, forms: Iterable[str | None]) -> list[object]:
        """The answers of forms; None for none, and where the executor fails, which `executed_` counts."""
        execution = self._execution()
        return [None if form is None else execution.answer(form) for form in forms]

    def trace(self, x: object, gold: object = None, search: str | Search | None = None) -> ForestTrace:
        """What the search leaves behind on one question; with gold, a form, where it falls."""
        fitted = self._ready()
        (words,) = self._inputs([x], fitted).xs
        trees = None if gold is None else [fitted.findings.grammar.derive(form_of(gold, "gold"))]
        return fitted.model.chart(words, trees, None if search is None else parse_search(search))

    def _inputs(self, X: Iterable[object], fitted: Fitted[SemanticTask, Findings]) -> Examples[None]:
        items = listed(X, "X", "give a list of questions")
        place = place_of(items)
        found = [Words.of(fitted.findings.grammar, words_of(item, place(i))) for i, item in enumerate(items)]
        return Examples(found, (), None, place)

    def _output(self, found: FormTree | None, findings: Findings) -> str | None:
        return None if found is None else str(findings.grammar.term(found))
