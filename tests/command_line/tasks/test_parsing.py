"""train, predict, evaluate, show and info of a parser, on a small treebank, by real processes."""

from __future__ import annotations

import json
import xml.etree.ElementTree as ElementTree

import numpy as np
import pytest

from structron.io import Format, Sentence, read, tree_of, with_tree, write
from structron.synthetic import generate_treebank


@pytest.fixture(scope="module")
def treebank(tmp_path_factory):
    """train and dev as CoNLL-U with comments and ranges, and as word, tag, head."""
    folder = tmp_path_factory.mktemp("treebank")
    rng = np.random.default_rng(11)
    for part, count in (("train", 150), ("dev", 30)):
        trees = generate_treebank(count, rng)
        made = []
        for i, tree in enumerate(trees):
            sentence = Sentence.of(tree.words, tree.tags, Format("conllu"))
            sentence.comments = [f"# sent_id = {part}-{i}"]
            made.append(with_tree(sentence, (tree.heads, tree.labels)))
        write(made, folder / f"{part}.conllu")
        rows = [[list(map(str, row)) for row in zip(t.words, t.tags, t.heads)] for t in trees]
        text = "\n".join("".join("\t".join(row) + "\n" for row in sentence) for sentence in rows)
        (folder / f"{part}.tsv").write_text(text + "\n")
    return folder


@pytest.fixture(scope="module")
def model(run, treebank):
    path = treebank / "parser.model"
    options = ("--dev", treebank / "dev.conllu", "--epochs", 3, "--search", "beam:4")
    done = run("train", "parsing", treebank / "train.conllu", "-o", path, *options)
    assert "150 sentences" in done.stderr and "relations" in done.stderr
    return path


@pytest.fixture(scope="module")
def pipeline(run, treebank):
    path = treebank / "pipeline.model"
    done = run(
        *("train", "parsing", treebank / "train.conllu", "-o", path),
        *("--epochs", 2, "--search", "greedy", "--tagger", "jackknife:2"),
    )
    stages = [line for line in done.stderr.splitlines() if line.startswith("tagger")]
    assert stages == ["tagger upos, fold 1 of 2", "tagger upos, fold 2 of 2", "tagger upos, all data"]
    return path


def test_predicted_trees_replace_heads_and_relations_alone(run, treebank, model, tmp_path):
    out = tmp_path / "out.conllu"
    run("predict", model, treebank / "dev.conllu", "-o", out)
    gold, guess = (treebank / "dev.conllu").read_text(), out.read_text()
    assert run("predict", model, "-", stdin=gold).stdout == guess
    right = words = 0
    for a, b in zip(gold.split("\n"), guess.split("\n"), strict=True):
        if "\t" not in a:
            assert a == b
            continue
        x, y = a.split("\t"), b.split("\t")
        assert x[:6] + x[8:] == y[:6] + y[8:]
        right, words = right + (x[6] == y[6]), words + 1
    figures = json.loads(run("evaluate", model, treebank / "dev.conllu", "--json").stdout)
    assert figures["uas"] == right / words > 0.8
    assert 0.7 < figures["las"] <= figures["uas"] and 0 < figures["clas"] < 1
    assert figures["tokens"] == words and sum(r["gold"] for r in figures["relations"].values()) == words
    for sentence in read(out):
        tree_of(sentence)


def test_beams_with_dynamic_programming_train_and_decode(run, treebank, model, tmp_path):
    path = tmp_path / "dp.model"
    run("train", "parsing", treebank / "train.conllu", "-o", path, "--epochs", 2, "--search", "dp:4")
    assert "dp:4" in run("info", path).stdout
    for trained, search in ((path, "beam:4"), (model, "dp:4")):
        done = run("evaluate", trained, treebank / "dev.conllu", "--json", "--search", search)
        assert json.loads(done.stdout)["uas"] > 0.7
    shown = run("show", path, "--input", treebank / "dev.conllu").stdout
    assert "search dp:4" in shown and "gold" in shown
    done = run("predict", path, treebank / "dev.conllu", "--kbest", 3, check=1)
    assert "search dp:4 ends with one state" in done.stderr


