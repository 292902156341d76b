"""``structron info``: what a model is, and how it was made."""

from __future__ import annotations

import json
import textwrap
from pathlib import Path
from typing import Any

import click

from structron.cli import face
from structron.cli.counting import counted, size


@click.command(short_help="What a model is, and how it was made.")
@click.argument("model", type=click.Path())
@click.option("--json", "as_json", is_flag=True, help="One machine-readable line.")
def info(model: str, as_json: bool) -> None:
    """Tell what MODEL is: labels, templates, recipe, signature, sizes, epochs."""
    found = _about(model)
    click.echo(json.dumps(found) if as_json else "\n".join(_page(found)))


def _about(path: str) -> dict[str, Any]:
    task, estimator = face.load(path)
    model, about = estimator.model_, estimator.model_.about
    return {
        "model": path,
        "task": model.task.kind,
        "bytes": Path(path).stat().st_size,
        "features": len(model.rows.keys),
        "weights": len(model.rows.weights),
        "search": str(model.search),
        **task.about(model),
        "format": about.get("format"),
        "trained_on": about.get("trained_on"),
        "recipe": about.get("recipe"),
        "epochs": about.get("epochs", []),
        "interrupted": about.get("interrupted"),
        "signature": about.get("signature"),
    }


def _page(found: dict[str, Any]) -> list[str]:
    task = face.face_of(found["task"])
    pairs = {
        "model": f"{found['model']}, {size(found['bytes'])}",
        **task.told(found),
        "weights": f"{found['weights']:,} of {counted(found['features'], 'features')}",
        "search": found["search"],
    }
    if found["trained_on"]:
        size_of = found["trained_on"]
        pairs["trained on"] = (
            f"{counted(size_of['sentences'], task.items)}, {counted(size_of['tokens'], task.parts)}"
        )
    if found["format"]:
        pairs["format"] = f"{found['format']['name']}: {' '.join(found['format']['columns'])}"
    if found["recipe"]:
        pairs["recipe"] = ", ".join(
            f"{name} {value}" for name, value in found["recipe"].items() if name != "templates"
        )
    if found["signature"]:
        pairs["signature"] = " · ".join(f"{name} {value}" for name, value in found["signature"].items())
    if found["interrupted"]:
        pairs["interrupted"] = f"in epoch {found['interrupted']}"
    lines = []
    for name, value in pairs.items():
        wrapped = textwrap.wrap(value, 96, break_long_words=False, break_on_hyphens=False) or [""]
        lines.append(click.style(f"{name:12}", bold=True) + wrapped[0])
        lines += [" " * 12 + more for more in wrapped[1:]]
    return [*lines, *_epochs(found["epochs"])]


def _epochs(epochs: list[dict[str, Any]]) -> list[str]:
    if not epochs:
        return []
    best = max((e["epoch"] for e in epochs if e["best"]), default=None)
    lines = ["", click.style("epoch   errors  updates  invalid  early-stopped     dev", bold=True)]
    for e in epochs:
        dev = "" if e["dev_score"] is None else f"{100 * e['dev_score']:.2f}"
        share = f"{e['errors']:8,} {e['updates']:8,} {e['invalid']:8,} {e['early_stopped']:14,} {dev:>7}"
        lines.append(f"{e['epoch']:5} {share}{'  kept' if e['epoch'] == best else ''}")
    return lines
