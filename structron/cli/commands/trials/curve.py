"""``structron curve``: how the score grows with the data."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from structron.cli.command_list import HELP, LongHelp
from structron.cli.commands.trials import options as trial_options
from structron.cli.files.places import check_picture, pictures, refuse_overlap
from structron.cli.terminal.progress import watching
from structron.cli.terminal.warnings import silently
from structron.errors import SettingError
from structron.progress import progress_to

if TYPE_CHECKING:
    from structron.fit.trials.halving import Trial
    from structron.io import Names


@click.command(
    cls=LongHelp,
    basic=("dev", "folds", "given", "recipe", "plot", "threads", "points"),
    short_help=HELP["curve"],
)
@trial_options.with_options
@click.option("--points", type=click.IntRange(min=2, max=20), default=5, metavar="N", help="Points  [5]")
def curve(
    task: str,
    train: tuple[str, ...],
    dev: tuple[str, ...],
    folds: int | None,
    given: tuple[str, ...],
    recipe: str | None,
    seed: int,
    plot: str | None,
    format_name: str | None,
    columns: Names | None,
    encoding: str,
    skip_bad: bool,
    threads: int,
    points: int,
) -> None:
    """Learn TASK from growing shares of TRAIN and score each: all of it, half, a quarter and so on."""
    shown = trial_options.check(task, train, dev, folds, format_name)
    refuse_overlap({"--plot": pictures(plot)}, {"TRAIN": train, "--dev": dev, "--recipe": recipe})
    check_picture(plot)
    fixed = {}
    for name, values in trial_options.settings_given(task, given).items():
        if len(values) > 1:
            raise SettingError(f"--set {name}: a curve has one value of each setting; use tune to try more")
        fixed[name] = values[0]
    from structron.fit.trials.halving import curve as learned
    from structron.fit.trials.halving import curve_sizes

    own, extra = trial_options.settings_meant(task, recipe, fixed)
    reading = trial_options.reading_of(format_name, columns, skip_bad, encoding)
    data = trial_options.data_of(shown, train, dev, folds, reading, own | extra)

    make = trial_options.maker(task, recipe, threads)(fixed)
    with silently(), watching() as watcher:  # of little data much is unknown
        left = trial_options.Trials(curve_sizes(len(data.X), points), watcher.heard)

        def on_trial(trial: Trial, number: int, total: int) -> None:
            click.echo(f"{number} of {total}: {100 * (trial.score or 0):.2f} ({left.next()})", err=True)

        with progress_to(left.heard):
            found = learned(make, data, points, seed=seed, on_trial=on_trial)
    click.echo("\n".join(_table(found, shown.items)))
    if plot is not None:
        draw_curve(found, shown.items, Path(plot))


def _table(found: list[Trial], items: str) -> list[str]:
    lines = [click.style(f"{items:>12}   score    gain", bold=True)]
    for i, each in enumerate(found):
        score = 100 * (each.score or 0.0)
        gain = f"{score - 100 * (found[i - 1].score or 0.0):+7.2f}" if i else ""
        lines.append(f"{each.examples:12,} {score:7.2f} {gain}".rstrip())
    return lines


def draw_curve(found: list[Trial], items: str, path: Path) -> list[Path]:
    """Draw the score against the number of examples learned from."""
    from matplotlib.figure import Figure

    from structron.cli.draw.plots import BLUE
    from structron.theory.plots import save

    figure = Figure(figsize=(5.2, 3.6), layout="constrained")
    panel = figure.subplots()
    panel.plot(
        [each.examples for each in found],
        [100 * (each.score or 0.0) for each in found],
        color=BLUE,
        marker="o",
        linewidth=2,
    )
    panel.set_xscale("log", base=2)
    panel.set_xticks([each.examples for each in found], [f"{each.examples:,}" for each in found])
    panel.minorticks_off()
    panel.set_xlabel(f"training {items}")
    panel.set_ylabel("score, per cent")
    panel.grid(True, color="#dddddd", linewidth=0.6)
    return save(figure, path)
