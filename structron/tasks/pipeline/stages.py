"""The stages of a finished pipeline, applied to sentences."""

from __future__ import annotations

import contextlib
import gc
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from itertools import accumulate
from typing import TYPE_CHECKING, Any, Self

from structron import _core
from structron.engine.rows import NO_ROWS
from structron.errors import ModelError, SettingError
from structron.io import Sentence
from structron.io.formats.raw_text import Document, Paragraph
from structron.io.values.labels import is_name_label
from structron.labelling.task import TaggingTask
from structron.model import Model
from structron.registry import estimator_of
from structron.search import parse_search
from structron.segments.passages import passages
from structron.segments.segmented_text import SegmentedSentence, conllu, in_place
from structron.tasks.pipeline.analysis import Analysis
from structron.tasks.pipeline.columns import BETWEEN, Column, Columns, split_labels, zip_columns
from structron.tasks.pipeline.names.entities import put_labels
from structron.tasks.pipeline.results.given import check_given, restricted
from structron.tasks.pipeline.task import PipelineTask, Stage

if TYPE_CHECKING:
    from structron.fit.data.entries import Entries
    from structron.model import Place

KINDS = {"segmenter": "segmentation", "lemma": "lemmatisation", "parser": "parsing"}  # all others tag
FILLED = ("upos", "xpos", "feats", "lemma")
Tree = tuple[list[int], list[str]]  # heads and relations


