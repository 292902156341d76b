"""Text as people have it, by real processes: written, read back, and no document lost with a bad one."""

from __future__ import annotations

import io
from pathlib import Path

import pytest

from structron.io import read
from structron.tasks.pipeline.document import token_range
from tests.command_line.conftest import Run

MAIL = "In article <1@x.edu> bob writes:\n> It is _not_\n> true.\n--\nBob\t_____\r\n\r\n  \x0c Bye!\u2028"


@pytest.fixture(autouse=True)
def elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def assert_whole(text: str, written: str) -> None:
    """Every token stands where its range says, in order, and only white space is between them."""
    at = 0
    for sentence in read(io.StringIO(written), format="conllu"):
        for row in sentence.rows:
            begin, end = token_range(row[9])
            if begin is not None and end is not None:
                assert text[begin:end] == row[1] and not text[at:begin].strip()
                at = end
    assert not text[at:].strip()


def test_marks_beside_line_ends_are_no_error(run: Run) -> None:
    for text in ("It is _not_\n> true.\n", MAIL, MAIL * 400):
        Path("text").write_bytes(text.encode())
        assert_whole(text, run("predict", "en", "text").stdout)
    assert run("predict", "en", stdin="It is _not_\n> true.\n").stdout.count("\tSpacesAfter=\\n|") == 2
    assert run("predict", "en", stdin=" \n\t\n").stdout == ""


def test_of_several_documents_a_bad_one_is_named_and_the_others_are_written(run: Run) -> None:
    Path("one.txt").write_bytes(MAIL.encode())
    Path("bad.txt").write_bytes(b"caf\xe9 is not UTF-8\n")
    Path("two.txt").write_text("A last one.\n")
    names = ["one.txt", "bad.txt", "gone.txt", "two.txt"]
    done = run("predict", "en", *names, check=1)
    bad, gone = done.stderr.splitlines()
    assert bad.startswith("structron: bad.txt: not utf-8 (") and gone.startswith(
        "structron: gone.txt: no such"
    )
    first, _, second = done.stdout.rpartition("# newdoc\n")
    assert_whole(MAIL, first)
    assert "# text = A last one.\n" in second and "caf" not in done.stdout
    run("predict", "en", *names, "-o", "out/", check=1)
    assert sorted(path.name for path in Path("out").iterdir()) == ["one.txt", "two.txt"]
    assert Path("out/one.txt").read_text() + Path("out/two.txt").read_text() == done.stdout


def test_a_tree_is_drawn_or_refused(run: Run) -> None:
    text = "Time flies. It's late!"
    shown = run("show", "en", text, "--svg", "tree.svg").stdout
    drawn = Path("tree.svg").read_text()
    assert drawn.startswith("<svg") and ">flies<" in drawn and ">late<" not in drawn
    assert shown == run("show", "en", text).stdout and "late" in shown
    second = run("show", "en", text, "--svg", "-", "--sentence", 2).stdout
    assert second.startswith("<svg") and ">late<" in second and "╭" not in second
    refused = run("show", "en", text, "--svg", "three.svg", "--sentence", 3, check=1)
    assert (
        refused.stderr == "structron: --sentence 3: the text has 2 sentences; give another text or number\n"
    )
    assert not Path("three.svg").exists()


def test_an_empty_text_is_refused(run: Run) -> None:
    assert (
        run("show", "en", " ", check=1).stderr == "structron: there are no words; give some between quotes\n"
    )
    refused = run("predict", "en", "", check=1).stderr
    assert (
        refused.startswith("structron: there is no text; give some between quotes, ")
        and refused.count("\n") == 1
    )
