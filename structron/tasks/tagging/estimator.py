"""Tagger: the sequence labeller, in scikit-learn's shape."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from structron.fit.estimator import Estimator
from structron.fit.parameters import parameters
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
    )

    def trace(
        self, x: object, gold: Sequence[str] | None = None, search: str | Search | None = None
    ) -> Trace:
        """Return what the search leaves behind on one sentence; with gold, where it falls off."""
        fitted = self._ready()
        tokens = list(self.problem.inputs([x], fitted).xs[0])
        tags = None if gold is None else list(gold)
        return fitted.model.trace(tokens, tags, None if search is None else parse_search(search))
