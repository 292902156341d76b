"""Models that come with structron, by real processes in an empty folder."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.command_line.conftest import Run

TEXT = "I saw the man with the telescope."


@pytest.fixture(autouse=True)
def elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def test_a_text_on_the_command_line_becomes_a_tree(run: Run) -> None:
    rows = [line.split("\t") for line in run("predict", "en", TEXT).stdout.splitlines() if line[:1].isdigit()]
    assert [row[1] for row in rows] == ["I", "saw", "the", "man", "with", "the", "telescope", "."]
    assert [row[2] for row in rows][1] == "see" and [row[6] for row in rows] == list("20427722")
    drawn = run("show", "en", TEXT).stdout
    assert "nsubj" in drawn and "root" in drawn


def test_a_word_is_pronounced_and_a_file_that_is_not_there_is_missed(run: Run) -> None:
    assert run("predict", "en-g2p", "telescope").stdout == "telescope\tT EH1 L AH0 S K OW2 P\n"
    assert "words.txt: no such file" in run("predict", "en-g2p", "words.txt", check=1).stderr


def test_licence_and_source_are_told(run: Run) -> None:
    page = run("info", "en").stdout
    assert "CC BY-SA 4.0" in page and "UD English-EWT" in page and "19.3 MB" in page
    (line,) = run("info", "fr", check=1).stderr.splitlines()
    assert "fr: there is no such file" in line and line.endswith("comes with structron: en, en-g2p")
