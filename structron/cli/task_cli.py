"""`TaskCLI`: what the commands ask of a task to read, write, score, show and describe.

The object that answers is named by `cli` of the task's `TaskSpec`. It is loaded when it is needed: `--help`
does not wait for it.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Protocol, TypeVar, runtime_checkable

from structron import registry
from structron.cli.files.reading import Reading as Reading
from structron.errors import DataError, ModelError, SettingError
from structron.settings import settings_of

if TYPE_CHECKING:
    from structron.cli.files.streams import Stream
    from structron.cli.terminal.request import Show
    from structron.fit.estimator import AnyEstimator
    from structron.io import Report
    from structron.metrics import Judgement
    from structron.metrics.reports import Grade
    from structron.model import Model
    from structron.settings import Setting

# Plain data, as JSON has it: figures, settings, and descriptions of models.
Plain = dict[str, Any]

EstimatorT = TypeVar("EstimatorT")  # what trains and predicts
ItemT = TypeVar("ItemT")  # one item of a file
PredictedT = TypeVar("PredictedT")  # an item with what was predicted, ready to be written
# Where examples lie: one path, or several for a task with `sides`.
PlaceT = TypeVar("PlaceT", bound=str | tuple[str, ...], contravariant=True)


class TaskCLI(Protocol[EstimatorT, ItemT, PredictedT, PlaceT]):
    """A task, as the command line sees it."""

    items: str  # what a file holds, for messages: sentences, words
    parts: str  # what items consist of: tokens, symbols
    sides: tuple[str, ...]  # the names of the files that an example is spread over; empty for one file
    formats: tuple[str, ...]  # the formats that it learns from

    @property
    def examples(self) -> str:
        """The name of what it learns from, one by one, for messages: items, or passages of several."""
        ...

    @property
    def presets(self) -> Collection[str]:
        """The names of its template presets."""
        ...

    @property
    def estimator(self) -> type[EstimatorT]:
        """The class that trains and predicts."""
        ...

    def labelled(
        self, place: PlaceT, reading: Reading, report: Report, settings: Mapping[str, Any]
    ) -> list[ItemT]:
        """Return the examples of a file to learn from; raise errors, or count them in the report.

        A task with `sides` reads one file for each side, and a single file of outputs when two outputs are
        compared. `settings` are those of the recipe and of `extra`.
        """
        ...

    def split(self, items: Sequence[ItemT]) -> tuple[Sequence[Any], Sequence[Any] | None]:
        """Return what `fit` takes: the items themselves and None, or inputs and outputs."""
        ...

    def size(self, estimator: EstimatorT) -> str:
        """Return the size of a finished model in a few words, such as ``17 labels``."""
        ...

    def read(
        self, estimator: EstimatorT, stream: Stream, reading: Reading, report: Report
    ) -> Iterator[ItemT]:
        """Yield the items of a stream as the model takes them."""
        ...

    def predicted(
        self, estimator: EstimatorT, items: Sequence[ItemT], kbest: int | None
    ) -> Iterator[PredictedT]:
        """Yield the items with what the model predicts for them."""
        ...

    def write(self, items: Iterable[PredictedT], file: Any) -> None:
        """Write items in the format that they were read in."""
        ...

    def inputs(self, estimator: EstimatorT, items: Sequence[ItemT]) -> Sequence[Any]:
        """Return items as the estimator takes them, for what is asked of it besides predictions."""
        ...

    def remarks(self, estimator: EstimatorT) -> list[str]:
        """Return remarks to print after predicting, one a line."""
        ...

    def measure(self, estimator: EstimatorT, items: list[ItemT], confused: int) -> Plain:
        """Return the figures of `evaluate`."""
        ...

    def owns(self, format: str, columns: Collection[str]) -> bool:
        """Return whether only this task writes predictions in this format with these columns."""
        ...

    def compare(
        self, guess: list[ItemT], gold: list[ItemT], settings: Mapping[str, Any], confused: int
    ) -> Plain:
        """Return the figures of `evaluate` for an earlier prediction; `labelled` has read both."""
        ...

    def measured(self, figures: Plain) -> list[str]:
        """Return figures as lines of text."""
        ...

    def show(self, estimator: EstimatorT, request: Show) -> Iterable[str]:
        """Yield the lines that `show` prints."""
        ...

    def about(self, model: Model[Any]) -> Plain:
        """Return the lines that `info` adds for models of this task."""
        ...

    def describe(self, about: Plain) -> dict[str, str]:
        """Return the same as text, by name."""
        ...


class CommonCLI:
    """The usual answers of a `TaskCLI`; a task overrides those that differ."""

    items: str
    sides: tuple[str, ...] = ()
    presets: Collection[str] = ()
    has_confidence = True  # whether an output is judged as margins are found, part by part

    @property
    def examples(self) -> str:
        """Return the name of its items."""
        return self.items

    def split(self, items: Sequence[Any]) -> tuple[Sequence[Any], Sequence[Any] | None]:
        """Return the items: their outputs are in them."""
        return items, None

    def write(self, items: Iterable[Any], file: Any) -> None:
        """Write lines one after the other; name a line that the file's encoding cannot express."""
        from structron.io.files.encoding import unfit
        from structron.io.files.streams import writing

        with writing(file) as put:
            for line in items:
                try:
                    put(line)
                except UnicodeEncodeError as error:
                    raise DataError(f"{line.rstrip()}: {unfit(error)}") from None

    def inputs(self, estimator: Any, items: Sequence[Any]) -> Sequence[Any]:
        """Return the items: the estimator takes what a file holds."""
        return items

    def opening(self, format: str) -> str:
        """Return nothing: no format needs a beginning."""
        return ""

    def remarks(self, estimator: Any) -> list[str]:
        """Return no remarks: every input gets an answer."""
        return []

    def owns(self, format: str, columns: Collection[str]) -> bool:
        """Return False: other tasks may write the same format."""
        return False


