"""Translator: sentences of another language, in scikit-learn's shape."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from functools import partial
from itertools import chain
from pathlib import Path
from typing import Any, NoReturn

import numpy as np

from structron.errors import DataError, ModelError, SettingError
from structron.fit.checkpoints.checkpoints import Preparation
from structron.fit.estimator import Estimator
from structron.fit.examples import Examples
from structron.fit.fitted import Fitted
from structron.fit.learning import Packed
from structron.fit.parameters import parameters
from structron.fit.predictor import Metric
from structron.fit.schedules.schedule import Finish, Stage
from structron.io.formats.arpa import read_arpa
from structron.io.values.ngrams import SPECIAL
from structron.metrics.bleu import SIZE, References, bleu
from structron.model import Model
from structron.reference.sequence.trace import Trace
from structron.reference.sequence.training import Example
from structron.search import Search, parse_search
from structron.settings import setting
from structron.tasks.translation.decoding.targets import Target
from structron.tasks.translation.fitting import plans
from structron.tasks.translation.fitting.findings import Findings, findings_of
from structron.tasks.translation.fitting.order_check import refuse_swapped
from structron.tasks.translation.fitting.plans import AnyTask, TranslationPlan
from structron.tasks.translation.fitting.retuning import retuned
from structron.tasks.translation.inputs import Lines, Words, read_sources, read_targets
from structron.tasks.translation.settings import TranslationRecipe, TranslationSettings
from structron.tasks.translation.words.links import Link, words_and_links
from structron.tasks.translation.words.unseen import count_unseen, unseen_words

Output = str | list[str]


@parameters
class Translator(Estimator[AnyTask, TranslationRecipe, Lines, Findings, Output], TranslationSettings):
    """Translates sentences phrase by phrase, from nothing but parallel text.

    ``Translator().fit(X, y, dev=(X_dev, y_dev))`` is the good choice; parameters are explained in
    `structron.fit.TranslationRecipe`. It aligns words, extracts phrases, makes a language model of the
    targets and tunes the dense weights on the development set, or without one on a part of the training data
    that the tables have not seen meanwhile. With templates it then learns sparse features: dense weights are
    tuned on the first half of the development set, and epochs are chosen by the second. Where no epoch is
    better than the dense weights alone, these are tuned on both halves and kept.

    X is a list of sources, each a str (words between blanks) or a list of words; y has for each one target or
    a list of several references. Where targets are texts, a list of str is several references; where they are
    words, a list of str is one target and a list of lists several. What comes as a str is answered by a str,
    a list of words by a list; an empty line by an empty one. Words that no phrase has are copied.

    Attributes
    ----------
    labels_ : list of str
        Target words.
    history_ : list of Epoch
        Empty where no sparse features are learned.
    model_ : Model
    phrases_ : int
        Phrase pairs in the table.
    tuning_ : list of (float, float)
        BLEU, from 0 to 1, and length ratio of the outputs that each round of tuning began with.
    empty_ : int
        Pairs left out since a side is empty.
    unreachable_ : int
        Examples of the last `fit` that no derivation yields.
    unseen_ : Counter
        Source words that were to be translated and that no phrase has; they are copied.

    Examples
    --------
    >>> sources = ["das haus ist alt", "das buch ist neu", "ein haus ist neu", "ein buch"]
    >>> targets = ["the house is old", "the book is new", "a house is new", "a book"]
    >>> Translator().fit(sources, targets).predict(["das buch ist alt", ["ein", "haus"], ""])
    ['the book is old', ['a', 'house'], '']
    """

    kind = "translation"
    recipe_type = TranslationRecipe

    language_model: str | Path | None = setting(
        default=None,
        help="An n-gram model in the ARPA format; otherwise one is made from TGT",
        metavar="FILE",
    )

    # -------------------------------------------------------------------------------------- what was learned

    @property
    def phrases_(self) -> int:
        """Phrase pairs in the table."""
        return len(self._learned().model.task.phrases)

    @property
    def tuning_(self) -> list[tuple[float, float]]:
        """BLEU and length ratio of the outputs that each round of tuning began with."""
        return list(self._learned().findings.tuning)

    @property
    def empty_(self) -> int:
        """Pairs left out since a side is empty."""
        return self._learned().findings.empty

    @property
    def unreachable_(self) -> int:
        """Examples that no derivation yields."""
        return self._learned().findings.unreachable

    @property
    def unseen_(self) -> Counter[str]:
        """Source words that no phrase has, and how often they were to be translated."""
        return self._learned().findings.unseen

    @property
    def unseen(self) -> str | None:
        """What `unseen_` has, in one sentence; None if it is empty."""
        return unseen_words(self._learned().findings.unseen)

    def unseen_of(self, X: Iterable[object]) -> str | None:
        """Return what to say of the words of these sources that no phrase has; None if there are none."""
        fitted = self._learned()
        return unseen_words(count_unseen(self._sources(X, fitted).xs, fitted.findings.words))

    # -------------------------------------------------------------------------------------------- learning

    def partial_fit(
        self,
        X: Iterable[object],
        y: Iterable[object] | None = None,
        classes: Sequence[str] | None = None,
    ) -> NoReturn:
        """Refused: phrases are counted in all pairs together."""
        raise SettingError(
            "a translator counts phrases in all pairs together and cannot learn batch by batch; call fit"
        )

    def _examples(
        self, X: Iterable[object], y: Iterable[object] | None, findings: Findings | None = None
    ) -> Examples[Lines]:
        sources, lines = read_sources(X)
        targets = read_targets(y, len(sources))
        if findings is not None:
            refuse_swapped(sources, targets, (findings.words, findings.targets))
        return Examples(sources, targets, lines, lines.place)

    def _first_findings(self, given: Examples[Lines]) -> Findings:
        """With these, development data that are the wrong way round are told of before hours of work."""
        return Findings(
            frozenset(chain.from_iterable(given.xs)),
            frozenset(chain.from_iterable(chain.from_iterable(given.ys))),
        )

    def _plan(
        self,
        recipe: TranslationRecipe,
        given: Examples[Lines],
        stage: Stage | None = None,
        classes: Sequence[str] | None = None,
    ) -> TranslationPlan:
        # Read first: a file that is wrong should not be told of after minutes of alignment.
        ngrams = None if self.language_model is None else read_arpa(self.language_model)
        return plans.planned(recipe, given, ngrams, self.threads, stage)

    def _tuned(
        self,
        plan: TranslationPlan,
        held_out: Examples[Lines] | None,
        stage: Stage | None,
        preparation: Preparation,
    ) -> TranslationPlan:
        own = None if self.language_model is None else plan.task.language_model
        if held_out is not None:
            held_out = self._seen(held_out, plan.findings)
        return plans.tuned_plan(plan, held_out, own, self.threads, stage, preparation)

    def _finish(self, plan: TranslationPlan, held_out: Examples[Lines] | None) -> Finish[AnyTask] | None:
        if held_out is None:
            return None
        tuning, _ = plans.halves(plan.recipe, self._seen(held_out, plan.findings))
        sentences = [(x, y) for x, y in zip(tuning.xs, tuning.ys) if x]
        return partial(retuned, sentences=sentences, recipe=plan.recipe, threads=self.threads)

    def _seen(self, examples: Examples[Lines], findings: Findings) -> Examples[Lines]:
        return plans.seen(examples, findings.source_words)

    def _score_on(
        self, plan: TranslationPlan, held_out: Examples[Lines]
    ) -> Callable[[Model[AnyTask]], float]:
        return super()._score_on(plan, plans.halves(plan.recipe, held_out)[1])

    def _keeps_start(self, plan: TranslationPlan) -> bool:
        return bool(plan.findings.tuning)

    def _settled(
        self, plan: TranslationPlan, held_out: Examples[Lines] | None, stage: Stage | None
    ) -> TranslationPlan:
        assert held_out is not None  # else there was nothing to be better on
        return plans.settled_plan(plan, self._seen(held_out, plan.findings), self.threads, stage)

    def _next_plan(
        self, recipe: TranslationRecipe, given: Examples[Lines], fitted: Fitted[AnyTask, Findings]
    ) -> NoReturn:
        self.partial_fit((), ())

    def _packed(self, findings: Findings, packed: Packed) -> Findings:
        if not packed.sentences:
            raise DataError(
                f"none of {packed.unreachable:,} sources has a derivation of its target; use templates "
                "dense, which learn from no derivations, a lower least, or a higher distortion limit"
            )
        return replace(findings, unreachable=packed.unreachable)

    def _metric(self, task: AnyTask) -> Metric:
        """BLEU from 0 to 1."""

        def score(gold: Sequence[Sequence[Words]], guess: Sequence[Words]) -> float:
            counts = (References(references).counts(output) for references, output in zip(gold, guess))
            return bleu(sum(counts, np.zeros(SIZE))) / 100

        return score

    def _labels(self, task: AnyTask) -> list[str]:
        return sorted(set(task.phrases.target_vocabulary) - set(SPECIAL))

    def _spaces(self, plan: TranslationPlan) -> list[Example]:
        """Those without a derivation are treated as `unreachable` says."""
        found: list[Example] = []
        for x, y in zip(plan.examples.xs, plan.examples.ys):
            space: Any = plan.task.space(x)
            gold: Any = plan.task.gold(space, y)
            if isinstance(gold, Target) or gold.words:
                found.append((space, gold))
        return found

    def _about(self, examples: Examples[Lines], findings: Findings) -> dict[str, object]:
        return {
            "empty": findings.empty,
            "unreachable": findings.unreachable,
            "tuning": [list(each) for each in findings.tuning],
            "language_model": None if self.language_model is None else str(self.language_model),
        }

    @classmethod
    def _extra_parameters(cls, model: Model[AnyTask], where: str) -> dict[str, object]:
        place = model.about.get("language_model")
        if not (place is None or isinstance(place, str)):
            raise ModelError(f"{where}: the model does not say how it was made; train it again")
        return {"language_model": place}

    @classmethod
    def _findings_of(cls, model: Model[AnyTask], where: str) -> Findings:
        return findings_of(model, where)

    # ------------------------------------------------------------------------------------------ predicting

    def predict_with_alignment(self, X: Iterable[object]) -> tuple[list[Output], list[list[Link]]]:
        """The translations, and for each which words it has from which: pairs of source and target places.

        Both are counted from 0. Inside a phrase or rule, links are those it had most often in the training
        data; a copied word is linked to itself.
        """
        fitted = self._ready()
        inputs, table = self._inputs(X, fitted), fitted.model.task.phrases
        used = fitted.model.ask(
            inputs.xs, lambda engine, *given: engine.derivations(*given), place=inputs.place
        )
        found = [words_and_links(table, x, each) for x, each in zip(inputs.xs, used)]
        outputs = [self._answer(words, i, inputs, fitted.findings) for i, (words, _) in enumerate(found)]
        places = inputs.source.places
        return outputs, [sorted({(at[i], j) for i, j in links}) for at, (_, links) in zip(places, found)]

    def check_order(self, X: Iterable[object], y: Iterable[object]) -> None:
        """Refuse sources and targets that stand the wrong way round, as `fit` and `score` do."""
        self._examples(X, y, self._learned().findings)

    def trace(self, x: object, gold: object = None, search: str | Search | None = None) -> Trace:
        """What the search leaves behind on one source; with gold, one reference or more, where it falls."""
        fitted = self._ready()
        (words,) = self._inputs([x], fitted).xs
        references = None if gold is None else read_targets([gold], 1)[0]
        return fitted.model.trace(words, references, None if search is None else parse_search(search))

    def _sources(self, X: Iterable[object], fitted: Fitted[AnyTask, Findings]) -> Examples[Lines]:
        """Return the words of sources as the table knows them."""
        sources, lines = read_sources(X)
        known = fitted.findings.source_words
        lines = replace(lines, places=[known.places(x) for x in sources])
        return plans.seen(Examples(sources, (), lines, lines.place), known)

    def _inputs(self, X: Iterable[object], fitted: Fitted[AnyTask, Findings]) -> Examples[Lines]:
        inputs = self._sources(X, fitted)
        fitted.findings.unseen.update(count_unseen(inputs.xs, fitted.findings.words))
        return inputs

    def _output(self, found: list[str], findings: Findings) -> Output:
        return found

    def _answer(self, found: list[str], i: int, inputs: Examples[Lines], findings: Findings) -> Output:
        """A text for a text, words for words."""
        return " ".join(found) if inputs.source.texts[i] else found
