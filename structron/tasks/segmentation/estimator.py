"""Segmenter: sentences and words from raw text, in scikit-learn's shape."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Self, cast, overload

from structron.errors import DataError
from structron.fit.estimator import Estimator
from structron.fit.examples import Examples, as_given, either, format_of
from structron.fit.fitted import Fitted, Plan
from structron.fit.inputs import check_ordered
from structron.fit.locks import exclusive
from structron.fit.parameters import parameters
from structron.io import Sentence
from structron.io.formats.raw_text import paragraphs
from structron.search import Search, parse_search
from structron.segments.boundaries import SENTENCE
from structron.segments.passages import Passage, aligned, passages
from structron.segments.segmented_text import SegmentedSentence
from structron.tasks.segmentation.sentences import AnyTask, sentences_of
from structron.tasks.segmentation.settings import SegmentationRecipe, SegmentationSettings
from structron.tasks.segmentation.task import SegmentationTask
from structron.tasks.segmentation.words.task import WordTask

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from structron.explaining import Explanation
    from structron.fit.predictor import Metric
    from structron.fit.schedules.schedule import Stage
    from structron.model import Model
    from structron.reference.sequence.trace import Trace
    from structron.reference.sequence.training import Example

Segmented = list[SegmentedSentence]


@dataclass(frozen=True)
class Read:
    """What was given: passages with gold, or texts and which of their paragraphs are whose.

    Attributes
    ----------
    passages
        Texts with their tokens.
    sentences
        The sentences they come from, where they come from files.
    texts, counts, begins
        The texts as they were given, how many paragraphs each has, and where each paragraph begins.
    """

    passages: Sequence[Passage] = ()
    sentences: Sequence[Sentence] = ()
    texts: Sequence[str] = ()
    counts: Sequence[int] = ()
    begins: Sequence[int] = field(default=())


class Passages(Examples[Read]):
    """Examples that count their tokens, not their characters."""

    @property
    def size(self) -> dict[str, int]:
        """Sentences and tokens."""
        flags = [token[2] for tokens in self.ys for token in tokens]
        return {"sentences": sum(flag & SENTENCE for flag in flags), "tokens": len(flags)}


SegmentationPlan = Plan[AnyTask, SegmentationRecipe, Read, None]


@parameters
class Segmenter(Estimator[AnyTask, SegmentationRecipe, Read, None, Segmented], SegmentationSettings):
    """Finds sentences, tokens and words in raw text.

    ``Segmenter().fit(sentences)`` is the good choice; parameters are explained in
    `structron.fit.SegmentationRecipe`. Sentences come from a treebank in CoNLL-U (``SpaceAfter=No``,
    multiword tokens and ``# newpar`` say what the text was), or from files with words between blanks, where
    the text had none. X may also be texts, with y a list of sentences for each, each a list of tokens.

    `predict` takes a text, and gives its sentences, or a list of texts, and gives a list of such lists. An
    empty line always ends a sentence. No character is lost: a text is its tokens and the white space between.

    For scripts without blanks ``Segmenter(system="words")`` searches over words, and
    ``Segmenter(system="joint")`` also gives them tags: files have them, or tokens in y are pairs of form and
    tag; ``sentence.tags`` has what is found.

    Attributes
    ----------
    labels_ : list of str
        What units of text are labelled with, see `structron.segments.boundaries`; with system joint
        the tags of words, with system words none.
    history_ : list of Epoch
    model_ : Model

    Examples
    --------
    >>> texts = ["It's late. Go!", "Stop! It's late."]
    >>> gold = [[["It", "'s", "late", "."], ["Go", "!"]], [["Stop", "!"], ["It", "'s", "late", "."]]]
    >>> [sentence.words for sentence in Segmenter(epochs=5).fit(texts, gold).predict("It's late. Stop!")]
    [['It', "'s", 'late', '.'], ['Stop', '!']]
    """

    kind = "segmentation"
    recipe_type = SegmentationRecipe

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
        """One pass over one batch; call it again with the next.

        Parameters
        ----------
        classes, labels
            Labels that will come besides those of the first batch, see
            `structron.segments.boundaries`; with system joint, tags.
        """
        wanted = either(classes, labels)
        return self._batch(X, y, lambda recipe, given: self._plan(recipe, given, classes=wanted), wanted)

    def _examples(self, X: Iterable[object], y: Iterable[object] | None, findings: None = None) -> Passages:
        items = _listed(X)
        if y is not None:
            check_ordered(y, "y")
            gold = list(y)
            if len(gold) != len(items):
                raise DataError(f"{len(items)} texts but {len(gold)} segmentations; give one each")
            found = []
            for i, (text, sentences) in enumerate(zip(items, gold)):
                where, tagged = f"text {i + 1}", self._column is not None
                found += aligned(_text(text, i), cast(Any, sentences), where, tagged)
            return _passages(found, ())
        if any(not isinstance(item, Sentence) for item in items):
            raise DataError("y is missing; give for each text its sentences, each a list of tokens")
        treebank = cast(list[Sentence], items)
        return _passages(passages(treebank, tags=self._column), treebank)

    @property
    def _column(self) -> str | None:
        """The column that tags are in, where there are any."""
        return self.tags if self.system == "joint" else None

    def _plan(
        self,
        recipe: SegmentationRecipe,
        given: Examples[Read],
        stage: Stage | None = None,
        classes: Sequence[str] | None = None,
    ) -> SegmentationPlan:
        from structron.tasks.segmentation.fitting.problem import make_task
        from structron.tasks.segmentation.fitting.word_problem import make_word_task

        examples = self._shorter(recipe, given)
        found = examples.source.passages
        task: AnyTask
        if recipe.system == "labels":
            task = make_task(recipe, found, classes or ())
        else:
            column = _conllu_column(given.source.sentences, recipe.tags)
            task = make_word_task(recipe, found, column, classes or ())
        return Plan(_suited(recipe, task), task, examples, None)

    def _next_plan(
        self, recipe: SegmentationRecipe, given: Examples[Read], fitted: Fitted[AnyTask, None]
    ) -> SegmentationPlan:
        from structron.tasks.segmentation.fitting.problem import refitted

        examples = self._shorter(recipe, given)
        task = refitted(fitted.model.task, examples.source.passages)
        return Plan(_suited(recipe, task), task, examples, None)

    def _shorter(self, recipe: SegmentationRecipe, given: Examples[Read]) -> Examples[Read]:
        """Training examples: as given, but passages of a treebank have at most so many sentences.

        Where words are built and no sentences are found, they are clauses.
        """
        from structron.tasks.segmentation.fitting.word_problem import cut_into_clauses

        sentences = given.source.sentences
        found = given.source.passages
        if sentences:
            found = passages(sentences, recipe.passage, self._column)
        if recipe.system != "labels":
            found = cut_into_clauses(found)
        return _passages(found, sentences)

    def _metric(self, task: AnyTask) -> Metric:
        from structron.tasks.segmentation.fitting.problem import mean_f1
        from structron.tasks.segmentation.fitting.word_problem import WordF1

        return WordF1(task) if isinstance(task, WordTask) else mean_f1

    def _labels(self, task: AnyTask) -> list[str]:
        return list(task.labels)

    def _spaces(self, plan: SegmentationPlan) -> list[Example]:
        examples, task = plan.examples, plan.task
        return [(task.space(x, y), task.oracle(x, y)) for x, y in zip(examples.xs, examples.ys)]

    def _about(self, examples: Examples[Read], findings: None) -> dict[str, object]:
        return format_of(examples.source.sentences)

    @classmethod
    def _findings_of(cls, model: Model[AnyTask], where: str) -> None:
        return None

    # ------------------------------------------------------------------------------------------ predicting

    def _inputs(self, X: Iterable[object], fitted: Fitted[AnyTask, None]) -> Examples[Read]:
        texts = [_text(text, i) for i, text in enumerate(_listed(X))]
        pieces: list[str] = []
        counts, begins = [], []
        for text in texts:
            found = paragraphs(text)
            counts.append(len(found))
            begins += [begin for begin, _ in found]
            pieces += [text] if found == [(0, len(text))] else [text[begin:end] for begin, end in found]
        return Examples(pieces, (), Read(texts=texts, counts=counts, begins=begins))

    def _output(self, found: Any, findings: None) -> Segmented:
        raise NotImplementedError  # paragraphs are put together by `predict`

    @overload  # type: ignore[override]
    def predict(self, X: str) -> Segmented: ...  # type: ignore[overload-overlap]
    @overload
    def predict(self, X: npt.NDArray[Any]) -> npt.NDArray[np.object_]: ...  # type: ignore[overload-overlap]
    @overload
    def predict(self, X: Iterable[object]) -> list[Segmented]: ...
    def predict(self, X: Any) -> Any:
        """The sentences of a text, or of each of several texts."""
        fitted = self._ready()
        inputs = self._inputs([X] if isinstance(X, str) else X, fitted)
        found = fitted.model.predict(inputs.xs, place=inputs.place)
        begins, answers, first = inputs.source.begins, [], 0
        for text, count in zip(inputs.source.texts, inputs.source.counts):
            own = slice(first, first + count)
            answers.append(sentences_of(fitted.model.task, text, begins[own], found[own]))
            first += count
        return answers[0] if isinstance(X, str) else as_given(X, answers)

    def predict_kbest(self, X: Iterable[object], k: int) -> list[list[tuple[Segmented, float]]]:
        """The `k` best ways to cut each text that the search finds, with their scores, best first."""
        fitted = self._ready()
        inputs = self._inputs([X] if isinstance(X, str) else X, fitted)
        found = iter(fitted.model.kbest(inputs.xs, k, place=inputs.place))
        begins = iter(inputs.source.begins)
        answers = []
        for text, count in zip(inputs.source.texts, inputs.source.counts):
            best: list[tuple[Segmented, float]] = [([], 0.0)]
            for _ in range(count):
                begin = next(begins)
                ways = [
                    (sentences_of(fitted.model.task, text, [begin], [spans]), score)
                    for spans, score in next(found)
                ]
                both = [(before + now, a + b) for before, a in best for now, b in ways]
                best = sorted(both, key=lambda each: -each[1])[:k]
            answers.append(best)
        return answers

    def paragraphs(self, text: str) -> list[str]:
        """What of a text is searched by itself: its parts between empty lines, or their clauses."""
        fitted = self._ready()
        task, found = fitted.model.task, self._inputs([text], fitted).xs
        if isinstance(task, WordTask):
            return [piece for one in found for piece in task.pieces(one) if not piece.isspace()]
        return list(found)

    def explain(self, x: object) -> Explanation:
        """Why it predicts what it does for one text; where its clauses are searched, one after the other."""
        from structron.explaining import joined

        text = _text(x, 0)
        pieces = self.paragraphs(text)
        if len(paragraphs(text)) != 1 or len(pieces) == 1:
            return super().explain(text)
        return joined(map(super().explain, pieces))

    def trace(self, x: object, gold: object = None, search: str | Search | None = None) -> Trace:
        """What the search leaves behind on one text without empty lines; with gold, where it falls off."""
        fitted = self._ready()
        text = _text(x, 0)
        tokens = None
        if gold is not None:
            tagged = isinstance(fitted.model.task, WordTask) and bool(fitted.model.task.labels)
            found = aligned(text, cast(Any, gold), "the text", tagged)
            tokens = [token for one in found for token in one.gold]
        return fitted.model.trace(text, tokens, None if search is None else parse_search(search))


def _suited(recipe: SegmentationRecipe, task: AnyTask) -> SegmentationRecipe:
    return recipe.suited(isinstance(task, SegmentationTask) and bool(task.alone))


def _passages(found: Sequence[Passage], sentences: Sequence[Sentence]) -> Passages:
    return Passages(
        [one.text for one in found],
        [one.gold for one in found],
        Read(found, sentences),
        lambda i: found[i].place,
    )


def _conllu_column(sentences: Sequence[Sentence], tags: str) -> str:
    """Where the tags of these sentences belong in CoNLL-U: elsewhere they are of the kind that XPOS has."""
    universal = all(sentence.format.name == "conllu" for sentence in sentences) and tags in ("auto", "upos")
    return "upos" if universal else "xpos"


def _listed(X: object) -> list[object]:
    if isinstance(X, str | bytes) or not isinstance(X, Iterable):
        raise DataError("X is not a list; give a list of sentences of a treebank, or of texts")
    check_ordered(X, "X")
    return list(X)


def _text(text: object, i: int) -> str:
    if not isinstance(text, str):
        raise DataError(f"text {i + 1} is of type {type(text).__name__}; give a str")
    return text
