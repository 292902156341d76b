"""Parser: the transition parser, in scikit-learn's shape."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Self

from structron.data.trees import NO_LABEL, Tree
from structron.errors import DataError, ModelError, SettingError, warn
from structron.estimators.estimator import Estimator, Metric
from structron.estimators.examples import Examples, as_given
from structron.estimators.locking import exclusive
from structron.estimators.parsing.jackknife import jackknife
from structron.estimators.parsing.treebank import Sentences, read_sentences, read_trees
from structron.estimators.parsing.view import View
from structron.estimators.tagging.tagger import Tagger
from structron.estimators.unknown import warn_of_unknown
from structron.features.parsing.choice import ColumnFigures
from structron.features.parsing.templates import columns_read, columns_used, parse_templates
from structron.learners import Learner
from structron.metrics import attachment
from structron.metrics.attachment import universal
from structron.model import Model
from structron.reference.trace import Trace
from structron.search import Search, parse_search
from structron.tasks.parsing import ParsingTask, is_projective
from structron.tasks.parsing.building import as_built
from structron.tasks.parsing.projective import MARK
from structron.training import ParsingRecipe, Stage, parsing_templates
from structron.violations import Update

ROOTS = ("one", "many")
TAGGER_EPOCHS = 8


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
    threads
        How many threads work; what comes out does not depend on it.
    roots
        ``one``: each tree has exactly one word on the root, and another is refused; or ``many``.
    columns
        For sentences from files, the columns that templates see, the words first; by default ``form upos xpos
        feats lemma`` of CoNLL-U, and word and tag of other formats.

    Attributes
    ----------
    labels_ : list of str
    chosen_ : dict
        The templates and the cut that it learned with: what ``auto`` meant.
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
        cut: int | str = ParsingRecipe.cut,
        bits: int = 0,
        negligible: float = ParsingRecipe.negligible,
        half: bool = ParsingRecipe.half,
        skip_correct: bool = False,
        batch: int = 1,
        shards: int = 1,
        mixing: str = "uniform",
        threads: int = 1,
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
        self.threads = threads
        self.roots = roots
        self.columns = columns

    # ------------------------------------------------------------------------------------------ learning

    @exclusive
    def partial_fit(
        self, X: Iterable[Any], y: Iterable[Any] | None = None, *, labels: Sequence[str] | None = None
    ) -> Self:
        """One pass over one batch; call it again with the next, from a generator or a file beyond memory.

        Parameters
        ----------
        labels
            All relations that will ever come, needed on the first call unless the first batch has them all.
        """
        if self.recipe.folds and not hasattr(self, "view_"):
            raise SettingError("partial_fit trains no tagger; fit first, or give tags and set tagger to none")
        return self._batch(X, y, lambda recipe, first: self._make_task(recipe, first, labels or ()))

    def _examples(self, X: Iterable[Any], y: Iterable[Any] | None = None) -> Examples:
        recipe = self.recipe
        sentences = read_sentences(X, self._wanted)
        trees = read_trees(sentences, y, labelled=recipe.labelled, one_root=self._one_root)
        return Examples(sentences.tokens, trees, sentences.place, sentences)

    def _resolved(self, recipe: ParsingRecipe, examples: Examples) -> ParsingRecipe:
        """Templates by what the columns hold, and the cut by how many words there are.

        A parser that goes on with further batches keeps the templates of the first.
        """
        suited = recipe.suited(ColumnFigures.of(examples.xs))
        if not hasattr(self, "view_"):
            templates = suited.templates if isinstance(suited.templates, str) else "own"
            self.chosen_ = {"templates": templates, "cut": suited.cut}
        return suited

    def _for_training(
        self, recipe: ParsingRecipe, examples: Examples, stage: Stage | None = None
    ) -> Examples:
        """Tags as the tagger will give them; trees with crossing arcs counted, lifted or left out."""
        if hasattr(self, "view_"):
            seen = self.view_.of(examples.source, self.threads)
        else:
            seen = self._first_look(recipe, examples.source, stage)
        crossing = {i for i, tree in enumerate(examples.ys) if not is_projective(tree.heads)}
        self.crossing_ = {"trees": len(examples.ys), "crossing": len(crossing)}
        if crossing and recipe.system != "swap" and recipe.crossing == "leave-out":
            kept = [i for i in range(len(examples.ys)) if i not in crossing]
            xs, ys = [seen.tokens[i] for i in kept], [examples.ys[i] for i in kept]
            return Examples(xs, ys, lambda i: seen.place(kept[i]), seen)
        if hasattr(self, "learning_") or hasattr(self, "model_"):
            # Which marks of lifted arcs are learned was settled by the first batch: the task knows.
            return Examples(seen.tokens, examples.ys, seen.place, seen)
        trees = as_built(examples.ys, recipe.system, recipe.task_crossing, crossing)
        return Examples(seen.tokens, trees, seen.place, seen)

    def _first_look(self, recipe: ParsingRecipe, sentences: Sentences, stage: Stage | None) -> Sentences:
        """Settle which columns are read, and train taggers for them if the recipe asks for it.

        The training data get tags from taggers that had not seen them; those for new text stay in the view.
        """
        templates = parse_templates(parsing_templates(recipe))
        used, names = columns_used(templates), sentences.names[: columns_read(templates)]
        given = sentences.narrowed(len(names) if not any(sentences.tokens) else columns_read(templates))
        empty = {index for index in used if given.is_empty(index)}
        if empty:
            told = " and ".join(names[index] for index in sorted(empty))
            warn(
                f"templates {self.chosen_['templates']} read {told}, but that is empty in all training data; "
                "choose others, or auto"
            )
        if not recipe.folds:
            self.view_ = View(names)
            return given
        columns, taggers = {}, {}
        for index in sorted(used - empty - {0}):

            def make() -> Tagger:
                return Tagger(seed=recipe.seed, epochs=TAGGER_EPOCHS, constraints=None, threads=self.threads)

            tags, tagger = jackknife(
                make, given.words(), given.column(index), recipe.folds, stage, f"tagger {names[index]}"
            )
            columns[names[index]], taggers[names[index]] = tags, tagger.model_
        self.view_ = View(names, taggers)
        return given.with_columns(columns, names)

    def _seen(self, examples: Examples) -> Examples:
        seen = self.view_.of(examples.source, self.threads)
        return Examples(seen.tokens, examples.ys, seen.place, seen)

    def _task(self, recipe: ParsingRecipe, examples: Examples, stage: Stage | None = None) -> ParsingTask:
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

    def _check(self, task: ParsingTask, examples: Examples) -> None:
        warn_of_unknown(*unknown_relations(examples.ys, task.labels))

    def _metric(self, task: ParsingTask) -> Metric:
        return lambda gold, guess: attachment(gold, guess).las

    def _adopt(self, task: ParsingTask) -> None:
        self.labels_ = sorted({label.partition(MARK)[0] for label in task.labels})

    def _parts(self) -> dict[str, Model]:
        return self.view_.parts

    def _extra(self, examples: Examples) -> dict[str, Any]:
        source = examples.source
        extra: dict[str, Any] = {
            "columns": list(self.view_.names),
            "shown": self.columns,
            "roots": self.roots,
            "crossing": self.crossing_,
            "chosen": self.chosen_,
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
    def of_model(cls, model: Model, where: str) -> Self:
        """A parser around a finished model."""
        estimator = super().of_model(model, where)
        estimator.view_ = View.of_model(model, where)
        estimator.chosen_ = model.about.get("chosen", {})
        estimator.crossing_ = model.about.get("crossing", {})
        return estimator

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
        return as_given(X, self.predict_with_tags(X)[0])

    def predict_with_tags(self, X: Iterable[Any]) -> tuple[list[Tree], dict[str, list[list[str]]]]:
        """The trees, and by column what the model's own taggers say; nothing if it has none."""
        model, inputs = self._fitted(), self._inputs(X)
        trees = [Tree(*tree) for tree in model.predict(inputs.xs, place=inputs.place)]
        return trees, self._tags(inputs)

    def _tags(self, inputs: Examples) -> dict[str, list[list[str]]]:
        """By column what the taggers have said of these inputs."""
        view: View = self._learned("view_")
        return {name: inputs.source.column(i) for i, name in enumerate(view.names) if name in view.taggers}

    def predict_kbest(self, X: Iterable[Any], k: int) -> list[list[tuple[Tree, float]]]:
        """The `k` best different trees of every sentence with their scores: of those in the last beam."""
        return self.predict_kbest_with_tags(X, k)[0]

    def predict_kbest_with_tags(
        self, X: Iterable[Any], k: int
    ) -> tuple[list[list[tuple[Tree, float]]], dict[str, list[list[str]]]]:
        """The same, and what the model's own taggers say; see `predict_with_tags`."""
        inputs = self._inputs(X)
        found = self._fitted().kbest(inputs.xs, k, place=inputs.place)
        return [[(Tree(*tree), score) for tree, score in best] for best in found], self._tags(inputs)

    def tokens(self, X: Iterable[Any]) -> list[list[tuple[str, ...]]]:
        """The words with their columns, as the templates see them."""
        return [
            [token[: len(self._learned("view_").names)] for token in tokens] for tokens in self._inputs(X).xs
        ]

    def trace(
        self,
        sentence: Any,
        gold: tuple[Sequence[int], Sequence[str]] | None = None,
        search: str | Search | None = None,
    ) -> Trace:
        """What the search leaves behind on one sentence; with gold, where it falls off."""
        self._fitted()
        return self._traced(self._inputs([sentence]), gold, search)

    def predict_traced(
        self, sentence: Any, gold: tuple[Sequence[int], Sequence[str]] | None = None
    ) -> tuple[list[tuple[str, ...]], Tree, Trace]:
        """One sentence, tagged once: its tokens as the templates see them, its tree and the trace."""
        model, inputs = self._fitted(), self._inputs([sentence])
        (tree,) = model.predict(inputs.xs, place=inputs.place)
        tokens = [token[: len(self._learned("view_").names)] for token in inputs.xs[0]]
        return tokens, Tree(*tree), self._traced(inputs, gold)

    def _traced(
        self,
        inputs: Examples,
        gold: tuple[Sequence[int], Sequence[str]] | None,
        search: str | Search | None = None,
    ) -> Trace:
        model, tree = self.model_, None
        if gold is not None:
            seen = inputs.source
            labelled = tuple(model.task.labels) != (NO_LABEL,)
            read = read_trees(seen, [gold], labelled=labelled, one_root=self._one_root)
            tree = read[0]
        return model.trace(list(inputs.xs[0]), tree, None if search is None else parse_search(search))

    def _inputs(self, X: Iterable[Any]) -> Examples:
        self._fitted()
        view: View = self._learned("view_")
        seen = view.of(read_sentences(X, ("form",) if view.taggers else self.columns), self.threads)
        return Examples(seen.tokens, (), seen.place, seen)

    @property
    def _one_root(self) -> bool:
        if self.roots not in ROOTS:
            raise SettingError(f"roots {self.roots!r} cannot be; use one or many")
        return self.roots == "one"

    @property
    def _wanted(self) -> Sequence[str | int] | None:
        """The columns read from files: words alone where taggers predict the others."""
        return ("form",) if hasattr(self, "view_") and self.view_.taggers else self.columns


def unknown_relations(
    trees: Iterable[Tree], labels: Iterable[str]
) -> tuple[list[list[str]], set[str], str, str]:
    """What `warn_of_unknown` takes: relations as they are scored, without their subtypes."""
    gold = [[universal(label) for label in tree.labels] for tree in trees]
    return gold, {universal(label.partition(MARK)[0]) for label in labels}, "relations", "words"


def _every_arc(label: str) -> Tree:
    """A tree that has a relation to the left, to the right and on the root."""
    return Tree([2, 0, 2], [label] * 3)