@runtime_checkable
class Certain(Protocol):
    """A prediction whose format has a place for a confidence."""

    def with_confidence(self, whole: str) -> Any:
        """Return the prediction with the probability that it is right."""
        ...


@runtime_checkable
class Grading(Protocol):
    """A task whose outputs are better or worse, rather than right or wrong."""

    def graded(self, estimator: Any, items: list[Any]) -> list[Grade]:
        """Return gold beside what the model predicts, with a score for each."""
        ...

    def graded_before(self, guess: list[Any], gold: list[Any], *, inputs: bool = False) -> list[Grade]:
        """Return gold beside an earlier prediction; `labelled` has read both, gold perhaps with inputs."""
        ...

    def different(self, first: list[Grade], second: list[Grade]) -> Plain:
        """Return figures of the second output, and whether the two differ by more than chance."""
        ...


@runtime_checkable
class Judging(Protocol):
    """A task whose outputs are decisions, each right or wrong; one with stages has them by stage."""

    def judged(self, estimator: Any, items: list[Any]) -> Judged:
        """Return gold beside what the model predicts."""
        ...

    def judged_before(self, guess: list[Any], gold: list[Any], settings: Mapping[str, Any]) -> Judged:
        """Return gold beside an earlier prediction; `labelled` has read both."""
        ...


@runtime_checkable
class Linked(Protocol):
    """A task that knows which words of an output come from which words of the input."""

    def linked(self, estimator: Any, items: Sequence[Any]) -> Iterator[Any]:
        """Yield the items with what the model predicts for them and its word links."""
        ...


@runtime_checkable
class Formatted(Protocol):
    """A task whose outputs can be written in several formats."""

    output_formats: tuple[str, ...]

    def formatted(self, predicted: Iterable[Any], format: str) -> Iterator[Any]:
        """Yield predictions in one of these formats."""
        ...

    def opening(self, format: str) -> str:
        """Return the first lines of a file of this format."""
        ...


@runtime_checkable
class ReadingMore(Protocol):
    """A task with settings that only say how files are read."""

    reading: type[Any]


@runtime_checkable
class Comparing(Protocol):
    """A task that reads files with other settings where they are only compared."""

    when_compared: dict[str, Any]


@runtime_checkable
class Staged(Protocol):
    """A task with several stages, which may start from any of these."""

    starts: Sequence[str]

    def readings(self, estimator: Any, items: Sequence[Any], kbest: int, stage: str | None) -> Iterator[Any]:
        """Yield the items with the k best readings of one stage; by default the last that has several."""
        ...

    def sure(self, estimator: Any, items: Sequence[Any]) -> Iterator[Any]:
        """Yield the items with what is predicted for them, and with how likely each stage is right."""
        ...

    def cut(self, estimator: Any, items: Sequence[Any]) -> list[Any]:
        """Return labelled items as sentences; the model cuts those that are texts."""
        ...


