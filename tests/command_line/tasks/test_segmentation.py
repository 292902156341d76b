"""train, predict, evaluate, show and info on raw text."""

from __future__ import annotations

import gzip
import json

import pytest

from structron.io import Format, Sentence, write

SENTENCES = [("It", "'s", "late", "."), ("Go", "home", "!"), ("Mr.", "Smith", "is", "late", ".")]


def row(number: int, form: str, last: bool) -> list[str]:
    tight = form in ("It", "late", "home")
    return [str(number), form, *"_______", "SpaceAfter=No" if tight and not last else "_"]


@pytest.fixture(scope="module")
def gold(tmp_path_factory):
    path = tmp_path_factory.mktemp("raw") / "gold.conllu"
    sentences = []
    for i in range(24):
        words = SENTENCES[i % 3]
        rows = [row(n, form, n == len(words)) for n, form in enumerate(words, 1)]
        sentences.append(Sentence(rows, Format("conllu"), comments=["# newpar"] if i % 4 == 0 else []))
    write(sentences, path)
    return path


@pytest.fixture(scope="module")
def model(gold, run):
    done = run("train", "segmentation", gold, "--dev", gold, "-o", gold.parent / "model", "--epochs", 4)
    assert "24 sentences" in done.stderr and "labels" in done.stderr
    return gold.parent / "model"


def test_raw_text_goes_in_and_conllu_comes_out(run, model):
    done = run("predict", model, stdin="It's late. Go home!\n\nMr. Smith is late.")
    lines = done.stdout.splitlines()
    assert lines[:4] == ["# newdoc", "# newpar", "# sent_id = 1", "# text = It's late."]
    places = [line.split("\t")[9] for line in lines if "\t" in line]
    assert places[:4] == [
        "SpaceAfter=No|TokenRange=0:2", "TokenRange=2:4", "SpaceAfter=No|TokenRange=5:9", "TokenRange=9:10",
    ]  # fmt: skip
    assert places[6] == "SpacesAfter=\\n\\n|TokenRange=18:19"
    assert places[7] == "TokenRange=21:24" and lines.count("# newpar") == 2 and lines.count("# newdoc") == 1


def test_a_large_packed_file_goes_through_with_offsets_that_go_on(run, model, tmp_path):
    part = "It's late. Go home!\n\n"
    with gzip.open(tmp_path / "big.txt.gz", "wt") as file:
        file.write(part * 4000)
    run("predict", model, tmp_path / "big.txt.gz", "-o", tmp_path / "out.conllu")
    last = (tmp_path / "out.conllu").read_text().rstrip().splitlines()
    size = len(part) * 4000
    assert last[-1].split("\t")[9] == f"SpacesAfter=\\n\\n|TokenRange={size - 3}:{size - 2}"
    assert "# sent_id = 8000" in last


def test_lines_of_words_can_be_written_instead(run, model, gold):
    done = run("predict", model, "--output-format", "text", stdin="It's late. Go home!")
    assert done.stdout == "It 's late .\nGo home !\n"
    refused = run("predict", model, "--output-format", "xml", stdin="It", check=1)
    assert "--output-format xml is not for segmentation; use one of conllu, text" in refused.stderr
    again = run("predict", model, gold, "--output-format", "text").stdout.splitlines()
    assert again[:3] == [" ".join(words) for words in SENTENCES]


def test_what_is_found_is_scored_and_shown(run, model, gold, tmp_path):
    figures = json.loads(run("evaluate", model, gold, "--json").stdout)
    assert figures["tokens"]["f1"] == figures["sentences"]["f1"] == figures["words"]["f1"] == 1.0
    run("predict", model, gold, "-o", tmp_path / "guess.conllu")
    compared = run("evaluate", tmp_path / "guess.conllu", gold, "--task", "segmentation", "--json")
    assert json.loads(compared.stdout)["tokens"] == figures["tokens"]
    shown = run("show", model, "It's late.", "--gold", "It 's late .").stdout
    assert "It 's late ." in shown and "␣late" in shown and "gold" in shown
    assert "segmentation of raw text, units are runs of letters" in run("info", model).stdout


