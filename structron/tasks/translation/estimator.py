"""Translator: sentences of another language, in scikit-learn's shape."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import NoReturn

from structron.errors import SettingError
from structron.fit.estimator import Estimator
from structron.fit.parameters import parameters
from structron.reference.sequence.trace import Trace
from structron.search import Search, parse_search
from structron.settings import setting
from structron.tasks.translation.fitting.findings import Findings
from structron.tasks.translation.fitting.plans import AnyTask
from structron.tasks.translation.inputs import Lines, read_targets
from structron.tasks.translation.problem import Output, TranslationProblem
from structron.tasks.translation.settings import TranslationRecipe, TranslationSettings
from structron.tasks.translation.words.links import Link, words_and_links
from structron.tasks.translation.words.unseen_words import count_unseen, unseen_words


@parameters
class Translator(Estimator[AnyTask, TranslationRecipe, Lines, Findings, Output], TranslationSettings):
    """Translates sentences phrase by phrase, from nothing but parallel text.

    ``Translator().fit(X, y, dev=(X_dev, y_dev))`` is the good choice; parameters are explained in
    `structron.fit.TranslationRecipe`. It aligns words, extracts phrases, makes a language model of the
    targets and tunes the dense weights on the development set, or without one on a part of the training data
    that the tables have not seen meanwhile. With templates it then learns sparse features: dense weights are
    tuned on the first half of the development set, and epochs are chosen by the second. Where no epoch is
    better than the dense weights alone, these are tuned on both halves and kept.

    X is a list of sources, each a str or a list of words; y has for each one target or a list of several
    references. A str is a raw sentence, whose words and usual case are found and undone in the output, if
    punctuation stands at words in most of them (or ``pretokenized=False``); otherwise its words stand between
    blanks. Where targets are texts, a list of str is several references; where they are
    words, a list of str is one target and a list of lists several. What comes as a str is answered by a str,
    a list of words by a list; an empty line by an empty one. Words that no phrase has are copied.
    Labels are target words; there are no epochs where no sparse features are learned.

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

    language_model: str | Path | None = setting(
        default=None,
        help="An n-gram model in ARPA format, or a translator that has one; otherwise it is trained on TGT",
        metavar="FILE",
    )
    pretokenized: bool | None = setting(
        default=None,
        help="Take texts as words between blanks, or as raw sentences; otherwise punctuation says which",
        flags="--pretokenized/--raw",
    )

    # -------------------------------------------------------------------------------------- what was learned

    @property
    def phrases_(self) -> int:
        """Phrase pairs in the table."""
        return len(self._learned().model.task.phrases)

    @property
    def tuning_(self) -> list[tuple[float, float]]:
        """BLEU, from 0 to 1, and length ratio of the outputs that each round of tuning began with."""
        return list(self._learned().findings.tuning)

    @property
    def empty_(self) -> int:
        """Pairs left out since a side is empty."""
        return self._learned().findings.empty

    @property
    def unreachable_(self) -> int:
        """Examples of the last `fit` that no derivation yields."""
        return self._learned().findings.unreachable

    @property
    def unseen_(self) -> Counter[str]:
        """Source words that no phrase has, and how often they came up in translation; they are copied."""
        return self._learned().findings.unseen

    @property
    def unseen(self) -> str | None:
        """Describe `unseen_` in one sentence; None if it is empty."""
        return unseen_words(self._learned().findings.unseen)

    def unseen_of(self, X: Iterable[object]) -> str | None:
        """Return a message about the words of these sources that no phrase has; None if there are none."""
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
        *,
        labels: Sequence[str] | None = None,
        new_labels: bool = False,
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
        problem = TranslationProblem.of(self)
        inputs, table = self._inputs(X, None, fitted), fitted.model.task.phrases
        used = fitted.model.ask(
            inputs.xs, lambda engine, *given: engine.derivations(*given), place=inputs.place
        )
        found = [words_and_links(table, x, each) for x, each in zip(inputs.xs, used)]
        outputs, linked = [], []
        for number, (words, links) in enumerate(found):
            output, to = problem.written(words, number, inputs, fitted.findings)
            outputs.append(output)
            linked.append(sorted({(inputs.source.places[number][i], to[j]) for i, j in links}))
        return outputs, linked

    def check_order(self, X: Iterable[object], y: Iterable[object]) -> None:
        """Refuse sources and targets that stand the wrong way round, as `fit` and `score` do."""
        self.problem.read(X, y, self._learned().findings)

    def trace(self, x: object, gold: object = None, search: str | Search | None = None) -> Trace:
        """Return the trace of the search on one source; with gold references, where it falls off."""
        fitted = self._ready()
        (words,) = self.problem.inputs([x], fitted).xs
        references = None if gold is None else read_targets([gold], 1, fitted.findings.writing)[0]
        return fitted.model.trace(words, references, None if search is None else parse_search(search))
