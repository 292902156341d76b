"""`structron correct`: what holds, what is kept, what cannot, and back again."""

from __future__ import annotations

import json
import re

import pytest

from structron import load
from structron.cli.commands.correcting.report import differences
from structron.io import read


@pytest.fixture(scope="module")
def fixes(run, folder, models, tmp_path_factory):
    """Two sentences whose first word is something else than the model says."""
    place = tmp_path_factory.mktemp("fixes") / "fixes.conllu"
    predicted = run("predict", models["conllu"], folder / "dev.conllu").stdout
    first, second, *_ = predicted.strip().split("\n\n")
    swapped = [
        "\n".join(
            line.replace("\t_\tDT\t", "\t_\tNN\t").replace("\tDT\t", "\tNN\t", 1)
            if "\tDT\t" in line
            else line
            for line in block.splitlines()
        )
        for block in (first, second)
    ]
    place.write_text("\n\n".join(swapped) + "\n\n")
    return place


def test_the_answer_comes_first_and_the_model_is_right(run, folder, models, fixes, tmp_path):
    new, back = tmp_path / "new", tmp_path / "back"
    done = run("correct", models["conllu"], fixes, "--keep", folder / "train.conllu", "-o", new)
    assert "corrections hold" in done.stdout.splitlines()[0]
    assert done.stdout.splitlines()[1].startswith("kept    ") and "150 sentences" in done.stdout
    assert done.stderr.strip().endswith(f"model saved: {new}")
    said = json.loads(run("correct", models["conllu"], fixes, "--dry-run", "--json").stdout)
    assert said["examples"] == 2 and said["hold"] == 2 and said["kept"] == 0 and not said["cannot"]
    again = run("correct", new, fixes, "--dry-run").stdout
    assert "were right before" in again.splitlines()[0]
    assert "correction 1" in run("info", new).stdout
    told = json.loads(run("info", new, "--json").stdout)["corrections"][""]
    assert told[0]["examples"] == 2 and told[0]["weights"] > 0
    undone = run("correct", new, "--undo", "-o", back)
    assert undone.stdout.startswith("taken back: 2 of 2 examples")
    assert back.read_bytes() == models["conllu"].read_bytes()
    predicted = load(new).predict(list(read(fixes)))
    assert predicted == [s.column(4) if s.column(3)[0] == "_" else s.column(3) for s in read(fixes)]


def test_nothing_is_written_when_it_is_only_told(run, models, fixes, tmp_path):
    done = run("correct", models["conllu"], fixes, "--dry-run")
    assert "hold" in done.stdout and "nothing; --keep names data" in done.stdout and not done.stderr
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("MODEL",), "there is nothing to correct"),
        (("MODEL", "FIXES"), "the new model has no place"),
        (("MODEL", "FIXES", "--undo", "-o", "new"), "leave files out"),
        (("MODEL", "--undo", "-o", "new"), "no correction to take back"),
        (("MODEL", "FIXES", "-o", "MODEL"), "would overwrite"),
        (("MODEL", "FIXES", "-o", "FIXES"), "would overwrite"),
        (("MODEL", "FIXES", "--margin", "0", "--dry-run"), "margin = 0.0 is not possible"),
        (("MODEL", "no.conllu", "--dry-run"), "no.conllu"),
        (("MODEL", "EMPTY", "--dry-run"), "there are no sentences in it"),
        (("no.model", "FIXES", "--dry-run"), "no such file"),
    ],
)
def test_wrong_inputs_are_one_sentence(run, models, fixes, tmp_path, arguments, said):
    empty = tmp_path / "empty.conllu"
    empty.write_text("\n")
    names = {"MODEL": models["conllu"], "FIXES": fixes, "EMPTY": empty, "new": tmp_path / "new"}
    done = run("correct", *(names.get(each, each) for each in arguments), check=None)
    assert done.returncode in (1, 2) and said in done.stderr and "Traceback" not in done.stderr
    assert not (tmp_path / "new").exists()


def test_new_labels_are_learned_where_they_are_asked_for(run, models, tmp_path):
    fix, new, back = tmp_path / "fix.conllu", tmp_path / "new", tmp_path / "back"
    fix.write_text("1\tbrrr\t_\tUH\t_\t_\t_\t_\t_\t_\n\n")
    refused = run("correct", models["conllu"], fix, "-o", new, check=None)
    assert refused.returncode == 1 and not new.exists()
    assert "label 'UH' was not there before; ask for new_labels (--new-labels)" in refused.stderr
    done = run("correct", models["conllu"], fix, "--new-labels", "-o", new)
    assert done.stdout.splitlines()[:2] == ["1 of 1 correction holds", "new     label UH"]
    assert load(new).predict([["brrr"]]) == [["UH"]] and "UH" in load(new).labels_
    assert "new labels UH" in " ".join(run("info", new).stdout.split())
    assert json.loads(run("info", new, "--json").stdout)["corrections"][""][0]["labels"] == ["UH"]
    assert "new labels UH" in run("correct", new, "--undo", "-o", back).stdout
    assert back.read_bytes() == models["conllu"].read_bytes()


def test_long_lines_are_folded(run, models, tmp_path):
    fix = tmp_path / "fix.conllu"
    rows = "1\tbrrr\t_\t{}\t_\t_\t_\t_\t_\t_\n\n"
    fix.write_text(rows.format("UH") + rows.format("DT"))
    done = run("correct", models["conllu"], fix, "--dry-run")
    assert all(len(line) <= 80 for line in done.stdout.splitlines() if str(tmp_path) not in line)
    # A path that does not fit beside it is on a line of its own.
    assert re.search(r"^cannot(  |$)", done.stdout, re.MULTILINE) and "1 of 2 corrections hold" in done.stdout


def test_what_cannot_hold_is_named_by_its_line(run, models, tmp_path):
    fix = tmp_path / "fix.conllu"
    rows = "1\tbrrr\t_\t{}\t_\t_\t_\t_\t_\t_\n\n"
    fix.write_text(rows.format("DT") + rows.format("UH"))
    said = json.loads(run("correct", models["conllu"], fix, "--dry-run", "--json").stdout)
    (cannot,) = said["cannot"]
    assert cannot["place"] == f"{fix}:3" and cannot["detail"].startswith("label 'UH' was not there before")
    fix.write_text(rows.format("DT") + rows.format("NN"))
    said = json.loads(run("correct", models["conllu"], fix, "--dry-run", "--json").stdout)
    (cannot,) = said["cannot"]
    assert cannot["detail"] in (f"it contradicts {fix}:1", f"it contradicts {fix}:3")


def test_texts_are_told_by_the_tokens_that_differ():
    before = [["He", "left", "."], ["Then", "she", "went", "?!"]]
    after = [["He", "left", ".", "Then", "she", "went", "?", "!"]]
    assert differences(before, after) == ". | is ., ?! is ? !"
    assert differences(before, [before[0], ["Then", "she", "went", "?", "!"]]) == "?! is ? !"
    assert differences([["a", "b"]], [["a"], ["b"]]) == "a is a |"
    assert differences([[("a", "X")]], [[("a", "Y")]]) == "a:X is a:Y"
    assert differences(["x", "y"], ["x", "z"]) == "2 y is z"
