"""Parser: dependency trees by transitions or by a graph, in scikit-learn's shape."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from structron.errors import DataError, SettingError
from structron.fit.data.examples import Examples
from structron.fit.estimator import Estimator
from structron.fit.parameters import parameters
from structron.fit.problem import Fitted
from structron.io.values.trees import NO_LABEL, Tree
from structron.search import Forest, Search, parse_search
from structron.settings import setting
from structron.tasks.parsing.inputs import Sentences, read_trees
from structron.tasks.parsing.problem import ROOTS, Findings, ParsingProblem
from structron.tasks.parsing.settings import ParsingRecipe, ParsingSettings
from structron.tasks.parsing.trees.task import TreeTask
from structron.tasks.parsing.view import View

if TYPE_CHECKING:
    from structron.reference.forest.forest import ForestTrace
    from structron.reference.sequence.trace import Trace
    from structron.tasks.parsing.graph.pruner import PrunedArcs


@parameters
class Parser(Estimator[TreeTask, ParsingRecipe, Sentences, Findings, Tree], ParsingSettings):
    """Gives every word of a sentence its head and its relation to it.

    A sentence is a pair (words, tags), a list of (word, tag) tuples, or comes from a file; a tree is a pair
    (heads, relations), where words count from 1 and 0 is the root. Parameters are explained in
    `structron.fit.ParsingRecipe`.

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

    roots: str = setting(
        default="one",
        help="How many words may be attached to the root",
        metavar="HOW",
        choices=ROOTS,
    )
    columns: Sequence[str | int] | None = setting(
        default=None,
        help="The columns of sentences from files that templates see, the words first; otherwise form upos "
        "xpos feats lemma of CoNLL-U, and word and tag of other formats",
        flags=None,
    )

    partial: bool = setting(
        default=False,
        help="Some heads and relations are not known (_ in files, None in lists): learn from the others",
        flags="--partial/--whole",
    )

    # -------------------------------------------------------------------------------------- what was learned

    @property
    def view_(self) -> View:
        """Return its view of a sentence, and its taggers."""
        return self._learned().findings.view

    @property
    def chosen_(self) -> Mapping[str, object]:
        """Templates, cut, search and learner that it learned with: what ``auto`` meant."""
        return self._learned().findings.chosen

    @property
    def crossing_(self) -> Mapping[str, int]:
        """Return how many training trees there were, and how many had crossing arcs."""
        return self._learned().findings.crossing

    # -------------------------------------------------------------------------------------------- learning

    def _refuse_batches(self) -> None:
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
        """Return the same for the `k` best trees, see `predict_kbest`."""
        fitted = self._ready()
        inputs = self.problem.inputs(X, fitted)
        return self._kbest(inputs, k, fitted), fitted.findings.view.predicted(inputs.source)

    def pruned(self, X: Iterable[object], trees: Sequence[Tree]) -> PrunedArcs | None:
        """Return the arcs that the pruner of a graph parser keeps; None if it has no pruner.

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
        """Return the beams or the chart of one sentence; with gold, where it falls off."""
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
            one_root = ParsingProblem.of(self).one_root
            (tree,) = read_trees(inputs.source, [gold], labelled=labelled, one_root=one_root)
            if not model.task.builds(tree):
                raise DataError(
                    f"the gold tree has crossing arcs, which {model.task.called} does not build; give another"
                )
        traced = model.chart if how.kind == "forest" else model.trace
        return traced(list(inputs.xs[0]), tree, how)
