"""``structron tune``: the best settings for given data."""

from __future__ import annotations

import contextlib
import json
import shlex
import textwrap
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from structron.cli.command_list import HELP, LongHelp
from structron.cli.commands.trials import options as trial_options
from structron.cli.files.places import check_output, check_picture, pictures, refuse_overlap
from structron.cli.terminal.progress import watching
from structron.cli.terminal.settings import as_flags, declared
from structron.cli.terminal.warnings import silently
from structron.errors import DataError, SettingError
from structron.progress import progress_to

if TYPE_CHECKING:
    from structron.fit.trials.halving import Trial
    from structron.io import Names

SHOWN = 10


@click.command(
    cls=LongHelp,
    basic=(
        "dev",
        "folds",
        "given",
        "recipe",
        "plot",
        "threads",
        "budget",
        "output",
        "resume",
    ),
    short_help=HELP["tune"],
)
@trial_options.with_options
@click.option(
    "--budget", type=click.IntRange(min=1), default=20, metavar="N", help="Number of settings to try  [20]"
)
@click.option(
    "--eta",
    type=click.IntRange(min=2),
    default=3,
    metavar="N",
    help="Keep one in N settings in each round  [3]",
)
@click.option("-o", "--output", metavar="FILE.json", help="Write each trial to this file as it is made.")
@click.option("--resume", is_flag=True, help="Continue from FILE.json; its trials are not repeated.")
def tune(
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
    budget: int,
    eta: int,
    output: str | None,
    resume: bool,
) -> None:
    """Find good settings for TASK on TRAIN by successive halving, and print the command that uses them.

    BUDGET settings, the defaults first and others drawn at random, learn from a small part of the data. The
    best third goes on with three times as much, until one of them, and the defaults, have learned from all.
    --set says which values to try, as in --set "search=greedy|beam:8"; otherwise a few that matter most.
    """
    shown = trial_options.check(task, train, dev, folds, format_name)
    refuse_overlap(
        {"--plot": pictures(plot), "-o": output}, {"TRAIN": train, "--dev": dev, "--recipe": recipe}
    )
    check_output("-o", output, (".json",))
    check_picture(plot)
    space = _space(task, trial_options.settings_given(task, given))
    usual = {name: values[0] for name, values in space.items()}
    base, extra = trial_options.settings_meant(task, recipe, usual)
    made = {
        "task": task, "space": space, "seed": seed, "budget": budget, "eta": eta, "folds": folds,
        "recipe": base, "train": _digest(train), "dev": _digest(dev) if dev else None,
    }  # fmt: skip
    known = _known(output, resume, made)
    from structron.fit.trials.halving import best_of, draw_settings, halve, rungs

    reading = trial_options.reading_of(format_name, columns, skip_bad, encoding)
    data = trial_options.data_of(shown, train, dev, folds, reading, base | extra)
    import numpy as np

    count = len(draw_settings(space, budget, np.random.default_rng(seed)))
    sizes = [size for n, size in rungs(count, len(data.X), eta) for _ in range(n)]
    make = trial_options.maker(task, recipe, threads)
    with _advice_on_interrupt(output), silently(), watching() as watcher:
        left = trial_options.Trials(sizes[len(known) :], watcher.heard)
        record = _Record(output, made, usual, len(known), left)
        with progress_to(left.heard):
            trials = halve(make, data, space, budget, eta=eta, seed=seed, known=known, on_trial=record)
    best = best_of(trials)
    words = ["structron", "train", task, *train, *(["--dev", *dev] if dev else []), "-o", "best.model"]
    words += [*(["--recipe", recipe] if recipe else []), *reading.flags(), *as_flags(task, best.settings)]
    lines = [*_table(trials, usual), "", f"best: {trial_options.told(best.settings, usual)}"]
    click.echo("\n".join([*lines, shlex.join(words)]))
    if plot is not None:
        draw_halving(trials, usual, shown.items, Path(plot))


@contextlib.contextmanager
def _advice_on_interrupt(output: str | None) -> Iterator[None]:
    """Print how to continue when the user interrupts."""
    try:
        yield
    except KeyboardInterrupt:
        if output is not None:
            click.echo(f"{output}: run the same command with --resume to continue", err=True)
        raise


def _space(task: str, given: Mapping[str, list[Any]]) -> dict[str, list[Any]]:
    """Return the values to try: those of the user; if that is one of each, a few that matter besides."""
    if any(len(values) > 1 for values in given.values()):
        return dict(given)
    shared, own = declared(task)
    tried = {
        name: [each.default, *(value for value in each.about.tried if value != each.default)]
        for name, each in {**shared, **own}.items()
        if each.about.tried
    }
    return {**tried, **given}


