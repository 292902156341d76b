"""Classifier: binary, multiclass and multi-label classification, in scikit-learn's shape."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Self, cast

import numpy as np
import numpy.typing as npt

from structron import _core
from structron.errors import DataError, SettingError
from structron.fit.data.examples import either
from structron.fit.estimator import Estimator
from structron.fit.parameters import exclusive, not_fitted, parameters
from structron.fit.predictor import Given
from structron.model import fault
from structron.reference.sequence.trace import Trace
from structron.search import Search, parse_search
from structron.tasks.classification.coefficients import coefficients
from structron.tasks.classification.inputs import Inputs
from structron.tasks.classification.labels.outputs import format_outputs
from structron.tasks.classification.labels.reading import classes_of
from structron.tasks.classification.problem import (
    ClassificationProblem,
    Findings,
)
from structron.tasks.classification.settings import ClassificationRecipe, ClassificationSettings
from structron.tasks.classification.task import ClassificationTask
from structron.tasks.classification.voting.model import refuse_votes


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

    Examples
    --------
    >>> X = ["cheap pills now", "meeting at noon", "cheap offer now", "notes of the meeting"]
    >>> Classifier(epochs=3).fit(X, ["spam", "ham", "spam", "ham"]).predict(["cheap pills"])
    ['spam']
    """

    kind = "classification"
    recipe_type = ClassificationRecipe
    problem_type = ClassificationProblem

    # -------------------------------------------------------------------------------------- what was learned

    @property
    def classes_(self) -> npt.NDArray[Any]:
        """The labels as they were given, in their order; `labels_` are the same as texts."""
        fitted = self._learned()
        return fitted.findings.labels.values(fitted.model.task.labels)

    @property
    def n_features_in_(self) -> int:
        """Return how many columns the array had that was learned from."""
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
        new_labels: bool = False,
    ) -> Self:
        """One pass over one batch; call it again with the next, from a generator or a file beyond memory.

        Frequencies, where the weighting has ``idf``, are those of the first batch; features that come later
        are as rare as can be.

        Parameters
        ----------
        classes, labels
            All labels that will ever come, needed on the first call unless the first batch has them all; the
            first name is scikit-learn's.
        new_labels
            Learn labels that this batch is the first to have; otherwise they are refused.
        """
        if self.voted:
            raise refuse_votes("partial_fit")
        wanted = either(classes_of(classes), classes_of(labels))
        return self._batch(X, y, wanted, new_labels=new_labels)

    # ------------------------------------------------------------------------------------------ predicting

    def trace(self, x: object, gold: object = None, search: str | Search | None = None) -> Trace:
        """Return the trace of the search on one input; with gold labels, where it falls off."""
        fitted = self._ready()
        if fitted.model.task.mistakes is not None:
            raise SettingError("votes are counted, and no search leaves a trace; ask for decision_function")
        (own,) = self.problem.inputs([x], fitted).xs
        if gold is not None:
            gold = [str(each) for each in (gold if isinstance(gold, list | tuple | set) else [gold])]
        return fitted.model.trace(own, gold, None if search is None else parse_search(search))

    def predict(self, X: Any, given: Given = None) -> Any:
        """The best label of every input: a list, or for an array an array."""
        fitted = self._ready()
        inputs = self._inputs(X, given, fitted)
        found = fitted.model.predict(inputs.xs, place=inputs.place)
        return format_outputs(found, fitted.findings.labels, fitted.model.task, array=inputs.source.array)

    def decision_function(self, X: Any) -> npt.NDArray[np.float64]:
        """The sum for each label, a row for each input; of two labels, how much speaks for the second.

        Where weight vectors vote it is their votes, with several labels at once those for less those against.
        """
        fitted = self._ready()
        inputs = self.problem.inputs(X, fitted)
        model = fitted.model
        engine = cast(_core.ClassificationPredictor, model.engine)
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
