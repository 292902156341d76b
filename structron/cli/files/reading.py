"""The options that say how to read a file: `Reading`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, TypedDict

from structron.records import dataclass

if TYPE_CHECKING:
    from structron.io import Encoding, Names, Report


class ReadOptions(TypedDict):
    """The arguments that all readers of files share."""

    format: str | None
    skip_bad: bool
    report: Report
    encoding: str | Encoding


@dataclass(frozen=True)
class Reading:
    """The options that say how to read a file."""

    format: str | None = None
    columns: Names | None = None
    skip_bad: bool = False
    encoding: str | Encoding = "utf-8"
    start: str | None = None  # for a pipeline: what the file has, text, words or tags
    is_gold: bool = False  # whether all columns are there, to be scored against
    answers: bool = False  # whether what is learned from, or compared with, is the answer of an output
    blanks: bool = False  # whether a blank line of text is an item without parts, so that lines stay in step

    def options(self, report: Report) -> ReadOptions:
        """Return the arguments of a reader; it counts what it leaves out in `report`."""
        return {
            "format": self.format,
            "skip_bad": self.skip_bad,
            "report": report,
            "encoding": self.encoding,
        }

    def flags(self) -> list[str]:
        """Return the options of a command that reads files in the same way."""
        words = [] if self.format is None else ["--format", self.format]
        if isinstance(self.columns, Mapping):
            words += ["--columns", ",".join(f"{name}={where}" for name, where in self.columns.items())]
        elif self.columns is not None:
            words += ["--columns", ",".join(self.columns)]
        name = self.encoding if isinstance(self.encoding, str) else self.encoding.name
        words += [] if name == "utf-8" else ["--encoding", name]
        return [*words, "--skip-bad"] if self.skip_bad else words
