"""Lemmatizer: dictionary forms of words, from form and tags, in scikit-learn's shape."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import fields
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self, cast

from structron import _core
from structron.engine.rows import is_text
from structron.errors import DataError, ModelError
from structron.fit.data.inputs import listed
from structron.fit.parameters import ModelFile, Parameters, not_fitted, parameters
from structron.io import Sentence
from structron.labelling.task import TaggingTask
from structron.model import Model, fault
from structron.registry import estimator_of
from structron.settings import setting, settings_of
from structron.tasks.lemmatisation.capitals import first_capital, tags_without_capitals
from structron.tasks.lemmatisation.presets import LEMMA
from structron.tasks.lemmatisation.scripts import applied, script_of
from structron.tasks.lemmatisation.task import Known, LemmatisationTask

if TYPE_CHECKING:
    from structron.explaining import Explanation
    from structron.fit import Checkpoint, Epoch
    from structron.fit.schedules.schedule import Progress
    from structron.tasks.lemmatisation.task import Word

COLUMNS = ("form", "upos", "feats")
TOKENS = "give (form, tag, features) for each word"
# Size of the cache, so that memory stays bounded for texts of any length.
REMEMBERED = 1 << 19


class Lemmatizing:
    """The learned state of a lemmatizer, apart from its parameters."""

    _model: Model[LemmatisationTask] | None = None
    _history: list[Epoch] | None = None
    _memory: _core.LemmaMemory | None = None


@parameters
class Lemmatizer(Lemmatizing, ModelFile, Parameters):
    """Gives every word its lemma: by what was seen in training, else by an edit script that is learned.

    A sentence is a list of (form, tag, features), or comes from a CoNLL-U file. Answers are never empty.

    Examples
    --------
    >>> X = [[("dogs", "NOUN", "Number=Plur"), ("bark", "VERB", "_")], [("cats", "NOUN", "Number=Plur")]]
    >>> Lemmatizer(epochs=3).fit(X, [["dog", "bark"], ["cat"]]).predict([[("cows", "NOUN", "Number=Plur")]])
    [['cow']]
    """

    kind = "lemmatisation"

    templates: Sequence[str] = setting(
        default=tuple(LEMMA), help="Features of a word, a template each", metavar="TEMPLATES"
    )
    epochs: int = setting(default=10, help="Passes over the data", metavar="N", low=1)
    learner: str = setting(
        default="perceptron:margin=20", help="How far to move the weights", metavar="LEARNER"
    )
    seed: int = setting(default=0, help="Seed of the order of the examples", metavar="N", low=0)
    min_count: int = setting(
        was="least",
        default=2,
        help="Learn edit scripts that N different words have",
        metavar="N",
        low=1,
        high=255,
    )
    min_tags: int = setting(
        was="least_tags",
        default=1,
        help="A known word keeps its lemma if N of its tags are as they were seen: 2 for tag and features, 1 "
        "for the tag alone, 0 for the form alone",
        metavar="N",
        low=0,
        high=255,
    )
    columns: Sequence[str] = setting(
        default=COLUMNS,
        help="The columns that are read of sentences from files, the form first",
        metavar="COLUMNS",
    )
    partial: bool = setting(
        default=False,
        help="Some lemmas are not known (_ in files, None in lists): learn from the others",
        flags="--partial/--whole",
    )

    def __getstate__(self) -> dict[str, Any]:
        return vars(self) | {"_memory": None}

    @property
    def model_(self) -> Model[LemmatisationTask]:
        """Return the model; refuse if nothing was learned."""
        if self._model is None:
            raise not_fitted("this Lemmatizer has learned nothing yet; call fit or load first")
        return self._model

    @property
    def history_(self) -> list[Epoch]:
        """The epochs in which scripts were learned."""
        self.model_  # noqa: B018
        return self._history or []

    # -------------------------------------------------------------------------------------------- learning

    def fit(
        self,
        X: Iterable[object],
        y: Iterable[Sequence[str]] | None = None,
        dev: Any = None,
        *,
        progress: Progress | None = None,
        checkpoint: Checkpoint | str | Path | None = None,
        resume: bool = False,
    ) -> Self:
        """Learn from words with their lemmas; with `dev` (as X, or a pair of X and y) keep the best epoch.

        Scripts are learned from different words, each once: the frequent ones are known anyway.
        """
        self._check()
        words, lemmas = self._examples(X, y, partial=self.partial)
        seen = [
            (word, script_of(word[0], lemma))
            for pairs in zip(words, lemmas)
            for word, lemma in zip(*pairs)
            if lemma is not None
        ]
        if not seen:
            raise DataError("there is nothing to learn from; give at least one word with its lemma")
        known = Known.observed(seen, self.min_tags)
        distinct = list(dict.fromkeys(seen))
        owners: dict[str, set[str]] = {}
        for word, script in distinct:
            owners.setdefault(script, set()).add(word[0])
        labels = {script for script, forms in owners.items() if len(forms) >= self.min_count} or set(owners)
        chosen = [pair for pair in distinct if pair[1] in labels]
        tagger = estimator_of("tagging")(
            templates=list(self.templates),
            order=0,
            search="greedy",
            epochs=self.epochs,
            learner=self.learner,
            seed=self.seed,
            constraints=None,
        )
        tagger.fit(
            [[word] for word, _ in chosen],
            [[script] for _, script in chosen],
            dev=None if dev is None else self._unknown(dev, known, labels),
            progress=progress,
            checkpoint=checkpoint,
            resume=resume,
        )
        model = tagger.model_
        inherited = {each.name: getattr(model.task, each.name) for each in fields(TaggingTask)}
        task = LemmatisationTask(**inherited, known=known, least_tags=self.min_tags)
        about = model.about | {"columns": list(self.columns), "least": self.min_count}
        if initial := tags_without_capitals(words, lemmas):
            about["initial"] = initial
        self._publish(Model(task, model.rows, model.search, about), tagger.history_)
        return self

    def _unknown(self, dev: Any, known: Known, labels: set[str]) -> tuple[list[Any], list[Any]] | None:
        """The words of a development set whose script is to be found, token by token; None without any."""
        X, y = dev if isinstance(dev, tuple) and len(dev) == 2 else (dev, None)
        words, lemmas = self._examples(X, y)
        task = LemmatisationTask(("",), ("bias",), known=known, least_tags=self.min_tags)
        pairs = [
            (word, script_of(word[0], lemma))
            for sentence in zip(words, lemmas)
            for word, lemma in zip(*sentence)
            if task.known_lemma(word) is None
        ]
        found = [(word, script) for word, script in pairs if script in labels]
        return ([[word] for word, _ in found], [[script] for _, script in found]) if found else None

    def _publish(self, model: Model[LemmatisationTask], history: list[Epoch]) -> None:
        self._model, self._history, self._memory = model, history, None

    def _check(self) -> None:
        known = settings_of(Lemmatizer)
        for name in ("min_count", "min_tags"):
            known[name].checked(getattr(self, name))

    # ------------------------------------------------------------------------------------------ predicting

    def predict(self, X: Iterable[object]) -> list[list[str]]:
        """The lemma of every word of every sentence."""
        return self.lemmas([self._folded(words) for words in self._words(listed(X, "X", TOKENS))])

    def folded(self, forms: list[str], tags: Sequence[str]) -> list[str]:
        """Return the forms of a sentence, the first new word without a capital if its tag says so.

        Sentences begin with a capital, which the lemma of a verb has not; the tags are those of training.
        """
        initial = self.model_.about.get("initial")
        if initial is None or not (first := first_capital(forms)) or tags[first - 1] not in initial:
            return forms
        form = forms[first - 1]
        if self.model_.task.known_lemma((form, tags[first - 1])) is not None:
            return forms
        return [*forms[: first - 1], form[0].lower() + form[1:], *forms[first:]]

    def _folded(self, words: list[Word]) -> list[Word]:
        if len(self.columns) == 1 or not words:
            return words
        forms, *tags = zip(*words)
        return [*zip(self.folded(list(forms), tags[0]), *tags)]

    def lemmas(self, sentences: Sequence[Sequence[Word]] | Sequence[_core.TokenColumns]) -> list[list[str]]:
        """Return the same for sentences that are lists of tuples, all as long as in training, or columns.

        An answer is found once for each different word.
        """
        if self._memory is None:
            self._memory = _core.LemmaMemory(REMEMBERED)
        try:
            return self._memory.lemmas(sentences, len(self.columns), self._find)
        except UnicodeEncodeError as error:
            raise DataError(f"{fault(error)}; fix it or leave it out") from None

    def _find(self, words: Sequence[Word]) -> list[str]:
        """The lemmas of different words."""
        lemmas = self.model_.task.known_lemmas(words)
        new = [i for i, lemma in enumerate(lemmas) if lemma is None]
        scripts = self.model_.predict([[words[i]] for i in new]) if new else []
        for i, (script,) in zip(new, scripts):
            lemmas[i] = applied(script, words[i][0]) or words[i][0]
        return cast("list[str]", lemmas)

    def explain(self, x: object) -> Explanation:
        """Why each word gets its lemma: it was seen with it, or an edit script, by names and weights."""
        from structron.explaining import Decision, Explanation, account_of, explained

        words = self._folded(self._words([x])[0])
        model, found, score = self.model_, list[Decision](), 0.0
        for word in words:
            lemma = model.task.known_lemma(word)
            if lemma is not None:
                found.append(Decision(word[0], f"{lemma}, as it was seen", None, 0.0, 0.0, ()))
                continue
            own = explained(account_of(model, [word]), model.rows)
            score += own.score
            found += own.decisions
        return Explanation(" ".join(self.lemmas([words])[0]), score, tuple(found))

    def score(self, X: Iterable[object], y: Iterable[Sequence[str]] | None = None) -> float:
        """The share of words with the right lemma."""
        from structron.metrics import accuracy

        words, lemmas = self._examples(X, y)
        return accuracy(lemmas, self.lemmas(words))

    # -------------------------------------------------------------------------------------------- reading

    def _examples(
        self, X: Iterable[object], y: Iterable[Sequence[str | None]] | None, *, partial: bool = False
    ) -> tuple[list[list[Word]], list[list[Any]]]:
        """Return words and lemmas, as many; with `partial` a lemma may be None, in files ``_``."""
        sentences = listed(X, "X", TOKENS)
        words = self._words(sentences)
        if y is None:
            if not all(isinstance(sentence, Sentence) for sentence in sentences):
                raise DataError("y is missing; give the lemmas of each sentence")
            files = cast(list[Sentence], sentences)
            lemmas = [list(one.values("lemma") if partial else one.column("lemma")) for one in files]
        else:
            advice = "give a list of lemmas"
            given = enumerate(listed(y, "y", advice), 1)
            lemmas = [cast(list[Any], listed(each, f"y of sentence {i}", advice)) for i, each in given]
        if len(lemmas) != len(words):
            raise DataError(f"{len(words)} sentences but {len(lemmas)} lists of lemmas; give one list each")
        for number, (sentence, own) in enumerate(zip(words, lemmas), 1):
            if len(sentence) != len(own):
                raise DataError(
                    f"sentence {number}: {len(sentence)} words but {len(own)} lemmas; give one lemma each"
                )
            if not all((is_text(lemma) and lemma) or (partial and lemma is None) for lemma in own):
                raise DataError(
                    f"sentence {number}: a lemma is empty or not text; give a str"
                    + (", or None where nobody knows" if partial else "")
                )
            if not all(is_text(text) for word in sentence for text in word):
                raise DataError(f"sentence {number}: half of a surrogate pair is not a character; fix it")
        return words, lemmas

    def _words(self, sentences: Sequence[object]) -> list[list[Word]]:
        return [self._sentence(sentence, number) for number, sentence in enumerate(sentences, 1)]

    def _sentence(self, sentence: object, number: int) -> list[Word]:
        if isinstance(sentence, Sentence):
            return list(zip(*(sentence.column(name) for name in self.columns)))
        if isinstance(sentence, str) or not isinstance(sentence, Sequence):
            raise DataError(f"sentence {number} is of type {type(sentence).__name__}; {TOKENS}")
        words = [(word,) if isinstance(word, str) else tuple(word) for word in sentence]
        for word in words:
            if len(word) != len(self.columns) or not all(isinstance(part, str) for part in word):
                raise DataError(f"sentence {number}: {word!r} has not {len(self.columns)} texts; {TOKENS}")
            if not word[0]:
                raise DataError(f"sentence {number}: a form is empty; {TOKENS}")
        return words

    @classmethod
    def of_model(cls, model: Model[LemmatisationTask], where: str) -> Self:
        """A lemmatizer around a finished model."""
        from structron.fit import Epoch

        columns, least = model.about.get("columns"), model.about.get("least")
        recipe = model.about.get("recipe")
        if not isinstance(columns, list) or type(least) is not int or not isinstance(recipe, dict):
            raise ModelError(f"{where}: the model does not say how it was made; train it again")
        if len(columns) < model.task.columns:
            raise ModelError(f"{where}: the model reads more columns than it names; train it again")
        made = {name: recipe[name] for name in ("epochs", "learner", "seed") if name in recipe}
        own = cls(
            templates=model.task.templates,
            min_count=least,
            min_tags=model.task.least_tags,
            columns=tuple(columns),
            **made,
        )
        own._publish(model, [Epoch.from_record(record) for record in model.about.get("epochs", [])])
        return own
