"""Tagger: the sequence labeller, in scikit-learn's shape."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from structron.errors import DataError, SettingError
from structron.fit.estimator import Estimator
from structron.fit.parameters import parameters
from structron.fit.problem import Fitted
from structron.labelling.task import TaggingTask
from structron.search import Search, parse_search
from structron.settings import setting
from structron.tasks.tagging.inputs import Inputs
from structron.tasks.tagging.problem import TaggingProblem
from structron.tasks.tagging.settings import TaggingRecipe, TaggingSettings

if TYPE_CHECKING:
    from structron.reference.sequence.trace import Trace


@parameters
class Tagger(Estimator[TaggingTask, TaggingRecipe, Inputs, None, list[str]], TaggingSettings):
    """Labels every token of a sentence: parts of speech, chunks, names.

    ``Tagger().fit(X, y)`` is the good choice; parameters are explained in `structron.fit.TaggingRecipe`.

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
    problem_type = TaggingProblem

    target: str | int | None = setting(
        default=None,
        help="The column to predict; otherwise upos or the last one",
        metavar="COLUMN",
        as_text=True,
    )
    partial: bool = setting(
        default=False,
        help="Some labels are not known (_ in files, None or a set in lists): learn from the others",
        flags="--partial/--whole",
    )

    def predict_marginals(self, X: Iterable[object]) -> list[list[dict[str, float]]]:
        """Return for each token the probability of each label; the model must be a CRF.

        Examples
        --------
        >>> X, y = [["the", "dog"], ["a", "cat"]], [["DT", "NN"], ["DT", "NN"]]
        >>> sure = Tagger(learner="crf", epochs=3).fit(X, y).predict_marginals([["the", "cat"]])
        >>> [max(token, key=token.get) for token in sure[0]]
        ['DT', 'NN']
        """
        fitted = self._summing()
        inputs = self.problem.inputs(X, fitted)
        labels = fitted.model.task.labels
        found = fitted.model.ask(inputs.xs, lambda engine, xs, _, threads: engine.marginals(xs, threads))
        return [[dict(zip(labels, map(float, row))) for row in all.reshape(-1, len(labels))] for all in found]

    def log_likelihood(self, X: Iterable[object], y: Iterable[Sequence[str]]) -> float:
        """Return Σ log p(labels | sentence); the model must be a CRF.

        With c2 of the learner, c2 |w|² minus this is what training makes small, and CRFsuite too. Labels that
        the model cannot give make it minus infinity.
        """
        fitted = self._summing()
        inputs = self.problem.inputs(X, fitted)
        gold = [list(map(str, labels)) for labels in y]
        known = set(fitted.model.task.labels)
        if len(gold) != len(inputs.xs) or any(len(a) != len(b) for a, b in zip(gold, inputs.xs)):
            raise DataError("log_likelihood: X and y differ in length; give each token one label")
        if any(label not in known for labels in gold for label in labels):
            return -math.inf
        found: list[float] = fitted.model.ask(
            inputs.xs, lambda engine, xs, *_: engine.log_likelihoods(xs, gold)
        )
        return math.fsum(found)

    def _summing(self) -> Fitted[TaggingTask, None]:
        """Return what was fitted; refuse a model whose scores are not those of a CRF."""
        fitted = self._ready()
        about = fitted.model.about
        learner = str(about.get("recipe", {}).get("learner", "perceptron"))
        if learner.partition(":")[0] != "crf" and about.get("data") != "a model of CRFsuite":
            raise SettingError(
                f"the model was learned by {learner}, whose scores are no probabilities; use learner crf, or "
                "predict with confidence"
            )
        return fitted

    def trace(
        self, x: object, gold: Sequence[str] | None = None, search: str | Search | None = None
    ) -> Trace:
        """Return the trace of the search on one sentence; with gold, where it falls off."""
        fitted = self._ready()
        tokens = list(self.problem.inputs([x], fitted).xs[0])
        tags = None if gold is None else list(gold)
        return fitted.model.trace(tokens, tags, None if search is None else parse_search(search))
