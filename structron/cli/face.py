"""What the commands ask of a task: how it is read, written, scored, shown and described.

A task's face is loaded when it is needed: `--help` does not wait for it.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from importlib import import_module
from typing import TYPE_CHECKING, Any, Protocol

from structron.errors import ModelError

if TYPE_CHECKING:
    import click

    from structron.cli.streams import Stream
    from structron.data import Encoding, Names, Report
    from structron.estimators.estimator import AnyEstimator
    from structron.model import Model

# The word for a task, the module whose FACE is its face, and what it is in one line.
FACES = {
    "tagging": ("structron.cli.tagging", "Label every word of a sentence: parts of speech, chunks, names."),
    "parsing": ("structron.cli.parsing", "Give every word of a sentence its head and its relation."),
    "transduction": ("structron.cli.transduction", "Rewrite words symbol by symbol: letters as sounds."),
}


@dataclass(frozen=True)
class Reading:
    """How the user says a file is to be read."""

    format: str | None = None
    columns: Names | None = None
    skip_bad: bool = False
    encoding: str | Encoding = "utf-8"
    blanks: bool = False  # whether a blank line of text is an item without parts, so that lines stay in step


class Face(Protocol):
    """One task, as the command line sees it."""

    items: str  # what a file holds: sentences, words
    parts: str  # what these consist of: tokens, symbols

    @property
    def presets(self) -> Collection[str]:
        """The names of its ready sets of templates."""
        ...

    @property
    def estimator(self) -> type[AnyEstimator]:
        """What trains and predicts."""
        ...

    @property
    def further(self) -> type[Any]:
        """A dataclass of the settings that the estimator takes beside its recipe."""
        ...

    def labelled(self, place: str, reading: Reading, report: Report, settings: dict[str, Any]) -> list[Any]:
        """The examples of a file that can be learned from; what is wrong is raised, or told to the report.

        `settings` are those of the recipe and those that the estimator takes beside it.
        """
        ...

    def size(self, estimator: Any) -> str:
        """What a finished model knows, in a few words."""
        ...

    def read(self, estimator: Any, stream: Stream, reading: Reading, report: Report) -> Iterator[Any]:
        """The items of a stream, in the model's own terms."""
        ...

    def predicted(self, estimator: Any, items: Sequence[Any], kbest: int | None) -> Iterator[Any]:
        """The items with what the model says of them."""
        ...

    def write(self, items: Iterable[Any], file: Any) -> None:
        """Write items as they were read."""
        ...

    def remarks(self, estimator: Any) -> list[str]:
        """What is worth a word after predicting, line by line."""
        ...

    def measure(self, estimator: Any, items: list[Any], confused: int) -> dict[str, Any]:
        """The figures of `evaluate`."""
        ...

    def compare(
        self, guess: list[Any], gold: list[Any], settings: dict[str, Any], confused: int
    ) -> dict[str, Any]:
        """The same figures for what was predicted before, both as `labelled` gives them."""
        ...

    def measured(self, figures: dict[str, Any]) -> list[str]:
        """The same for people, line by line."""
        ...

    def show(self, estimator: Any, request: Show) -> Iterable[str]:
        """All that `show` prints."""
        ...

    def about(self, model: Model[Any]) -> dict[str, Any]:
        """What `info` tells of the task beside what it tells of every model."""
        ...

    def told(self, about: dict[str, Any]) -> dict[str, str]:
        """The same for people, by name."""
        ...


@dataclass(frozen=True)
class Show:
    """What `show` was asked for.

    Attributes
    ----------
    text, gold
        An input given on the command line, with its gold output.
    place, number, reading
        Or a file, which of its examples, and how it is read.
    steps, top
        Whether every step's beam is drawn, and how much of it.
    svg
        A picture to write.
    """

    text: str | None
    gold: str | None
    place: str | None
    number: int
    reading: Reading
    steps: bool
    top: int
    svg: str | None = None


def face_of(kind: str) -> Face:
    """The face of a task."""
    face: Face = import_module(FACES[kind][0]).FACE
    return face


def known_task(ctx: click.Context, param: click.Parameter, value: str) -> str:
    """One of the tasks there are, or a sentence that lists them."""
    import click

    if value not in FACES:
        raise click.UsageError(f"there is no task {value!r}; the tasks are: {', '.join(FACES)}", ctx)
    return value


def load(path: str, search: str | None = None) -> tuple[Face, Any]:
    """A model's estimator from its file, with another search if one is named, and the face of its task."""
    from structron.model import Model
    from structron.search import parse_search

    model = Model.load(path)
    if model.task.kind not in FACES:
        raise ModelError(f"{path}: a model for {model.task.kind}, which has no commands; use it from Python")
    face = face_of(model.task.kind)
    estimator = face.estimator.of_model(model, path)
    if search is not None:
        model.search = parse_search(search)
    return face, estimator
