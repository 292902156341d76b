"""A task of one's own on the command line: lines of an input, or of an input, a tab and its output."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from structron.cli.draw.beams import Drawing
from structron.cli.task_cli import CommonCLI, Plain, Reading
from structron.errors import DataError, SettingError
from structron.fit.data.signature import checksum
from structron.io.files import streams
from structron.io.files.line_parsing import parse_lines

if TYPE_CHECKING:
    from structron.cli.files.streams import Stream
    from structron.cli.terminal.request import Show
    from structron.io import Report
    from structron.model import Model
    from structron.own.estimator import OwnEstimator
    from structron.own.task import OwnTask


@dataclass(frozen=True, slots=True)
class Line:
    """An input, its output where it is known, and where it stands."""

    text: str
    output: str | None = None
    place: str = ""

    def __len__(self) -> int:
        return len(self.text)


class OwnCLI(CommonCLI):
    """Reads, scores and shows lines of text; a subclass names its `estimator`, and may read other files.

    Attributes
    ----------
    items, parts
        What a file holds, and what these consist of, for messages.
    """

    items, parts = "lines", "characters"
    formats: tuple[str, ...] = ()
    estimator: type[OwnEstimator]

    # ------------------------------------------------------------------------------------ reading, writing

    def parse(self, line: str, where: str) -> Line:
        """Parse a line: an input, perhaps a tab and its output."""
        text, *outputs = line.split("\t")
        if len(outputs) > 1:
            raise DataError(f"{where}: {len(outputs)} tabs where one is enough; write input TAB output")
        return Line(text, outputs[0] if outputs else None, where)

    def labelled(
        self, place: str, reading: Reading, report: Report, settings: Mapping[str, Any]
    ) -> list[Line]:
        """Return the examples of a file."""
        found = list(self._read(place, reading, report))
        for line in found:
            if line.output is None:
                raise DataError(f"{line.place}: there is no output to learn from; write input TAB output")
        return found

    def read(
        self, estimator: OwnEstimator, stream: Stream, reading: Reading, report: Report
    ) -> Iterator[Line]:
        """Yield the inputs of a stream."""
        return self._read(stream, reading, report)

    def _read(self, place: Any, reading: Reading, report: Report) -> Iterator[Line]:
        if reading.columns is not None or reading.format is not None:
            raise SettingError(
                f"files of {self.estimator.kind} have one form; leave --format and --columns out"
            )
        with streams.reading(place, reading.encoding) as lines:
            for found, _ in parse_lines(
                lines,
                self.parse,
                skip_bad=reading.skip_bad,
                report=report,
                blank=Line("") if reading.blanks else None,
            ):
                yield found

    def split(self, items: Sequence[Line]) -> tuple[Sequence[Any], Sequence[Any] | None]:
        """Return inputs and outputs apart."""
        return [line.text for line in items], [line.output for line in items]

    # --------------------------------------------------------------------------------- predicting, scoring

    def inputs(self, estimator: Any, items: Sequence[Line]) -> list[Any]:
        """Return the texts of lines."""
        return [line.text for line in items]

    def predicted(self, estimator: OwnEstimator, items: Sequence[Line], kbest: int | None) -> Iterator[str]:
        """Yield lines: the output; with `kbest` input TAB output TAB rank TAB score, a line for each."""
        xs = [line.text for line in items]
        if kbest is None:
            for output in estimator.predict(xs):
                yield f"{output}\n"
            return
        for x, best in zip(xs, estimator.predict_kbest(xs, kbest)):
            for rank, (output, score) in enumerate(best, 1):
                yield f"{x}\t{output}\t{rank}\t{score:.6g}\n"

    def measure(self, estimator: OwnEstimator, items: list[Line], confused: int) -> Plain:
        """Return how many outputs are right."""
        for line in items:
            if line.output is None:
                raise DataError(f"{line.place}: there is no output to score against; write input TAB output")
        xs, ys = self.split(items)
        return {
            "lines": len(items),
            "accuracy": estimator.score(xs, ys),
            "evaluated_on": checksum(list(xs), [[str(y)] for y in ys or ()]),
        }

    def compare(
        self, guess: list[Line], gold: list[Line], settings: Mapping[str, Any], confused: int
    ) -> Plain:
        """Refuse: a line does not say which input it is the output of."""
        raise SettingError(
            f"--task {self.estimator.kind}: outputs without a model cannot be scored; give the model"
        )

    def measured(self, figures: Plain) -> list[str]:
        """Return the figures for people."""
        return [f"right  {100 * figures['accuracy']:7.2f} %   of {figures['lines']:,} {self.items}"]

    # ---------------------------------------------------------------------------------- showing, describing

    def show(self, estimator: OwnEstimator, request: Show) -> Iterable[str]:
        """Yield the best derivation, and the beam step by step."""
        if request.svg is not None or request.place is not None:
            raise SettingError(
                f"show draws {self.estimator.kind} for a text given here; leave --svg and FILE out"
            )
        text = request.text or ""
        trace, names = estimator.trace(text, request.gold), estimator.account(text).namer  # type: ignore[attr-defined]
        (guess,) = estimator.predict([text])
        yield f"input  {text}"
        yield f"guess  {guess}"
        if request.gold is not None:
            yield f"gold   {request.gold}"
        yield f"search {estimator.model_.search}"
        yield ""
        state, abouts = names.space.initial(), []
        for action in trace.best(trace.final).actions:
            abouts.append(names.about(state))
            state = names.space.advance(state, action)
        most = max((item.action for row in trace.beams for item in row), default=0)
        labels = [names.label(names.space.initial(), action) for action in range(most + 1)]
        gold = None if request.gold is None else [labels[a] for a in trace.gold(trace.final).actions]
        yield from Drawing(trace, abouts, labels, gold, request.top, unit="step").whole(request.steps)

    def size(self, estimator: OwnEstimator) -> str:
        """Return the size of a finished model in a few words."""
        return self.estimator.kind

    def about(self, model: Model[OwnTask]) -> Plain:
        """Return nothing: a task of one's own says no more."""
        return {}

    def describe(self, about: Plain) -> dict[str, str]:
        """Return the same for people."""
        return {"task": self.estimator.kind}
