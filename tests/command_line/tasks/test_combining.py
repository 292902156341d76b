"""train, predict, evaluate, show and info of a parser with experts, by real processes."""

from __future__ import annotations

import json

import pytest

from tests.command_line.tasks.test_graph_parsing import WORDS, treebank  # noqa: F401

FAST = ("--templates", "fast_tags", "--epochs", 2, "--combine", "arcs+backward")


@pytest.fixture(scope="module")
def model(run, treebank):  # noqa: F811
    path = treebank / "combined.model"
    data = (treebank / "train.conllu", "--dev", treebank / "dev.conllu")
    assert "relations" in run("train", "parsing", *data, "-o", path, *FAST).stderr
    return path


def test_one_file_predicts_and_is_measured(run, treebank, model, tmp_path):  # noqa: F811
    out = tmp_path / "out.conllu"
    run("predict", model, treebank / "dev.conllu", "-o", out)
    figures = json.loads(run("evaluate", model, treebank / "dev.conllu", "--json", "--threads", 2).stdout)
    assert figures["uas"] > 0.8
    compared = run("evaluate", out, treebank / "dev.conllu", "--task", "parsing", "--json")
    assert json.loads(compared.stdout)["las"] == figures["las"]
    best = run("predict", model, treebank / "dev.conllu", "--kbest", 2).stdout
    assert best.count("\n\n") > out.read_text().count("\n\n")


def test_info_says_who_has_a_say(run, model):
    said = run("info", model).stdout
    assert "experts" in said and "arcs (counts 0.8 times," in said and "backward (counts 0.7 times," in said


def test_show_has_the_parsers_own_beams(run, model):
    shown = run("show", model, WORDS)
    assert "dog" in shown.stdout


def test_what_cannot_be_combined_is_one_sentence(run, treebank, tmp_path):  # noqa: F811
    train = ("train", "parsing", treebank / "train.conllu", "-o", tmp_path / "m")
    done = run(*train, "--combine", "oracle", check=1)
    assert "combine 'oracle' is not known; use none" in done.stderr and "Traceback" not in done.stderr
    assert "takes no advice" in run(*train, "--combine", "arcs", "--system", "graph", check=1).stderr
