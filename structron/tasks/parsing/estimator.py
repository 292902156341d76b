"""Parser: dependency trees by transitions or by a graph, in scikit-learn's shape."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Self

from structron.errors import DataError, ModelError, SettingError
from structron.fit.estimator import Estimator
from structron.fit.examples import Examples, either, format_of
from structron.fit.fitted import Fitted, Plan
from structron.fit.locks import exclusive
from structron.fit.parameters import parameters
from structron.io.values.trees import NO_LABEL, Tree
from structron.model import Model
from structron.search import Forest, Search, parse_search
from structron.settings import setting
from structron.tasks.parsing.inputs import Sentences, read_sentences, read_trees
from structron.tasks.parsing.settings import ParsingRecipe, ParsingSettings
from structron.tasks.parsing.transitions.task import ParsingTask
from structron.tasks.parsing.trees.projectivity import MARK
from structron.tasks.parsing.trees.task import TreeTask
from structron.tasks.parsing.view import View

if TYPE_CHECKING:
    from structron.fit.checkpoints.checkpoints import Preparation
    from structron.fit.online import Online
    from structron.fit.predictor import Metric
    from structron.fit.schedules.schedule import Stage
    from structron.metrics import Judgement
    from structron.reference.forest.forest import ForestTrace
    from structron.reference.sequence.trace import Trace
    from structron.reference.sequence.training import Example
    from structron.task import Task
    from structron.tasks.parsing.graph.pruner import PrunedArcs

ROOTS = ("one", "many")


@dataclass(frozen=True)
class Findings:
    """What a parser finds out about its data.

    Attributes
    ----------
    view
        The columns that templates read, and the taggers that predict them.
    chosen
        Templates, cut, search and learner: what ``auto`` meant.
    crossing
        How many trees there were, and how many had crossing arcs.
    pruned
        What a pruner leaves of the arcs of the development set, or of training data.
    """

    view: View
    chosen: Mapping[str, object]
    crossing: Mapping[str, int]
    pruned: Mapping[str, object] = field(default_factory=dict)


def _chosen(recipe: ParsingRecipe) -> tuple[str, ...]:
    """What the findings tell of, besides templates: experts only where the recipe left them open."""
    usual = ("cut", "search", "learner")
    return (*usual, "combine") if recipe.is_auto("combine") and recipe.experts else usual


ParsingPlan = Plan[TreeTask, ParsingRecipe, Sentences, Findings]


@parameters
class Parser(Estimator[TreeTask, ParsingRecipe, Sentences, Findings, Tree], ParsingSettings):
    """Gives every word of a sentence its head and its relation to it.

    A sentence is a pair (words, tags), a list of (word, tag) tuples, or comes from a file; a tree is a pair
    (heads, relations), where words count from 1 and 0 is the root. Parameters are explained in
    `structron.fit.ParsingRecipe`.

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

    roots: str = setting(
        default="one",
        help="How many words of a tree may be attached to the root",
        metavar="HOW",
        choices=ROOTS,
    )
    columns: Sequence[str | int] | None = setting(
        default=None,
        help="The columns of sentences from files that templates see, the words first; otherwise form upos "
        "xpos feats lemma of CoNLL-U, and word and tag of other formats",
        flags=None,
    )

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
        wanted = either(classes, labels)
        return self._batch(X, y, self._first_of(wanted), wanted)

    def online(self, labels: Sequence[str]) -> Online:
        """Learning in small batches, see `Estimator.online`."""
        from structron.fit.online import Online

        return Online(self, self._first_of(labels))

    def _first_of(
        self, labels: Sequence[str] | None
    ) -> Callable[[ParsingRecipe, Examples[Sentences]], ParsingPlan]:
        """What makes the plan of a first batch."""
        if self.recipe.folds and self._fitted is None:
            raise SettingError("partial_fit trains no tagger; fit first, or give tags and set tagger to none")
        if self.recipe.experts and self._fitted is None:
            raise SettingError("partial_fit trains no experts; fit first, or set combine to none")
        return lambda recipe, given: self._plan(recipe, given, classes=labels, is_whole=False)

    def _examples(
        self, X: Iterable[object], y: Iterable[object] | None, findings: Findings | None = None
    ) -> Examples[Sentences]:
        # Words alone where taggers predict the other columns.
        sentences = read_sentences(X, self._columns(findings))
        trees = read_trees(sentences, y, labelled=self.recipe.labelled, one_root=self._one_root)
        return Examples(sentences.tokens, trees, sentences, sentences.place)

    def _shared(
        self, recipe: ParsingRecipe, given: Examples[Sentences], held_out: Examples[Sentences]
    ) -> Examples[Sentences]:
        """Without columns that the development set has in another way, where templates are ``auto``."""
        from structron.tasks.parsing.fitting.column_mismatch import without_foreign

        return without_foreign(recipe, given, held_out.source)

    def _plan(
        self,
        recipe: ParsingRecipe,
        given: Examples[Sentences],
        stage: Stage | None = None,
        classes: Sequence[str] | None = None,
        *,
        is_whole: bool = True,
    ) -> ParsingPlan:
        """Templates by what the columns hold, the cut by how many words there are."""
        from structron.tasks.parsing.experts.expert import ParsingExpert
        from structron.tasks.parsing.features.choice import ColumnFigures
        from structron.tasks.parsing.fitting.experts import learn_experts
        from structron.tasks.parsing.fitting.problem import make_task
        from structron.tasks.parsing.fitting.pruner import learn_pruner
        from structron.tasks.parsing.fitting.treebank_stats import (
            crossing_trees,
            first_look,
            without_crossing,
        )
        from structron.tasks.parsing.transitions.gold_trees import as_built

        suited = recipe.suited(ColumnFigures.of(given.xs, given.ys))
        templates = suited.templates if isinstance(suited.templates, str) else "own"
        view, seen = first_look(suited, given.source, templates, self.threads, stage)
        crossing = crossing_trees(given.ys)
        findings = Findings(
            view,
            {"templates": templates} | {name: getattr(suited, name) for name in _chosen(recipe)},
            {"trees": len(given.ys), "crossing": len(crossing)},
        )
        examples = without_crossing(given, seen, suited, crossing)
        if examples is None:
            trees = as_built(given.ys, suited.system, suited.task_crossing, crossing)
            examples = Examples(seen.tokens, trees, seen, seen.place)
        if not any(map(len, examples.xs)):
            raise DataError("there is nothing to learn from; give at least one sentence with a tree")
        pruner, experts = None, tuple[ParsingExpert, ...]()
        if is_whole:  # one batch of many would say too little
            data, columns, one_root = (examples.xs, examples.ys), len(view.names), self._one_root
            pruner = learn_pruner(suited, *data, stage)
            experts = learn_experts(Parser, suited, *data, columns, stage, one_root=one_root)
        else:  # in a later batch each relation, and each mark of a lifted arc, may point the other way
            classes = sorted({*(classes or ()), *(label for tree in examples.ys for label in tree.labels)})
        task = make_task(suited, examples.ys, classes, pruner, experts, one_root=self._one_root)
        return Plan(suited, task, examples, findings)

    def _space(self, recipe: ParsingRecipe, given: Examples[Sentences]) -> dict[str, list[Any]]:
        """Other sets over columns that are filled, then another cut."""
        from structron.tasks.parsing.features.choice import ColumnFigures, other_presets

        figures = ColumnFigures.of(given.xs, given.ys)
        suited = recipe.suited(figures)
        space: dict[str, list[Any]] = {}
        if recipe.templates == "auto":
            space["templates"] = [suited.templates, *other_presets(figures, recipe.system, recipe.family)]
        if recipe.cut == "auto":
            space["cut"] = [suited.cut, 0 if suited.cut else 2]
        return space

    def _in_trials(self) -> dict[str, Any]:
        return super()._in_trials() | {"combine": "none"}  # epochs are told apart without experts, too

    def _next_plan(
        self, recipe: ParsingRecipe, given: Examples[Sentences], fitted: Fitted[TreeTask, Findings]
    ) -> ParsingPlan:
        """View and templates are those of the first batch, and so are the marks of lifted arcs."""
        from structron.tasks.parsing.features.choice import ColumnFigures
        from structron.tasks.parsing.fitting.treebank_stats import crossing_trees, without_crossing

        suited = recipe.suited(ColumnFigures.of(given.xs, given.ys))
        task, findings = fitted.model.task, fitted.findings
        seen = findings.view.of(given.source, self.threads)
        crossing = crossing_trees(given.ys)
        examples = without_crossing(given, seen, suited, crossing)
        if examples is None:
            examples = Examples(seen.tokens, given.ys, seen, seen.place)
        self._check(task, examples)
        counted = {"trees": len(given.ys), "crossing": len(crossing)}
        return Plan(suited, task, examples, replace(findings, crossing=counted))

    def _tuned(
        self,
        plan: ParsingPlan,
        held_out: Examples[Sentences] | None,
        stage: Stage | None,
        preparation: Preparation,
    ) -> ParsingPlan:
        """The same, and how much a pruner leaves."""
        from structron.tasks.parsing.fitting.pruner import recall_of

        if getattr(plan.task, "pruner", None) is None:
            return plan
        data = plan.examples if held_out is None else self._seen(held_out, plan.findings)
        pruned = recall_of(plan.task, data.xs, data.ys, held_out=held_out is not None)
        return replace(plan, findings=replace(plan.findings, pruned=pruned))

    def _seen(self, examples: Examples[Sentences], findings: Findings) -> Examples[Sentences]:
        seen = findings.view.of(examples.source, self.threads)
        return Examples(seen.tokens, examples.ys, seen, seen.place)

    def _check(self, task: TreeTask, examples: Examples[Sentences]) -> None:
        from structron.fit.unknown_labels import warn_of_unknown

        warn_of_unknown(*unknown_relations(examples.ys, task.labels))

    def _score_on(
        self, plan: ParsingPlan, held_out: Examples[Sentences]
    ) -> Callable[[Model[TreeTask]], float]:
        """Epochs are told apart by what the parser itself has learned: its experts are the same in all."""
        from structron.tasks.parsing.fitting.column_mismatch import warn_of_foreign

        warn_of_foreign(plan.recipe, plan.examples.source, held_out.source)
        task = plan.task
        if not isinstance(task, ParsingTask) or not task.experts:
            return super()._score_on(plan, held_out)
        alone = replace(task, experts=())
        score = super()._score_on(replace(plan, task=alone), held_out)
        return lambda model: score(Model(alone, model.rows, model.search))

    def _metric(self, task: TreeTask) -> Metric:
        from structron.metrics import attachment

        return lambda gold, guess: attachment(gold, guess).las

    def _judged(
        self, examples: Examples[Sentences], found: Sequence[Any], fitted: Fitted[TreeTask, Findings]
    ) -> list[Judgement]:
        from structron.metrics import judge_tree

        words = examples.source.words()
        return [
            judge_tree(examples.place(i), words[i], gold, guess)
            for i, (gold, guess) in enumerate(zip(examples.ys, found))
        ]

    def _decisions(self, found: tuple[list[int], list[str]]) -> Sequence[tuple[int, str]]:
        return list(zip(*found))

    def _labels(self, task: TreeTask) -> list[str]:
        return sorted({label.partition(MARK)[0] for label in task.labels})

    def _output(self, found: tuple[list[int], list[str]], findings: Findings) -> Tree:
        return Tree(*found)

    def _parts(self, findings: Findings) -> dict[str, Model[Task]]:
        return findings.view.parts

    def _spaces(self, plan: ParsingPlan) -> list[Example]:
        examples = plan.examples
        return [(plan.task.space(x), plan.task.oracle(y)) for x, y in zip(examples.xs, examples.ys)]

    def _about(self, examples: Examples[Sentences], findings: Findings) -> dict[str, object]:
        return {
            "columns": list(findings.view.names),
            "shown": self.columns,
            "roots": self.roots,
            "crossing": findings.crossing,
            "chosen": findings.chosen,
            "pruned": findings.pruned,
        } | format_of(examples.source.sources)

    @classmethod
    def _findings_of(cls, model: Model[TreeTask], where: str) -> Findings:
        view = View.of_model(model, where)
        return Findings(view, *(model.about.get(name, {}) for name in ("chosen", "crossing", "pruned")))

    @classmethod
    def _extra_parameters(cls, model: Model[TreeTask], where: str) -> dict[str, object]:
        shown, roots = model.about.get("shown"), model.about.get("roots", "one")
        listed = isinstance(shown, list) and all(isinstance(column, str | int) for column in shown)
        if not (shown is None or listed) or roots not in ROOTS:
            raise ModelError(f"{where}: the model does not say how it was made; train it again")
        return {"columns": shown, "roots": roots}

    @classmethod
    def _known_parameters(cls, model: Model[TreeTask]) -> dict[str, object]:
        return {"search": model.search, "system": model.task.system}

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
        inputs = self._inputs(X, fitted)
        trees = [Tree(*tree) for tree in fitted.model.predict(inputs.xs, place=inputs.place)]
        return trees, fitted.findings.view.predicted(inputs.source)

    def predict_kbest_with_tags(
        self, X: Iterable[object], k: int
    ) -> tuple[list[list[tuple[Tree, float]]], dict[str, list[list[str]]]]:
        """The same for the `k` best trees, see `predict_kbest`."""
        fitted = self._ready()
        inputs = self._inputs(X, fitted)
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
        return task.pruned(self._inputs(X, fitted).xs, trees)

    def tokens(self, X: Iterable[object]) -> list[list[tuple[str, ...]]]:
        """The words with their columns, as the templates see them."""
        fitted = self._ready()
        width = len(fitted.findings.view.names)
        return [[token[:width] for token in tokens] for tokens in self._inputs(X, fitted).xs]

    def trace(
        self,
        x: object,
        gold: tuple[Sequence[int], Sequence[str]] | None = None,
        search: str | Search | None = None,
    ) -> Trace | ForestTrace:
        """What the search leaves behind on one sentence, beams or a chart; with gold, where it falls off."""
        fitted = self._ready()
        return self._traced(self._inputs([x], fitted), gold, fitted, search)

    def predict_traced(
        self, x: object, gold: tuple[Sequence[int], Sequence[str]] | None = None
    ) -> tuple[list[tuple[str, ...]], Tree, Trace | ForestTrace]:
        """One sentence, tagged once: its tokens as the templates see them, its tree and the trace."""
        fitted = self._ready()
        inputs = self._inputs([x], fitted)
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
            (tree,) = read_trees(inputs.source, [gold], labelled=labelled, one_root=self._one_root)
            if not model.task.builds(tree):
                raise DataError(
                    f"the gold tree has crossing arcs, which {model.task.called} does not build; give another"
                )
        traced = model.chart if how.kind == "forest" else model.trace
        return traced(list(inputs.xs[0]), tree, how)

    def _inputs(self, X: Iterable[object], fitted: Fitted[TreeTask, Findings]) -> Examples[Sentences]:
        findings = fitted.findings
        seen = findings.view.of(read_sentences(X, self._columns(findings)), self.threads)
        return Examples(seen.tokens, (), seen, seen.place)

    def _columns(self, findings: Findings | None) -> Sequence[str | int] | None:
        """The columns read from files: words alone where taggers predict the others."""
        return ("form",) if findings is not None and findings.view.taggers else self.columns

    @property
    def _one_root(self) -> bool:
        if self.roots not in ROOTS:
            raise SettingError(f"roots {self.roots!r} is not possible; use one or many")
        return self.roots == "one"


def unknown_relations(
    trees: Iterable[Tree], labels: Iterable[str]
) -> tuple[list[list[str]], set[str], str, str]:
    """What `warn_of_unknown` takes: relations as they are scored, without their subtypes."""
    from structron.metrics.attachment import universal

    gold = [[universal(label) for label in tree.labels] for tree in trees]
    return gold, {universal(label.partition(MARK)[0]) for label in labels}, "relations", "words"