@runtime_checkable
class Joining(Protocol):
    """A task whose examples may be spread over several files."""

    def joined(self, items: list[Any]) -> list[Any]:
        """Return the items of all files as if they came from one."""
        ...


@runtime_checkable
class Executing(Protocol):
    """A task whose outputs can be executed."""

    def take_executor(self, estimator: Any, name: str) -> None:
        """Let a function, ``module:function``, execute what this model predicts."""
        ...


if TYPE_CHECKING:
    Judged = list[Judgement] | dict[str, list[Judgement]]
    # For commands, which work with every task.
    AnyTaskCLI = TaskCLI[AnyEstimator, Any, Any, Any]


def place_of(shown: AnyTaskCLI, places: tuple[str, ...], least: int, most: int | None = None) -> Any:
    """Return the files of examples as the task takes them; refuse too few or too many.

    `least` and `most` apply to a task with sides; any other has one file.
    """
    if not shown.sides:
        if len(places) != 1:
            raise SettingError(f"{places[1]}: one file has whole {shown.items}; give one")
        return places[0]
    wanted = " ".join(shown.sides)
    if len(places) < least or (most is not None and len(places) > most):
        raise SettingError(
            f"{places[-1]}: {shown.items} lie in files side by side, and {len(places)} "
            f"{'was' if len(places) == 1 else 'were'} given; give {wanted}"
        )
    if places.count("-") > 1:
        raise SettingError("standard input can be read only once; name files for all but one")
    return places


def named(place: str | tuple[str, ...]) -> str:
    """Return how messages refer to files."""
    return " and ".join("stdin" if each == "-" else each for each in _all(place))


def _all(place: str | tuple[str, ...]) -> tuple[str, ...]:
    return (place,) if isinstance(place, str) else place


def check_start(shown: AnyTaskCLI, start: str | None) -> None:
    """Refuse --from for a task that has no stages to start from."""
    if start is not None and not isinstance(shown, Staged):
        raise SettingError(f"--from is for models with stages, not for {shown.estimator.kind}; leave it out")


def extra_settings(shown: AnyTaskCLI) -> dict[str, Setting]:
    """Return the settings that the estimator takes besides its recipe, and those that files are read by."""
    recipe = getattr(shown.estimator, "recipe_type", None)
    if recipe is None:  # a pipeline is trained by a command of its own
        return {}
    of_recipe = settings_of(recipe)
    own = {
        name: each
        for name, each in settings_of(shown.estimator).items()
        if name not in of_recipe and each.about.flags is not None
    }
    return own | (settings_of(shown.reading) if isinstance(shown, ReadingMore) else {})


def settings_to_compare(shown: AnyTaskCLI) -> dict[str, Any]:
    """Return the settings with which a task reads files that are only compared."""
    return shown.when_compared if isinstance(shown, Comparing) else {}


def new_estimator(shown: AnyTaskCLI, recipe: Any, extra: Mapping[str, Any]) -> AnyEstimator:
    """Return an estimator with the settings of a recipe and those besides it."""
    known = settings_of(shown.estimator)
    return shown.estimator.from_recipe(
        recipe, **{name: each for name, each in extra.items() if name in known}
    )


def take_executor(
    shown: AnyTaskCLI, estimator: AnyEstimator, name: str | None, answers: bool = False
) -> None:
    """Give a model its executor; refuse --executor and --answers if nothing can be executed."""
    if name is None and not answers:
        return
    if not isinstance(shown, Executing):
        option = "--executor" if name is not None else "--answers"
        raise SettingError(f"{option} is not for {shown.estimator.kind}; leave it out")
    if name is None:
        raise SettingError("--answers: forms must be executed to have answers; give --executor too")
    shown.take_executor(estimator, name)


def load(path: str, search: str | None = None) -> tuple[AnyTaskCLI, AnyEstimator]:
    """Load a model, with another search if one is given; return its `TaskCLI` and its estimator."""
    from structron.model import Model
    from structron.search import parse_search

    model = Model.load(path)
    if not registry.spec_of(model.task.kind).cli:
        raise ModelError(f"{path}: a model for {model.task.kind}, which has no commands; use it from Python")
    cli = registry.cli_of(model.task.kind)
    estimator = cli.estimator.of_model(model, path)
    if search is not None:
        if model.parts and not len(model.rows.keys):
            raise SettingError(
                f"{path}: --search is for models of one task, not for a {model.task.kind}; leave it out"
            )
        model.search = parse_search(search)
    return cli, estimator
