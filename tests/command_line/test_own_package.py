"""A task in a package of its own has everything that those of structron have, and no line of structron
knows it."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
TEXT = """\
Anna saw the river Thames .
Tom saw Anna in Paris .
The USA is a country .
She went to Paris with Tom .
Anna has an iPhone .
Tom likes the USA .
"""


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Install the example as pip does, into a folder of its own."""
    folder = tmp_path_factory.mktemp("own")
    shutil.copytree(ROOT / "examples" / "truecasing", folder / "source")
    install = [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--no-index"]
    subprocess.run(
        [*install, "--no-build-isolation", "--target", str(folder / "site"), str(folder / "source")],
        check=True,
    )
    (folder / "text.txt").write_text(TEXT * 4)
    return folder


def run(place: Path, *words: object, given: str | None = None, code: int = 0) -> str:
    """Run a command where the package is installed."""
    done = subprocess.run(
        [sys.executable, "-m", "structron.cli", *map(str, words)],
        input=given, capture_output=True, text=True, cwd=place, check=False,
        env=os.environ | {"PYTHONPATH": str(place / "site")},
    )  # fmt: skip
    assert done.returncode == code, done.stderr
    return done.stdout + done.stderr


def test_it_is_in_every_command(place: Path) -> None:
    assert "Give words back the capitals that they have lost." in run(place, "train", "--help")
    assert "--learner" in run(place, "train", "truecasing", "--help")
    run(place, "train", "truecasing", "text.txt", "--epochs", 4, "--dev", "text.txt", "-o", "m")
    asked = "anna saw the usa with tom ."
    assert run(place, "predict", "m", given=f"{asked}\n") == "Anna saw the USA with Tom .\n"
    assert run(place, "predict", "m", "--kbest", 2, given=f"{asked}\n").count("\n") == 2
    assert json.loads(run(place, "evaluate", "m", "text.txt", "--json").splitlines()[0])["accuracy"] == 1.0
    assert "truecasing" in run(place, "info", "m")
    shown = run(place, "show", "m", "anna saw paris .", "--gold", "Anna saw Paris .")
    assert "guess  Anna saw Paris ." in shown and "max-violation" in shown
    assert "word=anna -> Capital" in run(place, "explain", "m", "anna saw paris .")
    assert "The bounds are kept" in run(place, "audit", "truecasing", "text.txt", "--sample", 3)
    assert "best" in run(place, "tune", "truecasing", "text.txt", "--trials", 2)


def test_it_is_trained_in_batches_and_shards_and_resumed(place: Path) -> None:
    run(place, "train", "truecasing", "text.txt", "--epochs", 2, "-o", "a", "--batch", 4)
    run(place, "train", "truecasing", "text.txt", "--epochs", 2, "-o", "b", "--batch", 4, "--threads", 2)
    assert (place / "a").read_bytes() == (place / "b").read_bytes()
    run(place, "train", "truecasing", "text.txt", "--epochs", 1, "-o", "c", "--keep-checkpoint")
    run(place, "train", "truecasing", "text.txt", "--epochs", 2, "-o", "c", "--resume")
    run(place, "train", "truecasing", "text.txt", "--epochs", 2, "-o", "d")
    assert (place / "c").read_bytes() == (place / "d").read_bytes()


def test_without_its_package_the_model_is_refused_in_a_sentence(place: Path) -> None:
    run(place, "train", "truecasing", "text.txt", "--epochs", 1, "-o", "e")
    done = subprocess.run(
        [sys.executable, "-m", "structron.cli", "predict", str(place / "e"), "text.txt"],
        capture_output=True, text=True, cwd=place, check=False,
    )  # fmt: skip
    assert (
        done.returncode == 1
        and "a model of kind 'truecasing', which this version does not know" in done.stderr
    )
