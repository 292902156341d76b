"""A setting is declared once: help, flags, the estimator's signature and the recipe say the same of it."""

from __future__ import annotations

import inspect
import runpy
from dataclasses import FrozenInstanceError, fields
from pathlib import Path
from typing import Any

import pytest

from structron.cli import main
from structron.cli.commands.train import training
from structron.cli.task_cli import ReadingMore, extra_settings
from structron.cli.terminal.settings import declared, help_of, option, owners
from structron.errors import SettingError
from structron.fit.parameters import Parameters, parameters
from structron.registry import cli_of, learned, spec_of
from structron.settings import setting, settings, settings_of

KINDS = learned()


@settings
class Declared:
    """Settings of each kind."""

    whole: int = setting(default=2, help="How many", low=1, high=4)
    share: float = setting(default=0.5, help="How much", low=0, above=True)
    way: str = setting(default="left", help="Which way", choices=("left", "right-most"))
    sure: bool = setting(default=True, help="Whether")
    place: str | None = setting(default="none", help="Where", file=True, none="none")
    open: int | str = setting(default="auto", help="How many, if that is known", low=0)


@parameters
class Declaring(Parameters, Declared):
    """An estimator."""

    own: str | None = setting(default=None, help="Its own")


TASKS = pytest.mark.parametrize("task", KINDS)


@TASKS
def test_signature_recipe_and_options_have_the_same_names_and_defaults(task: str) -> None:
    shown = cli_of(task)
    shared, own = declared(task)
    every = shared | own
    signature = inspect.signature(shown.estimator.__init__).parameters
    unset = training(task).make_context(task, [*(shown.sides or ("DATA",)), "-o", "MODEL"]).params
    only_read = set(settings_of(shown.reading)) if isinstance(shown, ReadingMore) else set()
    for name, each in every.items():
        assert unset[name] is None, "what is not given must not override a file"
        if name in only_read:
            continue
        assert signature[name].default == each.default, name
    # Not on the command line: columns of a parser; there, --columns names those of the file.
    assert set(signature) - {"self", "columns", "threads"} == set(every) - only_read
    recipe = shown.estimator.recipe_type()
    assert {each.name for each in fields(recipe)} | set(extra_settings(shown)) == set(every)
    for each in fields(recipe):
        assert getattr(recipe, each.name) == every[each.name].default


@TASKS
def test_help_tells_every_setting_with_its_true_default(
    task: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["train", task, "--help-all"]) == 0
    said = "".join(capsys.readouterr().out.split())  # where lines are folded does not matter
    shared, own = declared(task)
    for name, each in {**shared, **own}.items():
        assert each.about.help and "".join(each.about.sentence.split()) in said, name
        made = option(each)
        assert made.opts[0] in said
        if each.kind is bool:
            default = (made.opts if each.default else made.secondary_opts)[0].removeprefix("--")
            assert each.about.flags and f"[{default}]" in said
        elif each.default not in (None, ""):
            assert f"[{each.default}]" in said
    foreign = {name for other in KINDS for name in declared(other)[1]} - own.keys()
    assert not foreign & {each.name for each in training(task).params}


def test_the_page_of_settings_says_what_the_fields_say() -> None:
    root = Path(__file__).resolve().parents[3]
    page = runpy.run_path(str(root / "tools" / "settings.py"))["page"]
    said = "the page is not what the fields say; run python tools/settings.py"
    assert (root / "docs" / "settings.md").read_text(encoding="utf-8") == page(), said


@pytest.mark.parametrize(
    ("name", "values", "said"),
    [
        ("whole", (0, 5, True, "3", 2.5), "give a whole number from 1 to 4"),
        ("share", (0, -1.0, float("nan"), float("inf"), "x"), "give a number above 0"),
        ("way", ("up", 3, ["left"]), "use one of left, right-most"),
        ("sure", (1, "yes", None), "give true or false"),
        ("place", ("", 3), "name a file, or give none"),
        ("open", (-1, "auto!"), "give a whole number at least 0, or auto"),
    ],
)
def test_what_a_field_declares_is_checked(name: str, values: tuple[Any, ...], said: str) -> None:
    known = settings_of(Declared)
    for value in values:
        with pytest.raises(SettingError, match=f"^{name} = .*{said}$"):
            known[name].checked(value)
    assert known["way"].checked("right_most") == "right-most"
    assert known["place"].checked(None) == "none" and known["open"].checked("auto") == "auto"
    assert known["share"].checked(1) == 1.0 and known["whole"].checked(4) == 4


