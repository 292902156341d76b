"""Transduction on the command line."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from structron.cli.task_cli import CommonCLI, Plain, Reading
from structron.cli.terminal.counting import counted
from structron.errors import DataError, SettingError
from structron.io import Notation, Pair, Report, gather, read_pairs
from structron.tasks.transduction.estimator import Transducer
from structron.tasks.transduction.features import PRESETS

if TYPE_CHECKING:
    from structron.cli.files.streams import Stream
    from structron.cli.terminal.request import Show
    from structron.metrics import Judgement
    from structron.model import Model
    from structron.tasks.transduction.task import TransductionTask


Symbols = tuple[str, ...]


class TransductionCLI(CommonCLI):
    """The commands of transduction."""

    items, parts = "words", "symbols"
    formats: tuple[str, ...] = ("tsv", "counted", "cmudict")
    presets = PRESETS
    estimator = Transducer

    def labelled(
        self, place: str, reading: Reading, report: Report, settings: Mapping[str, Any]
    ) -> list[Pair]:
        """Return each source of a file with all its targets."""
        _check(reading)
        return gather(read_pairs(place, bare=reading.blanks, **reading.options(report)))

    def joined(self, items: list[Pair]) -> list[Pair]:
        """Join the targets that a source has in several files."""
        return gather(items)

    def size(self, estimator: Transducer) -> str:
        """Return the number of pieces, and what could not be learned from."""
        parts = [counted(estimator.pairs_, "pieces")]
        if estimator.unaligned_:
            parts.append(counted(estimator.unaligned_, "pairs not aligned"))
        if estimator.unreachable_:
            parts.append(counted(estimator.unreachable_, "words without derivation"))
        return ", ".join(parts)

    def read(self, estimator: Transducer, stream: Stream, reading: Reading, report: Report) -> Iterator[Pair]:
        """Return the sources of a stream, with targets where it has them."""
        _check(reading)
        return read_pairs(stream, bare=True, blanks=reading.blanks, **reading.options(report))

    def predicted(self, estimator: Transducer, items: Sequence[Pair], kbest: int | None) -> Iterator[str]:
        """Yield lines: source TAB output; with `kbest` also TAB rank TAB score, a line for each."""
        if kbest is None:
            for pair, output in zip(items, estimator.predict(items)):
                yield f"{pair.source}\t{_text(output)}\n" if pair.source else "\n"
            return
        for pair, found in zip(items, estimator.predict_kbest(items, kbest)):
            if not pair.source:
                yield "\n"
                continue
            for rank, (output, score) in enumerate(found, 1):
                yield f"{pair.source}\t{_text(output)}\t{rank}\t{score:.6g}\n"

    def remarks(self, estimator: Transducer) -> list[str]:
        """List the symbols that were never seen in training."""
        return [f"warning: {said}"] if (said := estimator.unseen) else []

    def measure(self, estimator: Transducer, items: list[Pair], confused: int) -> Plain:
        """Return word and symbol error rates; any target of a source counts."""
        from structron.fit.data.signature import checksum
        from structron.fit.data.unknown_labels import warn_of_unknown

        pairs, gold, guess = _symbols(estimator, items)
        known = {symbol for piece in estimator.model_.task.pairs for symbol in piece.target}
        warn_of_unknown((target for targets in gold for target in targets), known, "target symbols", "them")
        figures = _figures(gold, guess, confused)
        figures["evaluated_on"] = checksum([pair.source for pair in pairs], gold)
        return figures

    def owns(self, format: str, columns: Collection[str]) -> bool:
        """Return whether the format is one of pairs."""
        return format in ("tsv", "counted", "cmudict")

    def compare(
        self, guess: list[Pair], gold: list[Pair], settings: Mapping[str, Any], confused: int
    ) -> Plain:
        """Compare outputs that were predicted before with gold; of several outputs the first counts."""
        return _figures(*_before(guess, gold), confused)

    def judged(self, estimator: Transducer, items: list[Pair]) -> list[Judgement]:
        """Return gold beside what the model predicts, symbol by symbol."""
        return _judged(*_symbols(estimator, items))

    def judged_before(
        self, guess: list[Pair], gold: list[Pair], settings: Mapping[str, Any]
    ) -> list[Judgement]:
        """Return gold beside outputs that were predicted before."""
        gold = gather(gold)
        return _judged(gold, *_before(guess, gold))

    def measured(self, figures: Plain) -> list[str]:
        """Return the figures as lines of text."""
        from structron.cli.draw.confusions import confused_lines

        lines = [
            f"word error rate    {100 * figures['word_error_rate']:7.2f} %   of {figures['words']:,} words",
            f"symbol error rate  {100 * figures['symbol_error_rate']:7.2f} %   "
            f"of {figures['symbols']:,} symbols",
        ]
        return [*lines, *confused_lines(figures.get("confusions", []))]

    def show(self, estimator: Transducer, request: Show) -> Iterable[str]:
        """Yield derivations of gold and guess, and the beam, step by step."""
        from structron.tasks.transduction.showing import show

        return show(estimator, request)

    def about(self, model: Model[TransductionTask]) -> Plain:
        """Return pieces, templates, experts, and what could not be learned from."""
        from structron.cli.commands.info import about_experts

        return {
            "pieces": len(model.task.pairs),
            "known_words": 0 if model.task.known_words is None else len(model.task.known_words.lengths),
            "templates": list(model.task.templates),
            "direction": model.task.direction,
            "script": model.about.get("script"),
            "unreachable": model.about.get("unreachable", 0),
            "unaligned": model.about.get("unaligned", 0),
            "experts": about_experts(model.task.experts),
        }

    def describe(self, about: Plain) -> dict[str, str]:
        """Return the same as text, by name."""
        from structron.cli.commands.info import named_experts, named_templates

        pairs = {
            "task": f"transduction, {about['direction']}, {counted(about['pieces'], 'pieces')}, "
            f"{counted(len(about['templates']), 'templates')}",
            "templates": named_templates(about["templates"], PRESETS),
        }
        if about["known_words"]:
            pairs["task"] += f", {counted(about['known_words'], 'known words')}"
        if about["script"]:
            pairs["symbols"] = "source {source}, target {target}".format(**about["script"])
        if about["experts"]:
            pairs["experts"] = named_experts(about["experts"])
        if about["unreachable"] or about["unaligned"]:
            pairs["left out"] = (
                f"{about['unaligned']:,} pairs could not be aligned, "
                f"{about['unreachable']:,} words have no derivation"
            )
        return pairs


def _figures(gold: list[list[Symbols]], guess: list[Symbols], confused: int) -> Plain:
    from structron import metrics

    rate = metrics.error_rate(gold, guess)
    figures: Plain = {
        "words": rate.words,
        "symbols": rate.symbols,
        "word_error_rate": rate.word_error_rate,
        "symbol_error_rate": rate.symbol_error_rate,
        "word_accuracy": rate.word_accuracy,
    }
    if confused:
        figures["confusions"] = [c._asdict() for c in metrics.symbol_confusions(gold, guess)[:confused]]
    return figures


def _symbols(
    estimator: Transducer, items: list[Pair]
) -> tuple[list[Pair], list[list[Symbols]], list[Symbols]]:
    """Return the words of some pairs, each once, with their references and what the model makes of them."""
    for pair in items:
        if not pair.targets:
            raise DataError(f"{pair.place}: there is no target to score against; write source TAB target")
    pairs = gather(items)
    notation = estimator.script_.notation
    gold = [[notation.symbols_of_target(text) for text in pair.targets] for pair in pairs]
    return pairs, gold, [notation.symbols_of_target(_text(output)) for output in estimator.predict(pairs)]


def _before(guess: list[Pair], gold: list[Pair]) -> tuple[list[list[Symbols]], list[Symbols]]:
    """Pair outputs that were predicted before with gold; of several outputs the first counts."""
    found = {pair.source: pair for pair in guess}
    right = {pair.source for pair in gold}
    for pair in gold:
        if pair.source not in found:
            raise DataError(f"{pair.place}: nothing was predicted for {pair.source!r}; predict it too")
    if alone := next((pair for pair in guess if pair.source not in right), None):
        raise DataError(f"{alone.place}: gold has no {alone.source!r}; compare files of the same words")
    notation = Notation.inferred([text for pair in gold for text in pair.targets])
    targets = [[notation.symbols_of_target(text) for text in pair.targets] for pair in gold]
    said = [notation.symbols_of_target("".join(found[pair.source].targets[:1])) for pair in gold]
    return targets, said


def _judged(pairs: list[Pair], gold: list[list[Symbols]], guess: list[Symbols]) -> list[Judgement]:
    from structron.metrics import judge_symbols

    return [
        judge_symbols(pair.place, pair.source, right, said) for pair, right, said in zip(pairs, gold, guess)
    ]


def _check(reading: Reading) -> None:
    if reading.columns is not None:
        raise SettingError("pairs have no columns to name; leave --columns out")


def _text(output: Any) -> str:
    """Return an output as it is written; those of a model that learned from lists stand between blanks."""
    return output if isinstance(output, str) else " ".join(output)


CLI = TransductionCLI()
