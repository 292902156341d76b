"""The stages of a finished pipeline, applied to sentences."""

from __future__ import annotations

import contextlib
import gc
from collections.abc import Iterator, Sequence
from typing import Any

from structron.data import Sentence
from structron.data.raw import Paragraph
from structron.errors import ModelError, SettingError
from structron.estimators.lemmatisation import Lemmatizer
from structron.estimators.pipeline.kept import Column
from structron.estimators.pipeline.learning import BETWEEN, Columns, apart, zipped
from structron.estimators.pipeline.settings import TAGS
from structron.estimators.segmentation import Segmenter
from structron.estimators.segmentation.segmented import SegmentedSentence, conllu
from structron.estimators.segmentation.treebank import passages
from structron.model import Model
from structron.tasks.pipeline import PipelineTask, Stage
from structron.tasks.tagging import TaggingTask

KINDS = {"segmenter": "segmentation", "lemma": "lemmatisation", "parser": "parsing"}  # all others tag
FILLED = ("upos", "xpos", "feats", "lemma")


class Stages:
    """The parts of a pipeline's model, checked that they fit together, and used in their order."""

    def __init__(self, model: Model[PipelineTask], where: str) -> None:
        self.model = model
        names = {stage.name for stage in model.task.stages}
        if names != set(model.parts):
            raise ModelError(f"{where}: the stages and the parts of the model differ; train it again")
        for stage in model.task.stages:
            part = model.parts[stage.name]
            if part.task.kind != KINDS.get(stage.name, "tagging"):
                raise ModelError(f"{where}: its {stage.name} is a model for {part.task.kind}; train it again")
            reads = getattr(part.task, "columns", 0)
            if stage.sees and reads > len(stage.sees):
                raise ModelError(f"{where}: its {stage.name} reads more than it sees; train it again")
            labels = part.task.labels if isinstance(part.task, TaggingTask) else ()
            several = len(stage.fills) - 1
            if several and any(label.count(BETWEEN) != several for label in labels):
                raise ModelError(f"{where}: a label of its {stage.name} has other parts; train it again")
        cutter: Any = model.parts.get("segmenter")
        self.segmenter = None if cutter is None else Segmenter.of_model(cutter, where)
        lemma: Any = model.parts.get("lemma")
        self.lemmatizer = None if lemma is None else Lemmatizer.of_model(lemma, where)

    def annotated(
        self, sentences: Sequence[Sentence], start: str, threads: int, *, in_place: bool = False
    ) -> list[Sentence]:
        """The sentences with all columns that stages fill; those before `start` are as they came.

        With `in_place` the sentences themselves are changed, which nobody else has seen yet.
        """
        if not sentences:
            return []
        with _collecting_later():
            columns, trees = self._columns(sentences, start, threads)
            fill = _fill if in_place else _filled
            filled = [columns.get(name) for name in FILLED]
            return [
                fill(
                    sentence,
                    [None if each is None else each[i] for each in filled],
                    None if trees is None else trees[i],
                )
                for i, sentence in enumerate(sentences)
            ]

    def _columns(
        self, sentences: Sequence[Sentence], start: str, threads: int
    ) -> tuple[Columns, list[tuple[list[int], list[str]]] | None]:
        """The columns that stages fill, and the trees."""
        columns, trees = _Lazily(sentences), None
        given = set(TAGS) if start == "tags" else set()

        def place(i: int) -> str:
            return sentences[i].place

        for stage in self.model.task.stages:
            part: Model[Any] = self.model.parts[stage.name]
            part.threads = threads
            if stage.name == "parser":
                trees = part.predict(columns.zipped(stage.sees), place=place)
            elif stage.name == "lemma" and self.lemmatizer is not None:
                columns.filled["lemma"] = self.lemmatizer.lemmas(columns.zipped(stage.sees))
            elif stage.name != "segmenter" and not given:
                columns.fill(stage, part.predict(columns.zipped(stage.sees), place=place))
        return columns.filled, trees

    def segmented(self, texts: Sequence[str], threads: int) -> list[list[Sentence]]:
        """The sentences of texts, with words and offsets alone."""
        return [conllu(each) for each in self._cut(texts, threads)] if texts else []

    def segmented_paragraphs(self, pieces: Sequence[Paragraph], threads: int) -> list[Sentence]:
        """The same of parts of a text, which count what is found in them."""
        found: list[Sentence] = []
        if not pieces:
            return found
        for piece, sentences in zip(pieces, self._cut([piece.text for piece in pieces], threads)):
            for sentence in sentences:
                piece.document.sentences += 1
                piece.sentences += 1
                piece.tokens += len(sentence)
                number = piece.document.sentences
                found.append(sentence.moved(piece.offset).sentence(number, document=number == 1))
        return found

    def resegmented(self, gold: Sequence[Sentence], threads: int) -> list[Sentence]:
        """What the segmenter makes of the text of these sentences."""
        cut = self._cut([passage.text for passage in passages(gold)], threads)
        return [sentence.sentence() for each in cut for sentence in each]

    def _cut(self, texts: Sequence[str], threads: int) -> list[list[SegmentedSentence]]:
        if self.segmenter is None:
            raise SettingError(
                "this pipeline has no segmenter; give it words (--from words), or train one with it"
            )
        self.segmenter.threads = threads
        return self.segmenter.predict(list(texts))


