"""The problem of parsing: sentences with dependency trees."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import field, replace
from typing import TYPE_CHECKING, Any, ClassVar, cast

from structron.errors import DataError, ModelError, SettingError
from structron.fit.data.examples import Examples, format_of
from structron.fit.problem import (
    ALL,
    TRAINING,
    TRIALS,
    Context,
    Fitted,
    Metric,
    Plan,
    Problem,
    Restored,
    Step,
)
from structron.io.values.trees import Tree
from structron.model import Model
from structron.records import dataclass
from structron.tasks.parsing.features.sets import GRAPH
from structron.tasks.parsing.inputs import Sentences, read_sentences, read_trees
from structron.tasks.parsing.settings import ParsingRecipe
from structron.tasks.parsing.transitions.task import ParsingTask
from structron.tasks.parsing.trees.partial import is_partial
from structron.tasks.parsing.trees.projectivity import MARK
from structron.tasks.parsing.trees.task import TreeTask
from structron.tasks.parsing.view import View

if TYPE_CHECKING:
    from structron.metrics import Judgement
    from structron.reference.sequence.training import Example
    from structron.task import Task

ROOTS = ("one", "many")


@dataclass(frozen=True)
class Findings:
    """Facts about the data that a parser needs later.

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


ParsingPlan = Plan[TreeTask, ParsingRecipe, Sentences, Findings]
ParsingContext = Context[ParsingRecipe, Sentences]


