"""Transducer: pronunciation, transliteration and other monotone rewriting, in scikit-learn's shape."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Self

from structron import metrics
from structron.errors import DataError, ModelError, SettingError, warn
from structron.fit.estimator import Estimator
from structron.fit.examples import Examples
from structron.fit.fitted import Fitted, Plan
from structron.fit.locks import exclusive
from structron.fit.parameters import parameters
from structron.io import Notation
from structron.search import Search, parse_search
from structron.tasks.transduction.direction.reversal import FORWARD
from structron.tasks.transduction.inputs import read_sources, read_targets
from structron.tasks.transduction.settings import TransductionRecipe, TransductionSettings
from structron.tasks.transduction.task import TransductionTask
from structron.tasks.transduction.words.unseen import count_unseen, unseen_symbols

if TYPE_CHECKING:
    from structron.fit import Preparation
    from structron.fit.learning import Packed
    from structron.fit.predictor import Metric
    from structron.fit.schedules.schedule import Stage
    from structron.metrics import Judged
    from structron.model import Model
    from structron.reference.sequence.trace import Trace
    from structron.reference.sequence.training import Example

Output = str | list[str]


@dataclass(frozen=True)
class Script:
    """How sources and targets are written, and whether outputs are given as text or as lists of symbols."""

    notation: Notation
    text: bool


@dataclass(frozen=True)
class Findings:
    """What a transducer finds out about its data.

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