class Stages:
    """The parts of a pipeline's model, checked for consistency and applied in order."""

    def __init__(self, model: Model[PipelineTask], where: str) -> None:
        self.model = model
        self.entries: Entries | None = None
        self._own_entries: dict[str, Entries] = {}
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
            if stage.name == "names" and not all(map(is_name_label, labels)):
                raise ModelError(f"{where}: a label of its names marks no span; train it again")
        cutter: Any = model.parts.get("segmenter")
        self.segmenter = None if cutter is None else estimator_of("segmentation").of_model(cutter, where)
        lemma: Any = model.parts.get("lemma")
        self.lemmatizer: Any = None if lemma is None else estimator_of("lemmatisation").of_model(lemma, where)

    @classmethod
    def filling(
        cls, columns: Sequence[str], stages: Sequence[Stage], parts: Mapping[str, Model[Any]]
    ) -> Self:
        """Return those of some finished stages that these columns need."""
        needed, kept = set(columns), list[Stage]()
        for stage in reversed(stages):
            if needed & set(stage.fills):
                needed |= set(stage.sees)
                kept.insert(0, stage)
        own = {stage.name: parts[stage.name] for stage in kept}
        return cls(Model(PipelineTask(tuple(kept)), NO_ROWS, parse_search("greedy"), {}, own), "the model")

    def keep_to(self, entries: Entries | None) -> None:
        """Let the entries of a dictionary win in all that is predicted from now on."""
        if entries is self.entries:
            return
        from structron.tasks.pipeline.results.entries import by_stage

        parts = self.model.parts
        own = {} if entries is None else by_stage(entries, self.model.task.stages, parts)
        self.entries, self._own_entries = entries, own
        if self.segmenter is not None:
            self.segmenter.entries = own.get("segmenter")

    def kept(
        self, stage: Stage, xs: list[Any], columns: Callable[[], list[list[Any]]], given: Sequence[Sentence]
    ) -> list[Any]:
        """Return the inputs of a stage, with what is given of its outputs by columns or by a dictionary.

        Parameters
        ----------
        columns
            Gives what the stage sees as lists of words.
        given
            The sentences as they came, with the columns that are given.
        """
        if own := self._own_entries.get(stage.name):
            from structron.tasks.pipeline.results.entries import kept

            return kept(self.model.parts[stage.name], xs, columns(), own)
        return restricted(stage, self.model.parts[stage.name], xs, given)

    def annotated(self, sentences: Sequence[Sentence], start: str, threads: int) -> list[Sentence]:
        """Fill all columns of sentences; those before `start`, or found by that stage, stay as they are."""
        if not sentences:
            return []
        with garbage_collection_paused():
            columns = _LazyColumns(sentences)
            trees = self._fill(columns, start, threads, lambda i: sentences[i].place)
            return self.filled(sentences, columns.filled, trees)

    @staticmethod
    def filled(
        sentences: Sequence[Sentence], columns: Columns, trees: Sequence[Tree] | None
    ) -> list[Sentence]:
        """Return copies of sentences with these columns, and with these trees if there are any."""
        filled, names = [columns.get(name) for name in FILLED], columns.get("names")
        return [
            _filled(
                sentence,
                [None if each is None else each[i] for each in filled],
                None if trees is None else trees[i],
                None if names is None else names[i],
            )
            for i, sentence in enumerate(sentences)
        ]

    def analysed(self, texts: Sequence[str], threads: int) -> list[tuple[Analysis, range]]:
        """Return the sentences of each text with all columns, as a range of one result."""
        pieces = [Paragraph(text, 0, Document(), "the text") for text in texts]
        found = self.analysed_paragraphs(pieces, threads)
        ends = accumulate(piece.sentences for piece in pieces)
        return [(found, range(end - piece.sentences, end)) for end, piece in zip(ends, pieces)]

    def analysed_paragraphs(self, pieces: Sequence[Paragraph], threads: int) -> Analysis:
        """Analyse parts of a text, and count their sentences; offsets and numbers continue."""
        with garbage_collection_paused():
            cut = self._cut([piece.text for piece in pieces], threads)
            segments: list[SegmentedSentence] = []
            numbers: list[int] = []
            files: list[str] = []
            for piece, sentences in zip(pieces, cut):
                piece.sentences, piece.tokens = len(sentences), sum(map(len, sentences))
                first = piece.document.sentences + 1
                piece.document.sentences += len(sentences)
                numbers += range(first, first + len(sentences))
                files += [piece.file] * len(sentences)
                segments += in_place(sentences, piece)
            return self._columns(segments, numbers, files, threads)

    def resegmented(self, gold: Sequence[Sentence], threads: int) -> list[Sentence]:
        """Analyse the text of these sentences."""
        cut = self._cut([passage.text for passage in passages(gold)], threads)
        segments = [sentence for each in cut for sentence in each]
        files = ["the text"] * len(segments)
        return self._columns(segments, range(1, len(segments) + 1), files, threads).sentences()

    def _columns(
        self,
        segments: Sequence[SegmentedSentence],
        numbers: Sequence[int],
        files: Sequence[str],
        threads: int,
    ) -> Analysis:
        """Fill all columns of cut sentences."""
        columns = _LazyColumns([], [sentence.words for sentence in segments])
        trees = self._fill(columns, "words", threads, lambda i: f"{files[i]}, sentence {numbers[i]}")
        heads = None if trees is None else [tree[0] for tree in trees]
        labels = None if trees is None else [tree[1] for tree in trees]
        get = columns.filled.get
        filled = (get("lemma"), get("upos"), get("xpos"), get("feats"))
        return Analysis(segments, numbers, (*filled, heads, labels), get("names"))

    def _fill(self, columns: _LazyColumns, start: str, threads: int, place: Place) -> list[Tree] | None:
        """Let the stages fill columns; return the trees, if there is a parser."""
        trees = None
        if not columns:
            return []
        check_given(columns.sentences, self.model.task.stages)
        names = [stage.name for stage in self.model.task.stages]
        for stage in self.model.task.stages[names.index(start) + 1 if start in names else 0 :]:
            part: Model[Any] = self.model.parts[stage.name]
            part.threads = threads
            if stage.name == "parser":
                # Parsers with experts may reverse sentences.
                seen = columns.zipped if getattr(part.task, "experts", ()) else columns.tokens
                xs = self.kept(stage, seen(stage.sees), list, columns.sentences)
                trees = part.predict(xs, place=place)
            elif stage.name == "lemma" and self.lemmatizer is not None:
                columns.filled["lemma"] = self._lemmas(columns, stage.sees)
            elif stage.name == "names" or (stage.name != "segmenter" and start != "tags"):
                zipped = partial(columns.zipped, stage.sees)
                xs = self.kept(stage, columns.tokens(stage.sees), zipped, columns.sentences)
                columns.filled |= split_labels(stage, part.predict(xs, place=place))
        return trees

    def _lemmas(self, columns: _LazyColumns, sees: tuple[str, ...]) -> Column:
        found = [columns.column(name) for name in sees]
        if len(found) > 1:
            found[0] = [self.lemmatizer.folded(*each) for each in zip(*found[:2])]
        lemmas: Column = self.lemmatizer.lemmas(
            [*map(_core.TokenColumns, zip(*found))] if found[1:] else found[0]
        )
        return lemmas

    def annotated_words(self, words: Column, threads: int) -> tuple[Columns, list[Tree] | None]:
        """Return the columns that stages fill for sentences of words, and the trees if there is a parser."""
        columns = _LazyColumns([], words)
        trees = self._fill(columns, "words", threads, lambda i: f"sentence {i + 1}")
        return columns.filled, trees

    def columns(self, words: Column, threads: int) -> _LazyColumns:
        """Return the columns that stages have seen and filled for sentences of words."""
        columns = _LazyColumns([], words)
        self._fill(columns, "words", threads, lambda i: f"sentence {i + 1}")
        return columns

    def seen(self, x: str | Sequence[str]) -> _LazyColumns:
        """Return the columns that stages have seen and filled, for a text or a sentence of words."""
        cut = [one.words for one in self._cut([x], 1)[0]] if isinstance(x, str) else [list(x)]
        return self.columns(cut, 1)

    def segmented(self, texts: Sequence[str], threads: int) -> list[list[Sentence]]:
        """Return the sentences of texts, with words and offsets only."""
        return [conllu(each) for each in self._cut(texts, threads)]

    def _cut(self, texts: Sequence[str], threads: int) -> list[list[SegmentedSentence]]:
        if not texts:
            return []
        if self.segmenter is None:
            raise SettingError(
                "this pipeline has no segmenter; give it words (--from words), or train one with it"
            )
        self.segmenter.threads = threads
        found: list[list[SegmentedSentence]] = self.segmenter.predict(list(texts))
        return found


