"""Segmentation on the command line."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from structron.cli.files.sentences import look, with_rank
from structron.cli.task_cli import CommonCLI, Plain, Reading
from structron.cli.terminal.counting import counted, counted_names
from structron.errors import DataError, SettingError
from structron.io import Report, Sentence, read, write
from structron.io.files import detection
from structron.io.files.encoding import unfit
from structron.io.files.streams import writing
from structron.io.formats.raw_text import Document, Paragraph, read_text
from structron.segments.passages import passages
from structron.segments.segmented_text import SegmentedSentence, in_place
from structron.segments.solid import KINDS
from structron.tasks.segmentation.estimator import Segmenter
from structron.tasks.segmentation.features import PRESETS, WORD_PRESETS
from structron.tasks.segmentation.words.task import WordTask

if TYPE_CHECKING:
    from structron.cli.files.streams import Stream
    from structron.cli.terminal.request import Show
    from structron.metrics import Judgement
    from structron.model import Model
    from structron.tasks.segmentation.task import SegmentationTask

Item = Sentence | Paragraph
COLUMNS = ("upos", "xpos")  # of which one may have tags


class SegmentationCLI(CommonCLI):
    """The commands of segmentation."""

    items, parts, examples = "sentences", "tokens", "passages"
    formats: tuple[str, ...] = ("conllu", "columns", "slash", "text")
    presets = WORD_PRESETS | PRESETS
    estimator = Segmenter
    output_formats = ("conllu", "text")
    has_confidence = False

    def labelled(
        self, place: str, reading: Reading, report: Report, settings: Mapping[str, Any]
    ) -> list[Item]:
        """Read sentences of a treebank, or lines of words between blanks."""
        return list(_gold(place, reading, report, detection.by_name(place)))

    def size(self, estimator: Segmenter) -> str:
        """Return how many labels, or tags of words."""
        task = estimator.model_.task
        return counted(len(task.labels), "tags" if isinstance(task, WordTask) else "labels")

    def read(self, estimator: Segmenter, stream: Stream, reading: Reading, report: Report) -> Iterator[Item]:
        """Yield raw text by paragraphs; of a treebank, and where gold is wanted, sentences."""
        name = reading.format or detection.by_name(str(stream.name)) or look(stream, None, reading.encoding)
        if name == "conllu" or not reading.blanks:
            return _gold(stream, reading, report, name)
        if name != "text" and reading.format is not None:
            raise SettingError(f"--format {name}: what is segmented is raw text or conllu; leave it out")
        return iter(read_text(stream, reading.encoding))

    def predicted(self, estimator: Segmenter, items: Sequence[Item], kbest: int | None) -> Iterator[Sentence]:
        """Yield CoNLL-U; offsets and numbers of sentences go on from paragraph to paragraph.

        With `kbest`, the sentences of each paragraph as often as there are readings of it, with the score of
        the paragraph.
        """
        if any(isinstance(item, Sentence) and item.given for item in items):
            raise SettingError(
                "--given is not for segmentation, which makes the words; --dictionary names tokens that stay"
            )
        pieces = [item for item in items if isinstance(item, Paragraph)] or _paragraphs(items)
        texts = [piece.text for piece in pieces]
        if kbest is not None:
            for piece, best in zip(pieces, estimator.predict_kbest(texts, kbest)):
                yield from _ranked(piece, best)
            return
        for piece, found in zip(pieces, estimator.predict(texts)):
            for sentence in in_place(found, piece):
                piece.document.sentences += 1
                piece.sentences += 1
                piece.tokens += len(sentence)
                number = piece.document.sentences
                yield sentence.sentence(number, document=number == 1)

    def formatted(self, predicted: Iterable[Sentence], format: str) -> Iterator[Sentence | str]:
        """Yield CoNLL-U, or a line for each sentence with words between blanks, tags after a slash."""
        for sentence in predicted:
            if format == "conllu":
                yield sentence
                continue
            words = [word.replace(" ", "_") for word in sentence.words()]
            tags = next((t for c in COLUMNS if (t := sentence.column(c)) and t[0] != "_"), [""] * len(words))
            line = " ".join(f"{word}/{tag}" if tag else word for word, tag in zip(words, tags))
            notes = (c for c in sentence.comments if c.startswith(("# rank =", "# score =")))
            ranked = [note.partition(" = ")[2] for note in notes]
            yield "\t".join([*ranked, line]) + "\n"

    def write(self, items: Iterable[Sentence | str], file: Any) -> None:
        """Write CoNLL-U, or lines."""
        with writing(file) as put:
            for item in items:
                if isinstance(item, Sentence):
                    write([item], file)
                    continue
                try:
                    put(item)
                except UnicodeEncodeError as error:
                    raise DataError(f"{item[:80].rstrip()}: {unfit(error)}") from None

    def measure(self, estimator: Segmenter, items: list[Item], confused: int) -> Plain:
        """Return F1 of tokens, sentences and words, and of tagged words where the model tags them."""
        from structron.fit.data.signature import checksum
        from structron.tasks.segmentation.measures import figures_of

        gold = _sentences(items)
        task = estimator.model_.task
        tags = (estimator.tags, task.column) if isinstance(task, WordTask) and task.labels else None
        cut = passages(gold, tags=tags and tags[0])
        found = estimator.predict([passage.text for passage in cut])
        guess = [one.sentence() for sentences in found for one in sentences]
        seen = frozenset(task.seen.tolist())
        figures = figures_of(gold, guess, seen, tags)
        figures["evaluated_on"] = checksum([one.text for one in cut], [one.gold for one in cut])
        return figures

    def inputs(self, estimator: Segmenter, items: Sequence[Item]) -> list[str]:
        """Return the text of each paragraph."""
        return [piece.text for piece in items if isinstance(piece, Paragraph)] or [
            piece.text for piece in _paragraphs(items)
        ]

    def judged(self, estimator: Segmenter, items: list[Item]) -> list[Judgement]:
        """Return the tokens of gold sentences beside those that the model finds."""
        gold = _sentences(items)
        found = estimator.predict([passage.text for passage in passages(gold)])
        return _judged(gold, [one.sentence() for sentences in found for one in sentences])

    def judged_before(
        self, guess: list[Item], gold: list[Item], settings: Mapping[str, Any]
    ) -> list[Judgement]:
        """Return the tokens of gold sentences beside those that were found before."""
        return _judged(_sentences(gold), _sentences(guess))

    def compare(
        self, guess: list[Item], gold: list[Item], settings: Mapping[str, Any], confused: int
    ) -> Plain:
        """Compare tokens and sentences that were found before with gold."""
        from structron.tasks.segmentation.measures import figures_of

        return figures_of(_sentences(gold), _sentences(guess))

    def measured(self, figures: Plain) -> list[str]:
        """Return the figures as lines of text."""
        from structron.tasks.segmentation.measures import measured

        return list(measured(figures))

    def show(self, estimator: Segmenter, request: Show) -> Iterable[str]:
        """Yield where the text is cut, and the beam."""
        from structron.tasks.segmentation.showing import show

        return show(estimator, request)

    def about(self, model: Model[SegmentationTask | WordTask]) -> Plain:
        """Return labels, templates, units and known words."""
        task = model.task
        if isinstance(task, WordTask):
            return {
                "system": task.system,
                "labels": list(task.labels),
                "templates": list(task.templates),
                "sentences": task.sentences,
                "known_runs": len(task.known.keys),
                "words_seen": len(task.seen),
            }
        learned: Plain = {}
        if task.habits:
            learned["text"] = {
                "words": len(task.habits.keys),
                "abbreviations": list(task.habits.abbreviations),
            }
        if task.solid:
            learned["never_cut"] = [name for name, kind in KINDS.items() if task.solid & kind]
        return {
            "labels": list(task.labels),
            "templates": list(task.templates),
            "alone": list(task.alone),
            "known_runs": len(task.known.keys),
            "multiword_tokens": len(task.multiword.forms),
            **learned,
        }

    def describe(self, about: Plain) -> dict[str, str]:
        """Return the same as text, by name."""
        from structron.cli.commands.info import named_templates

        if "system" in about:
            return _described(about)
        units = f"characters ({', '.join(about['alone'])})" if about["alone"] else "runs of letters"
        pairs = {
            "task": f"segmentation of raw text, units are {units}",
            "labels": counted_names(about["labels"]),
            "templates": named_templates(about["templates"], PRESETS),
        }
        if about["known_runs"]:
            pairs["dictionary"] = f"known tokens in {about['known_runs']:,} runs of units"
        if about["multiword_tokens"]:
            pairs["multiword"] = f"{about['multiword_tokens']:,} tokens of several words"
        if "text" in about:
            short = about["text"]["abbreviations"]
            pairs["raw text"] = (
                f"habits of {counted(about['text']['words'], 'words and pairs')}; "
                f"{counted(len(short), 'abbreviations')}, such as {', '.join(short[:8])}"
            )
        if "never_cut" in about:
            pairs["never cut"] = ", ".join(about["never_cut"])
        return pairs


def _judged(gold: Sequence[Sentence], guess: Sequence[Sentence]) -> list[Judgement]:
    from structron.metrics.segmentation import Cuts, check_same, judge_cuts
    from structron.tasks.segmentation.measures import cut_of

    ours, theirs = (
        Cuts(each.text, each.sentences, [token[:2] for token in each.tokens])
        for each in (cut_of(gold), cut_of(guess))
    )
    check_same(ours.text, theirs.text)
    return judge_cuts(ours, theirs, [sentence.place for sentence in gold])


def _described(about: Plain) -> dict[str, str]:
    """Describe a model that searches over words."""
    from structron.cli.commands.info import named_templates

    pairs = {"task": "segmentation by words" + (", joint with tagging" if about["labels"] else "")}
    if about["labels"]:
        pairs["tags"] = counted_names(about["labels"])
    pairs["templates"] = named_templates(about["templates"], WORD_PRESETS)
    pairs["dictionary"] = f"{about['words_seen']:,} words, in {about['known_runs']:,} runs of characters"
    if about["sentences"]:
        pairs["sentences"] = "found together with the words"
    return pairs


def _ranked(
    piece: Paragraph, best: Sequence[tuple[Sequence[SegmentedSentence], float]]
) -> Iterator[Sentence]:
    """Yield all readings of a paragraph; count the best."""
    first = piece.document.sentences
    for rank, (found, score) in enumerate(best, 1):
        for number, sentence in enumerate(in_place(found, piece), first + 1):
            if rank == 1:
                piece.document.sentences += 1
                piece.sentences += 1
                piece.tokens += len(sentence)
            yield with_rank(sentence.sentence(number, document=number == 1), rank, score)


def _gold(place: Any, reading: Reading, report: Report, format: str | None) -> Iterator[Item]:
    options = reading.options(report) | {"format": reading.format or format}
    return read(place, columns=reading.columns, **options)


def _sentences(items: Sequence[Item]) -> list[Sentence]:
    return [item for item in items if isinstance(item, Sentence)]


def _paragraphs(items: Sequence[Item]) -> list[Paragraph]:
    """Return the paragraphs of a treebank that is to be segmented anew."""
    found, document, offset = [], Document(), 0
    for passage in passages(_sentences(items)):
        found.append(Paragraph(passage.text, offset, document, passage.place))
        offset += len(passage.text) + 2
    return found


CLI = SegmentationCLI()