@dataclass(frozen=True)
class ParsingProblem(Problem[TreeTask, ParsingRecipe, Sentences, Findings, Tree]):
    """Sentences with dependency trees.

    Attributes
    ----------
    labelled, roots
        Whether trees have relations, and how many words may be on the root.
    columns
        For sentences from files, the columns that templates see.
    threads
        How many threads tag.
    partial
        True if training data may have heads and relations that are not known.
    completes
        Whether such trees are completed before they are learned from.
    """

    kind: ClassVar[str] = "parsing"
    completes: ClassVar[bool] = True
    # Experts do not help to compare epochs.
    in_trials: ClassVar[Mapping[str, object]] = {"trials": 0, "memory": 0, "combine": "none"}
    labelled: bool = True
    roots: str = "one"
    columns: Sequence[str | int] | None = None
    threads: int = 1
    partial: bool = False

    @property
    def one_root(self) -> bool:
        """Return whether each tree has exactly one word on the root."""
        if self.roots not in ROOTS:
            raise SettingError(f"roots {self.roots!r} is not possible; use one or many")
        return self.roots == "one"

    def _columns(self, findings: Findings | None) -> Sequence[str | int] | None:
        """The columns read from files: words alone where taggers predict the others."""
        return ("form",) if findings is not None and findings.view.taggers else self.columns

    # ------------------------------------------------------------------------------------------- reading

    def read(
        self, X: Iterable[object], y: Iterable[object] | None, findings: Findings | None = None
    ) -> Examples[Sentences]:
        # Words alone where taggers predict the other columns.
        sentences = read_sentences(X, self._columns(findings))
        shape = {"labelled": self.labelled, "one_root": self.one_root, "partial": self.partial}
        trees = read_trees(sentences, y, **shape)
        return Examples(sentences.tokens, trees, sentences, sentences.place)

    def read_dev(
        self, X: Iterable[object], y: Iterable[object] | None, given: Examples[Sentences]
    ) -> Examples[Sentences]:
        return replace(self, partial=False).read(X, y)

    def inputs(self, X: Iterable[object], fitted: Fitted[TreeTask, Findings]) -> Examples[Sentences]:
        view = fitted.findings.view
        seen = view.of(read_sentences(X, self._columns(fitted.findings)), self.threads)
        found = Examples(seen.tokens, (), seen, seen.place)
        if seen.sources is None or not any(source.given for source in seen.sources):
            return found
        from structron.tasks.parsing.given import given_columns

        trees = given_columns(seen.sources, one_root=self.one_root, labelled=self.labelled)
        return self.restricted(found, trees, fitted)

    def restricted(
        self, inputs: Examples[Sentences], given: Sequence[object], fitted: Fitted[TreeTask, Findings]
    ) -> Examples[Sentences]:
        from structron.tasks.parsing.given import with_given

        return with_given(inputs, given, fitted.model.task, one_root=self.one_root)

    def seen(self, examples: Examples[Sentences], findings: Findings) -> Examples[Sentences]:
        seen = findings.view.of(examples.source, self.threads)
        return Examples(seen.tokens, examples.ys, seen, seen.place)

    def is_partial(self, y: Tree) -> bool:
        return is_partial(y)

    def check(self, task: TreeTask, examples: Examples[Sentences]) -> None:
        from structron.fit.data.unknown_labels import warn_of_unknown

        for i, tree in enumerate(examples.ys):
            if is_partial(tree):
                raise DataError(f"{examples.place(i)}: not all arcs are known; score on whole trees")
        warn_of_unknown(*task.unknown_relations(examples.ys))

    # ----------------------------------------------------------------------------------------- preparing

    def steps(self, recipe: ParsingRecipe) -> list[Step]:
        whole = [
            Step("completion", "complete trees by a chart that learns from what is known", self._completed)
        ]
        steps = [
            Step("columns", "leave out columns that the development set has in another way", _shared),
            *(whole if self.partial and self.completes else []),
            TRIALS,
            Step("taggers", "choose columns, and jackknife taggers for them if there are folds", self._view),
            Step("trees", "lift, leave out or keep crossing arcs", _trees),
            Step("task", "settle templates, relations and actions", self._task),
        ]
        if recipe.system == GRAPH:
            steps.append(Step("pruner", "learn which arcs are worth looking at", _pruner, ALL))
            steps.append(Step("recall", "count what the pruner leaves", self._recall, TRAINING))
        elif recipe.experts:
            names = ", ".join(name for name, _ in recipe.experts)
            steps.append(Step("experts", f"train other parsers: {names}", self._experts, ALL))
        return steps

    def _completed(self, plan: ParsingPlan, context: ParsingContext) -> ParsingPlan:
        from structron.registry import estimator_of
        from structron.tasks.parsing.fitting.completion import completed

        given = plan.examples
        if not any(map(is_partial, given.ys)):
            return plan
        shape = {"one_root": self.one_root, "labelled": self.labelled}
        trees = completed(estimator_of(self.kind), plan.recipe, given, context.stage, **shape)
        return replace(plan, examples=replace(given, ys=trees))

    def _view(self, plan: ParsingPlan, context: ParsingContext) -> ParsingPlan:
        """Templates by what the columns hold, the cut by how many words there are."""
        from structron.tasks.parsing.features.choice import ColumnFigures
        from structron.tasks.parsing.fitting.treebank_stats import settle_columns

        given = plan.examples
        suited = plan.recipe.suited(ColumnFigures.of(given.xs, given.ys))
        templates = suited.templates if isinstance(suited.templates, str) else "own"
        view, seen = settle_columns(suited, given.source, templates, self.threads, context.stage)
        chosen = {"templates": templates} | {name: getattr(suited, name) for name in _chosen(plan.recipe)}
        examples = Examples(given.xs, given.ys, seen, seen.place)
        return replace(plan, recipe=suited, examples=examples, findings=Findings(view, chosen, {}))

    def _task(self, plan: ParsingPlan, context: ParsingContext) -> ParsingPlan:
        from structron.tasks.parsing.fitting.task_from_data import make_task

        trees, classes = plan.examples.ys, context.classes
        if not context.whole:
            # In a later batch each relation, and each mark of a lifted arc, may point the other way.
            seen = {label for tree in trees for label in tree.labels if label is not None}
            classes = sorted({*(classes or ()), *seen})
        words = (token[0] for sentence in plan.examples.xs for token in sentence)
        return replace(plan, task=make_task(plan.recipe, trees, words, classes, one_root=self.one_root))

    def _experts(self, plan: ParsingPlan, context: ParsingContext) -> ParsingPlan:
        from structron.registry import estimator_of
        from structron.tasks.parsing.fitting.experts import learn_experts

        data, columns = (plan.examples.xs, plan.examples.ys), len(plan.findings.view.names)
        parser = estimator_of(self.kind)
        experts = learn_experts(parser, plan.recipe, *data, columns, context.stage, one_root=self.one_root)
        return replace(plan, task=replace(cast(Any, plan.task), experts=experts))

    def _recall(self, plan: ParsingPlan, context: ParsingContext) -> ParsingPlan:
        from structron.tasks.parsing.fitting.pruner import recall_of

        if getattr(plan.task, "pruner", None) is None:
            return plan
        held_out = context.held_out
        data = plan.examples if held_out is None else self.seen(held_out, plan.findings)
        pruned = recall_of(plan.task, data.xs, data.ys, held_out=held_out is not None)
        return replace(plan, findings=replace(plan.findings, pruned=pruned))

    def extend(
        self, recipe: ParsingRecipe, given: Examples[Sentences], fitted: Fitted[TreeTask, Findings]
    ) -> ParsingPlan:
        """View and templates are those of the first batch, and so are the marks of lifted arcs."""
        from structron.fit.data.unknown_labels import warn_of_unknown
        from structron.tasks.parsing.features.choice import ColumnFigures
        from structron.tasks.parsing.fitting.treebank_stats import crossing_trees, without_crossing

        task, findings = fitted.model.task, fitted.findings
        seen = findings.view.of(given.source, self.threads)
        if any(map(is_partial, given.ys)) and self.completes:
            from structron.tasks.parsing.fitting.completion import completed_by

            trees = completed_by(fitted.model, seen.tokens, given.ys, one_root=self.one_root)
            given = replace(given, ys=trees)
        suited = recipe.suited(ColumnFigures.of(given.xs, given.ys))
        crossing = crossing_trees(given.ys)
        examples = without_crossing(given, seen, suited, crossing)
        if examples is None:
            examples = Examples(seen.tokens, given.ys, seen, seen.place)
        warn_of_unknown(*task.unknown_relations(examples.ys))
        counted = {"trees": len(given.ys), "crossing": len(crossing)}
        return Plan(suited, task, examples, replace(findings, crossing=counted))

    def new_labels(self, task: TreeTask, given: Examples[Sentences]) -> list[str]:
        return sorted({label for tree in given.ys for label in task.missing(tree)})

    def alternatives(self, recipe: ParsingRecipe, given: Examples[Sentences]) -> dict[str, list[Any]]:
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

    def spaces(self, plan: ParsingPlan) -> list[Example]:
        examples = plan.examples
        return [(plan.task.space(x), plan.task.oracle(y)) for x, y in zip(examples.xs, examples.ys)]

    # --------------------------------------------------------------------------------- scoring, judging

    def score(self, task: TreeTask) -> Metric:
        from structron.metrics import attachment

        return lambda gold, guess: attachment(gold, guess).las

    def measured(
        self, plan: ParsingPlan, held_out: Examples[Sentences]
    ) -> tuple[TreeTask, Examples[Sentences]]:
        """Compare epochs by what the parser itself has learned; its experts are the same in all."""
        from structron.tasks.parsing.fitting.column_mismatch import warn_of_mismatched

        warn_of_mismatched(plan.recipe, plan.examples.source, held_out.source)
        task = plan.task
        if not isinstance(task, ParsingTask) or not task.experts:
            return task, held_out
        return replace(task, experts=()), held_out

    def judge(
        self, examples: Examples[Sentences], found: Sequence[Any], fitted: Fitted[TreeTask, Findings]
    ) -> list[Judgement]:
        from structron.metrics import judge_tree

        words = examples.source.words()
        return [
            judge_tree(examples.place(i), words[i], gold, guess)
            for i, (gold, guess) in enumerate(zip(examples.ys, found))
        ]

    def is_right(self, task: TreeTask, gold: Tree, found: tuple[list[int], list[str]]) -> bool:
        heads, labels = found
        return list(heads) == list(gold.heads) and (not gold.labels or list(labels) == list(gold.labels))

    def recalled(self, record: Any) -> tuple[Any, Any]:
        x, y = super().recalled(record)
        return x, Tree(*y)

    def decisions(self, found: tuple[list[int], list[str]]) -> Sequence[tuple[int, str]]:
        return list(zip(*found))

    def labels(self, task: TreeTask) -> list[str]:
        return sorted({label.partition(MARK)[0] for label in task.labels})

    def output(
        self, found: tuple[list[int], list[str]], i: int, inputs: Examples[Sentences], findings: Findings
    ) -> Tree:
        return Tree(*found)

    # ------------------------------------------------------------------------------------- a model's file

    def parts(self, findings: Findings) -> dict[str, Model[Task]]:
        return findings.view.parts

    def describe(self, examples: Examples[Sentences], findings: Findings) -> dict[str, object]:
        return {
            "columns": list(findings.view.names),
            "shown": self.columns,
            "roots": self.roots,
            "crossing": findings.crossing,
            **({"partial": True} if self.partial else {}),
            "chosen": findings.chosen,
            "pruned": findings.pruned,
        } | format_of(examples.source.sources)

    @classmethod
    def restore(cls, model: Model[TreeTask], where: str) -> Restored:
        shown, roots = model.about.get("shown"), model.about.get("roots", "one")
        listed = isinstance(shown, list) and all(isinstance(column, str | int) for column in shown)
        if not (shown is None or listed) or roots not in ROOTS:
            raise ModelError(f"{where}: the model does not say how it was made; train it again")
        told = (model.about.get(name, {}) for name in ("chosen", "crossing", "pruned"))
        findings = Findings(View.of_model(model, where), *told)
        return Restored(findings, {"columns": shown, "roots": roots}, {"system": model.task.system})


