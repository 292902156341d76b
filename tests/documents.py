"""What the documents show of a terminal: commands after a ``$``, and the lines they are said to print.

A line that is only ``…`` stands for any lines. What is compared is standard output, or standard error where
nothing else was printed. Only speeds, times that are left, the machine and the version may differ.
"""

from __future__ import annotations

import contextlib
import os
import re
import shlex
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from tests.forking import Parent
from tests.own_package import environment

ROOT = Path(__file__).resolve().parents[1]
BLOCK = re.compile(r"^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
COMMAND = re.compile(r"^\$ ((?:.*\\\n)*.*)\n((?:(?!\$ ).*\n)*)", re.MULTILINE)
PLAIN = re.compile(r"structron [^|<>$`;&*#\\]*")  # nothing for a shell to do
VARYING = (
    (re.compile(r"^.*: \d+ %, [\d.]+ (?:s|min|h) left\n", re.MULTILINE), ""),
    (re.compile(r", [\d.]+ (?:s|min|h) left$", re.MULTILINE), ""),
    (re.compile(r"[\d,]+ tokens/s"), "N tokens/s"),
    (re.compile(r"\([\d,]+ a second\)"), "(N a second)"),
    (re.compile(r"machine \w+"), "machine M"),
    (re.compile(r"version \d[\w.+]*"), "version V"),  # tests/unit/test_version.py sees that it is no old one
)


class Shown(NamedTuple):
    """A command, and what a page says that it prints; nothing if it does not say."""

    page: str
    command: str
    said: str


def blocks(document: Path) -> list[tuple[str, str]]:
    """Return the language and the text of each block, in order."""
    return BLOCK.findall(document.read_text(encoding="utf-8"))


def is_session(language: str, text: str) -> bool:
    """Tell whether a block shows a terminal."""
    return not language and text.startswith("$ ")


def sessions(document: Path) -> list[Shown]:
    """Return all commands of a page, in order.

    What the last command of a block prints may stand in a block of its own: the next one, without a prompt.
    """
    found: list[Shown] = []
    waiting = False
    for language, text in blocks(document):
        if is_session(language, text):
            for command, said in COMMAND.findall(text):
                found.append(Shown(document.name, command.replace("\\\n", " "), said.strip("\n")))
            waiting = not found[-1].said
        elif waiting and not language:
            found[-1] = found[-1]._replace(said=text.strip("\n"))
            waiting = False
        else:
            waiting = False
    return found


def bare(document: Path) -> Iterator[tuple[str, str]]:
    """Yield the language and the text of each block that is neither Python nor a terminal."""
    taken = {shown.said for shown in sessions(document)}
    for language, text in blocks(document):
        if language != "python" and not is_session(language, text) and text.strip("\n") not in taken:
            yield language, text


def plain(text: str) -> str:
    """Replace what may differ from run to run."""
    for pattern, instead in VARYING:
        text = pattern.sub(instead, text)
    return text


def differs(said: str, printed: str) -> str:
    """Return the first piece of `said` that was not printed where it should be; nothing if all was."""
    lines = [line.rstrip() for line in plain(printed + "\n").strip("\n").split("\n")]
    pieces = [piece.strip("\n") for piece in re.split(r"^[ \t]*…$", plain(said), flags=re.MULTILINE)]
    at = 0
    for number, piece in enumerate(pieces):
        wanted = [line.rstrip() for line in piece.split("\n")] if piece else []
        places = range(at, len(lines) - len(wanted) + 1)
        if number == 0:
            places = places[:1]
        if number == len(pieces) - 1 and wanted:
            places = places[-1:]
        found = next((i for i in places if lines[i : i + len(wanted)] == wanted), None)
        if found is None:
            return piece
        at = found + len(wanted)
    if pieces[-1] and at != len(lines):
        return pieces[-1]
    return ""


class Terminal:
    """A shell in a folder of its own, where `structron` and `python` are those of the tests.

    Commands that need no shell are forks of a process that has imported structron, which saves much time; a
    package that was installed into the folder (`tests.own_package`) is seen only by commands that are not.
    """

    def __init__(self, folder: Path, parents: Iterator[Parent] | None) -> None:
        self.folder, self.parents = folder, parents
        programs = folder / "bin"
        programs.mkdir()
        (programs / "structron").write_text(f'#!/bin/sh\nexec "{sys.executable}" -m structron "$@"\n')
        (programs / "python").write_text(f'#!/bin/sh\nexec "{sys.executable}" "$@"\n')
        for program in programs.iterdir():
            program.chmod(0o755)
        (folder / "examples").symlink_to(ROOT / "examples")
        path = f"{programs}:{os.environ['PATH']}"
        self.environment = {**environment(folder), "PATH": path, "OPENBLAS_NUM_THREADS": "1"}

    def run(self, command: str) -> str:
        """Run a command that must succeed; return what it printed."""
        if self.parents is not None and PLAIN.fullmatch(command):
            with contextlib.chdir(self.folder):
                done = next(self.parents).run(shlex.split(command)[1:], "", timeout=300)
        else:
            done = subprocess.run(
                ["bash", "-o", "pipefail", "-c", command],
                cwd=self.folder, env=self.environment, capture_output=True, text=True, timeout=300,
            )  # fmt: skip
        # Whoever writes into a pipe that `head` has closed ends by a signal.
        fine = (0, 128 + signal.SIGPIPE) if "| head" in command else (0,)
        assert done.returncode in fine, (command, done.stdout[-500:], done.stderr[-500:])
        return done.stdout if done.stdout.strip() else done.stderr

    def wrong(self, shown: list[Shown]) -> list[str]:
        """Run each command once, and return where a page says what is not printed."""
        printed: dict[str, str] = {}
        found = []
        for page, command, said in shown:
            if command not in printed:
                printed[command] = self.run(command)
            if said and (missed := differs(said, printed[command])):
                found.append(f"{page}: $ {command}\n--- it says\n{missed}\n--- it prints\n{printed[command]}")
        return found
