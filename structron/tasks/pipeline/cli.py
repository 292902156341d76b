"""Pipelines on the command line."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from structron.cli.draw.spans import span_figures, span_table
from structron.cli.files.sentences import with_rank
from structron.cli.task_cli import CommonCLI
from structron.cli.terminal.counting import counted
from structron.errors import DataError
from structron.io import Report, Sentence, read, tree_of
from structron.io.files.encoding import unfit
from structron.io.files.streams import writing
from structron.io.formats.conllu import render
from structron.io.formats.raw_text import Paragraph
from structron.tasks.pipeline.estimator import STARTS, Pipeline
from structron.tasks.pipeline.reading import read_items
from structron.tasks.pipeline.results.formats import FORMATS, PAGE, Result, formatted
from structron.tasks.pipeline.settings import FIRST_WORDS
from structron.tasks.pipeline.task import STAGES

if TYPE_CHECKING:
    from structron.cli.files.streams import Stream
    from structron.cli.task_cli import Plain, Reading
    from structron.cli.terminal.request import Show
    from structron.metrics import Judgement
    from structron.metrics.conll18 import Share
    from structron.model import Model
    from structron.tasks.pipeline.names.data import Item as Gold
    from structron.tasks.pipeline.task import PipelineTask


Item = Sentence | Paragraph

_WORDS = {first: name for name, first in FIRST_WORDS.items()}


class PipelineCLI(CommonCLI):
    """The commands of pipelines."""

    items, parts = "sentences", "words"
    formats: tuple[str, ...] = ("conllu",)
    estimator = Pipeline
    output_formats = FORMATS
    starts = STARTS
    start: str | None = None  # what the command was told is given

    def labelled(
        self, place: str, reading: Reading, report: Report, settings: Mapping[str, Any]
    ) -> list[Sentence]:
        """Return the sentences of a treebank; with --skip-bad those that have a tree."""
        sentences = read(place, columns=reading.columns, **reading.options(report))
        if not reading.skip_bad:
            return list(sentences)
        found = []
        for sentence in sentences:
            try:
                tree_of(sentence)
            except DataError as error:
                report.add(str(error))
            else:
                found.append(sentence)
        return found

    def size(self, estimator: Pipeline) -> str:
        """Return the names of the stages."""
        return f"stages {', '.join(estimator.stages_)}"

    def read(
        self, estimator: Pipeline, stream: Stream, reading: Reading, report: Report
    ) -> Iterator[Item | Gold]:
        """Yield paragraphs of raw text, or sentences with their words; gold is CoNLL-U, or names alone."""
        self.start = reading.start
        if reading.is_gold and "names" in estimator.stages_ and reading.format is None:
            from structron.tasks.pipeline.names.data import read_names

            return read_names(stream, reading.encoding, skip_bad=reading.skip_bad, report=report)
        if reading.is_gold:
            return iter(read(stream, **reading.options(report)))
        return read_items(estimator, stream, reading, report)

    def predicted(self, estimator: Pipeline, items: Sequence[Item], kbest: int | None) -> Iterator[Result]:
        """Yield the sentences with tags, lemmas and trees; those of raw text together."""
        if kbest is not None:
            yield from self.readings(estimator, items, kbest, None)
            return
        # A stream has paragraphs or sentences, never both.
        pieces = [item for item in items if isinstance(item, Paragraph)]
        if pieces:
            yield estimator.analysed_paragraphs(pieces)
        yield from estimator.predict([each for each in items if isinstance(each, Sentence)], self._after)

    def readings(
        self, estimator: Pipeline, items: Sequence[Item], kbest: int, stage: str | None
    ) -> Iterator[Sentence]:
        """Yield each sentence as often as a stage has readings of it."""
        sentences = self._words(estimator, items)
        for best in estimator.predict_kbest(sentences, kbest, self._after, stage):
            for rank, (sentence, score) in enumerate(best, 1):
                yield with_rank(sentence, rank, score)

    def sure(self, estimator: Pipeline, items: Sequence[Item]) -> Iterator[Sentence]:
        """Yield the sentences with how sure each stage is."""
        from structron.tasks.pipeline.results.readings import with_confidence

        sentences = self.inputs(estimator, items)
        words = self._words(estimator, items)
        for sentence, sure in zip(sentences, estimator.predict_confidence(words, self._after)):
            yield with_confidence(sentence, sure)

    def _words(self, estimator: Pipeline, items: Sequence[Item]) -> list[Sentence]:
        """Return sentences as they came, and those of raw text."""
        found = []
        for each in items:
            found += [each] if isinstance(each, Sentence) else self.inputs(estimator, [each])
        return found

    def inputs(self, estimator: Pipeline, items: Sequence[Item]) -> list[Sentence]:
        """Return the sentences of raw text or of a treebank, analysed."""
        found: list[Sentence] = []
        for each in self.predicted(estimator, items, None):
            found += [each] if isinstance(each, Sentence) else each.found.sentences()
        return found

    @property
    def _after(self) -> str:
        return "tags" if self.start == "tags" else "words"

    def formatted(self, predicted: Iterable[Result], format: str) -> Iterator[Result | str]:
        """Yield results in one of the formats."""
        return formatted(predicted, format)

    def opening(self, format: str) -> str:
        """Return the first lines of a file of this format."""
        return PAGE if format == "html" else ""

    def write(self, items: Iterable[Result | str], file: Any) -> None:
        """Write CoNLL-U, or lines in another format."""
        with writing(file) as put:
            for item in items:
                try:
                    if isinstance(item, str):
                        put(item)
                    else:
                        put(render(item) if isinstance(item, Sentence) else item.found.conllu())
                except UnicodeEncodeError as error:
                    raise DataError(f"the text: {unfit(error)}") from error

    def measure(self, estimator: Pipeline, items: list[Gold], confused: int) -> Plain:
        """Return the table of CoNLL 2018, from raw text if the model can cut it and no other start is given,
        and the figures of names, if gold has names.

        Without a parser the table has the rows that apply; for gold that is names alone there is none.
        """
        from structron.tasks.pipeline.names.entities import has_names
        from structron.tasks.pipeline.names.measures import is_treebank

        start = self._start(estimator)
        sentences = [item for item in items if isinstance(item, Sentence)]
        finds_names = "names" in estimator.stages_
        trees = not finds_names or (len(sentences) == len(items) and any(map(is_treebank, sentences)))
        figures: Plain = _figures(estimator.evaluate(sentences, start)) if trees else {}
        if finds_names and (not trees or has_names(sentences)):
            figures["names"] = span_figures(estimator.evaluate_names(items, start))
        return figures | {"from": start, "evaluated_on": f"{len(items)} sentences"}

    def compare(
        self, guess: list[Sentence], gold: list[Sentence], settings: Mapping[str, Any], confused: int
    ) -> Plain:
        """Return the table of CoNLL 2018 for two files, and the figures of names if gold has names."""
        from structron.metrics.conll18 import conll18
        from structron.metrics.spans import score_of_spans
        from structron.tasks.pipeline.names.entities import has_names
        from structron.tasks.pipeline.names.measures import characters

        figures = _figures(conll18(gold, guess))
        if has_names(gold):
            score = score_of_spans([(characters(gold), characters(guess))])
            figures["names"] = span_figures(score)
        return figures

    def judged(self, estimator: Pipeline, items: list[Gold]) -> dict[str, list[Judgement]]:
        """Return gold beside what each stage makes of it, from where `measure` starts.

        Texts with names are cut by the pipeline itself.
        """
        gold = self.cut(estimator, items)
        start = self._start(estimator) if all(isinstance(item, Sentence) for item in items) else "words"
        return self._judged(gold, estimator.analysed(gold, start), estimator.stages_, start)

    def cut(self, estimator: Pipeline, items: Sequence[Gold]) -> list[Sentence]:
        """Return labelled sentences, and those of labelled texts as the pipeline cuts them."""
        from structron.tasks.pipeline.names.data import as_sentences

        return as_sentences(items, estimator.segmenter)

    def judged_before(
        self, guess: list[Sentence], gold: list[Sentence], settings: Mapping[str, Any]
    ) -> dict[str, list[Judgement]]:
        """Return gold beside what was predicted before, for all columns that both have."""
        return self._judged(gold, guess, STAGES, "text")

    @staticmethod
    def _judged(
        gold: Sequence[Sentence], found: Sequence[Sentence], stages: Sequence[str], start: str
    ) -> dict[str, list[Judgement]]:
        from structron.tasks.pipeline.results.judging import judged

        return judged(gold, found, stages, from_text=start == "text")

    def _start(self, estimator: Pipeline) -> str:
        return self.start or ("text" if "segmenter" in estimator.stages_ else "words")

    def measured(self, figures: Plain) -> list[str]:
        """Return the table as lines of text."""
        from structron.metrics.conll18 import Share, table_of

        lines = [f"from {figures['from']}"] if "from" in figures else []
        if "table" in figures:
            lines += table_of({name: Share(**row["counts"]) for name, row in figures["table"].items()})
        if "names" in figures:
            lines += ["", *span_table(figures["names"])]
        return lines

    def show(self, estimator: Pipeline, request: Show) -> Iterable[str]:
        """Yield the trees of a text, or of a sentence of a file."""
        from structron.tasks.pipeline.results.showing import show

        return show(estimator, request)

    def about(self, model: Model[PipelineTask]) -> Plain:
        """Return the stages with their sizes."""
        from structron.cli.commands.info import about_clusters

        parts = model.parts.values()
        clusters = [found for part in parts if (found := getattr(part.task, "clusters", None)) is not None]
        return {
            "stages": {
                stage.name: {
                    "sees": list(stage.sees),
                    "kind": model.parts[stage.name].task.kind,
                    "weights": len(model.parts[stage.name].rows.weights),
                    "search": str(model.parts[stage.name].search),
                    "dev": _dev(model.parts[stage.name].about),
                }
                for stage in model.task.stages
            },
            "prefer": _WORDS.get(str(model.about.get("settings")), model.about.get("settings")),
            "folds": model.about.get("folds"),
            "clusters": about_clusters(clusters[0] if clusters else None),
        }

    def describe(self, about: Plain) -> dict[str, str]:
        """Return the same as text, by name."""
        from structron.cli.commands.info import named_clusters

        pairs = {
            "task": f"pipeline of {counted(len(about['stages']), 'stages')}, for {about['prefer']}, "
            f"jackknifed in {about['folds']} parts"
        }
        for name, stage in about["stages"].items():
            # A lemmatizer learns from words that it does not know, and is measured on such.
            of = "new words of " if stage["kind"] == "lemmatisation" else ""
            dev = "" if stage["dev"] is None else f", {100 * stage['dev']:.2f} on {of}the development set"
            sees = f", sees {' '.join(stage['sees'])}" if stage["sees"] else ""
            pairs[name] = (
                f"{stage['kind']}, {stage['search']}, {counted(stage['weights'], 'weights')}{sees}{dev}"
            )
        if about["clusters"]:
            pairs["clusters"] = named_clusters(about["clusters"])
        return pairs


def _dev(about: Mapping[str, Any]) -> float | None:
    """Return the score of the epoch that a stage has kept."""
    kept = [each["dev_score"] for each in about.get("epochs", []) if each["best"]]
    return kept[-1] if kept else None


def _figures(shares: Mapping[str, Share]) -> Plain:
    return {
        "table": {
            name: {
                "precision": share.precision,
                "recall": share.recall,
                "f1": share.f1,
                "aligned_accuracy": share.aligned_accuracy,
                "counts": share._asdict(),
            }
            for name, share in shares.items()
        }
    }


CLI = PipelineCLI()
