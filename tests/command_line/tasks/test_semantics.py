"""train, predict, evaluate, show, info and audit on questions and forms."""

from __future__ import annotations

import json

import pytest

from structron.cli.task_cli import Reading, take_executor
from structron.errors import SettingError
from structron.io import Report
from structron.registry import cli_of

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
    assert "the guess is right" in run("show", model, "--input", train, "--sentence", 2).stdout
    assert "semantic parsing, 6 productions, 3 names" in run("info", model).stdout


def test_development_data_choose_the_epoch(run, model):
    train, dev, made = (model.parent / name for name in ("train.tsv", "dev.tsv", "with-dev"))
    dev.write_text(f"{NEW}\tcount(red(hats))\nwhich shirts are there\tnames(shirts)\n")
    done = run("train", "semantics", train, "--dev", dev, "-o", made, "--epochs", 3)
    assert "2 questions, 10 words" in done.stderr and "(best)" in done.stderr
    assert len(json.loads(run("info", made, "--json").stdout)["epochs"]) == 3


def test_answers_of_development_data_choose_the_epoch(run, shop):
    more = ["--answers", "--executor", "shop:answer", "--grammar", "g", "--seconds", 0.1, "--rounds", 1]
    done = run("train", "semantics", "answers.tsv", "--dev", "answers.tsv", "-o", "d", "--epochs", 2, *more)
    assert "best" in done.stderr


def test_a_question_that_is_too_long_does_not_take_the_others_with_it(run, model):
    asked = f"{NEW}\n{'red hats ' * 2000}\n{NEW}\n"
    done = run("predict", model, stdin=asked, check=None)
    assert done.returncode == 1 and "Traceback" not in done.stderr
    assert "stdin:2: the chart of 4000 words would take" in done.stderr
    done = run("predict", model, "--skip-bad", stdin=asked)
    assert done.stdout == f"{NEW}\tcount(red(hats))\n" * 2
    assert "stdin:2: the chart of 4000 words would take" in done.stderr


def test_theorems_are_checked(run, model):
    done = run("audit", "semantics", model.parent / "train.tsv", "--learner", "perceptron")
    assert "Every update fixed a violation" in done.stdout


SHOP = """
STOCK = {"hats": ["h1", "h2"], "shirts": ["s1"]}

def things(form):
    if form.name == "red":
        return [each for each in things(form.arguments[0]) if each != "h1"]
    return STOCK[form.name]

def answer(form):
    if form.name == "price":
        raise ValueError("closed")
    while "red(red" in str(form):
        pass
    found = things(form.arguments[0])
    return len(found) if form.name == "count" else found

number = 5
"""
GRAMMAR = "Q -> count(T)\nQ -> names(T)\nT -> red(T)\nT -> hats\nT -> shirts\n"


@pytest.fixture(scope="module")
def shop(tmp_path_factory, model):
    folder = tmp_path_factory.mktemp("shop")
    (folder / "shop.py").write_text(SHOP)
    (folder / "broken.py").write_text("1 / 0\n")
    (folder / "g").write_text(GRAMMAR)
    (folder / "answers.tsv").write_text(
        "which shirts are there\t[s1]\nhow many hats are there\t2\nwhich hats are there\t[h1,h2]\n"
        "how many red hats are there\t1\nwhich red hats are there\t[h2]\nhow many of them all\t77\n"
    )
    return folder


@pytest.fixture(autouse=True)
def in_folder(request, monkeypatch):
    """Modules of executors are looked for in the current folder."""
    if "shop" in request.fixturenames:
        monkeypatch.chdir(request.getfixturevalue("shop"))


def test_forms_are_executed_and_what_fails_is_counted(run, model, shop):
    done = run("predict", model, "--executor", "shop:answer", stdin=f"{NEW}\n\nhow much is polo\n")
    assert done.stdout == f"{NEW}\tcount(red(hats))\t1\n\nhow much is polo\tprice(item('polo'))\n"
    assert "of 2 forms executed, 1 raised an error: price(item('polo')): the executor raised" in done.stderr
    best = run("predict", model, "--executor", "shop:answer", "--kbest", 1, stdin=f"{NEW}\n").stdout
    assert best.split("\t")[1:3] == ["count(red(hats))", "1"] and best.endswith("\t1\n")
    (shop / "gold.tsv").write_text(
        "how many hats are there\tcount(hats)\nhow many\tcount(shirts)\t2\nhow much is polo\tcount(hats)\n"
    )
    figures = json.loads(run("evaluate", model, "gold.tsv", "--executor", "shop:answer", "--json").stdout)
    assert figures["questions"] == 3 and 0.3 < figures["accuracy"] < 1
    assert (figures["raised"], figures["timed_out"]) == (1, 0)
    assert "1 raised an error: price(item('polo'))" in cli_of("semantics").measured(figures)[-1]
    for name in ("exact_match", "precision", "recall", "f1", "spurious"):
        assert name in figures


def test_answers_alone_train_a_model_and_score_it(run, shop):
    more = ["--answers", "--executor", "shop:answer", "--grammar", "g", "--seconds", 0.1]
    done = run("train", "semantics", "answers.tsv", "-o", "m", "--epochs", 6, "--rounds", 2, *more)
    assert "1 question without a form that has their answer" in done.stderr
    figures = json.loads(
        run("evaluate", "m", "answers.tsv", "--answers", "--executor", "shop:answer", "--json").stdout
    )
    assert figures["accuracy"] == pytest.approx(5 / 6) and "exact_match" not in figures
    shown = cli_of("semantics").measured(figures)
    assert shown[0] == "answers        83.33 %   of 6 questions" and shown[3].startswith("F1")


@pytest.mark.parametrize(
    ("settings", "told"),
    [
        ({"answers": True, "grammar": "g"}, "give --executor too"),
        ({"answers": True, "executor": "shop:answer"}, "answers do not say which forms there are"),
        ({"executor": "shop"}, "executor shop: no function; write module:function"),
        ({"executor": "nowhere:f"}, "nowhere cannot be imported .ModuleNotFoundError"),
        ({"executor": "broken:f"}, "broken cannot be imported .ZeroDivisionError"),
        ({"executor": "shop:number"}, "shop has no function number; name one that it has"),
    ],
)
def test_what_is_wrong_with_executors_is_told(shop, settings, told):
    with pytest.raises(SettingError, match=told):
        cli_of("semantics").labelled("answers.tsv", Reading(), Report(), settings)


def test_only_what_can_be_executed_takes_an_executor():
    with pytest.raises(SettingError, match="--executor is not for tagging; leave it out"):
        take_executor(cli_of("tagging"), None, "shop:answer")
    with pytest.raises(SettingError, match="--answers: forms must be executed to have answers"):
        take_executor(cli_of("semantics"), None, None, answers=True)


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
