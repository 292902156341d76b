"""The problem of segmentation: texts with their sentences and words."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import field, replace
from itertools import accumulate
from typing import TYPE_CHECKING, Any, ClassVar, cast

from structron.errors import DataError, SettingError
from structron.fit.data.examples import Examples, format_of
from structron.fit.data.inputs import check_ordered
from structron.fit.problem import Context, Fitted, Metric, Plan, Problem, Step
from structron.io import Sentence
from structron.io.formats.raw_text import paragraphs
from structron.records import dataclass
from structron.segments.boundaries import SENTENCE, SomeTokens
from structron.segments.passages import Passage, aligned, passages, with_some_tokens
from structron.segments.segmented_text import SegmentedSentence
from structron.tasks.segmentation.sentences import AnyTask
from structron.tasks.segmentation.settings import SegmentationRecipe
from structron.tasks.segmentation.task import SegmentationTask
from structron.tasks.segmentation.words.task import WordTask

if TYPE_CHECKING:
    from structron.fit.data.entries import Entries
    from structron.reference.sequence.training import Example

Segmented = list[SegmentedSentence]


@dataclass(frozen=True)
class Read:
    """The data as read: passages with gold, or texts and which of their paragraphs are whose.

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
        """Sentences and tokens; passages that were written again with line ends are not counted twice."""
        given = self.ys[: len(self.source.passages)] if self.source.passages else self.ys
        flags = [token[2] for tokens in given for token in tokens]
        return {"sentences": sum(flag & SENTENCE for flag in flags), "tokens": len(flags)}


SegmentationPlan = Plan[AnyTask, SegmentationRecipe, Read, None]
SegmentationContext = Context[SegmentationRecipe, Read]


