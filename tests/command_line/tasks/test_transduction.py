"""train, predict, evaluate, show, info and align on pairs, plain and through pipes."""

from __future__ import annotations

import json

import numpy as np
import pytest

from structron.io import write_pairs
from structron.io.formats.aligned_pairs import read_aligned
from structron.synthetic import generate_spellings


@pytest.fixture(scope="module")
def words(tmp_path_factory):
    folder = tmp_path_factory.mktemp("words")
    pairs = generate_spellings(500, np.random.default_rng(2))
    write_pairs(pairs[:400], folder / "train.tsv.gz")
    write_pairs(pairs[400:], folder / "dev.tsv")
    return folder


@pytest.fixture(scope="module")
def model(words, run):
    path = words / "model"
    done = run(
        "train", "transduction", words / "train.tsv.gz", "--dev", words / "dev.tsv", "-o", path, "--epochs", 3
    )
    assert "400 words" in done.stderr and "\nalignment\n" in done.stderr and "pieces" in done.stderr
    return path


def test_a_word_goes_in_and_word_and_sounds_come_out(run, model, words, tmp_path):
    done = run("predict", model, stdin="phone\nknead\tN IY D\n")
    lines = [line.split("\t") for line in done.stdout.splitlines()]
    assert [line[0] for line in lines] == ["phone", "knead"] and all(len(line) == 2 for line in lines)
    run("predict", model, words / "dev.tsv", "-o", tmp_path / "out.tsv")
    figures = json.loads(run("evaluate", model, words / "dev.tsv", "--json").stdout)
    gold = [line.split("\t") for line in (words / "dev.tsv").read_text().splitlines()]
    guess = [line.split("\t") for line in (tmp_path / "out.tsv").read_text().splitlines()]
    wrong = sum(b[1] not in a[1:] for a, b in zip(gold, guess, strict=True))
    assert figures["word_error_rate"] == wrong / len(gold) < 0.6
    assert 0 < figures["symbol_error_rate"] < figures["word_error_rate"]


def test_kbest_has_ranks_and_scores(run, model):
    lines = [
        line.split("\t") for line in run("predict", model, "--kbest", 3, stdin="knead\n").stdout.splitlines()
    ]
    assert [line[2] for line in lines] == ["1", "2", "3"] and float(lines[0][3]) >= float(lines[1][3])


def test_figures_for_people(run, model, words):
    out = run("evaluate", model, words / "dev.tsv", "--confusions", 2).stdout
    assert "word error rate" in out and "of 100 words" in out and "gold   guess  times" in out


def test_show_draws_both_derivations(run, model, words):
    out = run("show", model, "phick", "--gold", "F IH K").stdout
    guess, gold = out.index("guess"), out.index("gold")
    assert guess < gold and "p h" in out and "max-violation" in out and "step 2" in out
    assert run("show", model, "--input", words / "dev.tsv", "--sentence", 2, "--no-steps").stdout
    told = run("show", model, "phone", "--gold", "ZH ZH ZH ZH ZH ZH").stdout
    assert "has no derivation" in told


def test_info_tells_pieces_and_symbols(run, model):
    out = run("info", model).stdout
    assert "transduction," in out and "source characters, target blanks" in out and "400 words" in out
    assert json.loads(run("info", model, "--json").stdout)["pieces"] > 30


def test_faults_are_told_by_line(run, words, model, tmp_path):
    bad = tmp_path / "bad.tsv"
    bad.write_text("a\tB\nc\n\tD\n" + "e\tF\n" * 20)
    done = run("train", "transduction", bad, "-o", tmp_path / "m", check=1)
    assert f"{bad}:2: one column where source TAB target is needed" in done.stderr
    done = run("train", "transduction", bad, "-o", tmp_path / "m", "--skip-bad", "--epochs", 1)
    assert "left out 2 bad" in done.stderr
    done = run("evaluate", model, "-", stdin="phone\n", check=1)
    assert "stdin:1: there is no target to score against" in done.stderr
    assert (
        "--order is an option of tagging and translation, not of transduction"
        in run("train", "transduction", bad, "-o", tmp_path / "m", "--order", 1, check=2).stderr
    )


def test_align_writes_pieces_and_counts(run, words, tmp_path):
    out, inventory = tmp_path / "aligned.txt", tmp_path / "pieces.tsv"
    done = run("align", words / "train.tsv.gz", "-o", out, "--inventory", inventory)
    assert "aligned" in done.stderr and "iterations" in done.stderr
    pairs = list(read_aligned(out))
    counts = [line.split("\t") for line in inventory.read_text().splitlines()]
    assert sum(int(count) for _, count in counts) == sum(map(len, pairs))
    assert "p|h}F" in dict(counts)
    told = run("align", "-", stdin="b\tP Q R S\nbb\tP P\n")
    assert told.stdout.count("\n") == 1 and "1 pair has no alignment" in told.stderr
    assert "no pairs to align" in run("align", "-", stdin="", check=1).stderr


def test_the_other_direction_is_named_told_and_refused(run, words, tmp_path):
    path = tmp_path / "model"
    given = ("train", "transduction", words / "train.tsv.gz", "-o", path, "--epochs", 2)
    run(*given, "--direction", "backward", "--combine", "opposite:0.5")
    told = run("info", path).stdout
    assert "transduction, backward" in told and "opposite (counts 0.5 times" in told
    about = json.loads(run("info", path, "--json").stdout)
    assert about["direction"] == "backward" and about["experts"]["opposite"]["weight"] == 0.5
    shown = run("show", path, "phone\tF OW N").stdout
    assert shown.startswith("guess") and "gold" in shown
    assert "another transducer from the beginning (opposite)" in shown
    lines = (words / "dev.tsv").read_text().splitlines()
    outputs = run("predict", path, stdin="".join(f"{line.split(chr(9))[0]}\n" for line in lines)).stdout
    overruled = 0
    for line in outputs.splitlines():
        word, output = line.split("\t")
        shown = run("show", path, word, "--no-steps").stdout.splitlines()
        said = "".join(shown[1].replace("–", "").split())
        assert said == "".join(reversed(output.split()))
        overruled += any(each.startswith("alone") for each in shown)
        if overruled:
            break
    assert overruled
    done = run(*given, "--combine", "sideways", check=1)
    assert "combine 'sideways' is not known; use none, or opposite" in done.stderr
    done = run(*given, "--direction", "up", check=1)
    assert "up" in done.stderr and "backward" in done.stderr


@pytest.mark.parametrize("direction", ["forward", "backward"])
def test_known_words_are_told(run, words, tmp_path, direction):
    """In the order in which they are written, from whichever end they are read."""
    (tmp_path / "words").write_text("cling\tK L IH NG\nringing\tR IH NG IH NG\ntone\tT OW N\n")
    settings = ("--templates", "fast_alike", "--combine", "none", "--epochs", 1, "--direction", direction)
    run("train", "transduction", tmp_path / "words", "-o", tmp_path / "m", *settings)
    lines = run("show", tmp_path / "m", "clinging").stdout.splitlines()
    told = {"known   cling begins alike: 5 symbols", "known   ringing ends alike: 6 symbols"}
    assert {line for line in lines if line.startswith("known")} == told
    assert "3 known words" in run("info", tmp_path / "m").stdout
