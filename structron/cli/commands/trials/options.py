"""The options of `tune` and `curve`: the data, settings, and estimators made from them."""

from __future__ import annotations

import time
import warnings
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, get_args, get_origin

import click

from structron import registry
from structron.cli import task_cli
from structron.cli.files import streams
from structron.cli.task_cli import Reading
from structron.cli.terminal.nearest import known_task
from structron.cli.terminal.progress import duration
from structron.cli.terminal.settings import declared, elsewhere, flag, number_or_word, recipe_of
from structron.errors import SettingError

if TYPE_CHECKING:
    from structron.cli.task_cli import AnyTaskCLI
    from structron.fit.trials.halving import Data
    from structron.io import Names
    from structron.settings import Setting

set_option = click.option(
    "--set",
    "given",
    multiple=True,
    metavar="NAME=VALUE",
    help="A setting of `train`, or several to try: NAME=VALUE|VALUE. May be repeated.",
)
options = (
    click.argument("task", callback=known_task),
    click.argument("train", nargs=-1, required=True, metavar="TRAIN..."),
    click.option(
        "--dev", multiple=True, metavar="DEV", help="Development data to score on; once for each side."
    ),
    click.option("--folds", type=click.IntRange(min=2), metavar="K", help="Or cross-validate on K folds."),
    set_option,
    click.option("--recipe", metavar="FILE.toml", help="Settings from a file; --set overrides the file."),
    click.option("--seed", type=click.IntRange(min=0), default=0, metavar="N", help="Random seed  [0]"),
    click.option("--plot", metavar="FILE", help="Draw the trials, as PNG and as SVG."),
    streams.format_option,
    streams.columns_option,
    streams.encoding_option,
    streams.skip_option,
    streams.threads_option,
)


def with_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add the options of both commands to a command."""
    for each in reversed(options):
        command = each(command)
    return command


def check(
    task: str, train: tuple[str, ...], dev: tuple[str, ...], folds: int | None, format: str | None
) -> AnyTaskCLI:
    """Refuse what cannot be tried before anything is read."""
    shown: AnyTaskCLI = registry.cli_of(task)
    streams.check_format(shown.formats, format)
    if bool(dev) == (folds is not None):
        raise SettingError("give --dev DEV to score on, or --folds K to cross-validate; one of them")
    for places in (train, dev) if dev else (train,):
        task_cli.place_of(shown, places, len(shown.sides), len(shown.sides))
    if "-" in (*train, *dev):
        raise SettingError("the data are read more than once, which standard input cannot be; name files")
    return shown


def settings_given(task: str, given: Sequence[str]) -> dict[str, list[Any]]:
    """Return the values given for each setting."""
    shared, own = declared(task)
    found: dict[str, list[Any]] = {}
    for text in given:
        name, equals, values = text.partition("=")
        name = name.strip().removeprefix("--").replace("-", "_")
        if not equals or not values:
            raise SettingError(
                f"--set {text!r} has no value; write NAME=VALUE, such as epochs=5 or order=1|2"
            )
        name = _name_of_today(name, (*shared.values(), *own.values()))
        setting = {**shared, **own}.get(name)
        if setting is None:
            raise SettingError(f"{elsewhere(flag(name), task)}; leave it out")
        found[name] = [_value(name, setting.kind, value.strip()) for value in values.split("|")]
    return found


def _name_of_today(name: str, known: Iterable[Setting]) -> str:
    """Return the current name of a setting; warn if an old one was used."""
    for each in known:
        if name in (each.about.was, each.about.old_flag.removeprefix("--")) and name:
            message = f"--set {name} is now {each.name}; the old name goes with release 0.4"
            warnings.warn(message, DeprecationWarning, stacklevel=2)
            return each.name
    return name


def _value(name: str, kind: Any, text: str) -> Any:
    """Parse a value as the type of its setting."""
    if get_origin(kind) is Sequence:
        return tuple(text.replace(" ", "").split(","))
    if kind is bool:
        if text.lower() not in ("true", "false"):
            raise SettingError(f"--set {name}={text}: write true or false")
        return text.lower() == "true"
    if text.removeprefix("-").isdecimal() and (kind is int or int in get_args(kind)):
        return int(text)
    if float in get_args(kind):
        return number_or_word(text)
    try:
        return float(text) if kind is float else int(text) if kind is int else text
    except ValueError:
        raise SettingError(f"--set {name}={text} is not a number; give one") from None


def settings_meant(
    task: str, recipe: str | None, given: Mapping[str, Any]
) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return the settings of the recipe, and those besides it; a task with stages has no recipe."""
    if task in registry.learned():
        chosen, extra = recipe_of(task, recipe, given)
        return chosen.as_dict(), extra
    if recipe is not None:
        raise SettingError(f"--recipe is not for a {task}, which has stages; write --set NAME=VALUE")
    _, own = declared(task)
    return {}, {name: each.checked(given[name]) for name, each in own.items() if name in given}


