"""Names, folders and patterns: the same files in the same order everywhere, and none of them twice."""

from __future__ import annotations

from pathlib import Path

import pytest

from structron.errors import DataError, SettingError
from structron.io import Format, Sentence
from structron.io.files.patterns import check_alike, expanded


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name in ("b.conllu", "a.conllu", "c.tsv", ".hidden", "deep/d.conllu", "[odd].tsv"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text("")
    return tmp_path


def names(folder: Path, *places: str) -> list[str]:
    found = expanded([place if place == "-" else str(folder / place) for place in places])
    return [str(Path(file).relative_to(folder)) for file in found]


def test_what_one_name_means_is_sorted_and_what_is_given_keeps_its_order(folder: Path) -> None:
    assert names(folder, "") == ["[odd].tsv", "a.conllu", "b.conllu", "c.tsv"]
    assert names(folder, "*.conllu") == ["a.conllu", "b.conllu"]
    assert names(folder, "**/*.conllu") == ["a.conllu", "b.conllu", "deep/d.conllu"]
    assert names(folder, "c.tsv", "deep", "a*") == ["c.tsv", "deep/d.conllu", "a.conllu"]
    assert names(folder, "[odd].tsv") == ["[odd].tsv"], "a file of this name is no pattern"
    assert expanded(["-"]) == ("-",)
    assert names(folder, "missing") == ["missing"], "the reader says what is wrong with it"


def test_what_cannot_be_meant_is_told_in_one_sentence(folder: Path) -> None:
    with pytest.raises(DataError, match=r"\*\.txt: no file matches this pattern; check the path"):
        names(folder, "*.txt")
    (folder / "empty").mkdir()
    with pytest.raises(DataError, match="empty: there are no files in this folder; check the path"):
        names(folder, "empty")
    with pytest.raises(SettingError, match=r"a\.conllu: this file is given twice; name it once"):
        names(folder, "*.conllu", "a.conllu")
    with pytest.raises(SettingError, match="-: standard input cannot be read together with files"):
        expanded(["-", "a"])


def test_files_of_one_training_have_the_same_columns() -> None:
    def one(format: Format, file: str) -> Sentence:
        return Sentence([["a", "B"]], format, file=file, line=1)

    check_alike([one(Format("columns"), "x"), one(Format("columns"), "y"), object()])
    other = Format("columns", columns=("form", "pos"))
    with pytest.raises(DataError, match=r"y:1: this file is columns \(form pos\), and x is columns \(form l"):
        check_alike([one(Format("columns"), "x"), one(other, "y")])
