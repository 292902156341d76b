"""What the commands ask of a task: how it is read, written, scored, shown and described.

A task's face is `FACE` of `structron.cli.<task>`. It is loaded when it is needed: `--help` does not wait for
it.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Protocol, TypeVar, runtime_checkable

from structron import registry
from structron.cli.terminal.reading import Reading as Reading
from structron.errors import ModelError, SettingError
from structron.settings import settings_of

if TYPE_CHECKING:
    import click

    from structron.cli.terminal.request import Show
    from structron.cli.terminal.streams import Stream
    from structron.fit.estimator import AnyEstimator
    from structron.io import Report
    from structron.metrics import Judged
    from structron.model import Model
    from structron.settings import Setting

# Plain data, as JSON has it: figures, settings, and what a model says of itself.
Plain = dict[str, Any]

EstimatorT = TypeVar("EstimatorT")  # what trains and predicts
ItemT = TypeVar("ItemT")  # what a file holds
PredictedT = TypeVar("PredictedT")  # an item with what was predicted, ready to be written
# Where examples lie: a path, or for a task with `sides` several.
PlaceT = TypeVar("PlaceT", bound=str | tuple[str, ...], contravariant=True)


class TaskCLI(Protocol[EstimatorT, ItemT, PredictedT, PlaceT]):
    """One task, as the command line sees it."""

    items: str  # what a file holds: sentences, words
    parts: str  # what these consist of: tokens, symbols
    sides: tuple[str, ...]  # where an example lies in several files side by side, what these are called
    formats: tuple[str, ...]  # what it can be learned from

    @property
    def presets(self) -> Collection[str]:
        """The names of its ready sets of templates."""
        ...

    @property
    def estimator(self) -> type[EstimatorT]:
        """What trains and predicts."""
        ...

    def labelled(
        self, place: PlaceT, reading: Reading, report: Report, settings: Mapping[str, Any]
    ) -> list[ItemT]:
        """The examples of a file that can be learned from; errors are raised, or counted in the report.

        Where there are `sides`, of as many files; of one alone if they were predicted or are gold for that.

        `settings` are those of the recipe and those that the estimator takes besides it.
        """
        ...

    def split(self, items: Sequence[ItemT]) -> tuple[Sequence[Any], Sequence[Any] | None]:
        """What the estimator learns from: the items themselves, or inputs and outputs apart."""
        ...

    def size(self, estimator: EstimatorT) -> str:
        """What a finished model knows, in a few words."""
        ...

    def read(
        self, estimator: EstimatorT, stream: Stream, reading: Reading, report: Report
    ) -> Iterator[ItemT]:
        """The items of a stream, in the model's own terms."""
        ...

    def predicted(
        self, estimator: EstimatorT, items: Sequence[ItemT], kbest: int | None
    ) -> Iterator[PredictedT]:
        """The items with what the model predicts for them."""
        ...

    def write(self, items: Iterable[PredictedT], file: Any) -> None:
        """Write items as they were read."""
        ...

    def remarks(self, estimator: EstimatorT) -> list[str]:
        """What is worth a word after predicting, line by line."""
        ...

    def measure(self, estimator: EstimatorT, items: list[ItemT], confused: int) -> Plain:
        """The figures of `evaluate`."""
        ...

    def owns(self, format: str, columns: Collection[str]) -> bool:
        """Whether only this task's predictions are written in this format, with these columns named."""
        ...

    def compare(
        self, guess: list[ItemT], gold: list[ItemT], settings: Mapping[str, Any], confused: int
    ) -> Plain:
        """The same figures for what was predicted before, both as `labelled` gives them."""
        ...

    def measured(self, figures: Plain) -> list[str]:
        """The same for people, line by line."""
        ...

    def show(self, estimator: EstimatorT, request: Show) -> Iterable[str]:
        """All that `show` prints."""
        ...

    def about(self, model: Model[Any]) -> Plain:
        """What `info` prints of the task besides what it prints of every model."""
        ...

    def describe(self, about: Plain) -> dict[str, str]:
        """The same for people, by name."""
        ...


@runtime_checkable
class Certain(Protocol):
    """What a prediction has besides if it knows where its format has room for a confidence."""

    def with_confidence(self, whole: str) -> Any:
        """Return the same with how likely it is right."""
        ...


@runtime_checkable
class Paired(Protocol):
    """What a task's face has besides if two outputs for the same inputs can be told from chance."""

    def against(self, guess: list[Any], other: list[Any], gold: list[Any]) -> Plain:
        """Figures of the other output, and whether it differs, all as `labelled` gives them."""
        ...


@runtime_checkable
class Judging(Protocol):
    """What a task's face has besides if its outputs are decisions that can be right or wrong one by one."""

    def judged(self, estimator: Any, items: list[Any]) -> list[Judged]:
        """Gold beside what the model predicts."""
        ...

    def judged_before(self, guess: list[Any], gold: list[Any], settings: Mapping[str, Any]) -> list[Judged]:
        """Gold beside what was predicted before, both as `labelled` gives them."""
        ...