@dataclass(frozen=True)
class SegmentationProblem(Problem[AnyTask, SegmentationRecipe, Read, None, Segmented]):
    """Texts with their sentences and words.

    Attributes
    ----------
    system
        What is labelled, or built.
    tags
        The column that tags are in, for sentences from files.
    """

    kind: ClassVar[str] = "segmentation"
    system: str = "labels"
    tags: str = "auto"

    @property
    def _column(self) -> str | None:
        """The column that tags are in, where there are any."""
        return self.tags if self.system == "joint" else None

    def read(self, X: Iterable[object], y: Iterable[object] | None, findings: None = None) -> Passages:
        from structron.tasks.segmentation.units.given import is_spans, read_spans

        items = listed_texts(X)
        if y is not None:
            check_ordered(y, "y")
            gold = list(y)
            if len(gold) != len(items):
                raise DataError(f"{len(items)} texts but {len(gold)} segmentations; give one each")
            found = []
            for i, (text, sentences) in enumerate(zip(items, gold)):
                where, tagged = f"text {i + 1}", self._column is not None
                if is_spans(sentences):
                    found += with_some_tokens(text_of(text, i), read_spans(sentences, where), where)
                else:
                    found += aligned(text_of(text, i), cast(Any, sentences), where, tagged)
            return _passages(found, ())
        if any(not isinstance(item, Sentence) for item in items):
            raise DataError("y is missing; give for each text its sentences, each a list of tokens")
        treebank = cast(list[Sentence], items)
        return _passages(passages(treebank, tags=self._column), treebank)

    def inputs(self, X: Iterable[object], fitted: Fitted[AnyTask, None]) -> Examples[Read]:
        texts = [text_of(text, i) for i, text in enumerate(listed_texts(X))]
        pieces: list[str] = []
        counts, begins = [], []
        for text in texts:
            found = paragraphs(text)
            counts.append(len(found))
            begins += [begin for begin, _ in found]
            pieces += [text] if found == [(0, len(text))] else [text[begin:end] for begin, end in found]
        return Examples(pieces, (), Read(texts=texts, counts=counts, begins=begins))

    def restricted(
        self, inputs: Examples[Read], given: Sequence[object], fitted: Fitted[AnyTask, None]
    ) -> Examples[Read]:
        from structron.tasks.segmentation.units.given import with_given

        read = inputs.source
        numbers = [number for number, count in enumerate(read.counts) for _ in range(count)]
        places = list(zip(numbers, read.begins))
        return replace(inputs, xs=with_given(inputs.xs, places, given, fitted.model.task))

    def best_scores(
        self, inputs: Examples[Read], numbers: Sequence[int], fitted: Fitted[AnyTask, None]
    ) -> list[float]:
        """Add up the scores of the paragraphs of each text."""
        ends = [*accumulate(inputs.source.counts)]
        own = [range(ends[i] - inputs.source.counts[i], ends[i]) for i in numbers]
        every = [i for each in own for i in each]
        score = dict(zip(every, super().best_scores(inputs, every, fitted)))
        return [sum(score[i] for i in each) for each in own]

    def from_entries(
        self, inputs: Examples[Read], entries: Entries, fitted: Fitted[AnyTask, None]
    ) -> Sequence[object]:
        from structron.tasks.segmentation.units.given import tokens_of_entries

        task = fitted.model.task
        return [tokens_of_entries(i, text, entries, task) for i, text in enumerate(inputs.source.texts)]

    def steps(self, recipe: SegmentationRecipe) -> list[Step]:
        return [
            Step("passages", "cut the training data into passages", self._passages),
            Step("task", "settle units, labels and known tokens", _with_task),
            Step("sentences", "find sentences of texts of which only tokens are known", self._with_sentences),
            Step("more", "add passages with line ends, and with other abbreviations", _with_more),
        ]

    def _passages(self, plan: SegmentationPlan, context: SegmentationContext) -> SegmentationPlan:
        examples = self._shorter(plan.recipe, plan.examples)
        if plan.recipe.dictionary_file != "none":
            examples = self._with_entries(plan.recipe, examples)
        return replace(plan, examples=examples)

    def _with_entries(self, recipe: SegmentationRecipe, examples: Examples[Read]) -> Examples[Read]:
        """Return training data in which the entries of a dictionary are tokens."""
        from structron.fit.data.dictionary_file import entries_of_recipe
        from structron.tasks.segmentation.units.given import with_entries

        entries = entries_of_recipe(recipe)
        found = with_entries(examples.source.passages, entries)
        return _passages(found, examples.source.sentences)

    def _with_sentences(self, plan: SegmentationPlan, context: SegmentationContext) -> SegmentationPlan:
        from structron.registry import estimator_of
        from structron.tasks.segmentation.fitting.sentences_found import learned_from_whole, with_sentences

        xs, ys = plan.examples.xs, plan.examples.ys
        if not any(map(self.is_partial, ys)):
            return plan
        model = learned_from_whole(estimator_of(self.kind), plan.recipe, xs, ys, context.stage)
        if model is None:
            return plan
        return replace(plan, examples=replace(plan.examples, ys=with_sentences(model, xs, ys)))

    def extend(
        self, recipe: SegmentationRecipe, given: Examples[Read], fitted: Fitted[AnyTask, None]
    ) -> SegmentationPlan:
        from structron.tasks.segmentation.fitting.task_from_data import refitted

        examples = self._shorter(recipe, given)
        task = refitted(fitted.model.task, examples.source.passages)
        if any(map(self.is_partial, examples.ys)):
            from structron.tasks.segmentation.fitting.sentences_found import with_sentences

            examples = replace(examples, ys=with_sentences(fitted.model, examples.xs, examples.ys))
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
            if any(one.is_partial for one in found):
                raise SettingError(
                    "segmenters that search over words learn from whole texts; use system labels"
                )
            found = cut_into_clauses(found)
        return _passages(found, sentences)

    def is_partial(self, y: Any) -> bool:
        return isinstance(y, SomeTokens)

    def check(self, task: AnyTask, examples: Examples[Read]) -> None:
        for i, tokens in enumerate(examples.ys):
            if self.is_partial(tokens):
                raise DataError(f"{examples.place(i)}: not all tokens are known; score on whole texts")

    def score(self, task: AnyTask) -> Metric:
        from structron.tasks.segmentation.fitting.task_from_data import mean_f1
        from structron.tasks.segmentation.fitting.word_problem import WordF1

        return WordF1(task) if isinstance(task, WordTask) else mean_f1

    def recalled(self, record: Any) -> tuple[Any, Any]:
        x, y = record
        return x, [tuple(token) for token in y]

    def is_right(self, task: AnyTask, gold: Any, found: Any) -> bool:
        return self.score(task)([gold], [found]) == 1.0

    def readable(self, task: AnyTask, x: str, found: Any) -> list[list[Any]]:
        """Return sentences, each a list of tokens, or of pairs of token and tag."""
        from structron.tasks.segmentation.sentences import sentences_of

        return [
            [*zip(one.forms, one.tags)] if one.tags else one.forms
            for one in sentences_of(task, x, [0], [found])
        ]

    def spaces(self, plan: SegmentationPlan) -> list[Example]:
        examples, task = plan.examples, plan.task
        given = zip(examples.xs[: len(examples.source.passages)], examples.ys)  # not those learned again
        return [(task.space(x, y), task.oracle(x, y)) for x, y in given]

    def describe(self, examples: Examples[Read], findings: None) -> dict[str, object]:
        return format_of(examples.source.sentences)


