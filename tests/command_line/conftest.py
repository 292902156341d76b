"""Small files in every format, models trained on them by real processes, and a way to run the command."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from structron.io import Format, Sentence, write
from structron.synthetic import generate_treebank
from tests.forking import forking

Run = Callable[..., subprocess.CompletedProcess[str]]
COMMAND = [sys.executable, "-m", "structron"]
SUFFIXES = {"conllu": ".conllu", "columns": ".tsv", "slash": ".txt"}
ENVIRONMENT = {**os.environ, "PYTHONUTF8": "1"}
PARENTS = forking(ENVIRONMENT)


def run_command(*args: object, stdin: str = "", check: int | None = 0) -> subprocess.CompletedProcess[str]:
    done = next(PARENTS).run([*map(str, args)], stdin, timeout=120)
    if check is not None:
        assert done.returncode == check, (args, done.returncode, done.stdout[-2000:], done.stderr[-2000:])
    return done


@pytest.fixture(scope="session")
def run() -> Run:
    return run_command


@pytest.fixture(scope="session")
def start() -> Callable[..., subprocess.Popen[bytes]]:
    """A process that is talked to while it runs."""

    def begin(*args: object) -> subprocess.Popen[bytes]:
        pipe = subprocess.PIPE
        return subprocess.Popen(
            [*COMMAND, *map(str, args)], stdin=pipe, stdout=pipe, stderr=pipe, env=ENVIRONMENT
        )

    return begin


@pytest.fixture(scope="session")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """train and dev of the synthetic treebank, in three formats, plain and packed."""
    folder = tmp_path_factory.mktemp("corpus")
    rng = np.random.default_rng(5)
    for part, count in (("train", 150), ("dev", 40)):
        trees = generate_treebank(count, rng)
        for name, suffix in SUFFIXES.items():
            sentences = [Sentence.of(tree.words, tree.tags, Format(name)) for tree in trees]
            write(sentences, folder / f"{part}{suffix}")
            write(sentences, folder / f"{part}{suffix}.gz")
    (folder / "chunks.txt").write_text(CHUNKS * 10)
    return folder


@pytest.fixture(scope="session")
def training(folder: Path) -> list[object]:
    """The arguments that train on train.txt and watch dev.txt."""
    return ["train", "tagging", folder / "train.txt", "--dev", folder / "dev.txt"]


CHUNKS = """\
the DT B-NP
old JJ I-NP
man NN I-NP
saw VBD B-VP
her PRP B-NP
. . O

she PRP B-NP
ran VBD B-VP
past IN O
the DT B-NP
dog NN I-NP
. . O

"""


@pytest.fixture(scope="session")
def models(folder: Path) -> dict[str, Path]:
    """A model for each format."""
    found = {}
    for name, suffix in SUFFIXES.items():
        found[name] = folder / f"{name}.model"
        run_command(
            "train", "tagging", folder / f"train{suffix}", "-o", found[name], "--epochs", 3, "--order", 1
        )
    found["chunks"] = folder / "chunks.model"
    run_command(
        "train",
        "tagging",
        folder / "chunks.txt",
        "-o",
        found["chunks"],
        "--epochs",
        3,
        "--columns",
        "form,pos,label",
    )
    return found
