"""Texts for clusters of machines, a worker that dies once, and what must come out of both."""

from __future__ import annotations

import os
import signal
from pathlib import Path

TEXTS = int(os.environ.get("STRUCTRON_TEXTS", "600"))
"""How many texts there are, of 13 tokens each: 8,000,000 are some 10⁸ tokens."""

FATAL = "deadly"


def text(number: int) -> str:
    """Return a text; the one in the middle kills the first worker that sees it."""
    word = FATAL if number == TEXTS // 2 else "good"
    return f"Angela Merkel bought {number} {word} apples. They were red in {1900 + number % 100}."


def die_once(texts: list[str | None], mark: Path) -> None:
    """Kill this process if the fatal text is among these and no process has died of it yet."""
    if any(FATAL in (each or "") for each in texts):
        try:
            mark.touch(exist_ok=False)
        except FileExistsError:
            return
        os.kill(os.getpid(), signal.SIGKILL)


def note(folder: Path) -> None:
    """Note that this process has loaded a model."""
    (folder / f"loaded-{os.getpid()}-{len(list(folder.glob('loaded-*')))}").touch()


def loaded(folder: Path) -> list[str]:
    """Return the process of each model that was loaded."""
    return [path.name.split("-")[1] for path in folder.glob("loaded-*")]
