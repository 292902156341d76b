"""The problem of transduction: sequences of symbols, rewritten piece by piece."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import field, replace
from typing import TYPE_CHECKING, Any, ClassVar

from structron.errors import DataError, ModelError, SettingError, warn
from structron.fit.data.examples import Examples
from structron.fit.problem import TRAINING, TRIALS, Context, Fitted, Metric, Plan, Problem, Restored, Step
from structron.io import Notation
from structron.records import dataclass
from structron.registry import estimator_of
from structron.tasks.transduction.direction.reversal import FORWARD
from structron.tasks.transduction.inputs import read_sources, read_targets
from structron.tasks.transduction.settings import TransductionRecipe
from structron.tasks.transduction.task import TransductionTask
from structron.tasks.transduction.words.unseen_symbols import as_known, count_unseen, unseen_symbols

if TYPE_CHECKING:
    from structron.fit.learning import Packed
    from structron.metrics import Judgement
    from structron.model import Model
    from structron.reference.sequence.training import Example

Output = str | list[str]


@dataclass(frozen=True)
class Script:
    """The scripts of sources and targets, and whether outputs are texts or lists of symbols."""

    notation: Notation
    text: bool


@dataclass(frozen=True)
class Findings:
    """Facts about the data that a transducer needs later.

    Attributes
    ----------
    script
        How they are written.
    symbols
        The source symbols that pieces have.
    unaligned, unreachable
        Pairs that could not be aligned, and examples that no derivation yields.
    unseen
        Source symbols that no piece has, counted as they come to be predicted from.
    """

    script: Script
    symbols: frozenset[str] = frozenset()
    unaligned: int = 0
    unreachable: int = 0
    unseen: Counter[str] = field(default_factory=Counter)


TransductionPlan = Plan[TransductionTask, TransductionRecipe, Script, Findings]
TransductionContext = Context[TransductionRecipe, Script]


@dataclass(frozen=True)
class TransductionProblem(Problem[TransductionTask, TransductionRecipe, Script, Findings, Output]):
    """Sequences of symbols, rewritten piece by piece.

    Attributes
    ----------
    source_symbols, target_symbols
        How texts become symbols.
    threads
        How many threads experts learn with.
    pairs
        All pieces there will ever be, where they are known.
    """

    kind: ClassVar[str] = "transduction"
    # Experts would take as long again.
    in_trials: ClassVar[Mapping[str, object]] = {"trials": 0, "memory": 0, "combine": "none"}
    source_symbols: str = "auto"
    target_symbols: str = "auto"
    threads: int = 1
    pairs: Iterable[tuple[Sequence[str], Sequence[str]]] | None = None
    in_batches: bool = False

    @classmethod
    def of(cls, estimator: Any) -> TransductionProblem:
        return cls(estimator.source_symbols, estimator.target_symbols, estimator.threads)

    # ------------------------------------------------------------------------------------------- reading

    def read(
        self, X: Iterable[object], y: Iterable[object] | None, findings: Findings | None = None
    ) -> Examples[Script]:
        sources = read_sources(X)
        known = None if findings is None else findings.script
        targets = read_targets(y, sources.pairs, len(sources.items), None if known is None else known.text)
        script = known or Script(
            Notation.inferred(
                targets.texts,
                _way(self.source_symbols),
                _way(self.target_symbols),
                [source for source in sources.items if isinstance(source, str)],
            ),
            targets.text,
        )
        # One example for each source, with all its references: they are gold together.
        gathered: dict[tuple[str, ...], tuple[int, dict[tuple[str, ...], None]]] = {}
        references = targets.symbols(script.notation)
        for i, symbols in enumerate(sources.symbols(script.notation)):
            found = gathered.setdefault(symbols, (i, {}))[1]
            found |= dict.fromkeys(references[i])
        first = [i for i, _ in gathered.values()]
        return Examples(
            list(gathered), [list(r) for _, r in gathered.values()], script, lambda i: sources.place(first[i])
        )

    def inputs(self, X: Iterable[object], fitted: Fitted[TransductionTask, Findings]) -> Examples[Script]:
        findings = fitted.findings
        sources = read_sources(X)
        symbols = sources.symbols(findings.script.notation)
        unseen = count_unseen(symbols, findings.symbols)
        findings.unseen.update(unseen)
        if said := unseen_symbols(unseen, findings.symbols):
            warn(said)
        inputs = Examples(symbols, (), findings.script, sources.place)
        return self.seen(inputs, findings)

    def seen(self, examples: Examples[Script], findings: Findings) -> Examples[Script]:
        """Unseen letters are read as known ones; what a model has no pieces for stays."""
        return replace(examples, xs=[as_known(x, findings.symbols) for x in examples.xs])

    def read_dev(
        self, X: Iterable[object], y: Iterable[object] | None, given: Examples[Script]
    ) -> Examples[Script]:
        """Development data are written as the training data are."""
        return self.read(X, y, Findings(given.source))

    def check(self, task: TransductionTask, examples: Examples[Script]) -> None:
        from structron.fit.data.unknown_labels import warn_of_unknown

        references = (reference for references in examples.ys for reference in references)
        warn_of_unknown(references, set(self.labels(task)), "target symbols", "them")

    # ----------------------------------------------------------------------------------------- preparing

    def steps(self, recipe: TransductionRecipe) -> list[Step]:
        steps = [
            TRIALS,
            Step("direction", "find out from which end words are better read", self._direction),
            Step("alignment", "align words with their targets, and keep the pieces", self._task),
        ]
        if recipe.combine != "none":
            steps.append(Step("experts", "train others that are asked", self._experts, TRAINING))
        return steps

    def _direction(self, plan: TransductionPlan, context: TransductionContext) -> TransductionPlan:
        from structron.tasks.transduction.direction.choice import better_direction

        recipe, given = plan.recipe, plan.examples
        if self.in_batches:  # one batch of many would not say which is better, and trains no experts
            way = FORWARD if recipe.is_auto("direction") else recipe.direction
            recipe = recipe.but(direction=way, combine="none")
        recipe = recipe.suited(len(given.xs))
        if recipe.direction == "auto":
            make = estimator_of(self.kind)
            recipe = recipe.but(direction=better_direction(make, recipe, given.xs, given.ys, context.stage))
        return replace(plan, recipe=recipe)

    def _task(self, plan: TransductionPlan, context: TransductionContext) -> TransductionPlan:
        from structron.tasks.transduction.task_from_data import make_task

        recipe, given = plan.recipe, plan.examples
        task, unaligned = make_task(recipe, given.xs, given.ys, self.pairs, context.stage)
        missing = sorted(set(context.classes or ()) - set(self.labels(task)))
        if missing:
            raise DataError(
                f"target symbol {missing[0]!r} is in no piece; pass pairs= with all pieces on the first call"
            )
        return Plan(recipe, task, given, Findings(given.source, task.source_symbols, unaligned))

    def _experts(self, plan: TransductionPlan, context: TransductionContext) -> TransductionPlan:
        from structron.tasks.transduction.experts.training import learn_experts

        data, make = (plan.examples.xs, plan.examples.ys), estimator_of(self.kind)
        try:
            experts = learn_experts(make, plan.recipe, *data, self.threads, context.stage)
        except DataError:  # a handful of words may have derivations one way and not the other
            if not context.asked.is_auto("combine"):
                raise
            return replace(plan, recipe=plan.recipe.but(combine="none"))
        return replace(plan, task=replace(plan.task, experts=experts)) if experts else plan

    def extend(
        self, recipe: TransductionRecipe, given: Examples[Script], fitted: Fitted[TransductionTask, Findings]
    ) -> TransductionPlan:
        task = fitted.model.task
        self.check(task, given)
        given = self.seen(given, fitted.findings)
        recipe = recipe.suited(len(given.xs)).but(direction=task.direction)
        return Plan(recipe, task, given, replace(fitted.findings, unseen=Counter()))

    def alternatives(self, recipe: TransductionRecipe, given: Examples[Script]) -> dict[str, list[Any]]:
        """Other templates, then fewer pieces and features; where `rich` is asked, it has the templates."""
        suited = recipe.suited(len(given.xs))
        presets = ("rich", "rich_alike", "joint", "context", "fast")
        others = {"templates": presets, "min_count": (1, 2), "cut": (0, 2)}
        space: dict[str, list[Any]] = {}
        for name, values in others.items():
            if recipe.is_auto(name) and not (name == "templates" and suited.asks_rich):
                usual = getattr(suited, name)
                space[name] = [usual, *(each for each in values if each != usual)]
        return space

    def packed(self, findings: Findings, packed: Packed) -> Findings:
        if not packed.sentences:
            raise DataError(
                f"none of {packed.unreachable} sources has a derivation of its target, and "
                f"{findings.unaligned} pairs could not be aligned; allow longer pieces, or give shorter pairs"
            )
        return replace(findings, unreachable=packed.unreachable)

    def spaces(self, plan: TransductionPlan) -> list[Example]:
        """Return spaces with oracles; those without a derivation are treated as `unreachable` says."""
        from structron.tasks.transduction.forced_decoding import gold_of

        spaces = [plan.task.space(x) for x in plan.examples.xs]
        gold = [gold_of(space, y, plan.recipe.unreachable) for space, y in zip(spaces, plan.examples.ys)]
        return [(space, oracle) for space, oracle in zip(spaces, gold) if oracle is not None]

    # --------------------------------------------------------------------------------- scoring, judging

    def score(self, task: TransductionTask) -> Metric:
        from structron.metrics import error_rate

        return lambda gold, guess: error_rate(gold, guess).word_accuracy

    def judge(
        self, examples: Examples[Script], found: Sequence[Any], fitted: Fitted[TransductionTask, Findings]
    ) -> list[Judgement]:
        from structron.metrics import judge_symbols

        judged = []
        for i, (source, references, guess) in enumerate(zip(examples.xs, examples.ys, found)):
            between = "" if all(len(symbol) == 1 for symbol in source) else " "
            judged.append(judge_symbols(examples.place(i), between.join(source), references, guess))
        return judged

    def is_right(self, task: TransductionTask, gold: Sequence[Sequence[str]], found: list[str]) -> bool:
        return any(list(reference) == list(found) for reference in gold)

    def labels(self, task: TransductionTask) -> list[str]:
        return sorted({symbol for pair in task.pairs for symbol in pair.target})

    def output(self, found: list[str], i: int, inputs: Examples[Script], findings: Findings) -> Output:
        """A text if it learned from texts, else a list of symbols."""
        return findings.script.notation.target(found) if findings.script.text else found

    # ------------------------------------------------------------------------------------- a model's file

    def describe(self, examples: Examples[Script], findings: Findings) -> dict[str, object]:
        notation = findings.script.notation
        return {
            "script": {
                "source": notation.source_way,
                "target": notation.target_way,
                "text": findings.script.text,
            },
            "unreachable": findings.unreachable,
            "unaligned": findings.unaligned,
        }

    @classmethod
    def restore(cls, model: Model[TransductionTask], where: str) -> Restored:
        try:
            said = model.about["script"]
            script = Script(Notation(said["source"], said["target"]), bool(said["text"]))
        except (KeyError, TypeError, SettingError):
            raise ModelError(f"{where}: the model does not say how it was made; train it again") from None
        unaligned, unreachable = model.about.get("unaligned", 0), model.about.get("unreachable", 0)
        return Restored(Findings(script, model.task.source_symbols, unaligned, unreachable))


def _way(setting: str) -> str | None:
    return None if setting == "auto" else setting
