"""train, predict, evaluate, show, info and audit on questions and forms."""

from __future__ import annotations

import json

import pytest

LINES = """which shirts are there\tnames(shirts)
which hats are there\tnames(hats)
how many hats are there\tcount(hats)
how many red shirts are there\tcount(red(shirts))
which red hats are there\tnames(red(hats))
how much is tee 5\tprice(item('tee'))
how much is polo\tprice(item('polo'))
"""
NAMES = "tee\titem('tee')\npolo\titem('polo')\nbig hat\titem('big hat')\n"
NEW = "how many red hats are there"


@pytest.fixture(scope="module")
def model(tmp_path_factory, run):
    folder = tmp_path_factory.mktemp("questions")
    (folder / "train.tsv").write_text(LINES)
    (folder / "names.tsv").write_text(NAMES)
    more = ["--names", folder / "names.tsv", "-o", folder / "model", "--epochs", 8]
    done = run("train", "semantics", folder / "train.tsv", *more)
    assert "7 questions, 33 words" in done.stderr
    return folder / "model"


def test_a_question_goes_in_and_its_form_comes_out(run, model):
    done = run("predict", model, stdin=f"{NEW}\n\nhow much is big hat\n")
    assert done.stdout == f"{NEW}\tcount(red(hats))\n\nhow much is big hat\tprice(item('big hat'))\n"
    best = run("predict", model, "--kbest", 3, stdin=f"{NEW}\n").stdout.splitlines()
    assert [line.split("\t")[2] for line in best] == ["1", "2", "3"]
    assert len({line.split("\t")[1] for line in best}) == 3


def test_forms_are_scored_and_shown(run, model):
    train = model.parent / "train.tsv"
    assert json.loads(run("evaluate", model, train, "--json").stdout)["exact_match"] == 1.0
    assert "of 7 questions" in run("evaluate", model, train).stdout
    shown = run("show", model, NEW, "--gold", "count(red(hats))").stdout
    assert "red({})" in shown and "the guess is right" in shown
    assert "semantic parsing, 6 productions, 3 names" in run("info", model).stdout


def test_theorems_are_checked(run, model):
    done = run("audit", "semantics", model.parent / "train.tsv", "--learner", "perceptron")
    assert "Every update fixed a violation" in done.stdout


@pytest.mark.parametrize(
    ("text", "more", "told"),
    [
        ("how many\n", [], "t.tsv:1: no tab where question TAB form is needed"),
        ("how many\tcount(\n", [], "t.tsv:1: form, column 7: the end where a name is needed"),
        ("how\tcount(hats)\n", ["--search", "beam:4"], "use forest:4, or forest for exact search"),
        ("how\tcount(hats)\n", ["--names", "nowhere"], "nowhere: no such file"),
        ("how\tcount(hats)\n", ["--templates", "p q"], "p q"),
        ("how\tcount(hats)\n", ["--grammar", "g"], "t.tsv:1: there is no production for hats"),
        ("", [], "there are no questions to use"),
    ],
)
def test_what_is_wrong_is_told_in_one_line(run, tmp_path, text, more, told):
    (tmp_path / "t.tsv").write_text(text)
    (tmp_path / "g").write_text("Q -> count(T)\nT -> shoes\n")
    more = [tmp_path / "g" if each == "g" else each for each in more]
    done = run("train", "semantics", tmp_path / "t.tsv", "-o", tmp_path / "m", *more, check=None)
    assert done.returncode in (1, 2) and told in done.stderr and "Traceback" not in done.stderr
    assert not (tmp_path / "m").exists()