def _digest(places: Sequence[str]) -> str:
    import hashlib

    digest = hashlib.sha256()
    for place in places:
        try:
            digest.update(Path(place).read_bytes())
        except OSError as error:
            raise DataError(f"{place}: {(error.strerror or str(error)).lower()}; check the path") from None
    return digest.hexdigest()[:16]


def _known(output: str | None, resume: bool, made: Mapping[str, Any]) -> list[Trial]:
    """Return the trials of an earlier run of the same command."""
    from structron.fit.trials.halving import Trial

    if output is None:
        if resume:
            raise SettingError("--resume goes on from a file; name it with -o")
        return []
    place = Path(output)
    if not place.exists():
        return []
    if not resume:
        raise SettingError(f"{output}: there are trials already; give --resume to go on, or another name")
    try:
        found = json.loads(place.read_text(encoding="utf-8"))
        trials = [
            Trial(dict(t["settings"]), int(t["examples"]), t["score"], str(t["said"]))
            for t in found["trials"]
        ]
        good = all(isinstance(each.score, float | int | None) for each in trials)
        same = found["made"] == json.loads(json.dumps(made))
    except (OSError, ValueError, KeyError, TypeError):
        good = same = False
        trials = []
    if not good:
        raise DataError(f"{output}: this is not a record of tune; choose another name")
    if not same:
        raise SettingError(f"{output}: it was made with other data or settings; choose another name")
    return trials


class _Record:
    """A record of trials, which is written and printed as they are made.

    The first `known` are in the file already: it is not written before there is more to say.
    """

    def __init__(
        self,
        output: str | None,
        made: Mapping[str, Any],
        usual: Mapping[str, Any],
        known: int,
        left: trial_options.Trials,
    ) -> None:
        self.output, self.made, self.usual, self.known, self.left = output, made, usual, known, left
        self.trials: list[Trial] = []

    def __call__(self, trial: Trial, number: int, total: int) -> None:
        from structron.io.files.atomic_write import write_atomically

        self.trials.append(trial)
        is_new = number > self.known
        self.left.expect(total - self.known, trial.examples)
        if self.output is not None and is_new:
            record = {"made": self.made, "trials": [each._asdict() for each in self.trials]}
            write_atomically(self.output, json.dumps(record, indent=1) + "\n")
        left = self.left.next() if is_new else "known"
        said = "refused" if trial.score is None else f"{100 * trial.score:.2f}"
        how = trial_options.told(trial.settings, self.usual)
        click.echo(f"{number} of {total}, {trial.examples:,} examples: {said}, {how} ({left})", err=True)


def _table(trials: Sequence[Trial], usual: Mapping[str, Any]) -> list[str]:
    """Lay out the best trials, those with most examples first, and what was refused."""
    good = sorted(
        (each for each in trials if each.score is not None), key=lambda t: (-t.examples, -(t.score or 0.0))
    )
    lines = [click.style("  score  examples  settings", bold=True)]
    for each in good[:SHOWN]:
        head = f"{100 * (each.score or 0.0):7.2f} {each.examples:9,}  "
        folded = textwrap.wrap(trial_options.told(each.settings, usual), 60, break_on_hyphens=False)
        lines += [head + folded[0], *(" " * len(head) + more for more in folded[1:])]
    if len(good) > SHOWN:
        lines.append(f"and {len(good) - SHOWN} more")
    lines += [f"refused: {each.said}" for each in trials if each.score is None][:3]
    return lines


def draw_halving(trials: Sequence[Trial], usual: Mapping[str, Any], items: str, path: Path) -> list[Path]:
    """Draw a line for each setting as far as it went, the best one thickest."""
    from matplotlib.figure import Figure

    from structron.cli.draw.plots import BLUE, ORANGE
    from structron.fit.trials.halving import best_of
    from structron.theory.plots import save

    best = best_of(trials)
    lines: dict[str, list[tuple[int, float]]] = {}
    for each in trials:
        if each.score is not None:
            lines.setdefault(repr(each.settings), []).append((each.examples, 100 * each.score))
    figure = Figure(figsize=(6.0, 4.0), layout="constrained")
    panel = figure.subplots()
    for name, points in lines.items():
        chosen = name == repr(best.settings)
        panel.plot(
            *zip(*points),
            marker="o",
            markersize=6 if chosen else 4,
            color=ORANGE if chosen else BLUE,
            alpha=1.0 if chosen else 0.4,
            linewidth=2.5 if chosen else 1,
            zorder=3 if chosen else 2,
            label=trial_options.told(best.settings, usual) if chosen else None,
        )
    sizes = sorted({each.examples for each in trials})
    panel.set_xscale("log")
    panel.set_xticks(sizes, [f"{size:,}" for size in sizes])
    panel.minorticks_off()
    panel.set_xlabel(f"training {items}")
    panel.set_ylabel("score, per cent")
    panel.legend(frameon=False, fontsize=7, loc="lower right")
    panel.grid(True, color="#dddddd", linewidth=0.6)
    return save(figure, path)
