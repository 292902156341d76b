"""Parser: dependency trees by transitions or by a graph, in scikit-learn's shape."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

from structron.errors import DataError, SettingError
from structron.fit.estimator import Estimator
from structron.fit.examples import Examples, either
from structron.fit.locks import exclusive
from structron.fit.preference import BALANCE
from structron.fit.problem import Fitted
from structron.io.values.trees import NO_LABEL, Tree
from structron.search import Forest, Search, parse_search
from structron.tasks.parsing.inputs import Sentences, read_trees
from structron.tasks.parsing.problem import Findings, ParsingProblem
from structron.tasks.parsing.settings import ParsingRecipe
from structron.tasks.parsing.trees.task import TreeTask
from structron.tasks.parsing.view import View

if TYPE_CHECKING:
    from structron.fit.online import Online
    from structron.learners import Learner
    from structron.reference.forest.forest import ForestTrace
    from structron.reference.sequence.trace import Trace
    from structron.tasks.parsing.graph.pruner import PrunedArcs
    from structron.updates import Update


class Parser(Estimator[TreeTask, ParsingRecipe, Sentences, Findings, Tree]):
    """Gives every word of a sentence its head and its relation to it.

    A sentence is a pair (words, tags), a list of (word, tag) tuples, or comes from a file; a tree is a pair
    (heads, relations), where words count from 1 and 0 is the root. Parameters are explained in
    `structron.fit.ParsingRecipe`.

    Parameters
    ----------
    templates, system, oracle, search, update, learner, epochs, seed, shuffle
        How it learns; with system ``graph`` it searches all trees at once, over a chart.
    labelled, crossing
        Whether there are relations, and what becomes of training trees with crossing arcs.
    pruner
        With system graph, which arcs are worth looking at.
    combine
        ``graph+backward`` and the like: other parsers become part of the model and have a say in which tree
        is the best.
    tagger
        ``jackknife:5`` makes taggers part of the model, so that it parses plain words.
    clusters
        A file of word clusters, for templates such as ``s0.cluster(4)``; None for none.
    cut, bits, negligible, half, skip_correct
        What is left out, or shares a row.
    batch, shards, mixing
        How many examples are decoded before an update, and into how many shards the data are split.
    threads
        Number of threads; the result does not depend on it.
    roots
        ``one``: each tree has exactly one word on the root, and another is refused; or ``many``.
    columns
        For sentences from files, the columns that templates see, the words first; by default ``form upos xpos
        feats lemma`` of CoNLL-U, and word and tag of other formats.

    prefer
        What ``auto`` is to mean: ``accuracy``, ``balance`` or ``speed``.
    trials
        What measured trials may cost that choose among settings left ``auto``, in trainings; see
        `structron.fit.preference`.

    Attributes
    ----------
    labels_ : list of str
    chosen_ : dict
        Templates, cut, search and learner that it learned with: what ``auto`` meant.
    crossing_ : dict
        Of the training trees: how many there were, and how many had crossing arcs.
    history_ : list of Epoch
    model_ : Model

    Examples
    --------
    >>> X = [(["dogs", "bark"], ["NOUN", "VERB"]), (["cats", "sleep"], ["NOUN", "VERB"])]
    >>> y = [([2, 0], ["nsubj", "root"]), ([2, 0], ["nsubj", "root"])]
    >>> Parser(epochs=3).fit(X, y).predict([(["cats", "bark"], ["NOUN", "VERB"])])
    [Tree(heads=[2, 0], labels=['nsubj', 'root'])]
    """

    kind = "parsing"
    recipe_type = ParsingRecipe
    problem_type = ParsingProblem

    def __init__(
        self,
        *,
        templates: str | Sequence[str] = "auto",
        system: str = ParsingRecipe.system,
        oracle: str = ParsingRecipe.oracle,
        search: str | Search = ParsingRecipe.search,
        update: str | Update = ParsingRecipe.update,
        learner: str | Learner = ParsingRecipe.learner,
        epochs: int = ParsingRecipe.epochs,
        seed: int = 0,
        shuffle: bool = True,
        labelled: bool = True,
        crossing: str = ParsingRecipe.crossing,
        pruner: str | None = "auto",
        combine: str | None = "auto",
        tagger: str | None = "none",
        clusters: str | Path | None = "none",
        cut: int | str = ParsingRecipe.cut,
        bits: int = 0,
        negligible: float = 0.0,
        half: bool = ParsingRecipe.half,
        skip_correct: bool = False,
        batch: int = 1,
        shards: int = 1,
        mixing: str = "uniform",
        threads: int = 1,
        roots: str = "one",
        columns: Sequence[str | int] | None = None,
        prefer: str = BALANCE,
        trials: int | str = "auto",
    ) -> None:
        self.prefer = prefer
        self.trials = trials
        self.templates = templates
        self.system = system
        self.oracle = oracle
        self.search = search
        self.update = update
        self.learner = learner
        self.epochs = epochs
        self.seed = seed
        self.shuffle = shuffle
        self.labelled = labelled
        self.crossing = crossing
        self.pruner = pruner
        self.combine = combine
        self.tagger = tagger
        self.clusters = clusters
        self.cut = cut
        self.bits = bits
        self.negligible = negligible
        self.half = half
        self.skip_correct = skip_correct
        self.batch = batch
        self.shards = shards
        self.mixing = mixing
        self.threads = threads
        self.roots = roots
        self.columns = columns

    def _settings(self) -> dict[str, Any]:
        return super()._settings() | {"clusters": self.clusters or "none", "combine": self.combine or "none"}

    # -------------------------------------------------------------------------------------- what was learned

    @property
    def view_(self) -> View:
        """What it sees of a sentence, and its taggers."""
        return self._learned().findings.view

    @property
    def chosen_(self) -> Mapping[str, object]:
        """Templates, cut, search and learner that it learned with."""
        return self._learned().findings.chosen

    @property
    def crossing_(self) -> Mapping[str, int]:
        """How many training trees there were, and how many had crossing arcs."""
        return self._learned().findings.crossing

    # -------------------------------------------------------------------------------------------- learning

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
            All relations that will ever come, needed on the first call unless the first batch has them all;
            the first name is scikit-learn's.
        """
        self._refuse_batches()
        return self._batch(X, y, either(classes, labels))

    def online(self, labels: Sequence[str]) -> Online:
        """Learning in small batches, see `Estimator.online`."""
        self._refuse_batches()
        return super().online(labels)

    def _refuse_batches(self) -> None:
        """Refuse a first batch where all data are needed to train others."""
        if self.recipe.folds and self._fitted is None:
            raise SettingError("partial_fit trains no tagger; fit first, or give tags and set tagger to none")
        if self.recipe.experts and self._fitted is None:
            raise SettingError("partial_fit trains no experts; fit first, or set combine to none")

    # ------------------------------------------------------------------------------------------ predicting

    @staticmethod
    def suited_to(xs: Sequence[Any], trees: Sequence[Any], preference: str = "") -> tuple[str, int]:
        """Return the preset and the cut that suit words with columns and their trees, for arc-standard."""
        from structron.tasks.parsing.features.choice import ColumnFigures, suited_cut, suited_preset

        figures = ColumnFigures.of(xs, trees)
        return suited_preset(figures, "arc-standard", preference), suited_cut(figures, "arc-standard")

    def predict_with_tags(self, X: Iterable[object]) -> tuple[list[Tree], dict[str, list[list[str]]]]:
        """The trees, and by column what the model's own taggers say; nothing if it has none."""
        fitted = self._ready()
        inputs = self.problem.inputs(X, fitted)
        trees = [Tree(*tree) for tree in fitted.model.predict(inputs.xs, place=inputs.place)]
        return trees, fitted.findings.view.predicted(inputs.source)

    def predict_kbest_with_tags(
        self, X: Iterable[object], k: int
    ) -> tuple[list[list[tuple[Tree, float]]], dict[str, list[list[str]]]]:
        """The same for the `k` best trees, see `predict_kbest`."""
        fitted = self._ready()
        inputs = self.problem.inputs(X, fitted)
        return self._kbest(inputs, k, fitted), fitted.findings.view.predicted(inputs.source)

    def pruned(self, X: Iterable[object], trees: Sequence[Tree]) -> PrunedArcs | None:
        """What the pruner of a graph parser leaves of the arcs of these sentences; None if it has none.

        Where arcs cross, gold is what the parser would learn: the tree without crossing arcs.
        """
        from structron.tasks.parsing.graph.task import GraphParsingTask

        fitted = self._ready()
        task = fitted.model.task
        if not isinstance(task, GraphParsingTask) or task.pruner is None:
            return None
        return task.pruned(self.problem.inputs(X, fitted).xs, trees)

    def tokens(self, X: Iterable[object]) -> list[list[tuple[str, ...]]]:
        """The words with their columns, as the templates see them."""
        fitted = self._ready()
        width = len(fitted.findings.view.names)
        return [[token[:width] for token in tokens] for tokens in self.problem.inputs(X, fitted).xs]

    def trace(
        self,
        x: object,
        gold: tuple[Sequence[int], Sequence[str]] | None = None,
        search: str | Search | None = None,
    ) -> Trace | ForestTrace:
        """What the search leaves behind on one sentence, beams or a chart; with gold, where it falls off."""
        fitted = self._ready()
        return self._traced(self.problem.inputs([x], fitted), gold, fitted, search)

    def predict_traced(
        self, x: object, gold: tuple[Sequence[int], Sequence[str]] | None = None
    ) -> tuple[list[tuple[str, ...]], Tree, Trace | ForestTrace]:
        """One sentence, tagged once: its tokens as the templates see them, its tree and the trace."""
        fitted = self._ready()
        inputs = self.problem.inputs([x], fitted)
        (tree,) = fitted.model.predict(inputs.xs, place=inputs.place)
        tokens = [token[: len(fitted.findings.view.names)] for token in inputs.xs[0]]
        return tokens, Tree(*tree), self._traced(inputs, gold, fitted)

    def _traced(
        self,
        inputs: Examples[Sentences],
        gold: tuple[Sequence[int], Sequence[str]] | None,
        fitted: Fitted[TreeTask, Findings],
        search: str | Search | None = None,
    ) -> Trace | ForestTrace:
        model, tree = fitted.model, None
        how = model.search if search is None else parse_search(search)
        if how.kind in ("mst", "swaps"):  # they leave one tree behind; the chart has what it competed with
            how = Forest(how.width)
        if gold is not None:
            labelled = tuple(model.task.labels) != (NO_LABEL,)
            (tree,) = read_trees(
                inputs.source, [gold], labelled=labelled, one_root=ParsingProblem.of(self).one_root
            )
            if not model.task.builds(tree):
                raise DataError(
                    f"the gold tree has crossing arcs, which {model.task.called} does not build; give another"
                )
        traced = model.chart if how.kind == "forest" else model.trace
        return traced(list(inputs.xs[0]), tree, how)
