"""The commands in the order in which one needs them, what each is for, and how their help is shown.

A command is the function of its name in `structron.cli.commands.<name>`, or where `PLACES` says, which is
imported when it is asked for.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

import click

HELP = {
    "train": "Learn a model from labelled data.",
    "predict": "Predict for files or a pipe; the same format comes out.",
    "evaluate": "Score a model on labelled data, or a predicted file against gold.",
    "show": "Show the beam for one input, step by step, or the chart.",
    "explain": "Explain a prediction by the names and weights of features.",
    "info": "Print what a model contains and how it was made.",
    "calibrate": "Learn from held-out data how far to trust a model's margins.",
    "select": "List what to annotate next: where a model is least sure.",
    "correct": "Make a model right on some examples, and keep it right on the others.",
    "tune": "Find the best settings for given data.",
    "curve": "Draw the learning curve: would more data help?",
    "audit": "Check a training run against the theorems: radius, margin, bounds, every update.",
    "align": "Align pairs, such as words and their sounds, or parallel text, by EM.",
    "cluster": "Cluster the words of a text, for templates such as cluster(4)[0].",
    "serve": "Serve models over HTTP, and a playground in the browser.",
    "demo": "See structron at work, in about a minute; needs no data.",
}

PLACES = {
    "correct": "structron.cli.commands.correcting.correct",
    "curve": "structron.cli.commands.trials.curve",
    "demo": "structron.demo.command",  # it shows some tasks, and no file of `cli` names one
    "tune": "structron.cli.commands.trials.tune",
}

_ALL = "structron.help_all"  # in a context's meta: whether all options are to be shown


def _show_all(ctx: click.Context, param: click.Parameter, value: bool) -> None:
    if value and not ctx.resilient_parsing:
        ctx.meta[_ALL] = True
        click.echo(ctx.get_help(), color=ctx.color)
        ctx.exit()


class LongHelp(click.Command):
    """A command whose help has two lengths.

    Parameters
    ----------
    basic
        The names of the parameters that `--help` shows. Of the text it shows the first paragraph.
    """

    def __init__(self, *args: Any, basic: Collection[str] = (), **options: Any) -> None:
        super().__init__(*args, **options)
        self.basic = frozenset(basic)

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Parse options; an error is one of this command, also where click does not say so."""
        try:
            return super().parse_args(ctx, args)
        except click.UsageError as error:
            error.ctx = error.ctx or ctx
            raise

    def get_params(self, ctx: click.Context) -> list[click.Parameter]:
        """Return the parameters with `--help-all` at the end."""
        shown = "Show all options and exit."
        return [
            *super().get_params(ctx),
            click.Option(
                ["--help-all"],
                is_flag=True,
                is_eager=True,
                expose_value=False,
                callback=_show_all,
                help=shown,
            ),
        ]

    def is_basic(self, param: click.Parameter) -> bool:
        """Return whether most people need an option."""
        return param.name in self.basic or "--help" in param.opts or "--help-all" in param.opts

    def brief(self, param: click.Option) -> str | None:
        """Return the help of a basic option, where it is shorter than its whole help."""
        return None

    def format_help_text(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write what the command does; without `--help-all` the first paragraph."""
        if ctx.meta.get(_ALL):
            super().format_help_text(ctx, formatter)
            return
        formatter.write_paragraph()
        with formatter.indentation():
            formatter.write_text((self.help or "").split("\n\n")[0])

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write all options, or those that most people need."""
        if ctx.meta.get(_ALL):
            self.format_all_options(ctx, formatter)
            return
        rows = []
        for param in self.get_params(ctx):
            record = param.get_help_record(ctx) if self.is_basic(param) else None
            if record is not None and isinstance(param, click.Option):
                rows.append((record[0], self.brief(param) or record[1]))
        with formatter.section("Options"):
            formatter.write_dl(rows)

    def format_all_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write all options, perhaps in sections."""
        super().format_options(ctx, formatter)

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write what stands below; without `--help-all` nothing."""
        if ctx.meta.get(_ALL):
            super().format_epilog(ctx, formatter)
