"""The documents name only what exists: files, `file::name`, links; `docs/papers.md` above all."""

from __future__ import annotations

import ast
import re
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
FOLDERS = ["benchmarks", "bind", "core", "docs", "examples", "experiments", "structron", "tests"]
# What a distribution leaves out; there the documents may name more than there is.
LEFT_OUT = ("benchmarks", "experiments")

NAMED = re.compile(rf"`((?:{'|'.join(FOLDERS)})/[\w./-]*)(?:::(\w+))?`")
LINK = re.compile(r"\]\((?!https?:|#)([^)#\s]+)[^)]*\)")

PAPERS = ROOT / "docs" / "papers.md"
NOT_THERE = [  # rows that say so; whoever adds one of these names its code in its row
    "incremental parsing of constituents",
]
MADE = {"copied", "names"}  # by `make docs`
PAGES = [path for path in (ROOT / "docs").rglob("*.md") if path.relative_to(ROOT).parts[1] not in MADE]
DOCUMENTS = sorted([*ROOT.glob("*.md"), *PAGES])


@cache
def names_in(path: Path) -> set[str]:
    """What a file defines: at the top of a Python file; any word of another file."""
    text = path.read_text(encoding="utf-8")
    if path.suffix != ".py":
        return set(re.findall(r"\w+", text))
    found = set()
    for node in ast.parse(text).body:
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            found.add(node.name)
            found |= {each.name for each in ast.walk(node) if isinstance(each, ast.FunctionDef)}
        targets = node.targets if isinstance(node, ast.Assign) else [getattr(node, "target", None)]
        found |= {target.id for target in targets if isinstance(target, ast.Name)}
    return found


def is_left_out(place: str) -> bool:
    folder = place.split("/")[0]
    return folder in LEFT_OUT and not (ROOT / folder).is_dir()


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: str(path.relative_to(ROOT)))
def test_every_file_and_name_in_a_document_exists(document: Path) -> None:
    for place, name in NAMED.findall(document.read_text(encoding="utf-8")):
        if is_left_out(place):
            continue
        path = ROOT / place
        assert path.exists(), f"{place} is named in {document.name} but is not there"
        assert not name or name in names_in(path), f"{place} has no {name}, named in {document.name}"


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: str(path.relative_to(ROOT)))
def test_every_link_in_a_document_leads_somewhere(document: Path) -> None:
    for link in LINK.findall(document.read_text(encoding="utf-8")):
        path = (document.parent / link).resolve()
        if path.is_relative_to(ROOT) and is_left_out(str(path.relative_to(ROOT))):
            continue
        assert path.exists(), f"{document.name} links to {link}, which is not there"


def test_every_row_of_the_papers_table_names_code_and_a_test_or_says_that_there_is_none() -> None:
    rows = [line for line in PAPERS.read_text(encoding="utf-8").splitlines() if line.startswith("| ")]
    rows = [row for row in rows if not row.startswith(("| where", "| ---"))]
    assert len(rows) > 30
    for row in rows:
        _, where, what, code, test, _ = (cell.strip() for cell in row.split("|"))
        assert where and what
        assert NAMED.search(code) or code.startswith("–"), f"no code in the row of {where}"
        assert re.search(r"`tests/[\w/]+\.py::test_\w+`", test) or test.startswith("–"), (
            f"no test for {where}"
        )


def test_the_papers_table_says_that_nothing_is_missing_which_is_there() -> None:
    rows = [line.split("|") for line in PAPERS.read_text(encoding="utf-8").splitlines() if "| –" in line]
    assert [row[2].strip() for row in rows] == NOT_THERE


def test_the_papers_table_is_made_of_whole_tables() -> None:
    """A blank line inside a table would end it, and what follows would not be one."""
    lines = PAPERS.read_text(encoding="utf-8").splitlines()
    begins = [
        i for i in range(1, len(lines)) if lines[i].startswith("| ") and not lines[i - 1].startswith("|")
    ]
    assert begins and all(lines[i].startswith("| where ") for i in begins)


@pytest.mark.skipif(is_left_out("experiments/"), reason="a distribution has no experiments")
def test_the_guide_for_researchers_counts_the_papers_that_are_repeated() -> None:
    table = (ROOT / "experiments" / "README.md").read_text(encoding="utf-8")
    papers = re.findall(r"^\| \[\S+ \| (?!none|the same)([^:|]+):", table, re.MULTILINE)
    numbers = ["eight", "nine", "ten", "eleven", "twelve"]
    guide = (ROOT / "docs" / "guides" / "research.md").read_text(encoding="utf-8")
    assert f"{numbers[len(papers) - 8]} papers on freely available data" in guide
