"""What the documents print really runs: every Python block, and every command with what it prints."""

from __future__ import annotations

import ast
import lzma
import random
import re
import runpy
from pathlib import Path
from typing import Any

import pytest

from structron.demo.acts import FULL, SEED, TINY, Demonstration, Size
from structron.demo.pronunciation import invent
from tests.command_line.conftest import PARENTS
from tests.documents import ROOT, Terminal, bare, blocks, differs, sessions
from tests.own_package import install

DOCUMENTS = [
    ROOT / "README.md",
    *sorted((ROOT / "docs").glob("*.md")),
    *sorted((ROOT / "docs/guides").glob("*.md")),
]
EXTENDING = ROOT / "docs" / "extending.md"
REPORTS = ROOT / "docs" / "guides" / "reports.md"
# Pages about what `make test` does without.
LIBRARIES = {
    "spacy.md": ("spacy",),
    "datasets.md": ("datasets",),
    "hub.md": ("huggingface_hub",),
    "tables.md": ("pyarrow", "duckdb", "polars", "pandas"),
    "machines.md": ("pyarrow", "ray", "pyspark", "pandas"),
}

# Commands that are run, but of which no page shows what they print.
SHOWN_NOWHERE = {
    "structron evaluate pos.model demo-output/test.conllu --report --train demo-output/train.conllu --json",
}
# Blocks that are neither Python nor a terminal, and why no test runs them; by page and first words.
NOT_RUN = {
    ("README.md", "make demo"): "sets everything up anew",
    ("README.md", "[('She', 'PRON'"): "what the Python block above prints; it has a test of its own below",
    ("start.md", "pip install ."): "sets everything up anew",
    ("serving.md", "pip install 'structron[serve]'"): "a server does not end; tests/serve starts it",
    ("clusters.md", "1010011101\tMonday"): "what a file looks like",
    ("spacy.md", "[initialize.components"): "a config; tests/adapters trains with one",
    ("spacy.md", "[paths]"): "a config; tests/adapters trains with one",
    ("spacy.md", "python -m spacy"): "needs spaCy; tests/adapters does the same",
    ("index.md", "```{toctree}"): "a table of contents",
    ("whats-new.md", "pip install structron"): "sets everything up anew",
    (
        "deploying.md",
        "podman build",
    ): "needs podman and a registry; tests/unit/test_deploying.py reads the files",
    ("deploying.md", "location /nlp/ {"): "the settings of another program",
    ("deploying.md", "openapi-python-client generate"): "tests/adapters generates and uses both clients",
    ("hub.md", "push_to_hub("): "needs the network; tests/adapters asks a folder in its place",
    (
        "extending.md",
        "[project.entry-points",
    ): "a part of examples/truecasing, which is installed below",
    ("extending.md", "SPEC = TaskSpec("): "the same",
    ("extending.md", "# commas/"): "tests/unit/own/test_smallest_package.py runs the three files",
    ("extending.md", "@settings"): "how such a package declares a setting",
    ("tour.md", "file → read"): "a drawing",
    (
        "research.md",
        "class AdaGrad:",
    ): "a part of examples/adagrad.py; tests/unit/own/test_road.py runs it",
    ("research.md", "class StructuredLoss("): "a part of examples/own_scores.py, the same",
}
NEEDS_RAY = "--ray "  # tests/cluster


def python(document: Path) -> list[str]:
    return [text for name, text in blocks(document) if name == "python"]


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


