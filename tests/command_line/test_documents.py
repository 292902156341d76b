"""What the documents print really runs: every Python block, and every command after a ``$``."""

from __future__ import annotations

import os
import random
import re
import runpy
import shlex
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from structron.cli.app import main
from structron.data import Format, Sentence, write
from structron.data.synthetic import generate_treebank

ROOT = Path(__file__).resolve().parents[2]
DOCUMENTS = [
    ROOT / "README.md",
    *sorted((ROOT / "docs").glob("*.md")),
    *sorted((ROOT / "docs/guides").glob("*.md")),
]
REPORTS = ROOT / "docs" / "guides" / "reports.md"
LIBRARIES = {"spacy.md": "spacy", "datasets.md": "datasets"}  # pages about what `make test` does without
SAME_EVERYWHERE = ("structron predict en", "python examples/")  # whatever was trained before
BLOCK = re.compile(r"^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def blocks(document: Path, language: str) -> list[str]:
    return [text for name, text in BLOCK.findall(document.read_text()) if name == language]


def stand_ins() -> dict[str, Any]:
    """What the snippets take as given: a few sentences, and the tasks of examples/."""
    X = [["I", "saw", "her", "duck"], ["a", "duck", "saw", "I"], ["her", "duck"]]
    y = [["PRP", "VBD", "PRP$", "NN"], ["DT", "NN", "VBD", "PRP"], ["PRP$", "NN"]]
    own = runpy.run_path(str(ROOT / "examples" / "own_task.py"))
    chart = runpy.run_path(str(ROOT / "examples" / "own_chart.py"))
    texts = own["texts"](random.Random(1), 3)
    return {
        "X": X * 3,
        "y": y * 3,
        "Xd": X,
        "yd": y,
        "batches": [(X, y)],
        "all_labels": sorted({tag for tags in y for tag in tags}),
        "space": texts[0],
        "oracle": texts[0],
        "examples": list(zip(texts, texts)),
        "chart": chart["Sentence"](["the", "cat", "saw", "a", "dog", "with", "a", "hat"]),
    }


@pytest.mark.parametrize(
    "document", [each for each in DOCUMENTS if blocks(each, "python")], ids=lambda p: p.name
)
def test_every_python_block_runs(document: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    library = LIBRARIES.get(document.name, "sklearn")
    pytest.importorskip(library, reason=f"{library} is not installed; make test-adapters installs it")
    monkeypatch.chdir(tmp_path)
    names: dict[str, Any] = {}
    for number, text in enumerate(blocks(document, "python"), 1):
        # A block may use what an earlier one has made; what it takes as given is there anew.
        names |= stand_ins()
        if "SWVP(" in text:
            names["examples"] = _mixable()
        exec(compile(text, f"{document.name}, Python block {number}", "exec"), names)


def _mixable() -> list[Any]:
    from structron.tasks.tagging import TaggingTask

    task = TaggingTask(("D", "N"), ("w[0]", "t[-1]"))
    return [(task.space(["the", "fly"]), task.oracle(["D", "N"]))]


def commands(documents: list[Path]) -> dict[str, str]:
    """The lines after a ``$``, continued where a backslash ends them, and what they are said to print."""
    found: dict[str, str] = {}
    for block in (block for document in documents for block in blocks(document, "")):
        for command, said in re.findall(r"^\$ ((?:.*\\\n)*.*)\n((?:(?!\$ ).*\n)*)", block, re.MULTILINE):
            found.setdefault(command.replace("\\\n", " "), said.rstrip())
    return found


def test_every_command_of_the_page_on_reports_runs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """In one process, on a corpus like that of the demo, but smaller."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "demo-output").mkdir()
    trees = generate_treebank(120, np.random.default_rng(5))
    for name, part in (("train", trees[:70]), ("dev", trees[70:90]), ("test", trees[90:])):
        write([Sentence.of(t.words, t.tags, Format("conllu")) for t in part], f"demo-output/{name}.conllu")
    found = commands([REPORTS])
    assert len(found) > 10
    for command in found:
        program, *words = shlex.split(re.sub(r"(--epochs|epochs=)( ?)\d+", r"\1\g<2>1", command))
        quick = ["--epochs", "1"] if words[0] == "train" and "--epochs" not in words else []
        assert program == "structron" and main([*words, *quick]) == 0, (command, capsys.readouterr())
    for name in (
        "errors.html",
        "confusions.png",
        "reliability.svg",
        "tune.png",
        "trials.json",
        "next.conllu",
    ):
        assert (tmp_path / name).stat().st_size > 500


def test_every_command_of_the_other_documents_runs(tmp_path: Path) -> None:
    folder = tmp_path / "bin"
    folder.mkdir()
    (folder / "structron").write_text(f'#!/bin/sh\nexec "{sys.executable}" -m structron "$@"\n')
    (folder / "python").write_text(f'#!/bin/sh\nexec "{sys.executable}" "$@"\n')
    for each in folder.iterdir():
        each.chmod(0o755)
    (tmp_path / "examples").symlink_to(ROOT / "examples")
    environment = {**os.environ, "PATH": f"{folder}:{os.environ['PATH']}", "PYTHONUTF8": "1"}
    found = commands([document for document in DOCUMENTS if document != REPORTS])
    assert len(found) > 20
    for command, said in {"structron demo --quick": "", **found}.items():
        # A small demo and few epochs: that it runs is what is asked here.
        quick = re.sub(r"(train (?!pipeline)\w+ .*?-o \S+)(?!.*--epochs)", r"\1 --epochs 2", command)
        quick = re.sub(r"--epochs \d+", "--epochs 2", quick)
        done = subprocess.run(
            ["bash", "-o", "pipefail", "-c", quick],
            cwd=tmp_path, env=environment, capture_output=True, text=True, timeout=120,
        )  # fmt: skip
        assert done.returncode == 0, (command, done.stdout[-500:], done.stderr[-500:])
        if command.startswith(SAME_EVERYWHERE) and said:
            assert done.stdout.rstrip() == said, command


def test_the_python_of_the_readme_needs_nothing_else_and_prints_what_it_says(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A newcomer pastes it as it is."""
    monkeypatch.chdir(tmp_path)
    found = BLOCK.findall((ROOT / "README.md").read_text())
    at = next(i for i, (language, _) in enumerate(found) if language == "python")
    assert len(found[at][1].splitlines()) <= 15
    exec(compile(found[at][1], "README.md", "exec"), {"__name__": "__main__"})
    assert capsys.readouterr().out == found[at + 1][1]


def test_the_readme_is_short() -> None:
    assert len((ROOT / "README.md").read_text().splitlines()) <= 150
