"""``structron info``: a model's contents and history."""

from __future__ import annotations

import json
import shutil
import textwrap
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from structron import registry
from structron.cli import task_cli
from structron.cli.command_list import HELP, LongHelp
from structron.cli.commands.correcting.report import described
from structron.cli.commands.explain import strongest_features, strongest_lines
from structron.cli.files import streams
from structron.cli.task_cli import Plain, Reading
from structron.cli.terminal.counting import counted, first_names, size
from structron.errors import SettingError
from structron.settings import with_new_names

NEW = "\n"
TOGETHER = "\u00a0"  # a blank at which no line is broken

if TYPE_CHECKING:
    from structron.engine.experts import Expert
    from structron.features.clusters import WordClusters
    from structron.io import Names


@click.command(cls=LongHelp, basic=("as_json", "corpus", "top", "label"), short_help=HELP["info"])
@click.argument("model", type=click.Path())
@click.option("--json", "as_json", is_flag=True, help="Print one line of JSON.")
@click.option(
    "--corpus",
    metavar="FILE",
    help="List by name the strongest features that fire on the examples of FILE; labels are not needed.",
)
@click.option(
    "--top", type=click.IntRange(min=1), default=20, metavar="N", help="Number of features listed  [20]"
)
@click.option("--label", metavar="LABEL", help="Only features of this label, transition or piece.")
@streams.format_option
@streams.columns_option
@streams.encoding_option
def info(
    model: str,
    as_json: bool,
    corpus: str | None,
    top: int,
    label: str | None,
    format_name: str | None,
    columns: Names | None,
    encoding: str,
) -> None:
    """Describe MODEL: labels, templates, recipe, signature, sizes, epochs.

    With --corpus, list the features with the largest weights. A model file has no names of features, so they
    are recovered from the corpus, which is read until half a million features have been seen.
    """
    if corpus is not None:
        reading = Reading(format_name, columns, encoding=encoding)
        stages = strongest_features(model, corpus, reading, top, label)
        if as_json:
            click.echo(json.dumps(stages.get("", stages)))
            return
        for number, (name, listed) in enumerate(stages.items()):
            if name:
                click.echo(f"{NEW if number else ''}== {name}")
            click.echo("\n".join(strongest_lines(listed)))
        return
    if label is not None:
        raise SettingError("--label is for --corpus; name a file of examples")
    found = about_model(model)
    click.echo(json.dumps(found) if as_json else "\n".join(page_of(found)))


def about_model(path: str) -> Plain:
    """Return the contents of a model file and the record of its training, as plain data."""
    from structron.io.model_file.shipped_models import is_shipped, shipped

    task, estimator = task_cli.load(path)
    model, about = estimator.model_, estimator.model_.about
    return {
        "model": path,
        "task": model.task.kind,
        "bytes": Path(shipped()[path] if is_shipped(path) else path).stat().st_size,
        "features": len(model.rows.keys),
        "weights": len(model.rows.weights),
        "search": str(model.search),
        **task.about(model),
        "format": about.get("format"),
        "trained_on": about.get("trained_on"),
        "recipe": _by_new_names(model, about.get("recipe")),
        "settled": _by_new_names(model, about.get("settled")),
        "trials": about.get("trials"),
        **({"memory": kept} if (kept := memory_of(model)) else {}),
        **({"corrections": found} if (found := corrections_of(model)) else {}),
        "epochs": about.get("epochs", []),
        "interrupted": about.get("interrupted"),
        "signature": about.get("signature"),
        "data": about.get("data"),
        "licence": about.get("licence"),
    }


def memory_of(model: Any) -> Plain | None:
    """Return how large a model's memory of hard examples is; None without one."""
    if "memory" not in model.about:
        return None
    from structron.fit.correcting.memory import size_of

    return size_of(model)


def corrections_of(model: Any) -> dict[str, list[Plain]]:
    """Return the record of a model's corrections, by the part that they change."""
    found = {"": model} | model.parts
    return {
        name: [{**each.about, "weights": each.cells} for each in one.changes]
        for name, one in found.items()
        if one.changes
    }


def _by_new_names(model: Any, named: Plain | None) -> Plain | None:
    """Settings by the names of today; a file has those of the first release."""
    recipe = getattr(registry.cli_of(model.task.kind).estimator, "recipe_type", None)
    return named if named is None or recipe is None else with_new_names(recipe, named)


