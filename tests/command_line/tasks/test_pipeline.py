"""Pipelines from train to evaluate, by real processes."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from structron.io import read, write
from structron.io.model_file.archive import read_archive, write_archive
from tests.command_line.conftest import Run
from tests.pipelines import treebank

WORDS = "upos,xpos,feats,lemma,parser"


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory, run: Run) -> Path:
    folder = tmp_path_factory.mktemp("pipeline")
    write(treebank(60), folder / "train.conllu")
    write(treebank(12, seed=2), folder / "dev.conllu")
    done = run(
        "train", "pipeline", folder / "train.conllu", "--dev", folder / "dev.conllu", "-o", folder / "m",
        "--prefer", "speed", "--folds", "2", "--stages", WORDS,
    )  # fmt: skip
    assert "1/3 upos+xpos+feats, fold 1 of 2" in done.stderr and "epoch 8/8: dev" in done.stderr
    assert "stages upos, xpos, feats, lemma, parser" in done.stderr
    assert sorted(p.name for p in folder.iterdir()) == ["dev.conllu", "m", "train.conllu"]
    return folder


def test_words_of_a_file_a_pipe_and_the_command_line_get_all_columns(place: Path, run: Run) -> None:
    out = place / "out.conllu"
    run("predict", place / "m", place / "dev.conllu", "-o", out)
    gold, said = list(read(place / "dev.conllu")), list(read(out))
    assert [s.words() for s in said] == [s.words() for s in gold]
    assert [s.comments for s in said] == [s.comments for s in gold]
    piped = run("predict", place / "m", "--from", "words", stdin=(place / "dev.conllu").read_text()).stdout
    assert piped == out.read_text()
    text = " ".join(gold[1].words())
    lines = run("predict", place / "m", text).stdout.splitlines()
    assert [line.split("\t")[1] for line in lines if line] == gold[1].words()
    assert run("predict", place / "m", stdin=text + "\n").stdout.splitlines() == lines
    kept = run("predict", place / "m", place / "dev.conllu", "--from", "tags", "--threads", 2).stdout
    assert [line.split("\t")[3:6] for line in kept.splitlines() if line[:1].isdecimal()] == [
        row[3:6] for sentence in gold for row in sentence.rows
    ]


def test_the_table_is_that_of_the_shared_task(place: Path, run: Run) -> None:
    table = run("evaluate", place / "m", place / "dev.conllu").stdout.splitlines()
    assert table[0] == "from words" and table[2].split() == ["Tokens", "100.00", "100.00", "100.00"]
    assert [line.split()[0] for line in table[2:15]][-3:] == ["CLAS", "MLAS", "BLEX"]
    told = json.loads(run("evaluate", place / "m", place / "dev.conllu", "--from", "tags", "--json").stdout)
    assert told["table"]["AllTags"]["f1"] == 1.0 and told["from"] == "tags"
    run("predict", place / "m", place / "dev.conllu", "-o", place / "said.conllu")
    other = run("evaluate", place / "said.conllu", place / "dev.conllu", "--task", "pipeline").stdout
    assert other.splitlines() == table[1:15]


def test_a_pipeline_without_a_parser_is_evaluated_too(place: Path, run: Run) -> None:
    few = ("--prefer", "speed", "--folds", "2", "--stages", "upos")
    run("train", "pipeline", place / "train.conllu", "-o", place / "tags", *few)
    table = run("evaluate", place / "tags", place / "dev.conllu").stdout.splitlines()
    assert [line.split()[0] for line in table[2:6]] == ["Tokens", "Sentences", "Words", "UPOS"]
    assert not any(line.startswith(("UAS", "Lemmas")) for line in table)


def test_it_says_what_it_is_and_draws_trees(place: Path, run: Run) -> None:
    page = run("info", place / "m").stdout
    assert "pipeline of 3 stages, for speed, jackknifed in 2 parts" in page and "sees form upos feats" in page
    assert set(json.loads(run("info", place / "m", "--json").stdout)["stages"]) == {
        "upos+xpos+feats",
        "lemma",
        "parser",
    }
    assert "root" in run("show", place / "m", "dogs bark").stdout


@pytest.mark.parametrize(
    ("args", "said"),
    [
        (["predict", "m", "dev.conllu", "--from", "text"], "has no segmenter; give it words (--from words)"),
        (["evaluate", "m", "dev.conllu", "--from", "text"], "has no segmenter; give it words"),
        (["predict", "m", "dev.conllu", "--kbest", "2", "--stage", "lemma"], "no other readings; choose"),
        (["predict", "m", "dev.conllu", "--stage", "upos"], "--stage is for --kbest"),
        (["predict", "m", "dev.conllu", "--confidence"], "never calibrated"),
        (["predict", "m", "dev.conllu", "--search", "greedy"], "--search is for models of one task"),
        (
            ["train", "pipeline", "dev.conllu", "-o", "x", "--stages", "weather"],
            "stages ('weather',) are not",
        ),
        (["train", "pipeline", "dev.conllu", "-o", "-"], "a model cannot go to standard output"),
        (["train", "pipeline", "dev.conllu", "-o", "dev.conllu"], "would overwrite TRAIN"),
    ],
)
def test_what_is_not_possible_is_said_in_one_line(place: Path, run: Run, args: list[str], said: str) -> None:
    files = [str(place / arg) if arg in ("m", "dev.conllu", "x") else arg for arg in args]
    (line,) = run(*files, check=1).stderr.splitlines()
    assert said in line


def test_gold_that_is_no_conllu_is_refused(place: Path, run: Run) -> None:
    (place / "gold.txt").write_text("The/DT dog/NN barks/VBZ\n")
    done = run("evaluate", place / "m", place / "gold.txt", "--from", "words", check=1)
    assert "gold.txt:1: a pipeline is scored on CoNLL-U, and this is not; give a treebank" in done.stderr
    (place / "gold.txt").unlink()


def test_info_passes_over_a_recipe_that_no_pipeline_has(place: Path, run: Run) -> None:
    header, arrays = read_archive(place / "m")
    header["about"]["recipe"] = {"epochs": 1}
    write_archive(place / "odd", header, arrays)
    assert run("info", place / "odd").stdout.replace("odd", "m") == run("info", place / "m").stdout
    (place / "odd").unlink()


def test_a_stage_that_sees_nothing_is_refused(place: Path, run: Run) -> None:
    header, arrays = read_archive(place / "m")
    header["stages"][0][1] = []
    write_archive(place / "odd", header, arrays)
    done = run("predict", place / "odd", place / "dev.conllu", check=1)
    assert "odd: the model cannot be used (its stage upos+xpos+feats sees nothing)" in done.stderr
    (place / "odd").unlink()


def test_names_are_learned_found_and_scored(run: Run, tmp_path: Path) -> None:
    sentences = treebank(60)
    write(sentences, tmp_path / "train.conllu")
    rows = [[f"{word}\t{'B-X' if len(word) > 4 else 'O'}" for word in s.words()] for s in sentences]
    (tmp_path / "names.tsv").write_text("".join("\n".join(each) + "\n\n" for each in rows))
    text = sentences[0].comments[0].removeprefix("# text = ")
    (tmp_path / "more.jsonl").write_text(json.dumps({"text": text, "spans": []}) + "\n{}\n")
    command = ["train", "pipeline", tmp_path / "train.conllu", "-o", tmp_path / "m", "--prefer", "speed"]
    names = f"{tmp_path / 'names.tsv'},{tmp_path / 'more.jsonl'}"
    refused = run(*command, "--folds", "2", "--names", names, check=1).stderr
    assert 'more.jsonl:2: there is no "text"; fix the line or pass --skip-bad' in refused
    done = run(*command, "--folds", "2", "--names", names, "--skip-bad", "--restart")
    assert "names.tsv: 60 sentences or texts with names" in done.stderr
    assert "parser, names" in done.stderr
    said = run("predict", tmp_path / "m", text).stdout
    assert "|NER=B-X" in said
    table = run("evaluate", tmp_path / "m", tmp_path / "names.tsv", "--from", "words").stdout.splitlines()
    assert table[0] == "from words" and table[2].split()[:4] == ["type", "precision", "recall", "F1"]
    assert [line.split()[0] for line in table[3:5]] == ["X", "all"] and float(table[4].split()[3]) > 80
    (tmp_path / "said.conllu").write_text(said)
    told = json.loads(run("evaluate", tmp_path / "m", tmp_path / "said.conllu", "--json").stdout)
    assert told["names"]["f1"] == told["table"]["LAS"]["f1"] == 1.0
    assert "names" in run("info", tmp_path / "m").stdout
    assert_gold_may_be_names_alone_or_have_none(run, tmp_path, text)
    missing = run(*command, "--names", tmp_path / "none.tsv", "--restart", check=1).stderr
    assert "none.tsv: no such file or directory; check the path" in missing


def assert_gold_may_be_names_alone_or_have_none(run: Run, place: Path, text: str) -> None:
    word = max(text.split(), key=len).strip(".")
    spans = [{"start": text.index(word), "end": text.index(word) + len(word), "label": "X"}]
    (place / "spans.jsonl").write_text((json.dumps({"text": text, "spans": spans}) + "\n") * 4)
    for file in ("names.tsv", "spans.jsonl"):
        told = run("evaluate", place / "m", place / file, "--report").stdout
        assert "== names" in told and "== upos" not in told and "B-X" in told
        run("calibrate", place / "m", place / file, "-o", place / "sure")
        assert "ConfNames=" in (sure := run("predict", place / "sure", text, "--confidence").stdout)
        assert "ConfUpos" not in sure
    assert "== names" not in run("evaluate", place / "m", place / "train.conllu", "--report").stdout
    run("calibrate", place / "m", place / "train.conllu", "-o", place / "sure")
    sure = run("predict", place / "sure", text, "--confidence").stdout
    assert "ConfNames" not in sure and "ConfParser=" in sure


def test_predictions_keep_to_a_dictionary_and_to_what_is_given(run: Run, tmp_path: Path) -> None:
    path, words = tmp_path / "my.tsv", tmp_path / "words.conllu"
    rows = [[str(i), word, *["_"] * 8] for i, word in enumerate(["I", "saw", "her", "duck"], 1)]
    rows[3][3] = "VERB"
    path.write_text("duck\tVERB\nBlue Sky\tORG\nher\tPRP\tweight=0\n")
    text = "I saw her duck in Blue Sky."
    said = json.loads(run("predict", "en", text, "--dictionary", path, "--output-format", "json").stdout)
    entities = [each for sentence in said["sentences"] for each in sentence["entities"]]
    assert [each["label"] for each in entities] == ["ORG"]
    words.write_text("".join("\t".join(row) + "\n" for row in rows) + "\n")
    kept = ("--from", "words", "--given", "upos", "--kbest", 3, "--stage", "upos")
    printed = run("predict", "en", words, *kept).stdout.splitlines()
    rows = [line.split("\t") for line in printed if line.startswith("4\t")]
    assert len(rows) == 3 and {row[3] for row in rows} == {"VERB"}


def test_names_go_round_through_an_annotation_tool(run: Run, tmp_path: Path) -> None:
    raw, todo, done = tmp_path / "raw.txt", tmp_path / "todo.jsonl", tmp_path / "done.jsonl"
    raw.write_text("He works for Acme, in Paris.\n\nThe dog barks.\n")
    run("select", "en", raw, "--budget", 2, "--output-format", "prodigy", "-o", todo)
    lines = [json.loads(line) for line in todo.read_text().splitlines()]
    (named,) = (line for line in lines if line["spans"])
    assert named["text"] == "He works for Acme, in Paris."  # blanks are where they were
    assert [named["text"][each["start"] : each["end"]] for each in named["spans"]] == ["Paris"]
    named["spans"].insert(0, {"start": 13, "end": 17, "label": "ORG"})
    done.write_text("".join(json.dumps(line) + "\n" for line in lines))
    assert run("correct", "en", done, "-o", tmp_path / "new").stdout.startswith(
        "== names\n1 of 1 correction holds"
    )
    said = run("evaluate", tmp_path / "new", done, "--against", "en").stdout
    assert (
        "== names" in said and "1 outputs differ: 1 are better, 0 are worse" in said and "== upos" not in said
    )
    refused = run("select", "en", raw, "--output-format", "nope", check=1).stderr
    assert "--output-format nope is not for pipeline; use one of conllu, json" in refused


def test_words_without_blanks_between_them_stay_together_for_annotation_tools(
    run: Run, tmp_path: Path
) -> None:
    words = tmp_path / "words.conllu"
    rows = ["1\tIt\t_", "2-3\tdon't\t_", "2\tdo\t_", "3\tnot\t_", "4\thelp\t_", "5\tAcme\t_", "6\t.\t_"]
    lines = [
        f"{row}{chr(9)}{chr(9).join('_' * 6)}\t{'SpaceAfter=No' if row[0] == '5' else '_'}" for row in rows
    ]
    words.write_text("\n".join(lines) + "\n\n")
    said = run("predict", "en", words, "--from", "words", "--output-format", "doccano").stdout
    assert json.loads(said)["text"] == "It don't help Acme."