def test_evaluate_says_it_to_people_too(run, treebank, model):
    said = run("evaluate", model, treebank / "dev.conllu", "--confusions", 2).stdout
    for word in ("UAS", "LAS", "CLAS", "without punctuation", "relation", "guess", "beam:4"):
        assert word in said


def test_ranks_and_scores_stand_in_comments(run, treebank, model):
    said = run("predict", model, treebank / "dev.conllu", "--kbest", 2).stdout
    assert said.count("# rank = 1\n") == 30 and said.count("# rank = 2\n") <= 30 and "# score = " in said


def test_show_draws_the_tree_and_the_beam(run, treebank, model, tmp_path):
    picture = tmp_path / "tree.svg"
    said = run("show", model, "--input", treebank / "dev.conllu", "--sentence", 2, "--svg", picture).stdout
    assert "─" in said and "step 1  shift" in said and "max-violation" in said
    assert max(map(len, said.splitlines()[: said.splitlines().index("")])) <= 80
    ElementTree.parse(picture)
    plain = run("show", model, "the/DT dog/NN saw/VBD her/PRP ./.", "--no-steps").stdout
    assert "root" in plain and "step 1 " not in plain
    gold = "2:det 3:nsubj 0:root 3:obj 3:punct"
    assert "max-violation" in run("show", model, "the/DT dog/NN saw/VBD her/PRP ./.", "--gold", gold).stdout
    refused = run("show", model, "the dog", check=1).stderr
    assert "write word/tag" in refused


def test_info_tells_what_the_parser_is(run, model, pipeline):
    said = run("info", model).stdout
    for word in ("parsing, arc-standard", "relations", "crossing", "columns"):
        assert word in said
    about = json.loads(run("info", pipeline, "--json").stdout)
    assert about["task"] == "parsing" and list(about["taggers"]) == ["upos"]


def test_one_file_takes_plain_words_to_trees(run, treebank, pipeline):
    out = run("predict", pipeline, stdin="the dog saw her .\n").stdout
    rows = [line.split("\t") for line in out.splitlines() if line]
    assert [row[1] for row in rows] == ["the", "dog", "saw", "her", "."]
    assert rows[0][3] == "DT" and all(row[6].isdecimal() for row in rows)
    figures = json.loads(run("evaluate", pipeline, treebank / "dev.conllu", "--json").stdout)
    assert figures["tags"]["upos"] > 0.6 and figures["uas"] > 0.5
    assert "the dog" not in run("show", pipeline, "the dog barks", "--no-steps").stderr


def test_word_tag_head_files_make_an_unlabelled_parser(run, treebank, tmp_path):
    model = tmp_path / "m"
    run("train", "parsing", treebank / "train.tsv", "-o", model, "--epochs", 2, "--search", "beam:2")
    out = run("predict", model, treebank / "dev.tsv").stdout
    gold = (treebank / "dev.tsv").read_text()
    assert [line.split("\t")[:2] for line in out.splitlines()] == [
        line.split("\t")[:2] for line in gold.splitlines()
    ]
    assert all(line.count("\t") in (0, 2) for line in out.splitlines())
    tagged = "\n".join(line.rpartition("\t")[0] for line in gold.splitlines()) + "\n"
    assert run("predict", model, "-", "--format", "columns", stdin=tagged).stdout.strip() == out.strip()
    figures = json.loads(run("evaluate", model, treebank / "dev.tsv", "--json").stdout)
    assert figures["uas"] > 0.8 and not figures["labelled"]


@pytest.mark.parametrize(
    ("heads", "said"),
    [
        ("2 3 1", "bad.conllu:1: no word has head 0"),
        ("0 3 2", "bad.conllu:2: words 2 and 3 form a cycle"),
        ("0 1 9", "bad.conllu:3: word 3 has head 9 but the sentence has 3 words"),
        ("0 0 1", "bad.conllu:2: words 1 and 2 both have head 0"),
        ("0 x 1", "bad.conllu:2: head 'x' of word 2 (w) is not a whole number"),
    ],
)
def test_bad_trees_are_refused_with_file_and_line(run, treebank, tmp_path, heads, said):
    bad = tmp_path / "bad.conllu"
    rows = [f"{i}\tw\t_\tX\t_\t_\t{head}\tdep\t_\t_\n" for i, head in enumerate(heads.split(), 1)]
    bad.write_text("".join(rows) + "\n" + (treebank / "train.conllu").read_text())
    arguments = ("train", "parsing", bad, "-o", tmp_path / "m", "--epochs", 1, "--search", "greedy")
    done = run(*arguments, check=1)
    counted, refused = done.stderr.splitlines()
    assert "151 sentences" in counted and said in refused
    done = run(*arguments, "--skip-bad")
    assert "left out 1 bad sentence; the first: " in done.stderr and said in done.stderr


