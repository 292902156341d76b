"""``structron cluster``, and a model that is trained with what it wrote."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path


def run(*args: str, cwd: Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "structron", *args]
    return subprocess.run(command, cwd=cwd, capture_output=True, text=True, check=False)


def test_from_text_to_a_model_that_names_its_clusters(tmp_path: Path) -> None:
    lines = [f"the {noun} {verb}" for noun in ("dog", "cat", "ox") for verb in ("barks", "sleeps", "eats")]
    (tmp_path / "text").write_text("\n".join(lines * 2))
    made = run("cluster", "text", "-o", "paths", "--classes", "3", "--threads", "2", cwd=tmp_path)
    assert made.returncode == 0 and "7 words in 3 clusters" in made.stderr
    (tmp_path / "train").write_text("the/D dog/N barks/V\nthe/D cat/N eats/V\n")
    trained = run(
        *("train", "tagging", "train", "-o", "model", "--clusters", "paths", "--epochs", "2"), cwd=tmp_path
    )
    assert trained.returncode == 0, trained.stderr
    (tmp_path / "paths").unlink()
    (tmp_path / "new").write_text("the ox sleeps\n")
    tagged = run("predict", "model", "new", "--format", "text", cwd=tmp_path)
    assert tagged.stdout == "the/D ox/N sleeps/V\n"
    said = run("info", "model", cwd=tmp_path).stdout
    assert "3 clusters of 7 words, from paths" in said and "pos: " in said


def test_what_cannot_be_clustered_is_one_sentence(tmp_path: Path) -> None:
    (tmp_path / "text").write_text("\n\n")
    (tmp_path / "vectors").write_text("a 1 2\nb 1\n")
    empty = run("cluster", "text", "-o", "paths", cwd=tmp_path)
    assert (empty.returncode, empty.stderr.count("\n")) == (1, 1) and "no words in the text" in empty.stderr
    uneven = run("cluster", "vectors", "--vectors", cwd=tmp_path)
    assert uneven.returncode == 1 and "vectors, line 2: 1 numbers after the word, not 2" in uneven.stderr
    assert run("cluster", "text", "--seed", "1", cwd=tmp_path).returncode == 2
    assert not (tmp_path / "paths").exists()