class _Lazily:
    """The columns of sentences: those that stages have filled, else those that the sentences came with."""

    def __init__(self, sentences: Sequence[Sentence]) -> None:
        self.sentences = sentences
        self.filled: Columns = {}
        self._given: Columns = {}
        self._zipped: dict[tuple[str, ...], list[list[Any]]] = {}

    def column(self, name: str) -> Column:
        """One column."""
        if name in self.filled:
            return self.filled[name]
        if name not in self._given:
            self._given[name] = [sentence.column(name) for sentence in self.sentences]
        return self._given[name]

    def zipped(self, names: tuple[str, ...]) -> list[list[Any]]:
        """Several, as a stage sees them; no stage changes what another has seen."""
        if names not in self._zipped:
            self._zipped[names] = zipped({name: self.column(name) for name in names}, names)
        return self._zipped[names]

    def fill(self, stage: Stage, labels: Column) -> None:
        """Take what a tagger says of its column, or of several at once."""
        self.filled |= apart(stage, labels)


@contextlib.contextmanager
def _collecting_later() -> Iterator[None]:
    """No search for garbage meanwhile: there are many new objects, and none of them is in a cycle."""
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()


def _fill(
    sentence: Sentence, columns: Sequence[Sequence[str] | None], tree: tuple[list[int], list[str]] | None
) -> Sentence:
    """Change the sentence: these columns, and this tree if there is one."""
    for at, values in zip((3, 4, 5, 2), columns):
        if values is not None:
            for row, value in zip(sentence.tokens, values):
                row[at] = value
    if tree is not None:
        for row, head, label in zip(sentence.tokens, *tree):
            row[6] = str(head)
            row[7] = label
    return sentence


def _filled(
    sentence: Sentence, columns: Sequence[Sequence[str] | None], tree: tuple[list[int], list[str]] | None
) -> Sentence:
    """A copy of the sentence that is changed so."""
    tokens = [row.copy() for row in sentence.tokens]
    rows = tokens
    if sentence.tokens is not sentence.rows:
        changed = {id(row): new for row, new in zip(sentence.tokens, tokens)}
        rows = [changed.get(id(row), row) for row in sentence.rows]
    copy = Sentence(
        rows,
        sentence.format,
        comments=sentence.comments,
        file=sentence.file,
        line=sentence.line,
        tokens=tokens,
    )
    return _fill(copy, columns, tree)