def data_of(
    shown: AnyTaskCLI,
    train: tuple[str, ...],
    dev: tuple[str, ...],
    folds: int | None,
    reading: Reading,
    settings: Mapping[str, Any],
) -> Data:
    """Return the examples to learn from, and those to score on."""
    from structron.cli.files.examples import labelled
    from structron.fit.trials.halving import Data

    X, y = shown.split(labelled(shown, train, reading, settings))
    held_out = None
    if dev:
        held_X, held_y = shown.split(labelled(shown, dev, reading, settings))
        held_out = held_X if held_y is None else (held_X, held_y)
    return Data(X, y, held_out, folds or 0)


def maker(task: str, recipe: str | None, threads: int) -> Callable[[Mapping[str, Any]], Callable[[], Any]]:
    """Return a function from settings to a factory of estimators."""
    shown: AnyTaskCLI = registry.cli_of(task)

    def make(settings: Mapping[str, Any]) -> Callable[[], Any]:
        if task in registry.learned():
            chosen, extra = recipe_of(task, recipe, settings)
            new = partial(task_cli.new_estimator, shown, chosen, extra)
        else:
            new = partial(shown.estimator, **settings_meant(task, recipe, settings)[1])

        def made() -> Any:
            estimator = new()
            estimator.threads = threads
            return estimator

        return made

    return make


def reading_of(format_name: str | None, columns: Names | None, skip_bad: bool, encoding: str) -> Reading:
    """Return how to read the files."""
    return Reading(format_name, columns, skip_bad, encoding)


class Trials:
    """The progress of all trials together; each counts by the examples that it learns from.

    Attributes
    ----------
    sizes
        The examples of each trial that is made now.
    """

    def __init__(self, sizes: Sequence[int], show: Callable[[str, int, int], object]) -> None:
        self.sizes, self.show = [*sizes], show
        self.made = 0
        self.began = time.monotonic()

    def heard(self, name: str, done: int, total: int) -> None:
        """Take the progress within a trial."""
        if self.made < len(self.sizes):
            within = self.sizes[self.made] * done // max(1, total)
            self.show("trials", sum(self.sizes[: self.made]) + within, sum(self.sizes))

    def expect(self, trials: int, examples: int) -> None:
        """Add trials, each with its number of examples, up to the total."""
        self.sizes += [examples] * (trials - len(self.sizes))

    def next(self) -> str:
        """Count one more trial; say how long the others may take."""
        self.made += 1
        done = sum(self.sizes[: self.made])
        left = (time.monotonic() - self.began) * (sum(self.sizes) - done) / max(1, done)
        return f"{duration(left)} left"


def told(settings: Mapping[str, Any], usual: Mapping[str, Any]) -> str:
    """Return the settings that differ from `usual`, in one line."""
    other = {name: value for name, value in settings.items() if value != usual.get(name)}
    return ", ".join(f"{name} {value}" for name, value in other.items()) or "the usual settings"
