"""The `structron` command, and what its exit codes say.

Nothing here or at the top of a command's file may import numpy, rich or the engine: `--help` comes at once.
"""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Sequence
from importlib import import_module

import click

from structron.cli.command_list import HELP, PLACES
from structron.cli.files.streams import ReaderGone
from structron.cli.terminal.progress import KINDS, show_as, waited_for
from structron.cli.terminal.standard import drop_stdout, end_quickly, interruptible, repair_streams
from structron.cli.terminal.warnings import plainly
from structron.errors import OUT_OF_MEMORY, StructronError

FINE, REFUSED, USAGE, INTERRUPTED = 0, 1, 2, 130


class InOrder(click.Group):
    """A group whose help lists its commands in the order in which they are needed, without importing them."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the commands in the order of help."""
        return list(self.commands)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import a command from its file."""
        if cmd_name not in HELP:
            return None
        command: click.Command = getattr(
            import_module(PLACES.get(cmd_name, f"structron.cli.commands.{cmd_name}")), cmd_name
        )
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Return the command that is named, or say which one was probably meant."""
        if args[0] not in HELP and not args[0].startswith("-"):
            from structron.cli.terminal.nearest import meant

            raise click.UsageError(f"No such command {args[0]!r}{meant(args[0], HELP)}", ctx)
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write each command with its line."""
        with formatter.section("Commands"):
            formatter.write_dl(list(HELP.items()))


@click.group(cls=InOrder, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 110})
@click.version_option(package_name="structron", message="%(prog)s %(version)s")
@click.option(
    "--progress",
    type=click.Choice(KINDS),
    default="auto",
    envvar="STRUCTRON_PROGRESS",
    help="How to report progress on standard error: a bar or lines, lines of JSON, or nothing.  [auto]",
)
def app(progress: str) -> None:
    """Train and use models of structured prediction: the structured perceptron and its family.

    \b
    structron demo
    structron train tagging train.conllu --dev dev.conllu -o pos.model
    structron predict pos.model new.txt > tagged.txt
    echo "I saw her duck" | structron predict pos.model
    structron evaluate pos.model test.conllu
    structron show pos.model "I/PRON saw/VERB her/PRON duck/VERB"
    structron explain pos.model "I saw her duck"
    """
    show_as(progress)


for name, told in HELP.items():
    app.add_command(click.Command(name, short_help=told))  # so that click knows the names


def main(args: Sequence[str] | None = None) -> int:
    """Run one command and return the exit code: 0 fine, 1 refused, 2 usage, 130 interrupted."""
    end_quickly()
    repair_streams()
    if "utf" not in (getattr(sys.stdout, "encoding", None) or "").lower() and hasattr(
        sys.stdout, "reconfigure"
    ):
        sys.stdout.reconfigure(errors="replace")
    with interruptible(), plainly(), waited_for():
        code = _run(args)
    drop_stdout()
    return code


def _run(args: Sequence[str] | None) -> int:
    """Run one command; turn whatever is raised into one line and an exit code."""
    try:
        # Without click's own handling errors are printed in one line, and a command may return its exit code.
        # https://no-color.org; otherwise colours go to terminals alone.
        color = False if os.environ.get("NO_COLOR") else None
        code = app.main(args, prog_name="structron", standalone_mode=False, color=color)
        sys.stdout.flush()
        return code if isinstance(code, int) else FINE
    except click.exceptions.NoArgsIsHelpError as error:
        error.show()
        return USAGE
    except click.NoSuchOption as error:
        return _say(f"{_command(error)}: {_unknown(error)}; see {_command(error)} --help", USAGE)
    except click.UsageError as error:
        name = _command(error)
        return _say(f"{name}: {_sentence(error.format_message())}; see {name} --help", USAGE)
    except click.ClickException as error:
        return _say(f"structron: {error.format_message()}", error.exit_code)
    except StructronError as error:
        return _say(f"structron: {_fitting(str(error), sys.argv[1:] if args is None else args)}", REFUSED)
    except MemoryError:
        return _say(f"structron: {OUT_OF_MEMORY}", REFUSED)
    except (ReaderGone, BrokenPipeError):
        return FINE  # the reader of our output has had enough (``| head``); nothing is wrong
    except OSError as error:
        what = (error.strerror or str(error)).lower()
        if error.filename == "stdout":
            return _say(f"structron: stdout: cannot be written, {what}; check where it goes", REFUSED)
        where = f"{error.filename}: " if error.filename else ""
        return _say(f"structron: {where}{what}; check the path", REFUSED)
    except (KeyboardInterrupt, click.Abort):
        # If the interrupt passed through `exec` of a string, as where a dataclass is made, `python -m` takes
        # it for unhandled and kills itself by SIGINT at the end. Another string clears that.
        exec("")
        return _say("structron: interrupted", INTERRUPTED)


def _command(error: click.UsageError) -> str:
    return error.ctx.command_path if error.ctx else "structron"


def _unknown(error: click.NoSuchOption) -> str:
    """Return a message about an option that a command does not have."""
    from structron.cli.terminal.nearest import meant

    params = error.ctx.command.get_params(error.ctx) if error.ctx else []
    known = [
        name
        for each in params
        if not getattr(each, "hidden", False)
        for name in (*each.opts, *each.secondary_opts)
        if name.startswith("--")
    ]
    return f"No such option {error.option_name}{meant(error.option_name, known)}"


def _fitting(message: str, args: Sequence[str]) -> str:
    """Drop the hint at --skip-bad if the command lacks that option."""
    command = app.get_command(click.Context(app), args[0]) if args else None
    if isinstance(command, click.Group) or any(
        "--skip-bad" in each.opts for each in getattr(command, "params", ())
    ):
        return message
    return re.sub(r",? or pass --skip-bad", "", message)


def _sentence(text: str) -> str:
    """Return click's message on one line without its full stop, in words that are not a programmer's."""
    said = " ".join(text.split()).rstrip(".")
    for kind, meant in (("integer", "a whole number"), ("float", "a number")):
        said = said.replace(f"is not a valid {kind} range", f"is not {meant}")
        said = said.replace(f"is not a valid {kind}", f"is not {meant}")
    return said


def _say(message: str, code: int) -> int:
    click.echo(message, err=True)
    return code
