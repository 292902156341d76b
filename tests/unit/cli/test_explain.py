"""explain and info --corpus on the command line."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from structron import Classifier, Parser, Segmenter, SemanticParser, Tagger, Transducer, Translator
from structron.cli.app import main

WORDS = [["the", "dog", "barks"], ["a", "cat", "sleeps"], ["the", "cat", "barks"]]
TAGS = [["DT", "NN", "VBZ"]] * 3


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("explain")
    Tagger(epochs=2).fit(WORDS, TAGS).save(folder / "tagging")
    trees = [([2, 3, 0], ["det", "nsubj", "root"])] * 3
    Parser(epochs=1, templates=["s0.t s1.t", "s0.w", "q0.t"]).fit(list(zip(WORDS, TAGS)), trees).save(
        folder / "parsing"
    )
    Transducer(epochs=1).fit(["ab", "ba", "aab"], ["x y", "y x", "x x y"]).save(folder / "transduction")
    Classifier(epochs=1).fit(["a b", "b a", "c"], ["x", "x", "y"]).save(folder / "classification")
    Translator(epochs=1).fit(["a b", "b a"] * 2, ["x y", "y x"] * 2).save(folder / "translation")
    Segmenter(epochs=1).fit(["Go. Stop!"] * 3, [[["Go", "."], ["Stop", "!"]]] * 3).save(
        folder / "segmentation"
    )
    forms = ["answer(capital(id(texas)))", "answer(id(utah))"]
    SemanticParser(epochs=1).fit(["capital of texas", "utah"], forms).save(folder / "semantics")
    (folder / "text.txt").write_text("the dog sleeps\na dog barks\n")
    return folder


def run(capsys: pytest.CaptureFixture[str], *args: object, code: int = 0) -> str:
    capsys.readouterr()
    found = main(list(map(str, args)))
    out, err = capsys.readouterr()
    assert found == code, (out, err)
    return out if code == 0 else err


def test_a_sentence_of_every_task_is_explained(world, capsys) -> None:
    for task, text, said in (
        ("tagging", "the dog barks", "dog → NN"),
        ("parsing", "the/DT dog/NN barks/VBZ", "the dog | barks → left:det"),
        ("transduction", "ab", "a b → a → x"),
        ("classification", "a b", "the text → x"),
        ("translation", "a b", "language_model"),
        ("segmentation", "Go. Stop!", "Go → S"),
        ("semantics", "capital of texas", "answer(capital(id(texas)))"),
    ):
        out = run(capsys, "explain", world / task, text, "--top", 2)
        assert said in out and max(map(len, out.splitlines())) <= 80
        found = json.loads(run(capsys, "explain", world / task, text, "--json"))
        total = sum(f["guess"] for each in found["decisions"] for f in each["features"])
        assert found["score"] == pytest.approx(total, rel=1e-5, abs=1e-4)


def test_each_stage_of_a_pipeline_is_explained(capsys) -> None:
    out = run(capsys, "explain", "en", "Time flies. It does.", "--top", 2)
    assert max(map(len, out.splitlines())) <= 80
    stages = json.loads(run(capsys, "explain", "en", "Time flies. It does.", "--json"))
    assert [line[3:] for line in out.splitlines() if line.startswith("== ")] == list(stages)
    assert {"segmenter", "lemma", "parser"} < set(stages)
    words = ["Time", "flies", ".", "It", "does", "."]
    for name, found in stages.items():
        total = sum(f["guess"] for each in found["decisions"] for f in each["features"])
        assert found["score"] == pytest.approx(total, rel=1e-4, abs=1e-3), name
        if "pos" in name or name == "lemma":
            assert [each["about"] for each in found["decisions"]] == words


def test_an_example_of_a_file_is_explained(world, capsys) -> None:
    out = run(
        capsys, "explain", world / "tagging", "--input", world / "text.txt", "--sentence", 2, "--top", 99
    )
    assert "a → DT" in out and "lower[1]=dog" in out


def test_the_strongest_features_are_listed(world, capsys) -> None:
    args = ["info", world / "tagging", "--corpus", world / "text.txt", "--top", 3, "--label", "NN"]
    out = run(capsys, *args)
    assert len(out.splitlines()) == 4 and out.splitlines()[1].split()[2] == "NN"
    assert len(json.loads(run(capsys, *args, "--json"))) == 3


def test_bad_input_is_told(world, tmp_path, capsys) -> None:
    model = world / "tagging"
    for args, code, said in (
        (["explain", model], 2, "give the words of a sentence, or --input FILE"),
        (["explain", model, ""], 1, "there are no words; give some between quotes"),
        (["explain", model, "--input", world / "text.txt", "--sentence", 9], 1, "there is no example 9"),
        (["explain", model, "--input", tmp_path / "none"], 1, "no such file or directory; check the path"),
        (["explain", tmp_path / "none", "a"], 1, "there is no such file; check the name"),
        (["info", model, "--label", "NN"], 1, "--label is for --corpus; name a file of examples"),
        (["info", model, "--corpus", world / "text.txt", "--label", "XX"], 1, "no weights for 'XX'"),
    ):
        assert said in run(capsys, *args, code=code)
