"""Parser: the transition parser, in scikit-learn's shape."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Self

import numpy as np
import numpy.typing as npt

from structron.data.trees import NO_LABEL, Tree
from structron.errors import DataError, ModelError, SettingError
from structron.estimators.estimator import Estimator, Examples, Metric
from structron.estimators.jackknife import jackknife
from structron.estimators.tagger import Tagger
from structron.estimators.treebank import Sentences, read_sentences, read_trees
from structron.estimators.turns import in_turn
from structron.features.parsing import columns_read, parse_templates
from structron.learners import Learner
from structron.metrics import attachment
from structron.model import Model
from structron.reference.trace import Trace
from structron.reference.training import Example
from structron.search import Search, parse_search
from structron.tasks.parsing import ParsingTask, is_projective
from structron.tasks.parsing.projective import MARK
from structron.training import ParsingRecipe, parsing_templates
from structron.violations import Update

ROOTS = ("one", "many")
TAGGER_EPOCHS = 8
TAGGER = "tagger."  # with the name of a column: the part of a model that predicts it


class Parser(Estimator):
    """Gives every word of a sentence its head and its relation to it.

    A sentence is a pair (words, tags), a list of (word, tag) tuples, or comes from a file; a tree is a pair
    (heads, relations), where words count from 1 and 0 is the root. Parameters are explained in
    `structron.training.ParsingRecipe`.

    Parameters
    ----------
    templates, system, oracle, search, update, learner, epochs, seed, shuffle
        How it learns.
    labelled, crossing
        Whether there are relations, and what becomes of training trees with crossing arcs.
    tagger
        ``jackknife:5`` makes taggers part of the model, so that it parses plain words.
    cut, bits, negligible, half, skip_correct
        What is left out, or shares a row.
    batch, shards, mixing
        How many examples are decoded before an update, and into how many shards the data are split.
    roots
        ``one``: each tree has exactly one word on the root, and another is refused; or ``many``.
    columns
        For sentences from files, the columns that templates see, the words first; by default ``form upos xpos
        feats lemma`` of CoNLL-U, and word and tag of other formats.

    Attributes
    ----------
    labels_ : list of str
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
        tagger: str | None = "none",
        cut: int = 0,
        bits: int = 0,
        negligible: float = ParsingRecipe.negligible,
        half: bool = ParsingRecipe.half,
        skip_correct: bool = False,
        batch: int = 1,
        shards: int = 1,
        mixing: str = "uniform",
        roots: str = "one",
        columns: Sequence[str | int] | None = None,
    ) -> None:
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
        self.tagger = tagger
        self.cut = cut
        self.bits = bits
        self.negligible = negligible
        self.half = half
        self.skip_correct = skip_correct
        self.batch = batch
        self.shards = shards
        self.mixing = mixing
        self.roots = roots
        self.columns = columns

    # ------------------------------------------------------------------------------------------ learning

    @in_turn
    def fit(self, X: Iterable[Any], y: Iterable[Any] | None = None, dev: Any = None, **options: Any) -> Self:
        """Learn from sentences with trees; see `Estimator.fit`."""
        self._begin()
        return super().fit(X, y, dev, **options)

    def _begin(self) -> None:
        """No tagger yet; and how many columns the templates read."""
        self._taggers: dict[str, Model] = {}
        self._width = _columns(parsing_templates(self.recipe))

    def spaces(self, X: Iterable[Any], y: Iterable[Any] | None = None) -> list[Example]:
        """The examples as the definition sees them; see `Estimator.spaces`."""
        if not hasattr(self, "_width"):
            self._begin()
        return super().spaces(X, y)

    @in_turn
    def partial_fit(
        self, X: Iterable[Any], y: Iterable[Any] | None = None, *, labels: Sequence[str] | None = None
    ) -> Self:
        """One pass over one batch; call it again with the next, from a generator or a file beyond memory.

        Parameters
        ----------
        labels
            All relations that will ever come, needed on the first call unless the first batch has them all.
        """
        if not hasattr(self, "_width"):
            self._begin()
        if self.recipe.folds and not self._taggers:
            raise SettingError("partial_fit trains no tagger; fit first, or give tags and set tagger to none")
        return self._batch(X, y, lambda first: self._make_task(self.recipe, first, labels or ()))

    def _examples(self, X: Iterable[Any], y: Iterable[Any] | None = None) -> Examples:
        recipe = self.recipe
        sentences = read_sentences(X, self._wanted)
        trees = read_trees(sentences, y, labelled=recipe.labelled, one_root=self._one_root)
        seen = self._seen(sentences)
        return Examples(seen.tokens, trees, seen.place, seen)

    def _for_training(self, examples: Examples) -> Examples:
        """Tags as the tagger will give them; trees with crossing arcs counted, and left out if so wished."""
        recipe = self.recipe
        xs, ys, place = examples.xs, examples.ys, examples.place
        if recipe.folds and not self._taggers:
            xs = self._jackknifed(examples.source, recipe)
        crossing = {i for i, tree in enumerate(ys) if not is_projective(tree.heads)}
        self.crossing_ = {"trees": len(ys), "crossing": len(crossing)}
        if crossing and recipe.system != "swap" and recipe.crossing == "leave-out":
            kept = [i for i in range(len(ys)) if i not in crossing]
            xs, ys = [xs[i] for i in kept], [ys[i] for i in kept]
            return Examples(xs, ys, lambda i: place(kept[i]), examples.source)
        return Examples(xs, ys, place, examples.source)

    def _jackknifed(self, sentences: Sentences, recipe: ParsingRecipe) -> list[list[tuple[str, ...]]]:
        """The training data with tags that taggers gave which had not seen them; those for new text stay."""
        words, columns = sentences.words(), []
        for index, name in enumerate(sentences.names[1:], 1):

            def make(name: str = name) -> Tagger:
                return Tagger(seed=recipe.seed, epochs=TAGGER_EPOCHS, constraints=None)

            tags, tagger = jackknife(make, words, sentences.column(index), recipe.folds)
            columns.append(tags)
            self._taggers[name] = tagger.model_
        return sentences.with_columns(columns, sentences.names[1:]).tokens

    def _task(self, recipe: ParsingRecipe, examples: Examples) -> ParsingTask:
        return self._make_task(recipe, examples)

    def _make_task(
        self, recipe: ParsingRecipe, examples: Examples, announced: Sequence[str] = ()
    ) -> ParsingTask:
        if not any(map(len, examples.xs)):
            raise DataError("there is nothing to learn from; give at least one sentence with a tree")
        trees = [*examples.ys, *(_every_arc(label) for label in announced)]
        return ParsingTask.of_trees(
            trees,
            parsing_templates(recipe),
            system=recipe.system,
            dynamic=recipe.oracle == "dynamic",
            crossing=recipe.task_crossing,
            single_root=self._one_root,
            bits=recipe.bits,
        )

    def _metric(self, task: ParsingTask) -> Metric:
        return lambda gold, guess: attachment(gold, guess).las

    def _adopt(self, task: ParsingTask) -> None:
        self.labels_ = sorted({label.partition(MARK)[0] for label in task.labels})
        self._width = task.columns
        if hasattr(self, "model_") and not getattr(self, "_taggers", None):
            self._taggers = {
                name.removeprefix(TAGGER): part
                for name, part in self.model_.parts.items()
                if name.startswith(TAGGER)
            }

    def _parts(self) -> dict[str, Model]:
        return {f"{TAGGER}{name}": model for name, model in self._taggers.items()}

    def _extra(self, examples: Examples) -> dict[str, Any]:
        source = examples.source
        extra: dict[str, Any] = {
            "columns": source.names,
            "shown": self.columns,
            "roots": self.roots,
            "crossing": self.crossing_,
        }
        if source.sources:
            format = source.sources[0].format
            extra["format"] = {
                "name": format.name,
                "separator": format.separator,
                "columns": list(format.columns),
            }
        return extra

    @classmethod
    def _further(cls, model: Model, where: str) -> dict[str, Any]:
        shown, roots = model.about.get("shown"), model.about.get("roots", "one")
        listed = isinstance(shown, list) and all(isinstance(column, str | int) for column in shown)
        if not (shown is None or listed) or roots not in ROOTS:
            raise ModelError(f"{where}: the model does not say how it was made; train it again")
        return {"columns": shown, "roots": roots}

    # ------------------------------------------------------------------------------------------ predicting

    def predict(self, X: Iterable[Any]) -> Any:
        """The tree of every sentence: a list, or for an array an array of trees."""
        found, _ = self.predict_with_tags(X)
        if not hasattr(X, "__array__"):
            return found
        array: npt.NDArray[np.object_] = np.empty(len(found), dtype=np.object_)
        for i, tree in enumerate(found):
            array[i] = tree
        return array

    def predict_with_tags(self, X: Iterable[Any]) -> tuple[list[Tree], dict[str, list[list[str]]]]:
        """The trees, and by column what the model's own taggers say; nothing if it has none."""
        model, inputs = self._fitted(), self._inputs(X)
        trees = [Tree(*tree) for tree in model.predict(inputs.xs, place=inputs.place)]
        return trees, {name: inputs.source.column(i) for i, name in enumerate(self._taggers, 1)}

    def predict_kbest(self, X: Iterable[Any], k: int) -> list[list[tuple[Tree, float]]]:
        """The `k` best different trees of every sentence with their scores: of those in the last beam."""
        inputs = self._inputs(X)
        found = self._fitted().kbest(inputs.xs, k, place=inputs.place)
        return [[(Tree(*tree), score) for tree, score in best] for best in found]

    def tokens(self, X: Iterable[Any]) -> list[list[tuple[str, ...]]]:
        """The words with their columns, as the templates see them."""
        return [[token[: self._width] for token in tokens] for tokens in self._inputs(X).xs]

    def trace(
        self,
        sentence: Any,
        gold: tuple[Sequence[int], Sequence[str]] | None = None,
        search: str | Search | None = None,
    ) -> Trace:
        """What the search leaves behind on one sentence; with gold, where it falls off."""
        model = self._fitted()
        inputs = self._inputs([sentence])
        tree = None
        if gold is not None:
            seen = inputs.source
            labelled = tuple(model.task.labels) != (NO_LABEL,)
            read = read_trees(seen, [gold], labelled=labelled, one_root=self._one_root)
            tree = read[0]
        return model.trace(list(inputs.xs[0]), tree, None if search is None else parse_search(search))

    def _inputs(self, X: Iterable[Any]) -> Examples:
        self._fitted()
        seen = self._seen(read_sentences(X, self._wanted))
        return Examples(seen.tokens, (), seen.place, seen)

    @property
    def _one_root(self) -> bool:
        if self.roots not in ROOTS:
            raise SettingError(f"roots {self.roots!r} cannot be; use one or many")
        return self.roots == "one"

    @property
    def _wanted(self) -> Sequence[str | int] | None:
        """The columns read from files: words alone where taggers predict the others."""
        return ("form",) if self._taggers else self.columns

    def _seen(self, sentences: Sentences) -> Sentences:
        """The columns that the templates read; those that taggers predict are always predicted."""
        if not self._taggers:
            return sentences.narrowed(self._width)
        words = sentences.words()
        tags = [tagger.predict(words, place=sentences.place) for tagger in self._taggers.values()]
        return sentences.with_columns(tags, [*self._taggers]).narrowed(self._width)


def _columns(templates: Sequence[str]) -> int:
    return columns_read(parse_templates(templates))


def _every_arc(label: str) -> Tree:
    """A tree that has a relation to the left, to the right and on the root."""
    return Tree([2, 0, 2], [label] * 3)
