"""evaluate's report, comparison, heat map and page of errors, for every task that has them."""

from __future__ import annotations

import json
import re
from html.parser import HTMLParser
from pathlib import Path

import numpy as np
import pytest

from structron import Classifier, Parser, Tagger, Transducer
from structron.cli.app import main
from structron.io import Format, Sentence, with_tree, write, write_pairs
from structron.io.values.trees import Tree
from structron.synthetic import generate_spellings, generate_treebank


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Gold and two models for each task, the second of them worse."""
    folder = tmp_path_factory.mktemp("reports")
    trees = generate_treebank(90, np.random.default_rng(5))
    sentences = [
        with_tree(Sentence.of(t.words, t.tags, Format("conllu")), Tree(list(t.heads), list(t.labels)))
        for t in trees
    ]
    write(sentences[:60], folder / "train.conllu")
    write(sentences[60:], folder / "gold.conllu")
    pairs = generate_spellings(140, np.random.default_rng(2))
    write_pairs(pairs[:100], folder / "train.tsv")
    write_pairs(pairs[100:], folder / "gold.tsv")
    texts = [(" ".join(t.words), "long" if len(t.words) > 8 else "short") for t in trees]
    (folder / "texts.tsv").write_text("".join(f"{label}\t{text}\n" for text, label in texts[60:]))
    for name, amount in (("a", 60), ("b", 4)):
        Tagger(epochs=2).fit(sentences[:amount]).save(folder / f"tagging.{name}")
        Parser(epochs=1, templates=["s0.w", "s0.t s1.t", "s1.w s0.w", "s0.t q0.t"], search="beam:2").fit(
            sentences[:amount]
        ).save(folder / f"parsing.{name}")
        Transducer(epochs=2, search="beam:4").fit(pairs[: amount + 20]).save(folder / f"transduction.{name}")
        inputs, labels = zip(*texts[:amount])
        Classifier(epochs=2).fit(list(inputs), list(labels)).save(folder / f"classification.{name}")
    return folder


GOLD = {
    "tagging": "gold.conllu",
    "parsing": "gold.conllu",
    "transduction": "gold.tsv",
    "classification": "texts.tsv",
}


class Texts(HTMLParser):
    """The tags of a page, and its text."""

    def __init__(self) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.text = ""

    def handle_starttag(self, tag: str, attrs: object) -> None:
        self.tags.append(tag)

    def handle_data(self, data: str) -> None:
        self.text += data


def run(capsys: pytest.CaptureFixture[str], *args: object, code: int = 0) -> str:
    capsys.readouterr()
    found = main(list(map(str, args)))
    out, err = capsys.readouterr()
    assert found == code, (out, err)
    return out if code == 0 else err


@pytest.mark.parametrize("task", GOLD)
def test_a_report_of_every_task(world, tmp_path, capsys, task) -> None:
    model, gold, page = world / f"{task}.a", world / GOLD[task], tmp_path / "errors.html"
    args = ["--report", "--against", world / f"{task}.b", "--errors", page]
    said = run(capsys, "evaluate", model, gold, *args)
    assert max(map(len, said.splitlines()[:-1])) <= 80 + len(str(tmp_path))
    assert "a row for each gold label" in said and "outputs differ" in said and "support" in said
    assert ("head: how many words away it is" in said) == (task == "parsing")
    assert ("has a weight of its own in the model" in said) == (task in ("tagging", "parsing"))
    found = json.loads(run(capsys, "evaluate", model, gold, *args[:3], "--json"))
    test, table = found["difference"], found["report"]
    scores = {"tagging": "accuracy", "parsing": "las", "transduction": "word_accuracy"}
    score = found[scores.get(task, "accuracy")]
    assert table["score"] == test["first"] == pytest.approx(score)
    assert test["difference"] == pytest.approx(test["first"] - test["other"]) and 0 < test["p"] <= 1
    assert test["differ"] >= test["better"] + test["worse"] and len(test["examples"]) == min(
        5, test["differ"]
    )
    html = page.read_text()
    seen = Texts()
    seen.feed(html)
    wrong = int(re.search(r"([0-9]+) of [0-9]+ examples have mistakes", seen.text)[1])
    assert seen.tags.count("li") == wrong and "prefers-color-scheme: dark" in html
    assert "http" not in html.replace("http-equiv", "") and "src=" not in html


def test_an_output_is_reported_as_its_model_is(world, tmp_path, capsys) -> None:
    for task, suffix in (("tagging", "conllu"), ("classification", "tsv")):
        gold, out = world / GOLD[task], tmp_path / f"{task}.{suffix}"
        run(capsys, "predict", world / f"{task}.a", gold, "-o", out)
        named = ("--task", task)
        by_file = json.loads(run(capsys, "evaluate", out, gold, *named, "--report", "--json"))
        by_model = json.loads(run(capsys, "evaluate", world / f"{task}.a", gold, "--report", "--json"))
        assert by_file["report"]["labels"] == by_model["report"]["labels"]
        same = json.loads(run(capsys, "evaluate", world / f"{task}.a", gold, "--against", out, "--json"))
        assert same["difference"]["differ"] == 0 and same["difference"]["p"] == 1.0


def test_words_of_the_training_data_are_known(world, capsys) -> None:
    args = ["evaluate", world / "tagging.a", world / "gold.conllu", "--json"]
    by_file = json.loads(run(capsys, *args, "--train", world / "train.conllu"))["report"]["known"]
    itself = json.loads(run(capsys, *args, "--train", world / "gold.conllu"))["report"]["known"]
    by_model = json.loads(run(capsys, *args, "--report"))["report"]["known"]
    assert itself[1]["items"] == 0 and 0 < by_file[1]["items"] <= by_model[1]["items"]
    assert sum(each["items"] for each in by_file) == sum(each["items"] for each in by_model)


def test_labels_between_commas_and_as_a_heat_map(world, tmp_path, capsys) -> None:
    args = ["evaluate", world / "tagging.a", world / "gold.conllu", "--csv", "--plot", tmp_path / "matrix"]
    lines = run(capsys, *args).splitlines()
    assert (tmp_path / "matrix.png").read_bytes().startswith(b"\x89PNG")
    assert "share of the gold label" in (tmp_path / "matrix.svg").read_text()
    assert lines[0] == "label,precision,recall,f1,support,guessed" and lines[1].startswith('",",')


def test_text_in_a_page_is_text(tmp_path, capsys) -> None:
    evil = "<script>alert(1)</script>&\"'"
    (tmp_path / "gold.txt").write_text(f"{evil}/<b>\n")
    (tmp_path / "guess.txt").write_text(f"{evil}/<i>\n")
    page = tmp_path / "page.html"
    files = (tmp_path / "guess.txt", tmp_path / "gold.txt", "--task", "tagging", "--format", "slash")
    run(capsys, "evaluate", *files, "--errors", page)
    seen = Texts()
    seen.feed(page.read_text())
    assert seen.tags.count("script") == 1 and not {"b", "i"} & set(seen.tags)
    assert evil in seen.text and "<b>" in seen.text


def test_what_cannot_be_is_refused(world, tmp_path, capsys) -> None:
    model, gold = world / "tagging.a", world / "gold.conllu"
    for args, said in (
        (["--csv", "--json"], "--csv and --json are two ways to write; give one of them"),
        (["--errors", gold], "--errors would overwrite GOLD; choose another file for --errors"),
        (["--errors", tmp_path], "this is a folder; name a file for --errors"),
        (["--plot", tmp_path / "no" / "x"], "its folder does not exist; create it first"),
        (["--against", world / "parsing.a"], "scored by accuracy and the other by LAS; compare outputs"),
        (["--against", tmp_path / "none"], "there is no such file; check the name"),
        (["--train", tmp_path / "none"], "no such file or directory; check the path"),
    ):
        assert said in run(capsys, "evaluate", model, gold, *args, code=1)
    said = run(capsys, "evaluate", world / "transduction.a", world / "gold.tsv", "--train", gold, code=1)
    assert "--train counts known words of sentences, not of words; leave it out" in said
    said = run(capsys, "evaluate", gold, gold, "--task", "tagging", "--against", model, code=1)
    assert "--against is a model" in said and "predict with the model first" in said
