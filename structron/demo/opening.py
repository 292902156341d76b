"""The opening of the demo: a sentence of the user's own, and its tree."""

from __future__ import annotations

import sys
import time

import click

from structron.cli.task_cli import Reading, load
from structron.cli.terminal.request import Show

MODEL = "en"
USUAL = "I saw the man with the telescope."


def asked(sentence: str | None) -> str:
    """Return the sentence that was given, or typed on a terminal, or else the usual one."""
    if sentence is None and sys.stdin.isatty() and sys.stdout.isatty():
        sentence = click.prompt("An English sentence of yours", default=USUAL)
    return USUAL if sentence is None or not sentence.strip() else sentence


def opening(sentence: str | None) -> None:
    """Analyse a sentence with the English model that comes with structron, and draw its tree."""
    text = asked(sentence)
    began = time.perf_counter()
    shown, nlp = load(MODEL)
    click.secho("From raw text to trees", bold=True)
    click.echo(f"{text}\n")
    for line in shown.show(nlp, Show(text, None, None, 1, Reading(), False, 0)):
        click.echo(line)
    seconds = time.perf_counter() - began
    click.echo(f"That was structron predict {MODEL} TEXT, {seconds:.1f} s with the loading of the model.\n")