@parameters
class Transducer(
    Estimator[TransductionTask, TransductionRecipe, Script, Findings, Output], TransductionSettings
):
    """Rewrites a sequence of symbols piece by piece: letters as sounds, names in another script.

    ``Transducer().fit(X, y)`` is the good choice; parameters are explained in
    `structron.fit.TransductionRecipe`. Which letters make which sounds is not given: an aligner finds
    the pieces, and every derivation that yields a reference is gold.

    X is a list of sources, each a str or a list of symbols; y has for each one target or a list of several
    that are as good. Where targets are texts, a list of str is several targets; where they are symbols, a
    list of str is one target and a list of lists several. Targets are texts if one item of y is a str, or if
    a str in a list holds a blank; dev and test data are read as the training data were. X may also be a list
    of `Pair` as they are read from files, without y.

    Attributes
    ----------
    labels_ : list of str
        Target symbols.
    history_ : list of Epoch
    model_ : Model
    pairs_ : int
        Pieces in the inventory.
    unreachable_ : int
        Examples of the last `fit` or `partial_fit` that no derivation yields.
    unaligned_ : int
        Pairs of source and target that the aligner could not align.
    unseen_ : Counter
        Source symbols that were to be predicted from and that no piece has; they give no output.

    Examples
    --------
    >>> words = ["phone", "photo", "hone", "tone", "top", "hot"]
    >>> sounds = ["F OW N", "F OW T OW", "HH OW N", "T OW N", "T AA P", "HH AA T"]
    >>> Transducer(epochs=5).fit(words, sounds).predict(["phone"])
    ['F OW N']
    """

    kind = "transduction"
    recipe_type = TransductionRecipe

    # -------------------------------------------------------------------------------------- what was learned

    @property
    def pairs_(self) -> int:
        """Pieces in the inventory."""
        return len(self._learned().model.task.pairs)

    @property
    def script_(self) -> Script:
        """How sources and targets are written."""
        return self._learned().findings.script

    @property
    def unaligned_(self) -> int:
        """Pairs that the aligner could not align."""
        return self._learned().findings.unaligned

    @property
    def unreachable_(self) -> int:
        """Examples that no derivation yields."""
        return self._learned().findings.unreachable

    @property
    def unseen_(self) -> Counter[str]:
        """Source symbols that no piece has, and how often they were to be predicted from."""
        return self._learned().findings.unseen

    @property
    def unseen(self) -> str | None:
        """What `unseen_` has, in one sentence; None if it is empty."""
        findings = self._learned().findings
        return unseen_symbols(findings.unseen, findings.symbols)

    def unseen_of(self, X: Iterable[object]) -> str | None:
        """Return what to say of the symbols of these sources that no piece has; None if there are none."""
        findings = self._learned().findings
        symbols = read_sources(X).symbols(findings.script.notation)
        return unseen_symbols(count_unseen(symbols, findings.symbols), findings.symbols)

    # -------------------------------------------------------------------------------------------- learning

    @exclusive
    def partial_fit(
        self,
        X: Iterable[object],
        y: Iterable[object] | None = None,
        classes: Sequence[str] | None = None,
        *,
        pairs: Iterable[tuple[Sequence[str], Sequence[str]]] | None = None,
    ) -> Self:
        """One pass over one batch; call it again with the next.

        Parameters
        ----------
        classes
            On the first call, all target symbols that will ever come: refused if no piece yields one of them.
        pairs
            On the first call, all pieces there will ever be, such as the inventory of an `Alignment`; without
            it they are those of the first batch.
        """
        if self.recipe.experts and self._fitted is None:
            raise SettingError("partial_fit trains no experts; fit first, or set combine to none")

        def first(recipe: TransductionRecipe, given: Examples[Script]) -> TransductionPlan:
            # One batch of many would not say which direction is better, and trains no experts.
            way = FORWARD if recipe.is_auto("direction") else recipe.direction
            return self._plan(recipe.but(direction=way, combine="none"), given, classes=classes, pairs=pairs)

        return self._batch(X, y, first, classes)

    def _examples(
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

    def _first_findings(self, given: Examples[Script]) -> Findings:
        """Development data are written as the training data are."""
        return Findings(given.source)

    def _plan(
        self,
        recipe: TransductionRecipe,
        given: Examples[Script],
        stage: Stage | None = None,
        classes: Sequence[str] | None = None,
        pairs: Iterable[tuple[Sequence[str], Sequence[str]]] | None = None,
    ) -> TransductionPlan:
        from structron.tasks.transduction.direction.choice import better_direction
        from structron.tasks.transduction.problem import make_task

        recipe = recipe.suited(len(given.xs))
        if recipe.direction == "auto":
            recipe = recipe.but(direction=better_direction(Transducer, recipe, given.xs, given.ys, stage))
        task, unaligned = make_task(recipe, given.xs, given.ys, pairs, stage)
        missing = sorted(set(classes or ()) - set(self._labels(task)))
        if missing:
            raise DataError(
                f"target symbol {missing[0]!r} is in no piece; pass pairs= with all pieces on the first call"
            )
        return Plan(recipe, task, given, Findings(given.source, _source_symbols(task), unaligned))

    def _tuned(
        self,
        plan: TransductionPlan,
        held_out: Examples[Script] | None,
        stage: Stage | None,
        preparation: Preparation,
    ) -> TransductionPlan:
        """The same with the experts that the recipe asks for."""
        from structron.tasks.transduction.experts.training import learn_experts

        data = plan.examples.xs, plan.examples.ys
        try:
            experts = learn_experts(Transducer, plan.recipe, *data, self.threads, stage)
        except DataError:  # a handful of words may have derivations one way and not the other
            if not self.recipe.is_auto("combine"):
                raise
            return replace(plan, recipe=plan.recipe.but(combine="none"))
        return replace(plan, task=replace(plan.task, experts=experts)) if experts else plan

    def _in_trials(self) -> dict[str, Any]:
        return super()._in_trials() | {"combine": "none"}  # it would take as long again

    def _space(self, recipe: TransductionRecipe, given: Examples[Script]) -> dict[str, list[Any]]:
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

    def _next_plan(
        self, recipe: TransductionRecipe, given: Examples[Script], fitted: Fitted[TransductionTask, Findings]
    ) -> TransductionPlan:
        task = fitted.model.task
        self._check(task, given)
        recipe = recipe.suited(len(given.xs)).but(direction=task.direction)
        return Plan(recipe, task, given, replace(fitted.findings, unseen=Counter()))

    def _packed(self, findings: Findings, packed: Packed) -> Findings:
        if not packed.sentences:
            raise DataError(
                f"none of {packed.unreachable} sources has a derivation of its target, and "
                f"{findings.unaligned} pairs could not be aligned; allow longer pieces, or give shorter pairs"
            )
        return replace(findings, unreachable=packed.unreachable)

    def _check(self, task: TransductionTask, examples: Examples[Script]) -> None:
        from structron.fit.unknown_labels import warn_of_unknown

        references = (reference for references in examples.ys for reference in references)
        warn_of_unknown(references, set(self._labels(task)), "target symbols", "them")

    def _metric(self, task: TransductionTask) -> Metric:
        return lambda gold, guess: metrics.error_rate(gold, guess).word_accuracy

    def _judged(
        self, examples: Examples[Script], found: Sequence[Any], fitted: Fitted[TransductionTask, Findings]
    ) -> list[Judged]:
        judged = []
        for i, (source, references, guess) in enumerate(zip(examples.xs, examples.ys, found)):
            between = "" if all(len(symbol) == 1 for symbol in source) else " "
            judged.append(metrics.judged_symbols(examples.place(i), between.join(source), references, guess))
        return judged

    def _labels(self, task: TransductionTask) -> list[str]:
        return sorted({symbol for pair in task.pairs for symbol in pair.target})

    def _spaces(self, plan: TransductionPlan) -> list[Example]:
        """Those without a derivation are treated as `unreachable` says."""
        from structron.tasks.transduction.forced_decoding import gold_of

        spaces = [plan.task.space(x) for x in plan.examples.xs]
        gold = [gold_of(space, y, plan.recipe.unreachable) for space, y in zip(spaces, plan.examples.ys)]
        return [(space, oracle) for space, oracle in zip(spaces, gold) if oracle is not None]

    def _about(self, examples: Examples[Script], findings: Findings) -> dict[str, object]:
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
    def _findings_of(cls, model: Model[TransductionTask], where: str) -> Findings:
        try:
            said = model.about["script"]
            script = Script(Notation(said["source"], said["target"]), bool(said["text"]))
        except (KeyError, TypeError, SettingError):
            raise ModelError(f"{where}: the model does not say how it was made; train it again") from None
        unaligned, unreachable = model.about.get("unaligned", 0), model.about.get("unreachable", 0)
        return Findings(script, _source_symbols(model.task), unaligned, unreachable)

    # ------------------------------------------------------------------------------------------ predicting

    def trace(self, x: object, gold: object = None, search: str | Search | None = None) -> Trace:
        """What the search leaves behind on one source; with gold, one reference or more, where it falls."""
        fitted = self._ready()
        script = fitted.findings.script
        (symbols,) = self._inputs([x], fitted).xs
        references = None
        if gold is not None:
            (references,) = read_targets([gold], None, 1, script.text).symbols(script.notation)
        return fitted.model.trace(symbols, references, None if search is None else parse_search(search))

    def _inputs(self, X: Iterable[object], fitted: Fitted[TransductionTask, Findings]) -> Examples[Script]:
        findings = fitted.findings
        sources = read_sources(X)
        symbols = sources.symbols(findings.script.notation)
        unseen = count_unseen(symbols, findings.symbols)
        findings.unseen.update(unseen)
        if said := unseen_symbols(unseen, findings.symbols):
            warn(said)
        return Examples(symbols, (), findings.script, sources.place)

    def _output(self, found: list[str], findings: Findings) -> Output:
        """A text if it learned from texts, else a list of symbols."""
        return findings.script.notation.target(found) if findings.script.text else found


def _source_symbols(task: TransductionTask) -> frozenset[str]:
    return frozenset(symbol for pair in task.pairs for symbol in pair.source)


def _way(setting: str) -> str | None:
    return None if setting == "auto" else setting