def _chosen(recipe: ParsingRecipe) -> tuple[str, ...]:
    """Return what the findings tell of, besides templates: experts only where the recipe left them open."""
    usual = ("cut", "search", "learner")
    return (*usual, "combine") if recipe.is_auto("combine") and recipe.experts else usual


def _shared(plan: ParsingPlan, context: ParsingContext) -> ParsingPlan:
    from structron.tasks.parsing.fitting.column_mismatch import without_mismatched

    if context.held_out is None:
        return plan
    examples = without_mismatched(plan.recipe, plan.examples, context.held_out.source)
    if examples is not plan.examples:
        context.chosen_by.append("dev")
    return replace(plan, examples=examples)


def _trees(plan: ParsingPlan, context: ParsingContext) -> ParsingPlan:
    from structron.tasks.parsing.fitting.treebank_stats import crossing_trees, without_crossing
    from structron.tasks.parsing.transitions.gold_trees import as_built

    given, seen, recipe = plan.examples, plan.examples.source, plan.recipe
    crossing = crossing_trees(given.ys)
    examples = without_crossing(given, seen, recipe, crossing)
    if examples is None:
        trees = as_built(given.ys, recipe.system, recipe.task_crossing, crossing)
        examples = Examples(seen.tokens, trees, seen, seen.place)
    if not any(map(len, examples.xs)):
        raise DataError("there is nothing to learn from; give at least one sentence with a tree")
    counted = {"trees": len(given.ys), "crossing": len(crossing)}
    return replace(plan, examples=examples, findings=replace(plan.findings, crossing=counted))


def _pruner(plan: ParsingPlan, context: ParsingContext) -> ParsingPlan:
    from structron.tasks.parsing.fitting.pruner import learn_pruner

    pruner = learn_pruner(plan.recipe, plan.examples.xs, plan.examples.ys, context.stage)
    return plan if pruner is None else replace(plan, task=replace(cast(Any, plan.task), pruner=pruner))