def page_of(found: Plain) -> list[str]:
    """Return the lines of such data as the command prints them."""
    task = registry.cli_of(found["task"])
    pairs = {"model": f"{found['model']}, {size(found['bytes'])}", **task.describe(found)}
    if found["weights"]:  # those of a pipeline are its stages'
        pairs["weights"] = f"{found['weights']:,} of {counted(found['features'], 'features')}"
        pairs["search"] = found["search"]
    if kept := _kept(found["epochs"]):
        passes = f"epoch {kept['epoch']} of {len(found['epochs'])}"
        score = "" if kept["dev_score"] is None else f", {100 * kept['dev_score']:.2f} on the development set"
        pairs["kept"] = passes + score
    if found["trained_on"]:
        size_of = found["trained_on"]
        pairs["trained on"] = (
            f"{counted(size_of['sentences'], task.items)}, {counted(size_of['tokens'], task.parts)}"
        )
    for name in ("data", "licence"):
        if found[name]:
            pairs[name] = found[name]
    if found["format"]:
        pairs["format"] = f"{found['format']['name']}: {' '.join(found['format']['columns'])}"
    if (
        found["recipe"] and registry.spec_of(found["task"]).settings
    ):  # a pipeline has none, whatever its file says
        usual = task.estimator.recipe_type().as_dict()
        chosen = {name: value for name, value in found["recipe"].items() if value != usual.get(name)}
        if isinstance(chosen.get("templates"), list):
            chosen["templates"] = "of one's own"
        pairs["changed"] = settings_line(chosen) or "nothing: all settings are the defaults"
        pairs["recipe"] = settings_line(
            {name: value for name, value in found["recipe"].items() if name != "templates"}
        )
    if found["settled"]:
        pairs["auto meant"] = settings_line(found["settled"])
    if found["trials"]:
        best = max((each for each in found["trials"] if each["score"] is not None), key=_rank)
        pairs["trials"] = (
            f"{len(found['trials'])}, the best {settings_line(best['settings'])}: "
            f"{100 * best['score']:.2f} on {best['examples']:,} examples"
        )
    if found["signature"]:
        pairs["signature"] = " · ".join(f"{name} {value}" for name, value in found["signature"].items())
    pairs |= _corrections(found)
    if found["interrupted"]:
        pairs["interrupted"] = f"in epoch {found['interrupted']}"
    room = min(shutil.get_terminal_size((80, 24)).columns, 108)
    lines = []
    for name, value in pairs.items():
        wrapped = textwrap.wrap(value, room - 12, break_long_words=False, break_on_hyphens=False) or [""]
        first, *more = (line.replace(TOGETHER, " ") for line in wrapped)
        if len(name) < 12:
            lines.append(click.style(f"{name:12}", bold=True) + first)
        else:  # the stage of several tags
            lines += [click.style(name, bold=True), " " * 12 + first]
        lines += [" " * 12 + line for line in more]
    return [*lines, *_epochs(found["epochs"])]


def _corrections(found: Plain) -> dict[str, str]:
    """Return a model's memory for corrections, and its corrections so far."""
    pairs: dict[str, str] = {}
    if "memory" in found:
        remembered = found["memory"]
        pairs["memory"] = f"{counted(remembered['examples'], 'hard examples')}, {size(remembered['bytes'])}"
    for name, changes in found.get("corrections", {}).items():
        for number, about in enumerate(changes, 1):
            pairs[f"correction {number}{f' of {name}' if name else ''}"] = described(about)
    return pairs


def _rank(trial: Plain) -> tuple[int, float]:
    """Rank trials by how much they learned from, then by score."""
    return trial["examples"], trial["score"]


def settings_line(named: Plain) -> str:
    """Return settings with their values on one line, each pair kept together."""
    return ", ".join(f"{name}{TOGETHER}{value}" for name, value in named.items())


def _kept(epochs: list[Plain]) -> Plain | None:
    """Return the epoch whose weights the model has."""
    return next((each for each in reversed(epochs) if each["best"]), None)


def named_templates(templates: Sequence[str], presets: Mapping[str, Sequence[str]]) -> str:
    """Return templates with the name of the smallest preset that has them all."""
    # What is added to any set, where there are clusters and gazetteers, has no say.
    own = {template for template in templates if "cluster" not in template and "in(" not in template}
    within = [name for name, known in presets.items() if own <= set(known)]
    name = min(within, key=lambda name: len(presets[name]), default="your own")
    if not templates:
        return name
    return f"{name}: {first_names([each.replace(' ', TOGETHER) for each in templates], ' | ')}"


def about_clusters(clusters: WordClusters | None) -> Plain | None:
    """Describe the word clusters of a model as plain data."""
    if clusters is None:
        return None
    return {"file": clusters.name, "words": len(clusters), "clusters": len(clusters.paths)}


def named_clusters(about: Plain) -> str:
    """Describe them for people."""
    size = f"{counted(about['clusters'], 'clusters')} of {counted(about['words'], 'words')}"
    return f"{size}, from {about['file']}"


def about_experts(experts: Iterable[Expert[Any]]) -> Plain:
    """Describe the experts of a model as plain data."""
    return {each.name: {"weight": each.weight, "weights": len(each.rows.weights)} for each in experts}


def named_experts(about: Plain) -> str:
    """Describe them for people."""
    return ", ".join(
        f"{name} (counts {expert['weight']:g} times, {counted(expert['weights'], 'weights')})"
        for name, expert in about.items()
    )


def _epochs(epochs: list[Plain]) -> list[str]:
    if not epochs:
        return []
    kept = _kept(epochs)
    lines = ["", click.style("epoch   errors  updates  invalid  early-stopped     dev", bold=True)]
    for e in epochs:
        dev = "" if e["dev_score"] is None else f"{100 * e['dev_score']:.2f}"
        share = f"{e['errors']:8,} {e['updates']:8,} {e['invalid']:8,} {e['early_stopped']:14,} {dev:>7}"
        lines.append(f"{e['epoch']:5} {share}{'  kept' if e is kept else ''}")
    lines += [
        "",
        "errors: examples with a wrong output; updates: changes of the weights;",
        "invalid: updates that fixed no violation; early-stopped: examples updated",
        "before their end; dev: score on the development set",
    ]
    return lines
