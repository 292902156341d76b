"""evaluate without a model: what was predicted before, against gold; the same figures as with the model."""

from __future__ import annotations

import json

import pytest


@pytest.mark.parametrize(("name", "suffix"), [("conllu", ".conllu"), ("columns", ".tsv"), ("slash", ".txt")])
def test_a_predicted_file_scores_as_its_model_does(run, folder, models, tmp_path, name, suffix):
    gold, guess = folder / f"dev{suffix}", tmp_path / f"guess{suffix}"
    run("predict", models[name], gold, "-o", guess)
    task = ("--task", "tagging") if name == "conllu" else ()
    with_model = json.loads(run("evaluate", models[name], gold, "--json", "--confusions", 3).stdout)
    without = json.loads(run("evaluate", guess, gold, "--json", "--confusions", 3, *task).stdout)
    for figure in ("accuracy", "sentence_accuracy", "tokens", "confusions"):
        assert with_model[figure] == without[figure]
    assert run("evaluate", guess, gold, *task).stdout.startswith("accuracy")
    assert run("evaluate", "-", gold, "--task", "tagging", stdin=guess.read_text()).stdout.startswith(
        "accuracy"
    )


def test_pairs_are_compared_and_may_be_empty(run, tmp_path):
    gold, guess = tmp_path / "gold.tsv", tmp_path / "guess.tsv"
    gold.write_text("ab\tA B\nc\tC\tK\nd\tD\n")
    guess.write_text("ab\tA B\nc\tK\nd\t\n")
    figures = json.loads(run("evaluate", guess, gold, "--task", "transduction", "--json").stdout)
    assert figures["word_error_rate"] == pytest.approx(1 / 3)
    guess.write_text("ab\tA B\n")
    said = run("evaluate", guess, gold, "--task", "transduction", check=1).stderr
    assert "gold.tsv:2: nothing was predicted for 'c'; predict it too" in said


def test_files_that_do_not_line_up_are_refused(run, tmp_path):
    gold, guess = tmp_path / "gold.txt", tmp_path / "guess.txt"
    gold.write_text("a/X b/Y\nc/X d/Y\n")
    for text, said in (
        ("a/X b/Y\nc/X e/Y\n", "guess.txt:2: word 2 of sentence 2 is 'e' where"),
        ("a/X b/Y\nc/X\n", "guess.txt:2: word 2 of sentence 2 is missing where"),
        (
            "a/X b/Y\n",
            "gold.txt:2: sentence 2 is in only one of the files, since there are 1 predicted and 2 gold",
        ),
    ):
        guess.write_text(text)
        done = run("evaluate", guess, gold, check=1)
        assert said in done.stderr and "compare files that hold the same sentences" in done.stderr


def test_the_task_is_asked_for_where_the_format_does_not_tell(run, folder, models, tmp_path):
    gold = folder / "dev.conllu"
    assert "say what was predicted with --task" in run("evaluate", gold, gold, check=1).stderr
    refused = run("evaluate", models["conllu"], gold, "--task", "tagging", check=1).stderr
    assert "a model knows what it predicts; leave --task out" in refused
    assert "this is not a model file" in run("evaluate", gold, gold, "--search", "greedy", check=1).stderr
    other = run("evaluate", gold, gold, "--task", "tagging", "--target", "lemma").stdout
    assert "100.00 %" in other


def test_one_file_holds_whole_examples(run, tmp_path):
    for name in ("a.conllu", "b.conllu"):
        (tmp_path / name).write_text("1\tdogs\t_\tNOUN\t_\t_\t0\troot\t_\t_\n\n")
    a, b = tmp_path / "a.conllu", tmp_path / "b.conllu"
    done = run("evaluate", a, b, a, "--task", "tagging", check=1)
    assert f"{a}: one file has whole sentences; give one" in done.stderr
    assert "cut F1  100.00" in run("evaluate", a, b, "--task", "segmentation", "--against", b).stdout
    done = run("audit", "tagging", a, b, check=1)
    assert f"{b}: one file has whole sentences; give one" in done.stderr


def test_models_of_different_columns_are_not_compared(run, models, folder, tmp_path):
    gold, lemmas = folder / "dev.conllu", tmp_path / "lemmas.model"
    run("train", "tagging", folder / "train.conllu", "-o", lemmas, "--target", "lemma", "--epochs", 1)
    said = run("evaluate", models["conllu"], gold, "--against", lemmas, check=1).stderr
    assert f"{lemmas}: it predicts something else, for which " in said
    assert "compare models of the same labels" in said and "Traceback" not in said
    assert "against" in run("evaluate", models["conllu"], gold, "--against", models["conllu"]).stdout