@runtime_checkable
class Linked(Protocol):
    """What a task's face has besides if the words of an output come from words of the input."""

    def linked(self, estimator: Any, items: Sequence[Any]) -> Iterator[Any]:
        """The items with what the model predicts for them and which words that comes from."""
        ...


@runtime_checkable
class Formatted(Protocol):
    """What a task's face has besides if its outputs can be written in several formats."""

    output_formats: tuple[str, ...]

    def formatted(self, predicted: Iterable[Any], format: str) -> Iterator[Any]:
        """What was predicted, ready to be written in one of them."""
        ...


@runtime_checkable
class Given(Protocol):
    """What a task's face has besides if its input may stand on the command line."""

    def looks_given(self, place: str) -> bool:
        """Whether this is rather an input than the name of a file."""
        ...


@runtime_checkable
class ReadingMore(Protocol):
    """What a task's face has besides if some settings only say how files are read."""

    reading: type[Any]


@runtime_checkable
class Joining(Protocol):
    """What a task's face has besides if examples of several files may belong together."""

    def joined(self, items: list[Any]) -> list[Any]:
        """The items of all files, as if they had been one."""
        ...


@runtime_checkable
class Executing(Protocol):
    """What a task's face has besides if what it predicts can be executed."""

    def take_executor(self, estimator: Any, name: str) -> None:
        """Execute what this model predicts by a function: ``module:function``."""
        ...


if TYPE_CHECKING:
    # Of any task, where a command cannot know which.
    AnyTaskCLI = TaskCLI[AnyEstimator, Any, Any, Any]


def place_of(shown: AnyTaskCLI, places: tuple[str, ...], least: int, most: int | None = None) -> Any:
    """The files that examples lie in, as the task's face takes them; too few or too many are refused.

    `least` and `most` count for a task with sides; any other has one file.
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
    """What to call files in messages."""
    return " and ".join("stdin" if each == "-" else each for each in _all(place))


def _all(place: str | tuple[str, ...]) -> tuple[str, ...]:
    return (place,) if isinstance(place, str) else place


def known_task(ctx: click.Context, param: click.Parameter, value: str) -> str:
    """One of the tasks there are, or a sentence that lists them."""
    import click

    if value not in registry.trained():
        from structron.cli.terminal.nearest import meant

        hint = meant(value, registry.trained())
        raise click.UsageError(
            f"there is no task {value!r}{hint}; the tasks are: {', '.join(registry.trained())}", ctx
        )
    return value


def check_start(shown: AnyTaskCLI, start: str | None) -> None:
    """Refuse --from where a model always starts with the same."""
    if start is not None and not hasattr(shown, "starts"):
        raise SettingError(f"--from is for pipelines, not for {shown.estimator.kind}; leave it out")


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


def new_estimator(shown: AnyTaskCLI, recipe: Any, extra: Mapping[str, Any]) -> AnyEstimator:
    """Return the estimator of a recipe and of the settings besides it."""
    known = settings_of(shown.estimator)
    return shown.estimator.from_recipe(
        recipe, **{name: each for name, each in extra.items() if name in known}
    )


def take_executor(
    shown: AnyTaskCLI, estimator: AnyEstimator, name: str | None, answers: bool = False
) -> None:
    """Give a model its executor; refuse --executor and --answers where there is nothing to execute."""
    if name is None and not answers:
        return
    if not isinstance(shown, Executing):
        option = "--executor" if name is not None else "--answers"
        raise SettingError(f"{option} is not for {shown.estimator.kind}; leave it out")
    if name is None:
        raise SettingError("--answers: forms must be executed to have answers; give --executor too")
    shown.take_executor(estimator, name)


def takes_text(shown: AnyTaskCLI, place: str) -> bool:
    """Whether what stands where a file is named is itself the text: it looks like one, and no such file."""
    from pathlib import Path

    if not isinstance(shown, Given) or not shown.looks_given(place):
        return False
    try:
        return not Path(place).exists()
    except (OSError, ValueError):  # too long for a name
        return True


def load(path: str, search: str | None = None) -> tuple[AnyTaskCLI, AnyEstimator]:
    """A model's estimator from its file, with another search if one is named, and the face of its task."""
    from structron.model import Model
    from structron.search import parse_search

    model = Model.load(path)
    if not registry.spec_of(model.task.kind).cli:
        raise ModelError(f"{path}: a model for {model.task.kind}, which has no commands; use it from Python")
    face = registry.cli_of(model.task.kind)
    estimator = face.estimator.of_model(model, path)
    if search is not None:
        if model.parts and not len(model.rows.keys):
            raise SettingError(
                f"{path}: --search is for models of one task, not for a pipeline; leave it out"
            )
        model.search = parse_search(search)
    return face, estimator