def test_options_of_other_tasks_are_refused(run, treebank, tmp_path):
    done = run("train", "parsing", treebank / "train.conllu", "-o", tmp_path / "m", "--order", 1, check=2)
    assert "--order is an option of tagging and translation, not of parsing; see" in done.stderr
    done = run(
        "train", "tagging", treebank / "train.conllu", "-o", tmp_path / "m", "--system", "swap", check=2
    )
    assert "--system is an option of parsing, translation and segmentation, not of tagging" in done.stderr


def test_a_dictionary_is_refused_and_not_passed_over(run, model, treebank, tmp_path):
    words = tmp_path / "words.tsv"
    words.write_text("the\tDT\n")
    done = run("predict", model, treebank / "dev.conllu", "--dictionary", words, check=1)
    assert done.stderr == "structron: --dictionary is not for parsing; leave it out\n"


def test_a_parser_with_several_taggers_is_as_good_from_its_file(run, treebank, tmp_path):
    """The columns are named so that their order is not that of the alphabet."""
    for part in ("train", "dev"):
        made = []
        for sentence in read(treebank / f"{part}.conllu"):
            tags = sentence.column("upos")
            made.append(
                sentence.with_column("xpos", [f"{tag}-{len(tag)}" for tag in tags]).with_column(
                    "upos", [t[0] for t in tags]
                )
            )
        write(made, tmp_path / f"{part}.conllu")
    path = tmp_path / "j.model"
    done = run(
        *("train", "parsing", tmp_path / "train.conllu", "--dev", tmp_path / "dev.conllu", "-o", path),
        *("--templates", "rich", "--tagger", "jackknife:2", "--epochs", 2),
    )
    assert [line for line in done.stderr.splitlines() if "is empty in all training data" in line] == [
        "warning: templates rich read feats and lemma, but that is empty in all training data; "
        "choose others, or auto"
    ]
    about = json.loads(run("info", path, "--json").stdout)
    assert set(about["taggers"]) == {"upos", "xpos"} and about["chosen"]["templates"] == "rich"
    figures = json.loads(run("evaluate", path, tmp_path / "dev.conllu", "--json").stdout)
    assert figures["las"] == pytest.approx(max(epoch["dev_score"] for epoch in about["epochs"]))
    told = " ".join(run("info", path).stdout.split())
    assert "templates rich, cut 0, search beam:8+within=200, learner perceptron:margin=30" in told


def test_an_unlabelled_parser_asks_for_no_relations(run, treebank, tmp_path):
    def without(part: str) -> str:
        lines = (treebank / f"{part}.conllu").read_text().split("\n")
        return "\n".join(line.replace("\tdet\t", "\t_\t") for line in lines)

    for part in ("train", "dev"):
        assert "\t_\t_\t_" in without(part)
        (tmp_path / f"{part}.conllu").write_text(without(part))
    files = (tmp_path / "train.conllu", "--dev", tmp_path / "dev.conllu", "-o", tmp_path / "m")
    refused = run("train", "parsing", *files, check=1)
    assert "has no relation where others have one" in refused.stderr
    run("train", "parsing", *files, "--epochs", 1, "--search", "greedy", "--unlabelled")
    recipe = tmp_path / "r.toml"
    recipe.write_text("labelled = false\nepochs = 1\n")
    run("train", "parsing", *files, "--recipe", recipe)
    told = run("evaluate", tmp_path / "m", tmp_path / "dev.conllu").stdout
    assert told.startswith("UAS") and "LAS" not in told
    run("show", tmp_path / "m", "--input", tmp_path / "dev.conllu", "--no-steps")
    left = run("predict", tmp_path / "m", tmp_path / "dev.conllu", "--skip-bad")
    assert not left.stderr