@pytest.mark.parametrize("document", [each for each in DOCUMENTS if python(each)], ids=lambda p: p.name)
def test_every_python_block_runs(document: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for library in LIBRARIES.get(document.name, ("sklearn",)):
        pytest.importorskip(library, reason=f"{library} is not installed; make test-adapters installs it")
    monkeypatch.chdir(tmp_path)
    names: dict[str, Any] = {}
    for number, text in enumerate(python(document), 1):
        # A block may use what an earlier one has made; what it takes as given is there anew.
        names |= stand_ins()
        if "SWVP(" in text:
            names["examples"] = _mixable()
        execute(text, f"{document.name}, Python block {number}", names)


def execute(text: str, place: str, names: dict[str, Any]) -> None:
    """Run a block; where a list stands behind an expression, as a comment, that is its value."""
    lines = text.splitlines()
    for node in ast.parse(text).body:
        said = re.search(r"  # (\[[^…]*\])$", lines[(node.end_lineno or 0) - 1])
        if said and isinstance(node, ast.Expr):
            value = eval(compile(ast.Expression(node.value), place, "eval"), names)
            assert repr(value) == said[1], place
        else:
            exec(compile(ast.Module([node], []), place, "exec"), names)


def _mixable() -> list[Any]:
    from structron.tasks.tagging import TaggingTask

    task = TaggingTask(("D", "N"), ("w[0]", "t[-1]"))
    return [(task.space(["the", "fly"]), task.oracle(["D", "N"]))]


@pytest.mark.parametrize(
    ("said", "printed", "missed"),
    [
        ("a\nb", "a\nb\n\n", ""),
        ("a", "a\nb\n", "a"),
        ("a\n…", "a\nb\n", ""),
        ("…\nb", "a\nb\n", ""),
        ("…\na", "a\nb\n", "a"),
        ("b\n…", "a\nb\n", "b"),
        ("…\na\n  …\nc\n…", "x\na\nb\nc\nd\n", ""),
        ("…\nc\n…\na\n…", "x\na\nb\nc\nd\n", "a"),
        ("1.0 %, 300 tokens/s", "reading: 5 %, 3 s left\n1.0 %, 7,000 tokens/s, 8 s left\n", ""),
        ("1.0 %, 300 tokens/s", "1.1 %, 300 tokens/s\n", "1.0 %, N tokens/s"),
        ("machine x86_64 · version 0.3.0", "machine aarch64 · version 0.3.1.dev5+gabc\n", ""),
    ],
)
def test_what_is_not_printed_is_found(said: str, printed: str, missed: str) -> None:
    assert differs(said, printed) == missed


def make_demo(folder: Path, size: Size) -> None:
    """Write what `structron demo` leaves and the pages use, without all that it trains to compare."""
    place = folder / "demo-output"
    place.mkdir()
    demo = Demonstration(place, size)
    demo.corpus()
    found = demo.example()
    assert found is not None
    found[1].save(place / "after-one-epoch.safetensors")
    invent(place, size.train, SEED)


def test_every_command_of_the_page_on_reports_prints_what_it_says(tmp_path: Path) -> None:
    make_demo(tmp_path, TINY)
    shown = sessions(REPORTS)
    assert len(shown) > 10
    wrong = Terminal(tmp_path, PARENTS).wrong(shown)
    assert not wrong, "\n\n".join(wrong)
    for name in (
        "errors.html",
        "confusions.png",
        "reliability.png",
        "tune.png",
        "trials.json",
        "next.conllu",
    ):
        assert (tmp_path / name).stat().st_size > 500


def test_every_command_of_the_other_pages_prints_what_they_say(tmp_path: Path) -> None:
    make_demo(tmp_path, FULL)
    others = [document for document in DOCUMENTS if document not in (REPORTS, EXTENDING)]
    shown = [each for document in others for each in sessions(document)]
    assert len({each.command for each in shown}) > 20
    # All pages share one folder: a model of one name is one model.
    trained = {each.command: re.findall(r"train .* -o (\S+)", each.command) for each in shown}
    names = [name for found in trained.values() for name in found]
    assert sorted(names) == sorted(set(names)), "two pages train different models under one name"
    wrong = Terminal(tmp_path, PARENTS).wrong(shown)
    assert not wrong, "\n\n".join(wrong)


def test_a_task_in_a_package_of_its_own_does_what_the_page_says(tmp_path: Path) -> None:
    first, *others = sessions(EXTENDING)
    assert first.command == "pip install ./examples/truecasing" and len(others) > 3
    install(tmp_path)  # the same, but nothing is downloaded
    wrong = Terminal(tmp_path, None).wrong(others)
    assert not wrong, "\n\n".join(wrong)


def test_pages_show_what_nearly_every_command_prints() -> None:
    shown = [each for document in DOCUMENTS for each in sessions(document)]
    silent = {each.command for each in shown if not re.search(r"> \S+$", each.command)}
    silent -= {each.command for each in shown if each.said}
    assert silent == SHOWN_NOWHERE


def test_blocks_that_no_test_runs_are_known() -> None:
    found = [
        (document.name, text.strip())
        for document in DOCUMENTS
        for _, text in bare(document)
        if not text.startswith("structron ")
    ]
    known = [
        next((key for key in NOT_RUN if page == key[0] and text.startswith(key[1])), (page, text))
        for page, text in found
    ]
    assert set(known) == set(NOT_RUN)


def make_files(folder: Path) -> None:
    """Write small files under the names that pages take as given."""
    make_demo(folder, TINY)
    treebank = (folder / "demo-output" / "train.conllu").read_text()
    (folder / "data").mkdir()
    for name in ("train", "dev", "input", "data/one", "data/two"):
        (folder / f"{name}.conllu").write_text(treebank)
    rows = [line.split("\t") for line in treebank.splitlines() if not line.startswith("#")]
    sentences = " ".join(f"{row[1]}/{row[3]}" if len(row) > 1 else "\n" for row in rows).split("\n")
    (folder / "train.txt").write_text("".join(f"{each.strip()}\n" for each in sentences if each.strip()))
    words = re.sub(r"/\S+", "", (folder / "train.txt").read_text())
    for name in ("news.txt", "mail.txt", *(f"{part}.de" for part in ("train", "val", "test"))):
        (folder / name).write_text("".join(words.splitlines(keepends=True)[:60]))
    for name in ("train.en", "val.en", "test.en", "other.out"):
        (folder / name).write_text((folder / "train.de").read_text().upper())
    (folder / "books.txt").write_text(words)
    (folder / "wiki.txt.xz").write_bytes(lzma.compress(words.encode()))
    for name in ("cities.txt", "first_names.txt"):
        (folder / name).write_text("woman\nhouse\n")


def test_commands_on_files_of_ones_own_run(tmp_path: Path) -> None:
    """Those without a prompt, on small files and with one epoch: no page says what they print."""
    make_files(tmp_path)
    terminal = Terminal(tmp_path, PARENTS)
    found = [
        line
        for document in DOCUMENTS
        for _, text in bare(document)
        for line in text.splitlines()
        if text.startswith("structron ") and NEEDS_RAY not in line
    ]
    assert len(found) > 10
    for command in found:
        quick = re.sub(r"(train (?!pipeline)\w+ .*?-o \S+)", r"\1 --epochs 1", command)
        terminal.run(quick.replace("--classes 500", "--classes 20"))


def test_the_python_of_the_readme_needs_nothing_else_and_prints_what_it_says(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A newcomer pastes it as it is."""
    monkeypatch.chdir(tmp_path)
    found = blocks(ROOT / "README.md")
    at = next(i for i, (language, _) in enumerate(found) if language == "python")
    assert len(found[at][1].splitlines()) <= 15
    exec(compile(found[at][1], "README.md", "exec"), {"__name__": "__main__"})
    assert capsys.readouterr().out == found[at + 1][1]


def test_the_readme_is_short() -> None:
    assert len((ROOT / "README.md").read_text().splitlines()) <= 150
