"""What is mistyped, or cannot be written, is told in one sentence before any work is done."""

from __future__ import annotations

from pathlib import Path

import pytest

from structron.cli.app import main
from structron.cli.commands.train import training
from structron.registry import trained
from tests.command_line.table import FILES, SMALL, base, write_files


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    write_files(tmp_path)
    (tmp_path / "folder").mkdir()
    return tmp_path


def said(capsys: pytest.CaptureFixture[str], *args: str, code: int = 1) -> str:
    """The one line that a refused command says, of reading nothing."""
    assert main(args) == code
    (line,) = capsys.readouterr().err.strip().splitlines()
    return line


@pytest.mark.parametrize(
    ("args", "hint"),
    [
        ("train taging x -o y", "there is no task 'taging' (did you mean tagging?); the tasks are: tagging,"),
        ("tune parsin x --folds 2", "there is no task 'parsin' (did you mean parsing?); the tasks are"),
        ("audit wether x", "there is no task 'wether'; the tasks are: tagging, parsing"),
        ("trian tagging x", "No such command 'trian' (did you mean train?); see structron --help"),
        ("train tagging x -o y --epoch 3", "No such option --epoch (did you mean --epochs?); see structron"),
        (
            "predict m --ecoding x",
            "No such option --ecoding (did you mean --encoding?); see structron predict",
        ),
        ("train tagging x -o y --cluste z", "No such option --cluste (did you mean --clusters?)"),
        ("info m --nothing-like-it", "No such option --nothing-like-it; see structron info --help"),
    ],
)
def test_a_word_that_is_nearly_right_is_offered(args: str, hint: str, capsys) -> None:
    assert hint in said(capsys, *args.split(), code=2)


def test_a_setting_that_is_nearly_right_is_offered(capsys) -> None:
    line = said(capsys, "tune", "tagging", "x", "--folds", "2", "--set", "epcohs=1")
    assert "there is no option --epcohs (did you mean --epochs?); leave it out" in line


PLACES = [
    ("--plot x.xyz", "x.xyz: --plot writes PNG and SVG, not xyz; name a file such as x.png"),
    ("--plot x.pdf", "x.pdf: --plot writes PNG and SVG, not pdf; name a file such as x.png"),
    ("--plot folder", "folder: this is a folder; name a file for --plot"),
    ("--plot none/x.png", "none/x.png: its folder does not exist; create it first"),
    ("--plot -", "--plot makes two files, which standard output cannot hold; name a file"),
    ("--plot=", "--plot: the name of the file is empty; name a file"),
]


@pytest.mark.parametrize(("option", "hint"), PLACES)
def test_a_picture_that_cannot_be_is_refused_before_anything_is_read(option, hint, folder, capsys) -> None:
    for command in (
        "train tagging none.txt -o m", "evaluate none.model none.txt", "calibrate none.model none.txt -o m",
        "tune tagging none.txt --folds 2", "curve tagging none.txt --folds 2", "audit tagging none.txt",
    ):  # fmt: skip
        assert said(capsys, *command.split(), *option.split()) == f"structron: {hint}"
    assert sorted(path.name for path in folder.iterdir()) == sorted([*FILES, "trees.conllu", "folder"])


@pytest.mark.parametrize(
    ("command", "hint"),
    [
        ("select none.model none.txt -o folder", "folder: this is a folder; name a file for -o"),
        ("cluster none.txt -o folder", "folder: this is a folder; name a file for -o"),
        ("cluster none.txt -o new/", "new/: this is a folder; name a file for -o"),
        ("cluster none.txt -o none/x", "none/x: its folder does not exist; create it first"),
        ("align none.txt -o folder", "folder: this is a folder; name a file for -o"),
        ("align none.txt --inventory folder", "folder: this is a folder; name a file for --inventory"),
        ("tune tagging none.txt --folds 2 -o folder", "folder: this is a folder; name a file for -o"),
        ("tune tagging x --folds 2 -o a.txt", "a.txt: -o writes JSON, not txt; name a file such as a.json"),
        ("show none.model x --svg a.png", "a.png: --svg writes SVG, not png; name a file such as a.svg"),
        ("show none.model x --svg folder", "folder: this is a folder; name a file for --svg"),
        ("evaluate none.model x --errors a.png", "a.png: --errors writes HTML and HTM, not png; name"),
        ("train tagging none.txt -o folder", "folder: this is a folder; name a file for -o"),
        ("train tagging none.txt --output=", "-o: the name of the file is empty; name a file"),
        ("demo --output text.txt", "text.txt: this is a file; name a folder for --output"),
    ],
)
def test_a_file_that_cannot_be_written_is_refused_before_the_work(command, hint, folder, capsys) -> None:
    assert hint in said(capsys, *command.split())


@pytest.mark.parametrize("task", trained())
def test_a_task_offers_the_formats_that_it_reads(task: str, folder: Path, capsys) -> None:
    (option,) = (each for each in training(task).params if each.name == "format_name")
    offered = option.type.choices
    assert offered and main(["train", task, "--help-all"]) == 0
    assert f"[{'|'.join(offered)}]" in "".join(capsys.readouterr().out.split())
    other = "svmlight" if "conllu" in offered else "conllu"
    line = said(capsys, *base("train", task, "m", ""), "--format", other)
    assert line == f"structron: unknown format {other!r}; choose one of {', '.join(offered)}"
    if task not in ("translation", "pipeline"):
        for command in ("tune", "curve", "audit"):
            assert said(capsys, *base(command, task, "m", ""), "--format", other) == line


@pytest.mark.parametrize("task", trained())
def test_nothing_is_not_explained(task: str, folder: Path, capsys) -> None:
    assert main([*base("train", task, "m", "output"), "-o", "m"]) == 0
    capsys.readouterr()
    for words in ("", "  "):
        assert said(capsys, "explain", "m", words) == (
            "structron: there are no words; give some between quotes"
        )
    assert "--sentence is for --input" in said(capsys, "explain", "m", SMALL[task].given, "--sentence", "2")


def test_the_ray_cluster_is_called_ray(folder: Path, capsys) -> None:
    args = base("train", "tagging", "m", "")
    assert main(["train", "tagging", "--help-all"]) == 0
    help = capsys.readouterr().out
    assert "--ray ADDRESS" in help and "--cluster ADDRESS" not in help and "--clusters FILE" in help
    refused = "a cluster trains in batches or on shards"
    assert refused in said(capsys, *args, "--ray", "auto")
    # Its old name still works.
    assert main([*args, "--cluster", "auto"]) == 1
    warned, line = capsys.readouterr().err.strip().splitlines()
    assert warned == "warning: --cluster is now --ray; the old name goes with release 0.4" and refused in line
    assert "--cluster is what --ray was called" in said(capsys, *args, "--cluster", "auto", "--ray", "auto")


def test_a_word_with_several_targets_calibrates_once(folder: Path, capsys) -> None:
    assert main([*base("train", "transduction", "m", "output"), "-o", "m"]) == 0
    (folder / "dev.tsv").write_text("ab\tx y\nab\ty y\nba\ty x\naab\tx x y\nbb\ty y\n")
    assert main(["calibrate", "m", "dev.tsv", "-o", "sure"]) == 0
    assert "calibration error" in capsys.readouterr().out
