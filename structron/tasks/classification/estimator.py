"""Classifier: binary, multiclass and multi-label classification, in scikit-learn's shape."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, Self, cast

import numpy as np
import numpy.typing as npt

from structron import _core
from structron.errors import DataError, ModelError, SettingError
from structron.fit import Cluster, Finish, Preparation, Schedule, Stage, Watch
from structron.fit.estimator import Estimator
from structron.fit.examples import Examples, either
from structron.fit.fitted import Fitted, Plan
from structron.fit.learning import Learning
from structron.fit.locks import exclusive
from structron.fit.parameters import not_fitted, parameters
from structron.fit.predictor import Metric
from structron.fit.unknown_labels import warn_of_unknown
from structron.metrics import Judgement
from structron.model import Model, fault
from structron.reference.sequence.trace import Trace
from structron.reference.sequence.training import Example
from structron.search import Search, parse_search
from structron.tasks.classification.coefficients import coefficients
from structron.tasks.classification.inputs import ARRAY, INPUTS, Inputs, read_inputs
from structron.tasks.classification.labels.kinds import KINDS, LabelKind
from structron.tasks.classification.labels.outputs import as_given, given_back
from structron.tasks.classification.labels.reading import classes_of, read_labels
from structron.tasks.classification.labels.scores import all_judged, share_right
from structron.tasks.classification.problem import Findings, make_task, weighted, widened
from structron.tasks.classification.settings import ClassificationRecipe, ClassificationSettings
from structron.tasks.classification.task import ClassificationTask
from structron.tasks.classification.voting.model import refuse_votes, voting_model

ClassificationPlan = Plan[ClassificationTask, ClassificationRecipe, Inputs, Findings]


@parameters
class Classifier(
    Estimator[ClassificationTask, ClassificationRecipe, Inputs, Findings, Any], ClassificationSettings
):
    """Gives an input one label of several, or with `multilabel` any number of labels.

    ``Classifier().fit(X, y)`` is the good choice; parameters are explained in
    `structron.fit.ClassificationRecipe`. X is a list of texts, of lists of words or of dicts of
    features; or a table of numbers, such as a numpy array or a scipy sparse matrix. y has a label for each
    input, a text or a whole number; with `multilabel` a list of labels for each, or a table of zeros and
    ones.

    Attributes
    ----------
    classes_ : numpy.ndarray
        The labels as they were given, in their order.
    labels_ : list of str
        The same as texts.
    n_features_in_ : int
        Columns of the array that was learned from, if it was one.
    coef_, intercept_ : numpy.ndarray
        The weights of these columns, as scikit-learn's linear models show theirs.
    history_ : list of Epoch
    model_ : Model

    Examples
    --------
    >>> X = ["cheap pills now", "meeting at noon", "cheap offer now", "notes of the meeting"]
    >>> Classifier(epochs=3).fit(X, ["spam", "ham", "spam", "ham"]).predict(["cheap pills"])
    ['spam']
    """

    kind = "classification"
    recipe_type = ClassificationRecipe

    # -------------------------------------------------------------------------------------- what was learned

    @property
    def classes_(self) -> npt.NDArray[Any]:
        """The labels as they were given."""
        fitted = self._learned()
        return fitted.findings.labels.values(fitted.model.task.labels)

    @property
    def n_features_in_(self) -> int:
        """How many columns the array had that was learned from."""
        columns = self._learned().findings.columns
        if columns is None:
            raise not_fitted("this Classifier has not learned from an array; there are no columns")
        return columns

    @property
    def coef_(self) -> npt.NDArray[np.float64]:
        """The weights of an array's columns, a row for each label; of two labels, for the second."""
        return self._coefficients()[0]

    @property
    def intercept_(self) -> npt.NDArray[np.float64]:
        """The weight of the feature that is always 1, for each label; of two labels, for the second."""
        return self._coefficients()[1]

    def _coefficients(self) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]:
        columns, model = self.n_features_in_, self.model_
        if model.task.mistakes is not None:
            raise not_fitted("in this Classifier all weight vectors vote; there is no one table of weights")
        return coefficients(model, columns)

    # -------------------------------------------------------------------------------------------- learning

    @exclusive
    def partial_fit(
        self,
        X: Iterable[object],
        y: Iterable[object] | None = None,
        classes: Iterable[object] | None = None,
        *,
        labels: Iterable[object] | None = None,
    ) -> Self:
        """One pass over one batch; call it again with the next, from a generator or a file beyond memory.

        Frequencies, where the weighting has ``idf``, are those of the first batch; features that come later
        are as rare as can be.

        Parameters
        ----------
        classes, labels
            All labels that will ever come, needed on the first call unless the first batch has them all; the
            first name is scikit-learn's.
        """
        if self.voted:
            raise refuse_votes("partial_fit")
        wanted = either(classes_of(classes), classes_of(labels))
        return self._batch(X, y, lambda recipe, given: self._plan(recipe, given, classes=wanted), wanted)

    def _examples(
        self, X: Iterable[object], y: Iterable[object] | None, findings: Findings | None = None
    ) -> Examples[Inputs]:
        inputs = read_inputs(X)
        labels = read_labels(inputs, y, self.multilabel)
        if findings is not None:
            findings.check(inputs, type(self).__name__)
        return Examples(inputs.xs, labels.ys, replace(inputs, labels=labels), inputs.place)

    def _inputs(self, X: Iterable[object], fitted: Fitted[ClassificationTask, Findings]) -> Examples[Inputs]:
        inputs = read_inputs(X)
        fitted.findings.check(inputs, type(self).__name__)
        return Examples(inputs.xs, (), inputs, inputs.place)

    def _plan(
        self,
        recipe: ClassificationRecipe,
        given: Examples[Inputs],
        stage: Stage | None = None,
        classes: Sequence[str] | None = None,
    ) -> ClassificationPlan:
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

    def _next_plan(
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
                f"label {unknown[0]!r} was not there before; pass classes= with all labels on the first call"
            )
        task, examples = widened(task, recipe, given)
        recipe = recipe.suited(is_text=given.source.is_text)
        examples = replace(examples, ys=weighted(recipe, task.labels, given.ys))
        return Plan(recipe, task, examples, fitted.findings)

    def _tuned(
        self,
        plan: ClassificationPlan,
        held_out: Examples[Inputs] | None,
        stage: Stage | None,
        preparation: Preparation,
    ) -> ClassificationPlan:
        if plan.recipe.voted and preparation.file is not None:
            preparation.file.on_fault("votes are kept in memory until training ends; there is no checkpoint")
            preparation.file = None
        return plan

    def _schedule(
        self,
        learning: Learning[ClassificationTask],
        examples: Examples[Inputs],
        on_workers: Watch | None = None,
        cluster: Cluster | None = None,
    ) -> Schedule:
        if cluster is not None:
            if learning.task.voted:
                raise refuse_votes("cluster")
            # Bags of the engine's stay where they are: other machines read the inputs themselves.
            examples = replace(examples, xs=examples.source.xs)
        return super()._schedule(learning, examples, on_workers, cluster)

    def _finish(
        self, plan: ClassificationPlan, held_out: Examples[Inputs] | None
    ) -> Finish[ClassificationTask] | None:
        return partial(voting_model, recipe=plan.recipe) if plan.recipe.voted else None

    def _check(self, task: ClassificationTask, examples: Examples[Inputs]) -> None:
        warn_of_unknown(examples.ys, frozenset(task.labels), parts="inputs")

    def _metric(self, task: ClassificationTask) -> Metric:
        return share_right

    def _judged(
        self, examples: Examples[Inputs], found: Sequence[Any], fitted: Fitted[ClassificationTask, Findings]
    ) -> list[Judgement]:
        return all_judged(examples, found)

    def _labels(self, task: ClassificationTask) -> list[str]:
        return list(task.labels)

    def _spaces(self, plan: ClassificationPlan) -> list[Example]:
        task = plan.task
        return [
            (task.space(x, *getattr(y, "more", ())), task.oracle(y))
            for x, y in zip(plan.examples.xs, plan.examples.ys)
        ]

    def _about(self, examples: Examples[Inputs], findings: Findings) -> dict[str, object]:
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
    def _findings_of(cls, model: Model[ClassificationTask], where: str) -> Findings:
        about = model.about
        inputs, kind, columns = about.get("inputs"), about.get("label_kind"), about.get("width")
        width_fits = type(columns) is int and 0 < columns < 2**32 if inputs == ARRAY else columns is None
        if inputs not in INPUTS or kind not in KINDS.values() or not width_fits:
            raise ModelError(f"{where}: the model does not say how it was made; train it again")
        labels = LabelKind(str(kind), bool(about.get("indicator")))
        labels.check(model.task.labels, where, many=model.task.many)
        return Findings(inputs, labels, columns)

    # ------------------------------------------------------------------------------------------ predicting

    def trace(self, x: object, gold: object = None, search: str | Search | None = None) -> Trace:
        """What the search leaves behind on one input; with gold, one label or several, where it falls."""
        fitted = self._ready()
        if fitted.model.task.mistakes is not None:
            raise SettingError("votes are counted, and no search leaves a trace; ask for decision_function")
        (own,) = self._inputs([x], fitted).xs
        if gold is not None:
            gold = [str(each) for each in (gold if isinstance(gold, list | tuple | set) else [gold])]
        return fitted.model.trace(own, gold, None if search is None else parse_search(search))

    def predict(self, X: Any) -> Any:
        """The best label of every input: a list, or for an array an array."""
        fitted = self._ready()
        inputs = self._inputs(X, fitted)
        found = fitted.model.predict(inputs.xs, place=inputs.place)
        return given_back(found, fitted.findings.labels, fitted.model.task, array=inputs.source.array)

    def _output(self, found: Any, findings: Findings) -> Any:
        return as_given(found, findings.labels)

    def decision_function(self, X: Any) -> npt.NDArray[np.float64]:
        """The sum for each label, a row for each input; of two labels, how much speaks for the second.

        Where weight vectors vote it is their votes, with several labels at once those for less those against.
        """
        fitted = self._ready()
        inputs = self._inputs(X, fitted)
        model = fitted.model
        engine = cast(_core.FrozenClassifier | _core.FrozenVoters, model.engine)
        try:
            sums = engine.scores(inputs.xs, self.threads).astype(np.float64)
        except (ValueError, TypeError) as error:
            raise DataError(f"X: {fault(error)}; fix it or leave it out") from None
        return sums if model.task.is_binary else sums.reshape(len(inputs.xs), model.task.weight_columns)

    def __sklearn_tags__(self) -> Any:
        from sklearn.utils import ClassifierTags, InputTags, Tags, TargetTags

        return Tags(
            estimator_type="classifier",
            target_tags=TargetTags(required=True),
            classifier_tags=ClassifierTags(),
            input_tags=InputTags(two_d_array=True, sparse=True, one_d_array=False, string=False),
        )

    _estimator_type = "classifier"
