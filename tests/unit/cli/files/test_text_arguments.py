"""Arguments of the command line that are a text or the name of a file."""

from __future__ import annotations

from pathlib import Path

import pytest

from structron.cli.files.text_arguments import means_file, takes_text, told
from structron.errors import SettingError


@pytest.mark.parametrize(
    "text", ["hello", "I saw her.", "dog/N", "U.S.", "don't", "見た", "a" * 5000, "and/or what"]
)
def test_words_and_sentences_are_texts(text: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert takes_text(text)


@pytest.mark.parametrize(
    "name", ["-", "new.txt", "my file.conllu", "./words", "/tmp/words", "folder/words", "a.gz", "~/a"]
)
def test_names_of_files_are_not(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "folder").mkdir()
    assert not takes_text(name) and (name == "-" or means_file(name))


def test_nothing_is_neither() -> None:
    with pytest.raises(SettingError, match="there is no text; give some between quotes"):
        takes_text("")


def test_where_both_are_possible_it_says_which_was_taken(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "hello").touch()
    (tmp_path / "words.txt").touch()
    (tmp_path / "folder").mkdir()
    assert not takes_text("hello")
    assert capsys.readouterr().err == "hello: read as the file of this name; for the text itself, pipe it\n"
    assert not takes_text("words.txt") and takes_text("folder") and capsys.readouterr().err == ""
    assert told("hello") == "hello"
    assert "hello: taken as text, not as the file of this name" in capsys.readouterr().err
    assert told("I saw her") == "I saw her" and capsys.readouterr().err == ""
