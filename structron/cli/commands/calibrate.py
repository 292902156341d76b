"""``structron calibrate``: learn from held-out data how much a model's margins can be trusted."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import cycle
from pathlib import Path
from typing import TYPE_CHECKING

import click

from structron.cli import task_cli
from structron.cli.command_list import HELP, LongHelp
from structron.cli.files import streams
from structron.cli.files.places import check_places, pictures, refuse_overlap
from structron.cli.task_cli import Reading
from structron.cli.terminal.confidence import check_judging
from structron.cli.terminal.counting import counted
from structron.errors import DataError

if TYPE_CHECKING:
    from structron.cli.task_cli import AnyTaskCLI
    from structron.fit.confidence import Margins
    from structron.io import Names
    from structron.metrics import Bin, Judgement


@click.command(cls=LongHelp, basic=("output", "plot", "threads"), short_help=HELP["calibrate"])
@click.argument("model", type=click.Path())
@click.argument("dev", metavar="DEV")
@click.option("-o", "--output", required=True, metavar="FILE", help="The calibrated model to write.")
@click.option("--plot", metavar="FILE", help="Draw the reliability diagram, as PNG and as SVG.")
@streams.format_option
@streams.columns_option
@streams.encoding_option
@streams.search_option
@streams.threads_option
def calibrate(
    model: str,
    dev: str,
    output: str,
    plot: str | None,
    format_name: str | None,
    columns: Names | None,
    encoding: str,
    search: str | None,
    threads: int,
) -> None:
    """Calibrate MODEL on DEV, labelled data that it has not learned from.

    Afterwards `predict --confidence` gives probabilities: of the words that the model is 90 % sure of, about
    90 % are right. The command prints how well this holds: each half of DEV is calibrated on the other.
    """
    refuse_overlap({"-o": output, "--plot": pictures(plot)}, {"MODEL": model, "DEV": dev})
    check_places(output, plot)
    task, estimator = task_cli.load(model, search)
    check_judging(task, "calibrate")
    estimator.threads = threads
    from structron.io import Report

    start = "words" if isinstance(task, task_cli.Staged) else None
    reading = Reading(format_name, columns, encoding=encoding, start=start, is_gold=True)
    with streams.opened(dev) as (_, stream):
        items = list(task.read(estimator, stream, reading, Report()))
    items = [item for item in items if len(item)]
    if isinstance(task, task_cli.Joining):
        items = task.joined(items)
    if isinstance(task, task_cli.Staged):
        items = task.cut(estimator, items)
    if len(items) < 4:
        raise DataError(f"{dev}: {counted(len(items), task.items)} cannot calibrate; give at least 4")
    margins, judged = estimator.margins(items), task.judged(estimator, items)  # type: ignore[attr-defined]
    if isinstance(margins, dict):
        measured = {
            name: _measured(own, of_stage(judged, name))
            for name, own in margins.items()
            if all(
                column in judged for column in name.split("+")
            )  # gold may lack names, or have nothing else
        }
    else:
        measured = {"": _measured(margins, judged)}
    estimator.calibrate(items)
    estimator.save(output)
    named: dict[str, Sequence[Bin]] = {}
    for name, (parts, whole) in measured.items():
        click.echo("\n".join([*([f"== {name}"] if name else []), *_page(task, parts, whole)]))
        named |= {f"{name} {task.parts}".strip(): parts, f"{name} {task.items}".strip(): whole}
    if plot is not None:
        draw_reliability(named, Path(plot))
    click.echo(f"calibrated model saved: {output}", err=True)


def of_stage(judged: dict[str, list[Judgement]], name: str) -> list[Judgement]:
    """Return the right and wrong outputs of a stage; all columns that it fills must be right."""
    found = [judged[column] for column in name.split("+")]
    return [
        replace(each[0], right=tuple(map(all, zip(*(one.right for one in each))))) for each in zip(*found)
    ]


def _measured(margins: Sequence[Margins], judged: Sequence[Judgement]) -> tuple[list[Bin], list[Bin]]:
    """Measure reliability by parts and by outputs; calibrate each half of the data on the other."""
    from structron.fit.confidence import calibrated, parts_of
    from structron.metrics import reliability

    sure: tuple[list[float], list[float]] = ([], [])
    right: tuple[list[bool], list[bool]] = ([], [])
    for own, other in ((slice(0, None, 2), slice(1, None, 2)), (slice(1, None, 2), slice(0, None, 2))):
        found = calibrated(margins[other], judged[other])
        for each, one in zip(margins[own], judged[own]):
            confidence = found.confidence(each)
            sure[0].extend(confidence.parts)
            sure[1].append(confidence.whole)
            right[0].extend(parts_of([each], [one])[1])
            right[1].append(one.is_right)
    return reliability(sure[0], right[0]), reliability(sure[1], right[1])


def _page(task: AnyTaskCLI, parts: Sequence[Bin], whole: Sequence[Bin]) -> list[str]:
    from structron.metrics import calibration_error

    lines = []
    single = [each.size for each in parts] == [each.size for each in whole]
    for name, bins in ((task.parts, parts), (task.items, whole))[1 if single else 0 :]:
        lines += [click.style(f"confidence  {name:>10}  sure %  right %", bold=True)]
        for each in bins:
            shares = f"{100 * each.confidence:6.2f}  {100 * each.right:7.2f}"
            lines.append(f"{each.low:.1f} to {each.high:.1f}  {each.size:10,}  {shares}")
        lines += [f"calibration error {100 * calibration_error(bins):.2f} %", ""]
    return lines[:-1]


def draw_reliability(named: dict[str, Sequence[Bin]], path: Path) -> list[Path]:
    """Draw the reliability diagram: confidence against accuracy, a point for each bin."""
    from matplotlib.figure import Figure

    from structron.cli.draw.plots import BLUE, ORANGE
    from structron.theory.plots import save

    figure = Figure(figsize=(4.6, 4.4), layout="constrained")
    panel = figure.subplots()
    panel.plot([0, 1], [0, 1], color="#999999", linewidth=1, linestyle="--", label="as sure as right")
    for (name, bins), colour in zip(named.items(), cycle((BLUE, ORANGE))):
        sizes = [12 + 120 * each.size / sum(b.size for b in bins) for each in bins]
        xs, ys = [each.confidence for each in bins], [each.right for each in bins]
        panel.plot(xs, ys, color=colour, linewidth=1.5, label=name)
        panel.scatter(xs, ys, s=sizes, color=colour)
    panel.set_xlabel("how sure")
    panel.set_ylabel("share that is right")
    panel.set_xlim(0, 1.02)
    panel.set_ylim(0, 1.02)
    panel.legend(frameon=False)
    return save(figure, path)
