"""The help of every command fits a terminal of 80 columns."""

from __future__ import annotations

import click
import pytest
from click.testing import CliRunner

from structron.cli.app import app

SCREEN = 27  # lines


def every(command: click.Command, path: tuple[str, ...] = ()) -> list[tuple[str, ...]]:
    """A command and those under it."""
    if not isinstance(command, click.Group):
        return [path]
    context = click.Context(command)
    under = [(name, command.get_command(context, name)) for name in command.list_commands(context)]
    return [path, *(each for name, one in under if one for each in every(one, (*path, name)))]


@pytest.mark.parametrize("path", every(app), ids=" ".join)
def test_help_fits_eighty_columns_and_one_screen(path: tuple[str, ...]) -> None:
    shown = CliRunner().invoke(app, [*path, "--help"], terminal_width=80)
    assert shown.exit_code == 0
    lines = shown.output.splitlines()
    assert max(map(len, lines)) <= 80
    assert len(lines) <= SCREEN or path in ((), ("train",))  # which list commands and tasks
    if not path or path == ("train",) or "--help-all" not in shown.output:
        return
    whole = CliRunner().invoke(app, [*path, "--help-all"], terminal_width=80)
    assert whole.exit_code == 0 and len(whole.output) > len(shown.output)
    assert max(map(len, whole.output.splitlines())) <= 80
