"""The problem of translation: sentences of two languages."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import chain
from pathlib import Path
from typing import Any, ClassVar, NoReturn, cast

import numpy as np

from structron.errors import DataError, ModelError, SettingError
from structron.fit.data.entries import Entries
from structron.fit.data.examples import Examples
from structron.fit.data.inputs import listed
from structron.fit.learning import Packed
from structron.fit.problem import TRAINING, Context, Ending, Fitted, Metric, Problem, Restored, Step
from structron.fit.schedules.schedule import Stage
from structron.io.values.ngrams import SPECIAL
from structron.metrics.bleu import SIZE, References, bleu
from structron.model import Model
from structron.reference.sequence.training import Example
from structron.tasks.translation.decoding.targets import Target
from structron.tasks.translation.fitting import plans
from structron.tasks.translation.fitting.findings import Findings, findings_of
from structron.tasks.translation.fitting.order_check import refuse_swapped
from structron.tasks.translation.fitting.plans import AnyTask, TranslationPlan
from structron.tasks.translation.fitting.retuning import retuned
from structron.tasks.translation.inputs import Lines, Words, read_sources, read_targets
from structron.tasks.translation.language_model.reading import read_language_model
from structron.tasks.translation.settings import TranslationRecipe
from structron.tasks.translation.words.unseen_words import count_unseen
from structron.tasks.translation.writing import Writing, strings_of

Output = str | list[str]
TranslationContext = Context[TranslationRecipe, Lines]


@dataclass(frozen=True)
class TranslationProblem(Problem[AnyTask, TranslationRecipe, Lines, Findings, Output]):
    """Sentences of two languages.

    Attributes
    ----------
    language_model
        A file of n-grams in the ARPA format.
    threads
        How many threads align and tune.
    pretokenized
        Whether texts are words between blanks; None looks at the punctuation.
    """

    kind: ClassVar[str] = "translation"
    language_model: str | Path | None = None
    threads: int = 1
    pretokenized: bool | None = None

    def check_correctable(self, model: Model[AnyTask]) -> None:
        raise SettingError(
            "correct is not for translation, whose weights are tuned on dev data; train it with the pairs"
        )

    def remembered(self, x: Any, y: Any) -> Any:
        raise SettingError("memory is for correct, which is not for translation; set memory to 0")

    # ------------------------------------------------------------------------------------------- reading

    def read(
        self, X: Iterable[object], y: Iterable[object] | None, findings: Findings | None = None
    ) -> Examples[Lines]:
        if findings is None:
            X, y = _listed(X, "sources"), _listed(y, "targets")
            writing = Writing.of(strings_of(X), strings_of(y or ()), self.pretokenized)
        else:
            writing = findings.writing
        sources, lines = read_sources(X, writing)
        targets = read_targets(y, len(sources), writing)
        if findings is not None:
            refuse_swapped(sources, targets, (findings.words, findings.targets))
        return Examples(sources, targets, lines, lines.place)

    def read_dev(
        self, X: Iterable[object], y: Iterable[object] | None, given: Examples[Lines]
    ) -> Examples[Lines]:
        """Development data that are the wrong way round are refused before hours of work."""
        targets = frozenset(chain.from_iterable(chain.from_iterable(given.ys)))
        known = Findings(frozenset(chain.from_iterable(given.xs)), targets, writing=given.source.writing)
        return self.read(X, y, known)

    def sources(self, X: Iterable[object], fitted: Fitted[AnyTask, Findings]) -> Examples[Lines]:
        """Return the words of sources as the table knows them."""
        sources, lines = read_sources(X, fitted.findings.writing)
        known = fitted.findings.source_words
        places = [[at[i] for i in known.places(x)] for at, x in zip(lines.places, sources)]
        lines = replace(lines, places=places)
        return plans.seen(Examples(sources, (), lines, lines.place), known)

    def inputs(self, X: Iterable[object], fitted: Fitted[AnyTask, Findings]) -> Examples[Lines]:
        inputs = self.sources(X, fitted)
        fitted.findings.unseen.update(count_unseen(inputs.xs, fitted.findings.words))
        return inputs

    def from_entries(
        self, inputs: Examples[Lines], entries: Entries, fitted: Fitted[AnyTask, Findings]
    ) -> Sequence[object]:
        if entries.weights:
            raise SettingError("terms of a glossary win always; leave their weights out")
        return [entries] * len(inputs.xs)

    def restricted(
        self, inputs: Examples[Lines], given: Sequence[object], fitted: Fitted[AnyTask, Findings]
    ) -> Examples[Lines]:
        from structron.tasks.translation.words.glossary import Terms, with_terms

        known, lines = fitted.findings.source_words, inputs.source
        sides = lines.writing.sides

        def source(text: str) -> Sequence[str]:
            return known.seen(text.split() if sides[0] is None else sides[0].read(text).words)

        def target(text: str) -> Sequence[str]:
            return text.split() if sides[1] is None else sides[1].read(text).words

        found = []
        for words, places, entries in zip(inputs.xs, lines.places, given):
            if entries is None:
                found.append(Terms(words, list(places), {}))
                continue
            own = entries if isinstance(entries, Entries) else Entries(cast(Any, entries))
            found.append(with_terms(words, places, own, source, target))
        found_lines = replace(
            lines, places=[each.places for each in found], terms=[each.translations for each in found]
        )
        return replace(inputs, xs=[each.words for each in found], source=found_lines)

    def seen(self, examples: Examples[Lines], findings: Findings) -> Examples[Lines]:
        return plans.seen(examples, findings.source_words)

    # ----------------------------------------------------------------------------------------- preparing

    def steps(self, recipe: TranslationRecipe) -> list[Step]:
        steps = [
            Step("alignment", "align the words of all pairs", self._aligned),
            Step("tables", "count phrases or rules, and n-grams of the targets", plans.with_tables),
        ]
        if recipe.learns:
            steps.append(Step("jackknife", "hide from each pair the tables that it is in", plans.in_folds))
        if recipe.tuner is not None:
            steps.append(Step("tuning", "tune the dense weights on held-out data", self._tuned, TRAINING))
        return steps

    def _aligned(self, plan: TranslationPlan, context: TranslationContext) -> TranslationPlan:
        # Read it first: report a bad file now, not after minutes of alignment.
        ngrams = None if self.language_model is None else read_language_model(self.language_model)
        return plans.aligned(plan, ngrams, self.threads, context.stage)

    def _tuned(self, plan: TranslationPlan, context: TranslationContext) -> TranslationPlan:
        own = None if self.language_model is None else plan.task.language_model
        held_out = context.held_out
        if held_out is not None:
            held_out = self.seen(held_out, plan.findings)
        return plans.tuned_plan(plan, held_out, own, self.threads, context.stage, context.preparation)

    def extend(
        self, recipe: TranslationRecipe, given: Examples[Lines], fitted: Fitted[AnyTask, Findings]
    ) -> NoReturn:
        """Refuse: phrases are counted in all pairs together."""
        raise SettingError(
            "a translator counts phrases in all pairs together and cannot learn batch by batch; call fit"
        )

    def packed(self, findings: Findings, packed: Packed) -> Findings:
        if not packed.sentences:
            raise DataError(
                f"none of {packed.unreachable:,} sources has a derivation of its target; use templates "
                "dense, which learn from no derivations, a lower least, or a higher distortion limit"
            )
        return replace(findings, unreachable=packed.unreachable)

    def ending(self, plan: TranslationPlan, held_out: Examples[Lines] | None, stage: Stage | None) -> Ending:
        """Dense weights are tuned again after each epoch; if none is better, on all development data."""
        if held_out is None:
            return Ending(keeps_start=bool(plan.findings.tuning))
        seen = self.seen(held_out, plan.findings)
        tuning, _ = plans.halves(plan.recipe, seen)
        sentences = [(x, y) for x, y in zip(tuning.xs, tuning.ys) if x]
        return Ending(
            partial(retuned, sentences=sentences, recipe=plan.recipe, threads=self.threads),
            bool(plan.findings.tuning),
            lambda plan: plans.settled_plan(plan, seen, self.threads, stage),
        )

    def spaces(self, plan: TranslationPlan) -> list[Example]:
        """Return spaces with oracles; those without a derivation are treated as `unreachable` says."""
        found: list[Example] = []
        for x, y in zip(plan.examples.xs, plan.examples.ys):
            space: Any = plan.task.space(x)
            gold: Any = plan.task.gold(space, y)
            if isinstance(gold, Target) or gold.words:
                found.append((space, gold))
        return found

    # --------------------------------------------------------------------------------- scoring, judging

    def score(self, task: AnyTask) -> Metric:
        """BLEU from 0 to 1."""

        def score(gold: Sequence[Sequence[Words]], guess: Sequence[Words]) -> float:
            counts = (References(references).counts(output) for references, output in zip(gold, guess))
            return bleu(sum(counts, np.zeros(SIZE))) / 100

        return score

    def measured(self, plan: TranslationPlan, held_out: Examples[Lines]) -> tuple[AnyTask, Examples[Lines]]:
        """Dense weights are tuned on the first half, and epochs are compared on the second."""
        return plan.task, plans.halves(plan.recipe, held_out)[1]

    def labels(self, task: AnyTask) -> list[str]:
        return sorted(set(task.phrases.target_vocabulary) - set(SPECIAL))

    def output(self, found: list[str], i: int, inputs: Examples[Lines], findings: Findings) -> Output:
        """A text for a text, words for words."""
        return self.written(found, i, inputs, findings)[0]

    def written(
        self, found: list[str], i: int, inputs: Examples[Lines], findings: Findings
    ) -> tuple[Output, Sequence[int]]:
        """Return an output, and for each word the number of the one between blanks that it is part of."""
        from structron.tasks.translation.words.glossary import written_out

        side = findings.writing.sides[1]
        words, begins = written_out(found, inputs.source.terms[i] if inputs.source.terms else {})
        if not inputs.source.texts[i]:
            return words, begins
        if side is None:
            return " ".join(words), begins
        text, numbers = side.write(words, inputs.source.high[i])
        return text, [numbers[begin] for begin in begins]

    # ------------------------------------------------------------------------------------- a model's file

    def describe(self, examples: Examples[Lines], findings: Findings) -> dict[str, object]:
        return {
            "empty": findings.empty,
            "unreachable": findings.unreachable,
            "tuning": [list(each) for each in findings.tuning],
            "language_model": None if self.language_model is None else str(self.language_model),
        } | ({} if self.pretokenized is None else {"pretokenized": self.pretokenized})

    @classmethod
    def restore(cls, model: Model[AnyTask], where: str) -> Restored:
        place = model.about.get("language_model")
        said = model.about.get("pretokenized")
        if not (place is None or isinstance(place, str)) or not (said is None or isinstance(said, bool)):
            raise ModelError(f"{where}: the model does not say how it was made; train it again")
        return Restored(findings_of(model, where), {"language_model": place, "pretokenized": said})


def _listed(items: Any, name: str) -> Any:
    """Return a list of what can be looked at once only; what is none is refused where it is read."""
    if items is None or isinstance(items, str | bytes):
        return items
    return listed(items, "X" if name == "sources" else "y", f"give a list of {name}")