def test_words_between_blanks_are_gold_where_there_are_none_in_the_text(run, tmp_path):
    (tmp_path / "zh.txt").write_text("中国 人 在 北京 。\n北京 人 在 中国 。\n" * 3)
    run("train", "segmentation", tmp_path / "zh.txt", "--format", "text", "-o", tmp_path / "m", "--epochs", 4)
    figures = json.loads(
        run("evaluate", tmp_path / "m", tmp_path / "zh.txt", "--format", "text", "--json").stdout
    )
    assert figures["tokens"]["f1"] == 1.0 and figures["unseen"]["gold"] == 0
    done = run("predict", tmp_path / "m", "--output-format", "text", stdin="北京人在中国。\n")
    assert done.stdout == "北京 人 在 中国 。\n"


def test_bytes_that_are_no_text_are_told(run, model, tmp_path):
    (tmp_path / "bad.txt").write_bytes(b"It's \xff late.")
    done = run("predict", model, tmp_path / "bad.txt", check=1)
    assert "bad.txt: not utf-8" in done.stderr and "name the right --encoding" in done.stderr


def test_words_and_tags_together_on_the_command_line(run, tmp_path):
    (tmp_path / "zh.txt").write_text("中国/ns 人/n 在/p 北京/ns 。/w\n北京/ns 人/n 在/p 中国/ns 。/w\n" * 3)
    options = ("--format", "slash")
    trained = run(
        "train", "segmentation", tmp_path / "zh.txt", *options, "--system", "joint", "-o", tmp_path / "m",
        "--epochs", 4,
    )  # fmt: skip
    assert "4 tags" in trained.stderr
    figures = json.loads(run("evaluate", tmp_path / "m", tmp_path / "zh.txt", *options, "--json").stdout)
    assert figures["words"]["f1"] == figures["tagged"]["f1"] == 1.0 and figures["unseen"]["gold"] == 0
    assert "tagged" in run("evaluate", tmp_path / "m", tmp_path / "zh.txt", *options).stdout
    done = run("predict", tmp_path / "m", "--output-format", "text", stdin="北京人在中国。\n")
    assert done.stdout == "北京/ns 人/n 在/p 中国/ns 。/w\n"
    columns = run("predict", tmp_path / "m", stdin="北京人\n").stdout.splitlines()
    assert columns[4].split("\t")[:5] == ["1", "北京", "_", "_", "ns"]
    shown = run("show", tmp_path / "m", "北京人", "--gold", "北京/ns 人/n").stdout
    assert "北京/ns 人/n" in shown and "ns + n ■" in shown and "gold" in shown
    options = ("--gold", "北京/ns 人/n ！/w 人/n 在/p")
    (tmp_path / "zh.txt").write_text("北京/ns 人/n ！/w 人/n 在/p 中国/ns\n" * 3)
    run(
        "train",
        "segmentation",
        tmp_path / "zh.txt",
        "--format",
        "slash",
        "--system",
        "joint",
        "-o",
        tmp_path / "n",
        "--epochs",
        2,
    )
    shown = run("show", tmp_path / "n", "北京人！人在", *options).stdout
    assert "北京/ns 人/n ！/w 人/n 在/p" in shown and shown.count("search beam:8") == 2, "two clauses"
    assert "a word of --gold has no tag" in run("show", tmp_path / "m", "人", "--gold", "人", check=1).stderr
    assert "segmentation by words, joint with tagging" in run("info", tmp_path / "m").stdout


def test_the_k_best_ways_to_cut_a_text(run, model):
    best = ("predict", model, "--kbest", 2, "--search", "beam:4")
    lines = run(*best, stdin="It's late. Go home!").stdout.splitlines()
    assert lines.count("# rank = 1") == 2 and lines.count("# rank = 2") >= 1
    scores = [float(line.removeprefix("# score = ")) for line in lines if line.startswith("# score")]
    assert scores[0] == scores[1] >= scores[-1]
    texts = run(*best, "--output-format", "text", stdin="Go home!").stdout.splitlines()
    assert texts[0].startswith("1\t") and texts[0].endswith("\tGo home !") and texts[-1].startswith("2\t")


def test_what_stays_in_a_text_is_named_by_a_dictionary(run, model, gold, tmp_path):
    path = tmp_path / "tokens.txt"
    path.write_text("Mr. Smith\n")
    done = run("predict", model, "Mr. Smith is late.", "--dictionary", path, "--output-format", "text")
    assert done.stdout.split()[0] == "Mr._Smith"
    done = run("predict", model, gold, "--given", "form", check=None)
    assert done.returncode == 1 and "--given is not for segmentation, which makes the words" in done.stderr
