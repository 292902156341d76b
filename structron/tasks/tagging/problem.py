"""The problem of tagging: sentences with a label for every token."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, ClassVar

from structron import metrics
from structron.errors import DataError, ModelError, SettingError
from structron.fit.data.examples import Examples, format_of
from structron.fit.problem import TRIALS, Context, Fitted, Metric, Plan, Problem, Restored, Step
from structron.io.values.labels import is_bio, is_span_label
from structron.labelling.task import TaggingTask
from structron.records import dataclass
from structron.tasks.tagging.inputs import Inputs, read_inputs, read_labels
from structron.tasks.tagging.settings import TaggingRecipe

if TYPE_CHECKING:
    from structron.fit.data.entries import Entries
    from structron.fit.schedules.schedule import Stage
    from structron.fit.streaming.examples import Stream, StreamedExamples
    from structron.io.files.training_files import Files
    from structron.metrics import Judgement
    from structron.model import Model
    from structron.reference.sequence.training import Example

TaggingPlan = Plan[TaggingTask, TaggingRecipe, Inputs, None]


@dataclass(frozen=True)
class TaggingProblem(Problem[TaggingTask, TaggingRecipe, Inputs, None, list[str]]):
    """Sentences with a label for every token.

    Attributes
    ----------
    target
        For sentences from files, the column to predict.
    partial
        True if training data may have labels that are not known.
    """

    kind: ClassVar[str] = "tagging"
    target: str | int | None = None
    partial: bool = False

    def read(
        self, X: Iterable[object], y: Iterable[object] | None, findings: None = None
    ) -> Examples[Inputs]:
        from structron.io.files.training_files import Files

        read = read_inputs(X, self.target)
        labels = read_labels(read, y, self.target, partial=self.partial)
        inputs = read.in_order()
        file_of: list[int] = []
        if isinstance(X, Files) and inputs.sources is not None:
            numbers = {name: number for number, name in enumerate(X.names)}
            file_of = [numbers[source.file] for source in inputs.sources]
        return Examples(inputs.tokens, labels, inputs, inputs.place, file_of=file_of)

    def read_dev(
        self, X: Iterable[object], y: Iterable[object] | None, given: Examples[Inputs]
    ) -> Examples[Inputs]:
        return replace(self, partial=False).read(X, y)

    def inputs(self, X: Iterable[object], fitted: Fitted[TaggingTask, None]) -> Examples[Inputs]:
        task = fitted.model.task
        inputs = read_inputs(X, self.target)
        inputs.check(ready=task.ready, columns=task.columns)
        found = Examples(inputs.tokens, (), inputs, inputs.place)
        if inputs.sources is None or not any(source.given for source in inputs.sources):
            return found
        from structron.tasks.tagging.given import given_columns

        return self.restricted(found, given_columns(inputs.sources, self.target), fitted)

    def restricted(
        self, inputs: Examples[Inputs], given: Sequence[object], fitted: Fitted[TaggingTask, None]
    ) -> Examples[Inputs]:
        from structron.tasks.tagging.given import with_given

        return with_given(inputs, given, fitted.model.task)

    def from_entries(
        self, inputs: Examples[Inputs], entries: Entries, fitted: Fitted[TaggingTask, None]
    ) -> Sequence[object]:
        from structron.tasks.tagging.given import labels_of_entries

        return labels_of_entries(inputs, entries, fitted.model.task)

    def streamed(self, files: Files, stream: Stream, stage: Stage | None) -> StreamedExamples[Inputs]:
        from structron.tasks.tagging.survey import streamed

        if self.partial:
            raise SettingError("partial is for data in memory; leave stream out, or partial")
        if self.target is not None and files.target is None:
            files = replace(files, target=self.target)
        return streamed(files, stream, stage)

    def is_partial(self, y: Any) -> bool:
        from structron.labelling.restriction import is_partial

        return is_partial(y)

    def check(self, task: TaggingTask, examples: Examples[Inputs]) -> None:
        from structron.fit.data.unknown_labels import warn_of_unknown

        examples.source.check(ready=task.ready, columns=task.columns)
        for i, labels in enumerate(examples.ys):
            if self.is_partial(labels):
                raise DataError(f"{examples.place(i)}: not all labels are known; score on labelled sentences")
        warn_of_unknown(examples.ys, frozenset(task.labels))

    def steps(self, recipe: TaggingRecipe) -> list[Step]:
        return [TRIALS, Step("task", "settle templates, labels, rules and dictionary", _with_task)]

    def extend(
        self, recipe: TaggingRecipe, given: Examples[Inputs], fitted: Fitted[TaggingTask, None]
    ) -> TaggingPlan:
        from structron.tasks.tagging.task_from_data import figures_of, widened

        recipe = recipe.suited(figures_of(given.source, given.ys))
        return Plan(recipe, widened(fitted.model.task, given.source, given.ys), given, None)

    def new_labels(self, task: TaggingTask, given: Examples[Inputs]) -> list[str]:
        from structron.tasks.tagging.task_from_data import new_labels

        return new_labels(task, given.ys)

    def alternatives(self, recipe: TaggingRecipe, given: Examples[Inputs]) -> dict[str, list[Any]]:
        """Other sets for the same columns, then another order; how wide to search is what `prefer` says."""
        from structron.tasks.tagging.task_from_data import figures_of
        from structron.tasks.tagging.template_choice import other_sets

        figures = figures_of(given.source, given.ys)
        suited = recipe.suited(figures)
        space: dict[str, list[Any]] = {}
        if recipe.templates == "auto":
            space["templates"] = [suited.templates, *other_sets(figures)]
        if recipe.order == "auto":
            space["order"] = [suited.order, 3 - suited.tags_back]
        return space

    def spaces(self, plan: TaggingPlan) -> list[Example]:
        examples = plan.examples
        return [(plan.task.space(x), plan.task.oracle(y)) for x, y in zip(examples.xs, examples.ys)]

    def score(self, task: TaggingTask) -> Metric:
        from structron.tasks.tagging.task_from_data import metric_of

        return metric_of(task)

    def judge(
        self, examples: Examples[Inputs], found: Sequence[Any], fitted: Fitted[TaggingTask, None]
    ) -> list[Judgement]:
        by_span = is_bio(fitted.model.task.labels) and all(
            is_span_label(label) for labels in examples.ys for label in labels
        )
        judged = []
        for i, (tokens, gold, guess) in enumerate(zip(examples.xs, examples.ys, found)):
            words = [f"token {n}" for n in range(1, len(tokens) + 1)]
            if not examples.source.ready:
                words = [token if isinstance(token, str) else token[0] for token in tokens]
            judged.append(metrics.judge_tags(examples.place(i), words, gold, guess, by_span=by_span))
        return judged

    def decisions(self, found: list[str]) -> Sequence[str]:
        return found

    def describe(self, examples: Examples[Inputs], findings: None) -> dict[str, object]:
        partial = {"partial": True} if self.partial else {}
        return {"target": self.target} | partial | format_of(examples.source.sources)

    @classmethod
    def restore(cls, model: Model[TaggingTask], where: str) -> Restored:
        target = model.about.get("target")
        if not isinstance(target, str | int | None):
            raise ModelError(f"{where}: the model does not say how it was made; train it again")
        return Restored(None, {"target": target})


def _with_task(plan: TaggingPlan, context: Context[TaggingRecipe, Inputs]) -> TaggingPlan:
    from structron.fit.streaming.examples import StreamedExamples
    from structron.tasks.tagging.task_from_data import figures_of, make_task, surveyed_figures, surveyed_task

    given = plan.examples
    if isinstance(given, StreamedExamples):
        if plan.recipe.dictionary_file != "none":
            raise SettingError("dictionary_file is for data in memory; leave stream out, or dictionary_file")
        recipe = plan.recipe.suited(surveyed_figures(given.survey))
        return Plan(recipe, surveyed_task(recipe, given), given, None)
    recipe = plan.recipe.suited(figures_of(given.source, given.ys))
    task = make_task(recipe, given.source, given.ys, context.classes)
    if recipe.dictionary_file != "none":
        from structron.fit.data.dictionary_file import entries_of_recipe
        from structron.tasks.tagging.given import with_entries
        from structron.tasks.tagging.task_from_data import new_labels

        task = task.with_labels(new_labels(task, [task.labels], whole=True))[0]  # of names of several words
        given = replace(given, ys=with_entries(given, entries_of_recipe(recipe), task))
    return Plan(recipe, task, given, None)