class _LazyColumns:
    """The columns of sentences: filled by stages, or else read from the sentences.

    For sentences of words alone (`forms`) all other columns are empty.
    """

    def __init__(self, sentences: Sequence[Sentence], forms: Column | None = None) -> None:
        self.sentences, self.forms = sentences, forms
        self.filled: Columns = {}
        self._given: Columns = {} if forms is None else {"form": forms}

    def __len__(self) -> int:
        return len(self.sentences if self.forms is None else self.forms)

    def column(self, name: str) -> Column:
        """Return one column."""
        if name in self.filled:
            return self.filled[name]
        if name not in self._given:
            if self.forms is not None:
                self._given[name] = [["_"] * len(words) for words in self.forms]
            else:
                self._given[name] = [sentence.column(name) for sentence in self.sentences]
        return self._given[name]

    def zipped(self, names: tuple[str, ...]) -> list[list[Any]]:
        """Return several columns as lists of words."""
        return zip_columns({name: self.column(name) for name in names}, names)

    def tokens(self, names: tuple[str, ...]) -> list[Any]:
        """Return several columns as the engine reads them, without tuples."""
        if len(names) == 1:
            return self.column(names[0])
        return [*map(_core.TokenColumns, zip(*map(self.column, names)))]


@contextlib.contextmanager
def garbage_collection_paused() -> Iterator[None]:
    """Suspend garbage collection: there are many new objects, and none of them is in a cycle."""
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()


def _filled(
    sentence: Sentence,
    columns: Sequence[Sequence[str] | None],
    tree: Tree | None,
    names: Sequence[str] | None,
) -> Sentence:
    """Copy the sentence with these columns, and with this tree and these names if there are any."""
    tokens = [row.copy() for row in sentence.tokens]
    for at, values in zip((3, 4, 5, 2), columns):
        if values is not None:
            for row, value in zip(tokens, values):
                row[at] = value
    if tree is not None:
        for row, head, label in zip(tokens, *tree):
            row[6], row[7] = str(head), label
    if names is not None:
        put_labels(tokens, names)
    rows = tokens
    if sentence.tokens is not sentence.rows:
        changed = {id(row): new for row, new in zip(sentence.tokens, tokens)}
        rows = [changed.get(id(row), row) for row in sentence.rows]
    return Sentence(
        rows,
        sentence.format,
        comments=sentence.comments,
        file=sentence.file,
        line=sentence.line,
        tokens=tokens,
    )
