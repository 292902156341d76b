"""How segmenters read, write, score and describe themselves."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from structron.cli.counting import counted
from structron.cli.face import Plain, Reading, Show
from structron.cli.info import named_templates
from structron.cli.segmentation.measuring import figures_of, measured
from structron.cli.segmentation.showing import show
from structron.cli.sentences import look
from structron.data import Report, Sentence, read, sniff, write
from structron.data.encoding import unfit
from structron.data.files import writing
from structron.data.raw import Document, Paragraph, read_text
from structron.errors import DataError, SettingError
from structron.estimators.segmentation import Segmenter
from structron.estimators.segmentation.treebank import passages
from structron.estimators.signature import checksum
from structron.features.segmentation import PRESETS

if TYPE_CHECKING:
    from structron.cli.streams import Stream
    from structron.model import Model
    from structron.tasks.segmentation import SegmentationTask

Item = Sentence | Paragraph


@dataclass(frozen=True)
class ExtraSettings:
    """A segmenter takes nothing besides its recipe."""


class Segmentation:
    """The face of segmentation."""

    items, parts = "sentences", "tokens"
    sides: tuple[str, ...] = ()
    presets = PRESETS
    estimator = Segmenter
    extra = ExtraSettings
    output_formats = ("conllu", "text")

    def labelled(
        self, place: str, reading: Reading, report: Report, settings: Mapping[str, Any]
    ) -> list[Item]:
        """Sentences of a treebank, or lines of words between blanks."""
        return list(_gold(place, reading, report, sniff.by_name(place)))

    def split(self, items: Sequence[Item]) -> tuple[Sequence[Any], None]:
        """They have their tokens with them."""
        return items, None

    def size(self, estimator: Segmenter) -> str:
        """How many labels."""
        return counted(len(estimator.labels_), "labels")

    def read(self, estimator: Segmenter, stream: Stream, reading: Reading, report: Report) -> Iterator[Item]:
        """Raw text by paragraphs; of a treebank, and where gold is wanted, sentences."""
        name = reading.format or sniff.by_name(str(stream.name)) or look(stream, None, reading.encoding)
        if name == "conllu" or not reading.blanks:
            return _gold(stream, reading, report, name)
        if name != "text" and reading.format is not None:
            raise SettingError(f"--format {name}: what is segmented is raw text or conllu; leave it out")
        return iter(read_text(stream, reading.encoding))

    def predicted(self, estimator: Segmenter, items: Sequence[Item], kbest: int | None) -> Iterator[Sentence]:
        """CoNLL-U; offsets and numbers of sentences go on from paragraph to paragraph."""
        if kbest is not None:
            raise SettingError(
                "--kbest is not for segmentation on the command line; use predict_kbest in Python"
            )
        pieces = [item for item in items if isinstance(item, Paragraph)] or _paragraphs(items)
        for piece, found in zip(pieces, estimator.predict([piece.text for piece in pieces])):
            for sentence in found:
                piece.document.sentences += 1
                piece.sentences += 1
                piece.tokens += len(sentence)
                number = piece.document.sentences
                yield sentence.moved(piece.offset).sentence(number, document=number == 1)

    def formatted(self, predicted: Iterable[Sentence], format: str) -> Iterator[Sentence | str]:
        """As they are, or a line for each sentence with its words between blanks."""
        for sentence in predicted:
            words = (word.replace(" ", "_") for word in sentence.words())
            yield sentence if format == "conllu" else " ".join(words) + "\n"

    def write(self, items: Iterable[Sentence | str], file: Any) -> None:
        """CoNLL-U, or lines."""
        with writing(file) as put:
            for item in items:
                if isinstance(item, Sentence):
                    write([item], file)
                    continue
                try:
                    put(item)
                except UnicodeEncodeError as error:
                    raise DataError(f"{item[:80].rstrip()}: {unfit(error)}") from None

    def remarks(self, estimator: Segmenter) -> list[str]:
        """Nothing."""
        return []

    def measure(self, estimator: Segmenter, items: list[Item], confused: int) -> Plain:
        """F1 of tokens, sentences and words."""
        gold = _sentences(items)
        cut = passages(gold)
        found = estimator.predict([passage.text for passage in cut])
        guess = [one.sentence() for sentences in found for one in sentences]
        seen = frozenset(estimator.model_.task.seen.tolist())
        figures = figures_of(gold, guess, seen)
        figures["evaluated_on"] = checksum([one.text for one in cut], [one.tokens for one in cut])
        return figures

    def owns(self, format: str, columns: Collection[str]) -> bool:
        """CoNLL-U may be from a parser as well."""
        return False

    def compare(
        self, guess: list[Item], gold: list[Item], settings: Mapping[str, Any], confused: int
    ) -> Plain:
        """The same for what was found before."""
        return figures_of(_sentences(gold), _sentences(guess))

    def measured(self, figures: Plain) -> list[str]:
        """The same for people."""
        return list(measured(figures))

    def show(self, estimator: Segmenter, request: Show) -> Iterable[str]:
        """Where the text is cut, and the beam."""
        return show(estimator, request)

    def about(self, model: Model[SegmentationTask]) -> Plain:
        """Labels, templates, units and what is known."""
        task = model.task
        return {
            "labels": list(task.labels),
            "templates": list(task.templates),
            "alone": list(task.alone),
            "known_runs": len(task.known.keys),
            "multiword_tokens": len(task.multiword.forms),
        }

    def describe(self, about: Plain) -> dict[str, str]:
        """The same for people."""
        units = f"characters ({', '.join(about['alone'])})" if about["alone"] else "runs of letters"
        pairs = {
            "task": f"segmentation of raw text, units are {units}",
            "labels": f"{len(about['labels'])}: {' '.join(about['labels'])}",
            "templates": named_templates(about["templates"], PRESETS),
        }
        if about["known_runs"]:
            pairs["dictionary"] = f"known tokens in {about['known_runs']:,} runs of units"
        if about["multiword_tokens"]:
            pairs["multiword"] = f"{about['multiword_tokens']:,} tokens of several words"
        return pairs


def _gold(place: Any, reading: Reading, report: Report, format: str | None) -> Iterator[Item]:
    options = reading.options(report) | {"format": reading.format or format}
    return read(place, columns=reading.columns, **options)


def _sentences(items: Sequence[Item]) -> list[Sentence]:
    return [item for item in items if isinstance(item, Sentence)]


def _paragraphs(items: Sequence[Item]) -> list[Paragraph]:
    """The paragraphs of a treebank that is to be segmented anew."""
    found, document, offset = [], Document(), 0
    for passage in passages(_sentences(items)):
        found.append(Paragraph(passage.text, offset, document, passage.place))
        offset += len(passage.text) + 2
    return found
