"""The options of `train`, made from the settings of a task's recipe and of its estimator."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, get_args

import click

from structron import registry
from structron.cli.task_cli import extra_settings
from structron.cli.terminal.renamed_option import RenamedOption
from structron.errors import SettingError

if TYPE_CHECKING:
    from structron.fit import Recipe
    from structron.settings import Setting

DEV = "Development data: the best epoch on it is kept, otherwise the last."
DEV_SIDES = "Development data: dense weights are tuned on it, and the best epoch on it is kept."
REFERENCE = "Another reference of the --dev sources, line by line; an empty line is none. It may be repeated."


def flag(name: str) -> str:
    """Return the name of a setting on the command line."""
    return f"--{name.replace('_', '-')}"


def declared(task: str) -> tuple[dict[str, Setting], dict[str, Setting]]:
    """The settings of a task: those that every task has, and its own. One with stages has only its own."""
    from structron.fit import Recipe
    from structron.settings import settings_of

    shown = registry.cli_of(task)
    if not hasattr(shown.estimator, "recipe_type"):
        return {}, settings_of(shown.estimator)
    shared = settings_of(Recipe)
    found = settings_of(shown.estimator.recipe_type) | extra_settings(shown)
    return (
        {name: each for name, each in found.items() if name in shared},
        {name: each for name, each in found.items() if name not in shared},
    )


def files_of(task: str) -> tuple[Callable[..., Any], ...]:
    """Return the arguments that name the training files, or the files of each side."""
    sides = registry.cli_of(task).sides
    names = " ".join(sides)
    found = (
        click.argument("train", nargs=len(sides) or -1, required=True, metavar=names or "TRAIN...|-"),
        click.option(
            "--dev", nargs=len(sides) or 1, metavar=names or "DEV", help=DEV_SIDES if sides else DEV
        ),
    )
    if not sides:
        return found
    return (*found, click.option("--reference", "references", multiple=True, metavar="REF", help=REFERENCE))


def files_meant(
    sides: Collection[str], train: tuple[str, ...], dev: str | tuple[str, ...] | None
) -> tuple[tuple[str, ...], str | tuple[str, ...] | None]:
    """The files that folders and patterns stand for; sides of examples are files, one each."""
    from structron.io.files.patterns import expanded

    if sides:
        return train, dev
    return expanded(train), expanded((dev,)) if isinstance(dev, str) else dev


def option(setting: Setting) -> click.Option:
    """Return a setting as an option that is None unless it is given; its help ends with its true default."""
    about = setting.about
    if setting.is_flag:
        return click.Option([flags_of(setting), setting.name], default=None, help=help_of(setting))
    kind, called = str if about.as_text else _type_of(setting.kind), flags_of(setting)
    if about.choices and called != flag(setting.name):  # the recipe knows it by another name
        kind = click.Choice(about.choices)
    told: dict[str, Any] = {"type": kind, "metavar": about.metavar, "help": help_of(setting)}
    if old := about.old_flag or (about.was and flag(about.was)):
        return RenamedOption([called, setting.name], old_name=old, **told)
    return click.Option([called, setting.name], **told)


def flags_of(setting: Setting) -> str:
    """Return the flags of a setting; one that is true or false has two."""
    if setting.about.flags or not setting.is_flag:
        return setting.about.flags or flag(setting.name)
    return f"{flag(setting.name)}/--no-{setting.name.replace('_', '-')}"


def help_of(setting: Setting, *, brief: bool = False) -> str:
    """Return the help of a setting, which ends with its default; `brief`: as `--help` has it."""
    help = setting.about.brief if brief else setting.about.sentence
    if setting.is_flag:
        if setting.default is None:
            return help
        usual = flags_of(setting).split("/")[0 if setting.default else 1].removeprefix("--")
        return f"{help}  [{usual}]"
    usual = ",".join(setting.default) if isinstance(setting.default, tuple) else setting.default
    return help if usual in (None, "") else f"{help}  [{usual}]"


def _type_of(kind: Any) -> Any:
    """Return the type that click converts the text of such a setting to."""
    kinds = set(get_args(kind) or (kind,)) - {type(None)}
    if kinds in ({int}, {float}):
        return kinds.pop()
    if float in get_args(kind):
        return number_or_word
    return _whole_or_word if int in get_args(kind) else str


def number_or_word(text: str) -> float | str:
    """A number where it is one; the recipe knows which words there are."""
    try:
        return float(text)
    except ValueError:
        return text


def _whole_or_word(text: str) -> int | str:
    """A number where it is one; the recipe knows which words there are."""
    return int(text) if text.removeprefix("-").isdecimal() else text


def owners(name: str) -> list[str]:
    """The tasks that have an option of this name."""
    return [
        task
        for task in registry.trained()
        for each in {**declared(task)[0], **declared(task)[1]}.values()
        if name in (*option(each).opts, *option(each).secondary_opts)
    ]


def recipe_of(
    task: str, file: str | None, settings: Mapping[str, object]
) -> tuple[Recipe, dict[str, object]]:
    """The recipe of the file, or the usual one, with what was given on the command line.

    What the estimator takes besides its recipe comes apart; what neither takes is refused.
    """
    shown = registry.cli_of(task)
    kind = shown.estimator.recipe_type
    base = kind() if file is None else kind.from_file(file)
    given = {name: value for name, value in settings.items() if value is not None}
    shared, own = declared(task)
    for name in given:
        if name not in shared and name not in own:
            raise SettingError(f"{elsewhere(flag(name), task)}; leave it out")
    if "templates" in given:
        given["templates"] = _templates(str(given["templates"]), shown.presets)
    extra = {
        name: each.checked(given.pop(name)) if name in given else each.default
        for name, each in extra_settings(shown).items()
    }
    return base.but(**given), extra


def as_flags(task: str, settings: Mapping[str, Any]) -> list[str]:
    """Settings as options of `train`."""
    shared, own = declared(task)
    every, words = {**shared, **own}, list[str]()
    for name, value in settings.items():
        flags = flags_of(every[name])
        if isinstance(value, bool):
            words.append(flags.split("/")[0 if value else 1])
        else:
            words += [flags, ",".join(value) if isinstance(value, tuple) else str(value)]
    return words


def elsewhere(option: str, task: str) -> str:
    """Say which tasks have an option that this one lacks."""
    found = owners(option)
    if not found:
        from structron.cli.terminal.nearest import meant

        shared, own = declared(task)
        return f"there is no option {option}{meant(option, map(flag, (*shared, *own)))}"
    named = " and ".join([*([", ".join(found[:-1])] if found[1:] else []), found[-1]])
    return f"{option} is an option of {named}, not of {task}"


def templates_file(text: str | None, task: str) -> str | None:
    """The file that templates come from, if they come from one."""
    return None if text is None or text in ("auto", *registry.cli_of(task).presets) else text


def _templates(text: str, presets: Collection[str]) -> str | tuple[str, ...]:
    """A preset's name, or the lines of a file; in a file, lines that begin with # are comments."""
    if text == "auto" or text in presets:
        return text
    try:
        lines = Path(text).read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError):
        known = ", ".join(["auto", *presets])
        raise SettingError(
            f"templates {text!r} are neither a preset ({known}) nor a text file; give one"
        ) from None
    return tuple(line for line in lines if line.strip() and not line.lstrip().startswith("#"))