def _with_task(plan: SegmentationPlan, context: SegmentationContext) -> SegmentationPlan:
    from structron.tasks.segmentation.fitting.task_from_data import make_task
    from structron.tasks.segmentation.fitting.word_problem import make_word_task

    recipe, source, announced = plan.recipe, plan.examples.source, context.classes or ()
    task: AnyTask
    if recipe.system == "labels":
        task = make_task(recipe, source.passages, announced)
    else:
        column = _conllu_column(source.sentences, recipe.tags)
        task = make_word_task(recipe, source.passages, column, announced)
    return replace(plan, recipe=_suited(recipe, task), task=task)


def _with_more(plan: SegmentationPlan, context: SegmentationContext) -> SegmentationPlan:
    from structron.tasks.segmentation.fitting.abbreviations import with_abbreviations
    from structron.tasks.segmentation.fitting.lines import with_lines

    if isinstance(plan.task, WordTask) or plan.task.columns < 4 or not context.whole:
        return plan
    xs, ys = with_lines(plan.examples.xs, plan.examples.ys)
    more = with_abbreviations(plan.examples.xs, plan.examples.ys, plan.task.habits)
    xs, ys = xs + more[0], ys + more[1]
    return replace(plan, examples=replace(plan.examples, xs=xs, ys=ys))


def _suited(recipe: SegmentationRecipe, task: AnyTask) -> SegmentationRecipe:
    return recipe.suited(isinstance(task, SegmentationTask) and bool(task.alone))


def _passages(found: Sequence[Passage], sentences: Sequence[Sentence]) -> Passages:
    return Passages(
        [one.text for one in found],
        [one.gold for one in found],
        Read(found, sentences, [one.text for one in found], [1] * len(found), [0] * len(found)),
        lambda i: found[i].place,
    )


def _conllu_column(sentences: Sequence[Sentence], tags: str) -> str:
    """Where the tags of these sentences belong in CoNLL-U: elsewhere they are of the kind that XPOS has."""
    universal = all(sentence.format.name == "conllu" for sentence in sentences) and tags in ("auto", "upos")
    return "upos" if universal else "xpos"


def listed_texts(X: object) -> list[object]:
    if isinstance(X, str | bytes) or not isinstance(X, Iterable):
        raise DataError("X is not a list; give a list of sentences of a treebank, or of texts")
    check_ordered(X, "X")
    return list(X)


def text_of(text: object, i: int) -> str:
    if not isinstance(text, str):
        raise DataError(f"text {i + 1} is of type {type(text).__name__}; give a str")
    return text
