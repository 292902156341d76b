"""Files of questions: what is written is read back, and every fault is told by its line."""

from __future__ import annotations

import gzip
import io
from pathlib import Path
from typing import Any

import pytest

from structron.errors import DataError, SettingError
from structron.io import Report
from structron.io.formats.questions import Question, read_questions, write_questions
from structron.io.values.terms import parse_term


def written(folder: Path, text: str | bytes, name: str = "geo.tsv") -> Path:
    path = folder / name
    path.write_bytes(text.encode() if isinstance(text, str) else text)
    return path


def test_forms_and_answers(tmp_path: Path) -> None:
    path = written(tmp_path, "name the  rivers\tanswer( river(all) )\t\n\nhow big is it\tsize(a)\t[5]\n")
    first, second = read_questions(path)
    assert first == Question("name the  rivers", parse_term("answer(river(all))"), None, str(path), 1)
    assert first.words == ["name", "the", "rivers"] and len(first) == 3
    assert (second.form, second.answer, second.place) == (parse_term("size(a)"), [5], f"{path}:3")
    path = written(tmp_path, gzip.compress(b"where\t[stateid(ohio),'new york']\nhow many\t7\n"), "a.gz")
    found = [(each.form, each.answer) for each in read_questions(path, target="answer")]
    assert found == [(None, [parse_term("stateid(ohio)"), "new york"]), (None, 7)]


def test_what_is_to_be_predicted_needs_no_form(tmp_path: Path) -> None:
    path = written(tmp_path, "a b\n\n  \nc d\tno form (\n")
    assert [each.text for each in read_questions(path, target=None)] == ["a b", "c d"]
    assert [each.text for each in read_questions(path, target=None, blanks=True)] == ["a b", "", "", "c d"]


@pytest.mark.parametrize(
    ("text", "target", "message"),
    [
        ("a\tb\nwhere is it\n", "form", "geo.tsv:2: no tab where question TAB form is needed; fix the line"),
        ("where\n", "answer", "geo.tsv:1: no tab where question TAB answer is needed; fix the line"),
        ("\tstate(all)\n", "form", "geo.tsv:1: the question is empty; fix the line"),
        ("\tstate(all)\n", None, "geo.tsv:1: the question is empty; fix the line"),
        ("a\t\n", "form", "geo.tsv:1: form, column 1: the form is empty; write it as f(g('a'),_)"),
        ("a\tf(b\n", "form", "geo.tsv:1: form, column 4: the bracket of column 2 is not closed"),
        ("a\tf(b)\t[c\n", "form", "geo.tsv:1: answer, column 3: the bracket of column 1 is not closed"),
        ("a\t\n", "answer", "geo.tsv:1: answer, column 1: the answer is empty; write [] where nothing"),
        ("a\tnew york\n", "answer", "geo.tsv:1: answer, column 5: 'y' after the end of the answer"),
        ("a\tb\tc\td\n", "form", "geo.tsv:1: 4 columns where question TAB form is needed"),
        ("a\tb\tc\n", "answer", "geo.tsv:1: 3 columns where question TAB answer is needed"),
        (b"a\t\xff\n", "form", "geo.tsv:1: byte 0xff at position 3 is not UTF-8"),
    ],
)
def test_faults_are_told_by_their_line(
    tmp_path: Path, text: str | bytes, target: str | None, message: str
) -> None:
    path = written(tmp_path, text)
    with pytest.raises(DataError) as caught:
        list(read_questions(path, target=target))
    assert message in str(caught.value)
    report = Report()
    kept = list(read_questions(path, target=target, skip_bad=True, report=report))
    assert report.bad == 1 and message in report.messages[0] and all(each.line != 2 for each in kept)


def test_what_is_written_is_read_back(tmp_path: Path) -> None:
    path = tmp_path / "out.tsv.gz"
    questions = [
        Question("where is it", parse_term("answer(loc_1(cityid('new york',_)))"), ["b", 5, ("c d", 0.5)]),
        Question("what", parse_term("f(a)")),
    ]
    write_questions(questions, path)
    found = list(read_questions(path))
    assert [(each.text, each.form) for each in found] == [(each.text, each.form) for each in questions]
    assert found[0].answer == [("c d", 0.5), 5, "b"] and found[1].answer is None
    out = io.StringIO()
    write_questions([Question("nothing was found")], out)
    assert out.getvalue() == "nothing was found\n"


@pytest.mark.parametrize("text", ["a\tb", "a\nb", " a"])
def test_what_breaks_the_file_is_refused(tmp_path: Path, text: str) -> None:
    with pytest.raises(DataError, match=r"\(memory\):0: .* holds a tab or a line end"):
        write_questions([Question(text)], tmp_path / "out.tsv")
    assert not (tmp_path / "out.tsv").exists()


def test_an_answer_that_breaks_the_file_is_refused(tmp_path: Path) -> None:
    bad: Any = ["a\nb"]
    with pytest.raises(DataError, match="which no form can hold"):
        write_questions([Question("a", parse_term("f"), bad)], tmp_path / "out.tsv")


def test_a_target_that_is_not_known(tmp_path: Path) -> None:
    with pytest.raises(SettingError, match="target 'sql' is not known; use one of form, answer"):
        read_questions(tmp_path / "no", target="sql")
