"""Translator: sentences of another language, in scikit-learn's shape."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import NoReturn

from structron.errors import SettingError
from structron.fit.estimator import Estimator
from structron.learners import Learner
from structron.reference.sequence.trace import Trace
from structron.search import Search, parse_search
from structron.tasks.translation.fitting.findings import Findings
from structron.tasks.translation.fitting.plans import AnyTask
from structron.tasks.translation.inputs import Lines, read_targets
from structron.tasks.translation.problem import Output, TranslationProblem
from structron.tasks.translation.settings import TranslationRecipe
from structron.tasks.translation.words.links import Link, words_and_links
from structron.tasks.translation.words.unseen import count_unseen, unseen_words
from structron.updates import Update


class Translator(Estimator[AnyTask, TranslationRecipe, Lines, Findings, Output]):
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

    Parameters
    ----------
    templates, search, update, learner, epochs, seed, shuffle
        How it searches, and how sparse features are learned if there are any.
    system
        ``phrases``, or ``hiero`` for rules with gaps.
    longest, least, most, order, distortion_limit
        Phrases, language model and reordering.
    compounds, forms
        Whether compounds of the source are taken apart, and unseen words taken for others of their forms.
    initial, symbols, span_limit
        With hiero: how long phrases and the source sides of rules may be, and how much a rule may cover.
    tuning, list_size, frozen_dense, scale, retuning
        How dense weights are tuned, and whether they are learned afterwards.
    aim, among, folds
        What learning aims at, and that it does not see tables made of the same sentences.
    unreachable
        What becomes of pairs that no derivation yields: ``skip`` or ``prefix``.
    cut, bits, negligible, half, skip_correct
        What is left out, or shares a row.
    batch, shards, mixing
        How many examples are decoded before an update, and into how many shards the data are split.
    language_model
        A file in the ARPA format, such as KenLM's ``lmplz`` writes, instead of n-grams of the targets.
    threads
        Number of threads; the result does not depend on it.

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
    problem_type = TranslationProblem

    def __init__(
        self,
        *,
        templates: str | Sequence[str] = "auto",
        system: str = "phrases",
        search: str | Search = "auto",
        update: str | Update = "max_violation",
        learner: str | Learner = "perceptron:step=0.02",
        epochs: int = 2,
        seed: int = 0,
        shuffle: bool = True,
        longest: int = 7,
        least: int = 2,
        most: int = 20,
        initial: int = 10,
        symbols: int = 5,
        span_limit: int = 10,
        order: int = 4,
        distortion_limit: int = 6,
        compounds: str = "auto",
        forms: bool = True,
        tuning: int = 8,
        list_size: int = 100,
        frozen_dense: bool = True,
        scale: float = 0.1,
        aim: str = "reference",
        among: int = 30,
        folds: int = 5,
        retuning: int = 3,
        unreachable: str = "prefix",
        cut: int = 0,
        bits: int = 0,
        negligible: float = 0.0,
        half: bool = False,
        skip_correct: bool = False,
        batch: int = 1,
        shards: int = 1,
        mixing: str = "uniform",
        language_model: str | Path | None = None,
        threads: int = 1,
    ) -> None:
        self.templates = templates
        self.system = system
        self.search = search
        self.update = update
        self.learner = learner
        self.epochs = epochs
        self.seed = seed
        self.shuffle = shuffle
        self.longest = longest
        self.least = least
        self.most = most
        self.initial = initial
        self.symbols = symbols
        self.span_limit = span_limit
        self.order = order
        self.distortion_limit = distortion_limit
        self.compounds = compounds
        self.forms = forms
        self.tuning = tuning
        self.list_size = list_size
        self.frozen_dense = frozen_dense
        self.scale = scale
        self.aim = aim
        self.among = among
        self.folds = folds
        self.retuning = retuning
        self.unreachable = unreachable
        self.cut = cut
        self.bits = bits
        self.negligible = negligible
        self.half = half
        self.skip_correct = skip_correct
        self.batch = batch
        self.shards = shards
        self.mixing = mixing
        self.language_model = language_model
        self.threads = threads

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
        return unseen_words(
            count_unseen(TranslationProblem.of(self).sources(X, fitted).xs, fitted.findings.words)
        )

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

    # ------------------------------------------------------------------------------------------ predicting

    def predict_with_alignment(self, X: Iterable[object]) -> tuple[list[Output], list[list[Link]]]:
        """The translations, and for each which words it has from which: pairs of source and target places.

        Both are counted from 0. Inside a phrase or rule, links are those it had most often in the training
        data; a copied word is linked to itself.
        """
        fitted = self._ready()
        inputs, table = self.problem.inputs(X, fitted), fitted.model.task.phrases
        used = fitted.model.ask(
            inputs.xs, lambda engine, *given: engine.derivations(*given), place=inputs.place
        )
        found = [words_and_links(table, x, each) for x, each in zip(inputs.xs, used)]
        outputs = [
            self.problem.output(words, i, inputs, fitted.findings) for i, (words, _) in enumerate(found)
        ]
        places = inputs.source.places
        return outputs, [sorted({(at[i], j) for i, j in links}) for at, (_, links) in zip(places, found)]

    def check_order(self, X: Iterable[object], y: Iterable[object]) -> None:
        """Refuse sources and targets that stand the wrong way round, as `fit` and `score` do."""
        self.problem.read(X, y, self._learned().findings)

    def trace(self, x: object, gold: object = None, search: str | Search | None = None) -> Trace:
        """What the search leaves behind on one source; with gold, one reference or more, where it falls."""
        fitted = self._ready()
        (words,) = self.problem.inputs([x], fitted).xs
        references = None if gold is None else read_targets([gold], 1)[0]
        return fitted.model.trace(words, references, None if search is None else parse_search(search))
