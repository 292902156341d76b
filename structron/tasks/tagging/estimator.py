"""Tagger: the sequence labeller, in scikit-learn's shape."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Self

from structron import metrics
from structron.errors import ModelError
from structron.fit.estimator import Estimator
from structron.fit.examples import Examples, either, format_of
from structron.fit.fitted import Fitted, Plan
from structron.fit.locks import exclusive
from structron.fit.parameters import parameters
from structron.io.values.labels import is_bio, is_span_label
from structron.labelling.task import TaggingTask
from structron.search import Search, parse_search
from structron.settings import setting
from structron.tasks.tagging.inputs import Inputs, read_inputs, read_labels
from structron.tasks.tagging.settings import TaggingRecipe, TaggingSettings

if TYPE_CHECKING:
    from structron.fit.predictor import Metric
    from structron.fit.schedules.schedule import Stage
    from structron.fit.streaming.examples import Stream, StreamedExamples
    from structron.io.files.training_files import Files
    from structron.metrics import Judgement
    from structron.model import Model
    from structron.reference.sequence.trace import Trace
    from structron.reference.sequence.training import Example

TaggingPlan = Plan[TaggingTask, TaggingRecipe, Inputs, None]


@parameters
class Tagger(Estimator[TaggingTask, TaggingRecipe, Inputs, None, list[str]], TaggingSettings):
    """Labels every token of a sentence: parts of speech, chunks, names.

    ``Tagger().fit(X, y)`` is the good choice; parameters are explained in `structron.fit.TaggingRecipe`.

    Attributes
    ----------
    labels_ : list of str
    history_ : list of Epoch
    model_ : Model

    Examples
    --------
    >>> X = [["the", "dog", "barks"], ["the", "cats", "bark"]]
    >>> y = [["DT", "NN", "VBZ"], ["DT", "NNS", "VBP"]]
    >>> Tagger(epochs=3).fit(X, y).predict([["the", "dog", "barks"]])
    [['DT', 'NN', 'VBZ']]
    """

    kind = "tagging"
    streams = True
    recipe_type = TaggingRecipe

    target: str | int | None = setting(
        default=None,
        help="The column to predict; otherwise upos, or the last one",
        metavar="COLUMN",
        as_text=True,
    )

    @exclusive
    def partial_fit(
        self,
        X: Iterable[object],
        y: Iterable[object] | None = None,
        classes: Sequence[str] | None = None,
        *,
        labels: Sequence[str] | None = None,
    ) -> Self:
        """One pass over one batch; call it again with the next, from a generator or a file beyond memory.

        Parameters
        ----------
        classes, labels
            All labels that will ever come, needed on the first call unless the first batch has them all; the
            first name is scikit-learn's.
        """
        wanted = either(classes, labels)
        return self._batch(X, y, lambda recipe, given: self._plan(recipe, given, classes=wanted), wanted)

    def trace(
        self, x: object, gold: Sequence[str] | None = None, search: str | Search | None = None
    ) -> Trace:
        """What the search leaves behind on one sentence; with gold, where it falls off."""
        fitted = self._ready()
        tokens = list(self._inputs([x], fitted).xs[0])
        tags = None if gold is None else list(gold)
        return fitted.model.trace(tokens, tags, None if search is None else parse_search(search))

    def _examples(
        self, X: Iterable[object], y: Iterable[object] | None, findings: None = None
    ) -> Examples[Inputs]:
        from structron.io.files.training_files import Files

        read = read_inputs(X, self.target)
        labels = read_labels(read, y, self.target)
        inputs = read.in_order()
        file_of: list[int] = []
        if isinstance(X, Files) and inputs.sources is not None:
            numbers = {name: number for number, name in enumerate(X.names)}
            file_of = [numbers[source.file] for source in inputs.sources]
        return Examples(inputs.tokens, labels, inputs, inputs.place, file_of=file_of)

    def _inputs(self, X: Iterable[object], fitted: Fitted[TaggingTask, None]) -> Examples[Inputs]:
        task = fitted.model.task
        inputs = read_inputs(X, self.target)
        inputs.check(ready=task.ready, columns=task.columns)
        return Examples(inputs.tokens, (), inputs, inputs.place)

    def _plan(
        self,
        recipe: TaggingRecipe,
        given: Examples[Inputs],
        stage: Stage | None = None,
        classes: Sequence[str] | None = None,
    ) -> TaggingPlan:
        from structron.fit.streaming.examples import StreamedExamples
        from structron.tasks.tagging.problem import figures_of, make_task, surveyed_figures, surveyed_task

        if isinstance(given, StreamedExamples):
            recipe = recipe.suited(surveyed_figures(given.survey))
            return Plan(recipe, surveyed_task(recipe, given), given, None)
        recipe = recipe.suited(figures_of(given.source, given.ys))
        return Plan(recipe, make_task(recipe, given.source, given.ys, classes), given, None)

    def _space(self, recipe: TaggingRecipe, given: Examples[Inputs]) -> dict[str, list[Any]]:
        """Other sets for the same columns, then another order; how wide to search is what `prefer` says."""
        from structron.tasks.tagging.problem import figures_of
        from structron.tasks.tagging.template_choice import other_sets

        figures = figures_of(given.source, given.ys)
        suited = recipe.suited(figures)
        space: dict[str, list[Any]] = {}
        if recipe.templates == "auto":
            space["templates"] = [suited.templates, *other_sets(figures)]
        if recipe.order == "auto":
            space["order"] = [suited.order, 3 - suited.tags_back]
        return space

    def _streamed(self, files: Files, stream: Stream, stage: Stage | None) -> StreamedExamples[Inputs]:
        from structron.tasks.tagging.survey import streamed

        if self.target is not None and files.target is None:
            files = replace(files, target=self.target)
        return streamed(files, stream, stage)

    def _next_plan(
        self, recipe: TaggingRecipe, given: Examples[Inputs], fitted: Fitted[TaggingTask, None]
    ) -> TaggingPlan:
        from structron.tasks.tagging.problem import figures_of, widened

        recipe = recipe.suited(figures_of(given.source, given.ys))
        return Plan(recipe, widened(fitted.model.task, given.source, given.ys), given, None)

    def _metric(self, task: TaggingTask) -> Metric:
        from structron.tasks.tagging.problem import metric_of

        return metric_of(task)

    def _judged(
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

    def _decisions(self, found: list[str]) -> Sequence[str]:
        return found

    def _labels(self, task: TaggingTask) -> list[str]:
        return list(task.labels)

    def _output(self, found: list[str], findings: None) -> list[str]:
        return found

    def _check(self, task: TaggingTask, examples: Examples[Inputs]) -> None:
        from structron.fit.unknown_labels import warn_of_unknown

        examples.source.check(ready=task.ready, columns=task.columns)
        warn_of_unknown(examples.ys, frozenset(task.labels))

    def _spaces(self, plan: TaggingPlan) -> list[Example]:
        examples = plan.examples
        return [(plan.task.space(x), plan.task.oracle(y)) for x, y in zip(examples.xs, examples.ys)]

    def _about(self, examples: Examples[Inputs], findings: None) -> dict[str, object]:
        return {"target": self.target} | format_of(examples.source.sources)

    @classmethod
    def _findings_of(cls, model: Model[TaggingTask], where: str) -> None:
        return None

    @classmethod
    def _extra_parameters(cls, model: Model[TaggingTask], where: str) -> dict[str, object]:
        target = model.about.get("target")
        if not isinstance(target, str | int | None):
            raise ModelError(f"{where}: the model does not say how it was made; train it again")
        return {"target": target}
