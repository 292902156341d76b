"""Tagger: the sequence labeller, in scikit-learn's shape."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

from structron.fit.estimator import Estimator
from structron.fit.examples import either
from structron.fit.locks import exclusive
from structron.fit.preference import BALANCE
from structron.labelling.task import TaggingTask
from structron.search import Search, parse_search
from structron.tasks.tagging.inputs import Inputs
from structron.tasks.tagging.problem import TaggingProblem
from structron.tasks.tagging.settings import TaggingRecipe

if TYPE_CHECKING:
    from structron.learners import Learner
    from structron.reference.sequence.trace import Trace
    from structron.updates import Update


class Tagger(Estimator[TaggingTask, TaggingRecipe, Inputs, None, list[str]]):
    """Labels every token of a sentence: parts of speech, chunks, names.

    ``Tagger().fit(X, y)`` is the good choice; parameters are explained in `structron.fit.TaggingRecipe`.

    Parameters
    ----------
    templates, order, search, update, learner, epochs, seed, shuffle
        How it learns.
    constraints, dictionary
        Which tags may follow each other, and which a known word may take; None for none.
    hidden
        How many hidden sub-labels each label owns; what they stand for is learned.
    block
        How many sentences are shuffled together; 0 is all of them.
    clusters
        A file of word clusters, for templates such as ``cluster(4)[0]``; None for none.
    gazetteers
        Files of names, for templates such as ``in(cities)[0]``.
    cut, bits, negligible, half, skip_correct
        What is left out, or shares a row.
    batch, shards, mixing
        How many examples are decoded before an update, and into how many shards the data are split.
    threads
        Number of threads; the result does not depend on it.
    target
        For sentences from files, the column to predict; by default ``upos`` or the last one.
    prefer
        What ``auto`` is to mean: ``accuracy``, ``balance`` or ``speed``.
    trials
        What measured trials may cost that choose among settings left ``auto``, in trainings; see
        `structron.fit.preference`.

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
    problem_type = TaggingProblem

    def __init__(
        self,
        *,
        templates: str | Sequence[str] = "auto",
        order: int | str = "auto",
        search: str | Search = "auto",
        update: str | Update = "max_violation",
        learner: str | Learner = "perceptron:margin=20",
        epochs: int = 15,
        seed: int = 0,
        shuffle: bool = True,
        constraints: str | None = "auto",
        dictionary: int | None = 0,
        hidden: int = 1,
        block: int = 0,
        clusters: str | Path | None = "none",
        gazetteers: str | Sequence[str | Path] | None = "none",
        cut: int = 0,
        bits: int = 0,
        negligible: float = 0.0,
        half: bool = False,
        skip_correct: bool = False,
        batch: int = 1,
        shards: int = 1,
        mixing: str = "uniform",
        threads: int = 1,
        target: str | int | None = None,
        prefer: str = BALANCE,
        trials: int | str = "auto",
    ) -> None:
        self.prefer = prefer
        self.trials = trials
        self.templates = templates
        self.order = order
        self.search = search
        self.update = update
        self.learner = learner
        self.epochs = epochs
        self.seed = seed
        self.shuffle = shuffle
        self.constraints = constraints
        self.dictionary = dictionary
        self.hidden = hidden
        self.block = block
        self.clusters = clusters
        self.gazetteers = gazetteers
        self.cut = cut
        self.bits = bits
        self.negligible = negligible
        self.half = half
        self.skip_correct = skip_correct
        self.batch = batch
        self.shards = shards
        self.mixing = mixing
        self.threads = threads
        self.target = target

    def _settings(self) -> dict[str, Any]:
        none = {
            "constraints": self.constraints or "none",
            "dictionary": self.dictionary or 0,
            "clusters": self.clusters or "none",
            "gazetteers": self.gazetteers or "none",
        }
        return super()._settings() | none

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
        return self._batch(X, y, either(classes, labels))

    def trace(
        self, x: object, gold: Sequence[str] | None = None, search: str | Search | None = None
    ) -> Trace:
        """What the search leaves behind on one sentence; with gold, where it falls off."""
        fitted = self._ready()
        tokens = list(self.problem.inputs([x], fitted).xs[0])
        tags = None if gold is None else list(gold)
        return fitted.model.trace(tokens, tags, None if search is None else parse_search(search))