def test_an_estimator_takes_what_its_fields_declare() -> None:
    found = str(inspect.signature(Declaring))
    assert found.startswith("(*, whole: 'int' = 2, share: 'float' = 0.5, way: 'str' = 'left'")
    declaring = Declaring(whole=3)
    declaring.whole = 9  # unlike a recipe
    assert declaring.whole == 9 and Declaring().get_params()["own"] is None
    with pytest.raises(FrozenInstanceError):
        Declared().whole = 3
    assert "whole\n    How many (default: 2).\n" in str(Declaring.__doc__)


def test_a_new_default_is_all_that_a_recipe_needs_to_change() -> None:
    from dataclasses import dataclass

    from structron.tasks.parsing.settings import ParsingRecipe

    @dataclass(frozen=True)
    class Other(ParsingRecipe):
        epochs: int = 8

    changed, was = settings_of(Other)["epochs"], settings_of(ParsingRecipe)["epochs"]
    assert (changed.default, changed.about) == (8, was.about)


def test_the_tasks_are_listed_with_a_line_each_and_the_common_options(capsys) -> None:
    assert main(["train", "--help"]) == 0
    said = capsys.readouterr().out
    for task, line in KINDS.items():
        assert task in said and line in " ".join(said.split())
    for common in ("--dev", "-o MODEL", "--epochs", "--resume", "--recipe"):
        assert common in said
    assert "--system" not in said and "--min-count" not in said


@pytest.mark.parametrize(
    ("args", "task", "values"),
    [
        (["parsing", "A", "--dev", "B", "-o", "M"], "parsing", {"train": ("A",), "dev": "B", "output": "M"}),
        (["--dev", "B", "parsing", "A", "-o", "M"], "parsing", {"train": ("A",), "dev": "B", "output": "M"}),
        (["-o", "tagging", "parsing", "A"], "parsing", {"train": ("A",), "output": "tagging"}),
        (["--resume", "tagging", "A", "-o", "M"], "tagging", {"train": ("A",), "resume": True}),
        (
            ["tagging", "-o", "M", "--dev", "parsing", "tagging"],
            "tagging",
            {"train": ("tagging",), "dev": "parsing"},
        ),
        (["parsing", "A", "-o", "M", "--unlabelled"], "parsing", {"labelled": False}),
        (
            ["transduction", "A", "-o", "M", "--half", "--min-count", "3"],
            "transduction",
            {"half": True, "min_count": 3},
        ),
    ],
)
def test_the_task_may_stand_anywhere_before_the_data(args, task, values, monkeypatch) -> None:
    found = []
    monkeypatch.setattr(
        "structron.cli.commands.train.learn", lambda task, reading, **given: found.append((task, given))
    )
    assert main(["train", *args]) == 0
    ((name, given),) = found
    assert name == task and {key: given[key] for key in values} == values


@pytest.mark.parametrize(
    ("args", "said"),
    [
        (["tagging", "A", "-o", "M", "--roots", "one"], "--roots is an option of parsing, not of tagging"),
        (
            ["parsing", "A", "-o", "M", "--min-count=2"],
            "--min-count is an option of transduction and translation, not of parsing",
        ),
        (["tagging", "A", "-o", "M", "--unlabelled"], "--unlabelled is an option of parsing, not of tagging"),
        (
            ["segmentation", "A", "-o", "M", "--partial"],
            "--partial is an option of tagging, parsing and pipeline, not of segmentation",
        ),
        (["tagging", "A", "-o", "M", "--weather"], "--weather"),
        (["--epochs", "3"], "name a task: tagging, parsing, transduction"),
        (["weather", "A"], "there is no task 'weather'; the tasks are: tagging, parsing, transduction"),
    ],
)
def test_options_of_other_tasks_say_whose_they_are(args, said, capsys) -> None:
    assert main(["train", *args]) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert said in line and line.startswith("structron train")


def test_what_several_tasks_have_is_told_for_all_of_them() -> None:
    assert owners("--templates") == list(KINDS)
    assert owners("--full") == list(KINDS)
    assert owners("--weather") == []


def test_a_training_command_of_its_own_has_the_options_that_the_settings_declare() -> None:
    command = spec_of("pipeline").load("train_command")
    shown = {param.name: getattr(param, "help", "") for param in command.params}
    for name, each in settings_of(spec_of("pipeline").load("estimator")).items():
        assert shown[name] == help_of(each)
    words = ["train.conllu", "-o", "M", "--settings", "fast"]
    with pytest.warns(DeprecationWarning, match="--settings is now --prefer"):
        assert command.make_context("pipeline", words).params["prefer"] == "fast"
