"""``structron correct``: the smallest change of a model that makes some examples right and keeps the rest."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import click

from structron.cli import task_cli
from structron.cli.command_list import HELP, LongHelp
from structron.cli.commands.correcting.report import pages, plain, undone
from structron.cli.files import streams
from structron.cli.files.places import check_output, refuse_overlap
from structron.cli.task_cli import Reading
from structron.errors import DataError, SettingError

if TYPE_CHECKING:
    from structron.cli.task_cli import AnyTaskCLI
    from structron.io import Names


@click.command(
    cls=LongHelp, basic=("output", "keep", "dry_run", "undo", "threads"), short_help=HELP["correct"]
)
@click.argument("model", type=click.Path())
@click.argument("file", metavar="FILE|-", required=False)
@click.option("-o", "--output", metavar="NEW", help="The corrected model to write.")
@click.option(
    "--keep",
    multiple=True,
    metavar="DATA",
    help="Labelled data: what is right in them stays right; several times for several files.",
)
@click.option("--dry-run", is_flag=True, help="Only tell what would happen.")
@click.option("--undo", is_flag=True, help="Take the last correction of MODEL back.")
@click.option(
    "--margin",
    type=float,
    metavar="X",
    help="How far what is right must be ahead, for each wrong decision; otherwise a twentieth of the margin "
    "that training asked for.",
)
@click.option(
    "--new-labels",
    is_flag=True,
    help="Learn labels and relations of FILE that MODEL does not have; otherwise they cannot hold.",
)
@click.option("--json", "as_json", is_flag=True, help="Print one line of JSON.")
@streams.format_option
@streams.columns_option
@streams.encoding_option
@streams.threads_option
@streams.skip_option
def correct(
    model: str,
    file: str | None,
    output: str | None,
    keep: tuple[str, ...],
    dry_run: bool,
    undo: bool,
    margin: float | None,
    new_labels: bool,
    as_json: bool,
    format_name: str | None,
    columns: Names | None,
    encoding: str,
    threads: int,
    skip_bad: bool,
) -> None:
    """Correct MODEL so that it predicts every example of FILE right, by the smallest change of its weights.

    What is right in the data of --keep stays right; what else changes there is counted, for all of it is
    decoded again. The change is a small part of the new model: `info` lists it, and --undo takes it back, to
    the bytes of before.

    An example may be impossible: the model cannot yield the output, the search loses it, or no weights meet
    it together with the others. Such examples are named with the reason, and the others hold.
    """
    if undo and (file is not None or keep):
        raise SettingError("--undo takes the last correction back and reads no examples; leave files out")
    if not undo and file is None:
        raise SettingError("there is nothing to correct; name a file with labelled examples, or give --undo")
    if output is None and not dry_run:
        raise SettingError("the new model has no place; name a file with -o, or give --dry-run")
    inputs = {"MODEL": model} | ({} if file is None else {"FILE": file})
    inputs |= {f"--keep {place}": place for place in keep}
    if output is not None:
        check_output("-o", output)
        refuse_overlap({"-o": output}, inputs)
    task, estimator = task_cli.load(model)
    if task.sides:
        raise SettingError(f"correct is not for {estimator.kind}; train it again with the examples")
    estimator.threads = threads
    if undo:
        said = estimator.undo()
        click.echo(json.dumps({"undone": said}) if as_json else undone(said))
    else:
        assert file is not None
        reading = Reading(format_name, columns, skip_bad, encoding, start=_start(task), is_gold=True)
        examples = _read(task, estimator, file, reading)
        kept = [item for place in keep for item in _read(task, estimator, place, reading)]
        found = estimator.correct(
            examples, None, kept or None, margin=margin, dry_run=dry_run, new_labels=new_labels
        )
        stages = found if isinstance(found, dict) else {"": found}
        if as_json:
            said = {name: plain(each) for name, each in stages.items()}
            click.echo(json.dumps(said.get("", said)))
        else:
            click.echo("\n".join(pages(stages, task.examples)))
    if output is not None and not dry_run:
        estimator.save(output)
        click.echo(f"model saved: {output}", err=True)


def _start(task: AnyTaskCLI) -> str | None:
    return "words" if isinstance(task, task_cli.Staged) else None


def _read(task: AnyTaskCLI, estimator: Any, place: str, reading: Reading) -> list[Any]:
    """Return the labelled examples of a file, as the model takes them."""
    from structron.io import Report

    report = Report()
    with streams.opened(place) as (source, stream):
        items = [item for item in task.read(estimator, stream, reading, report) if len(item)]
    if said := streams.left_out(report, source.name):
        click.echo(said, err=True)
    if not items:
        raise DataError(f"{source.name}: there are no {task.items} in it; check the file")
    return items
