"""Pipelines on the command line."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from structron.cli.draw.spans import span_figures, span_table
from structron.cli.task_cli import CommonCLI
from structron.cli.terminal.counting import counted
from structron.errors import DataError, SettingError
from structron.io import Report, Sentence, read, tree_of, write
from structron.io.files.encoding import unfit
from structron.io.files.streams import writing
from structron.io.formats.raw_text import Paragraph
from structron.tasks.pipeline.estimator import STARTS, Pipeline
from structron.tasks.pipeline.reading import read_items
from structron.tasks.pipeline.settings import FIRST_WORDS

if TYPE_CHECKING:
    from structron.cli.files.streams import Stream
    from structron.cli.task_cli import Plain, Reading
    from structron.cli.terminal.request import Show
    from structron.metrics.conll18 import Share
    from structron.model import Model
    from structron.tasks.pipeline.document import AnalysedSentence
    from structron.tasks.pipeline.names.data import Item as Gold
    from structron.tasks.pipeline.task import PipelineTask


Item = Sentence | Paragraph

_WORDS = {first: name for name, first in FIRST_WORDS.items()}


class PipelineCLI(CommonCLI):
    """The commands of pipelines."""

    items, parts = "sentences", "words"
    formats: tuple[str, ...] = ("conllu",)
    estimator = Pipeline
    starts = STARTS
    start: str | None = None  # what the command was told is given

    def looks_given(self, place: str) -> bool:
        """Return whether there are words with blanks between them."""
        return any(map(str.isspace, place))

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

    def predicted(
        self, estimator: Pipeline, items: Sequence[Item], kbest: int | None
    ) -> Iterator[Sentence | str]:
        """Yield the sentences with tags, lemmas and trees; those of raw text as they are written."""
        if kbest is not None:
            raise SettingError("--kbest is not for pipelines, whose stages give one answer; leave it out")
        # A stream has paragraphs or sentences, never both.
        yield estimator.conllu_of([item for item in items if isinstance(item, Paragraph)])
        sentences = [item for item in items if isinstance(item, Sentence)]
        yield from estimator.predict(sentences, "tags" if self.start == "tags" else "words")

    def write(self, items: Iterable[Sentence | str], file: Any) -> None:
        """Write CoNLL-U."""
        for item in items:
            if isinstance(item, Sentence):
                write([item], file)
                continue
            try:
                file.write(item)
            except UnicodeEncodeError as error:
                raise DataError(f"the text: {unfit(error)}") from error

    def measure(self, estimator: Pipeline, items: list[Gold], confused: int) -> Plain:
        """Return the table of CoNLL 2018, from raw text if the model can cut it and no other start is given,
        and the figures of names, if gold has names.

        Without a parser the table has the rows that apply; for gold that is names alone there is none.
        """
        from structron.tasks.pipeline.names.measures import has_names, is_treebank

        start = self.start or ("text" if "segmenter" in estimator.stages_ else "words")
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
        from structron.tasks.pipeline.names.measures import characters, has_names

        figures = _figures(conll18(gold, guess))
        if has_names(gold):
            score = score_of_spans([(characters(gold), characters(guess))])
            figures["names"] = span_figures(score)
        return figures

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
        """Yield the trees of a text, or of a sentence of words."""
        from structron.cli.draw.trees import draw_tree

        if request.text is None or request.gold is not None:
            raise SettingError(
                "a pipeline shows the trees of a text; give the text, or show a stage of its own"
            )
        given: Any = request.text if "segmenter" in estimator.stages_ else request.text.split()
        sentences = estimator(given).sentences
        if request.svg is not None:
            _draw(estimator, sentences, request.number, request.svg)
            if request.svg == "-":
                return
        for sentence in sentences:
            words = sentence.words
            arcs = [word.head or 0 for word in words], [word.deprel for word in words]
            yield from draw_tree([word.form for word in words], arcs, tags=[word.upos for word in words])
            yield ""

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


def _draw(estimator: Pipeline, sentences: Sequence[AnalysedSentence], number: int, place: str) -> None:
    """Write the tree of one sentence as a picture."""
    if "parser" not in estimator.stages_:
        raise SettingError("this pipeline has no parser, so there is no tree to draw; leave --svg out")
    if number > len(sentences):
        found = counted(len(sentences), "sentences")
        raise SettingError(f"--sentence {number}: the text has {found}; give another text or number")
    with writing(place) as put:
        put(sentences[number - 1].to_svg())


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
