"""What a command imports: a short text should not wait for what it does not need."""

from __future__ import annotations

import subprocess
import sys
from importlib import import_module
from pathlib import Path

import click
import pytest

from structron import Parser, Tagger
from structron.cli.app import app
from structron.cli.commands import HELP
from tests.unit.estimators.corpora import treebank

# What trains, measures, explains and defines; and libraries that are not for predicting.
FILES = (
    *("structron.explaining.", "structron.metrics.", "structron.reference.", "structron.theory."),
    *("structron.training.checkpoints", "structron.training.cluster", "structron.training.learning"),
    *("structron.training.mixing", "structron.training.schedule"),
)
LIBRARIES = {
    *("concurrent", "email", "html", "http", "logging", "socket", "ssl", "tomllib"),
    *("matplotlib", "ray", "rich", "scipy", "sklearn"),
}
COUNT = (
    "import sys; from structron.cli import main; code = main(sys.argv[1:]); "
    "print(*sys.modules, file=sys.stderr); sys.exit(code)"
)


def imported(*arguments: str) -> set[str]:
    """The modules of a process that has run a command."""
    done = subprocess.run(
        [sys.executable, "-c", COUNT, *arguments], capture_output=True, text=True, check=True
    )
    return set(done.stderr.split())


def heavy(modules: set[str]) -> list[str]:
    """Those that are too much; an empty package, whose names come on first use, is not."""
    return sorted(name for name in modules if name.startswith(FILES) or name.partition(".")[0] in LIBRARIES)


def own(modules: set[str]) -> int:
    return sum(name.startswith("structron") for name in modules)


def test_help_imports_no_command_and_no_numpy() -> None:
    modules = imported("--help")
    assert not heavy(modules) and "numpy" not in modules
    assert not {f"structron.cli.{name}" for name in HELP} & modules
    assert own(modules) < 20


def test_a_tagger_predicts_without_what_trains(tmp_path: Path) -> None:
    Tagger(epochs=1).fit(*treebank(6)).save(tmp_path / "m")
    (tmp_path / "text").write_text("the dog barks\n", encoding="utf-8")
    modules = imported("predict", str(tmp_path / "m"), str(tmp_path / "text"))
    assert not heavy(modules)
    assert own(modules) < 95


def test_a_parser_predicts_without_what_trains(tmp_path: Path) -> None:
    trees = ([([("dogs", "N"), ("bark", "V")])], [([2, 0], ["nsubj", "root"])])
    Parser(epochs=1, templates=["s0.w", "s0.t q0.t"]).fit(*trees).save(tmp_path / "m")
    lines = ["1\tdogs\t_\tN" + "\t_" * 6, "2\tbark\t_\tV" + "\t_" * 6, "", ""]
    (tmp_path / "text").write_text("\n".join(lines), encoding="utf-8")
    modules = imported("predict", str(tmp_path / "m"), str(tmp_path / "text"))
    assert not heavy(modules)
    assert own(modules) < 115


def test_a_pipeline_predicts_without_what_trains() -> None:
    modules = imported("predict", "en", "Dogs bark.")
    assert not heavy(modules)
    assert own(modules) < 155


@pytest.mark.parametrize("name", HELP)
def test_a_command_is_the_function_of_its_name_and_says_what_the_list_says(name: str) -> None:
    command = getattr(import_module(f"structron.cli.{name}"), name)
    assert isinstance(command, click.Command) and command.name == name
    assert command.short_help == HELP[name]
    assert app.get_command(click.Context(app), name) is command


def test_the_list_has_every_command() -> None:
    assert app.list_commands(click.Context(app)) == list(HELP)
    assert app.get_command(click.Context(app), "nothing") is None


def test_the_process_ends_without_a_last_search_for_garbage() -> None:
    code = (
        "import atexit, gc; atexit.register(lambda: print(gc.get_freeze_count() > 0)); "
        "from structron.cli import main; main(['info', 'en', '--json']); print(gc.get_freeze_count())"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split()[-2:] == ["0", "True"]
