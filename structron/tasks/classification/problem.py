"""The problem of classification: inputs with labels."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, ClassVar

from structron.errors import DataError, ModelError, SettingError
from structron.fit.data.examples import Examples
from structron.fit.data.unknown_labels import warn_of_unknown
from structron.fit.problem import TRAINING, Context, Ending, Fitted, Metric, Plan, Problem, Restored, Step
from structron.fit.schedules.schedule import Stage
from structron.metrics import Judgement
from structron.model import Model
from structron.reference.sequence.training import Example
from structron.tasks.classification.fitting.task_from_data import make_task, weighted, widened
from structron.tasks.classification.inputs import ARRAY, INPUTS, ArrayError, Inputs, read_inputs
from structron.tasks.classification.labels.kinds import KINDS, LabelKind
from structron.tasks.classification.labels.outputs import format_labels
from structron.tasks.classification.labels.reading import read_labels
from structron.tasks.classification.labels.scores import all_judged, share_right
from structron.tasks.classification.settings import ClassificationRecipe
from structron.tasks.classification.task import ClassificationTask
from structron.tasks.classification.voting.model import refuse_votes, voting_model


@dataclass(frozen=True)
class Findings:
    """Facts about the data that a classifier needs later.

    Attributes
    ----------
    inputs
        What inputs are: texts, lists of words, named features, rows of an array.
    labels
        How labels are given.
    columns
        How many an array has.
    """

    inputs: str
    labels: LabelKind
    columns: int | None = None

    def check(self, inputs: Inputs, called: str) -> None:
        """Refuse inputs of another kind than those that were learned from."""
        if not inputs.xs:
            return
        if inputs.kind != self.inputs:
            raise ArrayError(
                f"{inputs.place(0)}: this model was trained on {self.inputs}, and X has {inputs.kind}; "
                "give it the same"
            )
        if inputs.columns != self.columns:
            raise ArrayError(
                f"X has {inputs.columns} features, but {called} is expecting {self.columns} features as input"
            )


ClassificationPlan = Plan[ClassificationTask, ClassificationRecipe, Inputs, Findings]
ClassificationContext = Context[ClassificationRecipe, Inputs]


@dataclass(frozen=True)
class ClassificationProblem(Problem[ClassificationTask, ClassificationRecipe, Inputs, Findings, Any]):
    """Inputs with one label of several, or with any number of labels.

    Attributes
    ----------
    multilabel
        Whether any number of labels may be right.
    called
        The name of the estimator, for messages.
    """

    kind: ClassVar[str] = "classification"
    multilabel: bool = False
    called: str = "Classifier"

    @classmethod
    def of(cls, estimator: Any) -> ClassificationProblem:
        return cls(estimator.multilabel, type(estimator).__name__)

    def read(
        self, X: Iterable[object], y: Iterable[object] | None, findings: Findings | None = None
    ) -> Examples[Inputs]:
        inputs = read_inputs(X)
        labels = read_labels(inputs, y, self.multilabel)
        if findings is not None:
            findings.check(inputs, self.called)
        return Examples(inputs.xs, labels.ys, replace(inputs, labels=labels), inputs.place)

    def inputs(self, X: Iterable[object], fitted: Fitted[ClassificationTask, Findings]) -> Examples[Inputs]:
        inputs = read_inputs(X)
        fitted.findings.check(inputs, self.called)
        return Examples(inputs.xs, (), inputs, inputs.place)

    def check(self, task: ClassificationTask, examples: Examples[Inputs]) -> None:
        warn_of_unknown(examples.ys, frozenset(task.labels), parts="inputs")

    def remote(self, task: ClassificationTask, examples: Examples[Inputs]) -> Examples[Inputs]:
        """Bags of the engine's stay where they are: other machines read the inputs themselves."""
        if task.voted:
            raise refuse_votes("cluster")
        return replace(examples, xs=examples.source.xs)

    def steps(self, recipe: ClassificationRecipe) -> list[Step]:
        steps = [Step("task", "count features, and weigh features and labels", self._task)]
        if recipe.voted:
            steps.append(Step("votes", "do without a checkpoint", _without_checkpoint, TRAINING))
        return steps

    def _task(self, plan: ClassificationPlan, context: ClassificationContext) -> ClassificationPlan:
        recipe, given, classes = plan.recipe, plan.examples, context.classes
        labels = given.source.labels
        assert labels is not None
        found = labels.found
        if classes is not None:
            unknown = next((label for label in found if label not in set(classes)), None)
            if unknown is not None:
                raise DataError(f"label {unknown!r} is not among classes; pass all labels")
            found = [str(each) for each in sorted(set(labels.kind.values(classes).tolist()))]
        if not found:
            raise DataError("there is nothing to learn from; give at least one labelled input")
        task, examples = make_task(recipe, given, found)
        recipe = recipe.suited(is_text=given.source.is_text)
        examples = replace(examples, ys=weighted(recipe, found, given.ys))
        findings = Findings(given.source.kind, labels.kind, given.source.columns)
        return Plan(recipe, task, examples, findings)

    def extend(
        self,
        recipe: ClassificationRecipe,
        given: Examples[Inputs],
        fitted: Fitted[ClassificationTask, Findings],
    ) -> ClassificationPlan:
        task = fitted.model.task
        known = set(task.labels)
        unknown = sorted({label for own in given.ys for label in own} - known)
        if unknown:
            raise DataError(
                f"label {unknown[0]!r} was not there before; ask for new_labels (--new-labels), or pass "
                "classes= with all labels on the first call"
            )
        task, examples = widened(task, recipe, given)
        recipe = recipe.suited(is_text=given.source.is_text)
        examples = replace(examples, ys=weighted(recipe, task.labels, given.ys))
        return Plan(recipe, task, examples, fitted.findings)

    def new_labels(self, task: ClassificationTask, given: Examples[Inputs]) -> list[str]:
        return sorted({label for own in given.ys for label in own} - set(task.labels))

    def ending(
        self, plan: ClassificationPlan, held_out: Examples[Inputs] | None, stage: Stage | None
    ) -> Ending:
        return Ending(partial(voting_model, recipe=plan.recipe) if plan.recipe.voted else None)

    def spaces(self, plan: ClassificationPlan) -> list[Example]:
        task = plan.task
        return [
            (task.space(x, *getattr(y, "more", ())), task.oracle(y))
            for x, y in zip(plan.examples.xs, plan.examples.ys)
        ]

    def score(self, task: ClassificationTask) -> Metric:
        return share_right

    def judge(
        self, examples: Examples[Inputs], found: Sequence[Any], fitted: Fitted[ClassificationTask, Findings]
    ) -> list[Judgement]:
        return all_judged(examples, found)

    def is_right(self, task: ClassificationTask, gold: Sequence[str], found: str | Sequence[str]) -> bool:
        return share_right([gold], [found]) == 1.0

    def check_correctable(self, model: Model[ClassificationTask]) -> None:
        if model.task.voted:
            raise SettingError(
                "correct needs one vector of weights, and this model votes with many; train it without voted"
            )

    def output(self, found: Any, i: int, inputs: Examples[Inputs], findings: Findings) -> Any:
        return format_labels(found, findings.labels)

    def describe(self, examples: Examples[Inputs], findings: Findings) -> dict[str, object]:
        labels = findings.labels
        # Of a row of an array the features count, of a text the characters.
        tokens = sum(len(x[0]) if isinstance(x, tuple) else len(x) for x in examples.source.xs)
        size = {"sentences": len(examples.xs), "tokens": tokens}
        return {
            "trained_on": size,
            "inputs": findings.inputs,
            "width": findings.columns,
            "label_kind": labels.kind,
            "indicator": labels.indicator,
        }

    @classmethod
    def restore(cls, model: Model[ClassificationTask], where: str) -> Restored:
        about = model.about
        inputs, kind, columns = about.get("inputs"), about.get("label_kind"), about.get("width")
        width_fits = type(columns) is int and 0 < columns < 2**32 if inputs == ARRAY else columns is None
        if inputs not in INPUTS or kind not in KINDS.values() or not width_fits:
            raise ModelError(f"{where}: the model does not say how it was made; train it again")
        labels = LabelKind(str(kind), bool(about.get("indicator")))
        labels.check(model.task.labels, where, many=model.task.many)
        return Restored(Findings(inputs, labels, columns))


def _without_checkpoint(plan: ClassificationPlan, context: ClassificationContext) -> ClassificationPlan:
    """Votes are kept in memory until training ends."""
    file = context.preparation.file
    if file is not None:
        file.on_fault("votes are kept in memory until training ends; there is no checkpoint")
        context.preparation.file = None
    return plan
