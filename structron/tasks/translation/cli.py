"""Translation on the command line."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from structron.cli.commands.info import named_templates
from structron.cli.task_cli import CommonCLI, Plain, Reading
from structron.cli.terminal.counting import counted
from structron.fit.data.signature import checksum
from structron.io import Report
from structron.io.formats.parallel_text import Segment, present
from structron.io.formats.pharaoh import pharaoh
from structron.tasks.translation.decoding.task import TranslationTask
from structron.tasks.translation.estimator import Translator
from structron.tasks.translation.features import PRESETS
from structron.tasks.translation.hiero.task import HieroTask
from structron.tasks.translation.measures import (
    difference,
    figures_of,
    graded,
    measured,
    text_of,
    texts_of,
)
from structron.tasks.translation.reading import read_sides, read_stream
from structron.tasks.translation.showing import show

if TYPE_CHECKING:
    from structron.cli.files.streams import Stream
    from structron.cli.terminal.request import Show
    from structron.metrics.reports import Grade
    from structron.model import Model

# By system, what its table holds and the names of its dense features.
TABLES = {"phrases": "phrase pairs", "hiero": "rules"}
DENSE = {task.system: task.dense_names for task in (TranslationTask, HieroTask)}


class TranslationCLI(CommonCLI):
    """The commands of translation."""

    items, parts = "sentences", "words"
    sides: tuple[str, ...] = ("SRC", "TGT")
    formats: tuple[str, ...] = ("text",)
    presets = PRESETS
    estimator = Translator

    def labelled(
        self, place: tuple[str, ...], reading: Reading, report: Report, settings: Mapping[str, Any]
    ) -> list[Segment]:
        """Return the lines of files side by side."""
        return read_sides(place, reading, report)

    def split(self, items: Sequence[Segment]) -> tuple[list[Any], list[Any]]:
        """Return sources, and the references of each; a line end says that a single word is a text."""
        return [text_of(each.sides[0]) for each in items], [
            [text_of(words) + "\n" for words in each.sides[1:]] for each in items
        ]

    def size(self, estimator: Translator) -> str:
        """Return the number of phrases, and what could not be learned from."""
        parts = [f"{estimator.phrases_:,} {TABLES[estimator.model_.task.system]}"]
        if estimator.empty_:
            parts.append(f"{counted(estimator.empty_, 'pairs')} with an empty side")
        if estimator.unreachable_:
            parts.append(counted(estimator.unreachable_, "sentences without derivation"))
        return ", ".join(parts)

    def read(
        self, estimator: Translator, stream: Stream, reading: Reading, report: Report
    ) -> Iterator[Segment]:
        """Return the lines of a stream, blank ones too."""
        return read_stream(stream, reading, report)

    def predicted(self, estimator: Translator, items: Sequence[Segment], kbest: int | None) -> Iterator[str]:
        """Yield translations line by line; with `kbest` source TAB translation TAB rank TAB score, a line
        each."""
        sources = self.inputs(estimator, items)
        if kbest is None:
            for output in estimator.predict(sources):
                yield f"{output}\n"
            return
        for source, found in zip(sources, estimator.predict_kbest(sources, kbest)):
            if not source:
                yield "\n"
                continue
            for rank, (output, score) in enumerate(found, 1):
                yield f"{source}\t{output}\t{rank}\t{score:.6g}\n"

    def linked(self, estimator: Translator, items: Sequence[Segment]) -> Iterator[str]:
        """Yield translation TAB links, which are pairs of source and target places: ``0-0 1-2``."""
        outputs, links = estimator.predict_with_alignment(self.inputs(estimator, items))
        for output, each in zip(outputs, links):
            yield f"{output}\t{pharaoh(each)}\n" if output else "\n"

    def remarks(self, estimator: Translator) -> list[str]:
        """List the words that were never seen in training."""
        return [f"warning: {said}"] if (said := estimator.unseen) else []

    def measure(self, estimator: Translator, items: list[Segment], confused: int) -> Plain:
        """Return BLEU and chrF."""
        sources = self.inputs(estimator, items)
        gold = [list(map(text_of, present(each.sides[1:]))) for each in items]
        estimator.check_order(*self.split(items))
        figures = figures_of(gold, [str(output) for output in estimator.predict(sources)], confused)
        return figures | {"evaluated_on": checksum(sources, gold)}

    def owns(self, format: str, columns: Collection[str]) -> bool:
        """Return whether the format is text."""
        return format == "text"

    def compare(
        self, guess: list[Segment], gold: list[Segment], settings: Mapping[str, Any], confused: int
    ) -> Plain:
        """Compare outputs that were predicted before with the references."""
        return figures_of(*texts_of(guess, gold), confused)

    def inputs(self, estimator: Translator, items: Sequence[Segment]) -> list[str]:
        """Return the sources."""
        return [text_of(each.sides[0]) for each in items]

    def graded(self, estimator: Translator, items: list[Segment]) -> list[Grade]:
        """Return references beside translations, with chrF by sentence."""
        sources = self.inputs(estimator, items)
        gold = [list(map(text_of, present(each.sides[1:]))) for each in items]
        return graded([each.place for each in items], sources, gold, estimator.predict(sources))

    def graded_before(
        self, guess: list[Segment], gold: list[Segment], *, inputs: bool = False
    ) -> list[Grade]:
        """Return references beside outputs that were predicted before."""
        sources = [text_of(each.sides[0]) if inputs else "" for each in gold]
        right, said = texts_of(guess, [replace(each, sides=each.sides[inputs:]) for each in gold])
        return graded([each.place for each in gold], sources, right, said)

    def different(self, first: list[Grade], second: list[Grade]) -> Plain:
        """Compare translations with other translations."""
        gold = [each.gold for each in first]
        return difference(gold, [each.guess for each in first], [each.guess for each in second])

    def measured(self, figures: Plain) -> list[str]:
        """Return the figures as lines of text."""
        return measured(figures)

    def show(self, estimator: Translator, request: Show) -> Iterable[str]:
        """Yield phrases of gold and guess, and the stacks, step by step."""
        return show(estimator.model_, request)

    def about(self, model: Model[Any]) -> Plain:
        """Return phrases, templates, tuning, and what could not be learned from."""
        return {
            "system": model.task.system,
            "phrases": len(model.task.phrases),
            "vocabularies": [
                len(model.task.phrases.source_vocabulary),
                len(model.task.phrases.target_vocabulary),
            ],
            "compounds": model.task.source_words.splits,
            "templates": list(model.task.templates),
            "tuned": list(model.task.tuned),
            "tuning": model.about.get("tuning", []),
            "unreachable": model.about.get("unreachable", 0),
            "empty": model.about.get("empty", 0),
            **({"raw": sorted(raw)} if (raw := model.task.writing.header.get("writing")) else {}),
        }

    def describe(self, about: Plain) -> dict[str, str]:
        """Return the same as text, by name."""
        source, target = about["vocabularies"]
        pairs = {
            "task": f"translation, {about['phrases']:,} {TABLES[about['system']]}, {source:,} words to "
            f"{target:,}"
            + (", compounds taken apart" if about["compounds"] else "")
            + (f", raw {' and '.join(about['raw'])}" if "raw" in about else ""),
            "templates": named_templates(about["templates"], PRESETS),
        }
        if about["tuned"]:
            named = zip(DENSE[about["system"]], about["tuned"])
            pairs["dense"] = ", ".join(f"{name} {value:.3g}" for name, value in named)
        if about["tuning"]:
            rounds = " ".join(f"{100 * bleu:.2f}" for bleu, _ in about["tuning"])
            pairs["tuning"] = f"BLEU before each round: {rounds}"
        if about["unreachable"] or about["empty"]:
            pairs["left out"] = (
                f"{about['empty']:,} pairs with an empty side; {about['unreachable']:,} sentences have no "
                "derivation"
            )
        return pairs


CLI = TranslationCLI()
