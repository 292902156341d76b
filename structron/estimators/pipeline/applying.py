"""The stages of a finished pipeline, applied to sentences."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from structron.data import Sentence
from structron.data.raw import Paragraph
from structron.errors import ModelError, SettingError
from structron.estimators.lemmatisation import Lemmatizer
from structron.estimators.pipeline.learning import COLUMNS, Columns, zipped
from structron.estimators.pipeline.settings import TAGS
from structron.estimators.segmentation import Segmenter
from structron.estimators.segmentation.segmented import SegmentedSentence, conllu
from structron.estimators.segmentation.treebank import passages
from structron.model import Model
from structron.tasks.pipeline import PipelineTask

KINDS = dict.fromkeys(TAGS, "tagging") | {
    "segmenter": "segmentation",
    "lemma": "lemmatisation",
    "parser": "parsing",
}
_AT = {"lemma": 2, "upos": 3, "xpos": 4, "feats": 5}


class Stages:
    """The parts of a pipeline's model, checked that they fit together, and used in their order."""

    def __init__(self, model: Model[PipelineTask], where: str) -> None:
        self.model = model
        names = {stage.name for stage in model.task.stages}
        if names != set(model.parts):
            raise ModelError(f"{where}: the stages and the parts of the model differ; train it again")
        for stage in model.task.stages:
            part = model.parts[stage.name]
            if part.task.kind != KINDS.get(stage.name, part.task.kind):
                raise ModelError(f"{where}: its {stage.name} is a model for {part.task.kind}; train it again")
            reads = getattr(part.task, "columns", 0)
            if stage.sees and reads > len(stage.sees):
                raise ModelError(f"{where}: its {stage.name} reads more than it sees; train it again")
        cutter: Any = model.parts.get("segmenter")
        self.segmenter = None if cutter is None else Segmenter.of_model(cutter, where)
        lemma: Any = model.parts.get("lemma")
        self.lemmatizer = None if lemma is None else Lemmatizer.of_model(lemma, where)

    def annotated(self, sentences: Sequence[Sentence], start: str, threads: int) -> list[Sentence]:
        """The sentences with all columns that stages fill; those before `start` are as they came."""
        if not sentences:
            return []
        columns: Columns = {name: [s.column(name) for s in sentences] for name in COLUMNS}
        trees: list[tuple[list[int], list[str]]] | None = None

        def place(i: int) -> str:
            return sentences[i].place

        for name, sees in self.model.task.stages:
            part: Model[Any] = self.model.parts[name]
            part.threads = threads
            if name in TAGS and start != "tags":
                columns[name] = part.predict(zipped(columns, sees), place=place)
            elif name == "lemma" and self.lemmatizer is not None:
                columns[name] = self.lemmatizer.lemmas(zipped(columns, sees))
            elif name == "parser":
                trees = part.predict(zipped(columns, sees), place=place)
        return [
            _filled(sentence, [columns[name][i] for name in COLUMNS[1:]], None if trees is None else trees[i])
            for i, sentence in enumerate(sentences)
        ]

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


def _filled(
    sentence: Sentence, columns: Sequence[Sequence[str]], tree: tuple[list[int], list[str]] | None
) -> Sentence:
    """The sentence with these columns, and with this tree if there is one."""
    upos, xpos, feats, lemmas = columns
    old = sentence.tokens
    if tree is None:
        tokens = [
            [row[0], row[1], lemma, u, x, f, *row[6:]]
            for row, lemma, u, x, f in zip(old, lemmas, upos, xpos, feats)
        ]
    else:
        tokens = [
            [row[0], row[1], lemma, u, x, f, str(head), label, row[8], row[9]]
            for row, lemma, u, x, f, head, label in zip(old, lemmas, upos, xpos, feats, *tree)
        ]
    rows = tokens
    if old is not sentence.rows:
        changed = {id(row): new for row, new in zip(old, tokens)}
        rows = [changed.get(id(row), row) for row in sentence.rows]
    return Sentence(
        rows,
        sentence.format,
        comments=sentence.comments,
        file=sentence.file,
        line=sentence.line,
        tokens=tokens,
    )
