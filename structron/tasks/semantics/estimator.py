"""SemanticParser: questions to forms, forms to answers, in scikit-learn's shape."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Self

from structron.errors import DataError
from structron.fit import Checkpoint, Cluster, Progress, Watch
from structron.fit.estimator import Estimator
from structron.fit.parameters import exclusive, parameters
from structron.fit.preparation import Dev
from structron.fit.schedules.schedule import Stage
from structron.fit.streaming.examples import Stream
from structron.fit.training import OnEpoch
from structron.io.values.terms import Term
from structron.reference.forest.forest import ForestTrace
from structron.search import Search, parse_search
from structron.settings import setting
from structron.tasks.semantics.execution.answers import first_answer
from structron.tasks.semantics.execution.execution import Counts, Execution
from structron.tasks.semantics.execution.executors import executor_of
from structron.tasks.semantics.fitting.plan import Findings
from structron.tasks.semantics.inputs import (
    form_of,
    targets_of,
)
from structron.tasks.semantics.language.gazetteer import Gazetteer
from structron.tasks.semantics.language.grammar import Grammar
from structron.tasks.semantics.problem import SemanticProblem
from structron.tasks.semantics.settings import SemanticRecipe, SemanticSettings
from structron.tasks.semantics.task import SemanticTask


class Executing:
    """A runner of the executor that counts its calls; it is made when it is first needed."""

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
    every form that is found whose answer is right. The grammar says which forms are possible. Labels are its
    productions. `partial_fit` keeps the grammar of the first batch.
    """

    kind = "semantics"
    recipe_type = SemanticRecipe
    problem_type = SemanticProblem

    grammar: Grammar | str | Path = setting(
        default="",
        help="A file with the grammar, TYPE -> f(TYPE); otherwise it is read off the forms",
        metavar="FILE",
        kw_only=False,
    )
    names: Gazetteer | Iterable[tuple[str, str]] | str | Path = setting(
        default="", help="A file of names, words TAB constant", metavar="FILE"
    )
    executor: Callable[[Term], object] | str | None = setting(
        default=None,
        help="The function that executes a form, to learn from answers",
        metavar="MODULE:FUNCTION",
    )
    seconds: float = setting(
        default=1.0, help="Time limit for executing a form", metavar="X", low=0, above=True
    )

    # -------------------------------------------------------------------------------------- what was learned

    @property
    def grammar_(self) -> Grammar:
        """The language of meaning, with the names."""
        return self._learned().findings.grammar

    @property
    def unreachable_(self) -> int:
        """Questions of the last fit of which no derivation yields the form."""
        return self._learned().findings.unreachable

    @property
    def unanswered_(self) -> int:
        """From answers alone: questions of the last fit of which no form was found that has the answer."""
        return self._learned().findings.unanswered

    @property
    def found_(self) -> list[list[str]]:
        """From answers alone: the forms of each question that have it, best first; not in files."""
        return [list(forms) for forms in self._learned().findings.found]

    @property
    def executed_(self) -> Counts:
        """Return how often the executor was asked, and what went wrong."""
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

    def execution(self) -> Execution:
        """Return a function that asks the executor and counts the calls; refuse if there is none."""
        if self.executor is None:
            raise DataError("there is no executor; set one, a function from a form to its answer")
        executor = executor_of(self.executor) if isinstance(self.executor, str) else self.executor
        known = self._executing
        if known is None or known.executor is not executor or known.seconds != self.seconds:
            known = self._executing = Execution(executor, seconds=self.seconds)
        return known

    def too_large(self, x: object) -> str | None:
        """Return why a question cannot be parsed: its chart would be too large. None if it can."""
        fitted = self._ready()
        (words,) = self.problem.inputs([x], fitted).xs
        return fitted.model.task.too_large(words)

    # ------------------------------------------------------------------------------------------ predicting

    def execute(self, X: Iterable[object], k: int = 1) -> list[object]:
        """The answer of each question; None where there is none.

        Parameters
        ----------
        k
            Of so many best forms the first is taken whose answer is not empty.
        """
        execution = self.execution()
        return [first_answer([form for form, _ in best], execution) for best in self.predict_kbest(X, k)]

    def answers(self, forms: Iterable[str | None]) -> list[object]:
        """The answers of forms; None for none, and where the executor fails, which `executed_` counts."""
        execution = self.execution()
        return [None if form is None else execution.answer(form) for form in forms]

    def trace(self, x: object, gold: object = None, search: str | Search | None = None) -> ForestTrace:
        """Return the trace of the search on one question; with gold, a form, where it falls."""
        fitted = self._ready()
        (words,) = self.problem.inputs([x], fitted).xs
        trees = None if gold is None else [fitted.findings.grammar.derive(form_of(gold, "gold"))]
        return fitted.model.chart(words, trees, None if search is None else parse_search(search))
