"""train, predict, evaluate, show and info of a parser by a graph, by real processes."""

from __future__ import annotations

import json
import re
import xml.etree.ElementTree as ElementTree

import numpy as np
import pytest

from structron.io import Format, Sentence, read, tree_of, with_tree, write
from structron.synthetic import generate_treebank

FAST = ("--system", "graph", "--templates", "graph_fast_tags", "--epochs", 2)
WORDS = "the/DT dog/NN saw/VBD her/PRP ./."
GOLD = "2:det 3:nsubj 0:root 3:obj 3:punct"


@pytest.fixture(scope="module")
def treebank(tmp_path_factory):
    folder = tmp_path_factory.mktemp("treebank")
    rng = np.random.default_rng(11)
    for part, count in (("train", 150), ("dev", 30)):
        trees = generate_treebank(count, rng)
        made = [with_tree(Sentence.of(t.words, t.tags, Format("conllu")), (t.heads, t.labels)) for t in trees]
        write(made, folder / f"{part}.conllu")
    return folder


@pytest.fixture(scope="module")
def model(run, treebank):
    """Second order, so that items of a cell compete; one epoch, so that gold falls out now and then."""
    path = treebank / "graph.model"
    done = run(
        *("train", "parsing", treebank / "train.conllu", "--dev", treebank / "dev.conllu", "-o", path),
        *("--system", "graph", "--epochs", 1, "--search", "forest:2"),
    )
    assert "150 sentences" in done.stderr and "relations" in done.stderr
    return path


def test_predicted_trees_replace_heads_and_relations_alone(run, treebank, model, tmp_path):
    out = tmp_path / "out.conllu"
    run("predict", model, treebank / "dev.conllu", "-o", out)
    gold, guess = (treebank / "dev.conllu").read_text(), out.read_text()
    assert run("predict", model, "-", "--threads", 2, stdin=gold).stdout == guess
    for a, b in zip(gold.split("\n"), guess.split("\n"), strict=True):
        assert a.split("\t")[:6] == b.split("\t")[:6]
    for sentence in read(out):
        tree_of(sentence)
    figures = json.loads(run("evaluate", model, treebank / "dev.conllu", "--json").stdout)
    assert figures["uas"] > 0.8 and 0.7 < figures["las"] <= figures["uas"]
    assert figures["search"] == "forest:2"
    compared = run("evaluate", out, treebank / "dev.conllu", "--task", "parsing", "--json")
    assert json.loads(compared.stdout)["las"] == figures["las"]
    exact = run("evaluate", model, treebank / "dev.conllu", "--json", "--search", "forest")
    assert json.loads(exact.stdout)["search"] == "forest"


def test_ranks_and_scores_stand_in_comments(run, treebank, model):
    said = run("predict", model, treebank / "dev.conllu", "--kbest", 3).stdout
    assert said.count("# rank = 1\n") == said.count("# rank = 3\n") == 30 and "# score = " in said


def test_show_draws_the_tree_and_the_chart(run, treebank, model, tmp_path):
    """Every line fits into 80 columns, every cell of gold is there, and each method has its line."""
    picture = tmp_path / "tree.svg"
    fallen = left_out = 0
    for number in (*range(1, 7), 13, 15):
        options = ("--input", treebank / "dev.conllu", "--sentence", number, "--svg", picture)
        said = run("show", model, *options).stdout
        assert max(map(len, said.splitlines())) <= 80
        words = len(list(read(treebank / "dev.conllu"))[number - 1])
        tree, _, rest = said.partition("\n\n")
        assert len(tree.splitlines()) == words and "search forest:2" in rest
        cells, _, overview = rest.partition("cell  ")
        lines, _, methods = overview.partition("\n\n")
        if "gold cannot be built: an arc of it was left out before the search" in lines:
            left_out += 1
            continue
        assert f"C> 0-{words} ROOT…" in cells and f"\nC> 0-{words} ROOT…" in lines
        assert [line.split()[0] for line in methods.splitlines()[1:] if line[:1] != " "] == [
            *("standard", "skip", "early", "hybrid", "latest", "max-violation", "parallel")
        ]
        heads = [line for line in cells.splitlines() if re.match("[AIC][<>] [0-9]", line)]
        listed = lines.splitlines()[1:]
        assert [line.split()[:2] for line in listed] == [line.split()[:2] for line in heads]
        for line, head in zip(listed, heads):  # the overview may cut long words
            assert head.startswith(line.split("…")[0])
        wrong = "✗ gold" in tree
        assert wrong <= ("gold falls out" in cells) and wrong <= ("gold falls out" in lines)
        assert ("◀ " in cells) == ("◀ " in lines) == any(w in methods for w in ("valid", "invalid"))
        assert not wrong or ("standard        none" not in methods and "◀ " in cells)
        fallen += wrong
        ElementTree.parse(picture)
    assert left_out <= 2
    assert fallen, "otherwise this test sees nothing"


def test_show_without_gold_has_the_cells_of_the_best_tree(run, model):
    said = run("show", model, WORDS).stdout
    assert "C> 0-5 ROOT…." in said and "gold" not in said and " of " in said
    plain = run("show", model, WORDS, "--no-steps").stdout
    assert "root" in plain and "C> 0-5" not in plain
    with_gold = run("show", model, WORDS, "--gold", GOLD, "--no-steps").stdout
    assert "max-violation" in with_gold and "gold is best" in with_gold
    one = run("show", model, "dogs/NNS", "--gold", "0:root").stdout
    assert "C> 0-1 ROOT…dogs" in one
    for gold, what in (("0:root 0:root", "a tree has one root"), ("2:det 1:root", "no word has head 0")):
        refused = run("show", model, "the/DT dog/NN", "--gold", gold, check=1).stderr
        assert what in refused and refused.count("\n") == 1
    refused = run("show", model, WORDS, "--search", "beam:4", check=1).stderr
    assert "search beam:4: system graph is searched over a chart; use forest:4" in refused


def test_info_tells_what_the_parser_is(run, treebank, model):
    said = run("info", model).stdout
    for text in (
        "parsing, graph, of order 2, one root",
        "search forest:2",
        "graph_tags: ",
        "changed     epochs 1, search forest:2, system graph",
        "learner perceptron:margin=30",
    ):
        assert text in said
    about = json.loads(run("info", model, "--json").stdout)
    assert about["system"] == "graph" and about["order"] == 2 and "transitions" not in about
    # What the pruner leaves of the dev set is what evaluate counts there.
    left = json.loads(run("evaluate", model, treebank / "dev.conllu", "--json").stdout)["pruner"]
    assert left["gold"] < left["words"]
    assert about["pruner"] == {
        "kind": "log-linear",
        "heads": 10,
        "ratio": 0.02,
        "left": {"on": "dev", **left},
    }
    (line,) = re.findall(r"pruner +(.*)", " ".join(said.split("\nexperts")[0].split()))
    assert line.startswith(
        "log-linear, at most 10 heads for each word and none less probable than 0.02 times the best; "
    )
    kept = 100 * left["gold"] / left["words"]
    assert f"leaves {kept:.2f} % of the gold arcs of the development set, and" in line
    assert about["chosen"] == {
        "cut": 0,
        "learner": "perceptron:margin=30",
        "search": "forest:2",
        "templates": "graph_tags",
    }


def test_one_file_takes_plain_words_to_trees(run, treebank, tmp_path):
    path = tmp_path / "pipeline.model"
    run("train", "parsing", treebank / "train.conllu", "-o", path, *FAST, "--tagger", "jackknife:2")
    out = run("predict", path, stdin="the dog saw her .\n").stdout
    rows = [line.split("\t") for line in out.splitlines() if line]
    assert [row[1] for row in rows] == ["the", "dog", "saw", "her", "."]
    assert rows[0][3] == "DT" and all(row[6].isdecimal() for row in rows)
    assert "C> 0-3" in run("show", path, "the dog barks").stdout


def test_a_recipe_file_makes_the_same_model(run, treebank, tmp_path):
    recipe = tmp_path / "r.toml"
    recipe.write_text('system = "graph"\ntemplates = "graph_fast_tags"\nepochs = 2\n')
    for name, options in (("a", FAST), ("b", ("--recipe", recipe))):
        run("train", "parsing", treebank / "train.conllu", "-o", tmp_path / name, *options)
    assert (tmp_path / "a").read_bytes() == (tmp_path / "b").read_bytes()


@pytest.mark.parametrize("schedule", [("--batch", 8), ("--shards", 3)], ids=str)
def test_threads_change_no_byte(run, treebank, tmp_path, schedule):
    for name, threads in (("a", 1), ("b", 2)):
        files = (treebank / "train.conllu", "-o", tmp_path / name)
        run("train", "parsing", *files, *FAST, *schedule, "--threads", threads)
    assert (tmp_path / "a").read_bytes() == (tmp_path / "b").read_bytes()


def test_training_goes_on_with_more_epochs(run, treebank, tmp_path):
    files = (treebank / "train.conllu", "-o", tmp_path / "m")
    run("train", "parsing", *files, *FAST, "--keep-checkpoint")
    run("train", "parsing", *files, *FAST, "--epochs", 4, "--resume")
    run("train", "parsing", treebank / "train.conllu", "-o", tmp_path / "n", *FAST, "--epochs", 4)
    assert (tmp_path / "m").read_bytes() == (tmp_path / "n").read_bytes()


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (("--search", "beam:8"), "search beam:8: system graph is searched over a chart; use forest:4"),
        (("--search", "exact"), "search exact: system graph is searched over a chart; use forest:4"),
        (("--oracle", "dynamic"), "there is no dynamic oracle for graph"),
        (("--update", "laso"), "laso goes on from one bin to the next"),
        (("--templates", "rich"), "templates rich are over states of transition systems"),
        (("--roots", "two"), "roots = 'two' is not known; use one of one, many"),
        (("--system", "swap"), "templates graph_fast_tags are over parts of trees, not for system swap"),
        (("--system", "graphs"), "system = 'graphs' is not known"),
    ],
)
def test_choices_that_make_no_sense_are_refused_before_the_data_are_read(run, tmp_path, options, said):
    done = run("train", "parsing", tmp_path / "none", "-o", tmp_path / "m", *FAST, *options, check=1)
    assert said in done.stderr and done.stderr.count("\n") == 1


def test_crossing_arcs_and_two_roots_are_answered_or_told(run, treebank, tmp_path):
    def rows(heads):
        words = ["a", "hearing", "is", "scheduled", "on", "it"][: len(heads)]
        columns = (f"{i}\t{w}\t_\tX\t_\t_\t{h}\tdep" for i, (w, h) in enumerate(zip(words, heads), 1))
        return "".join(f"{row}\t_\t_\n" for row in columns) + "\n"

    crossed, rooted = rows([2, 4, 4, 0, 6, 2]), rows([0, 0])
    data, model = tmp_path / "t.conllu", tmp_path / "m"
    data.write_text(crossed * 3 + (treebank / "train.conllu").read_text())
    arguments = ("train", "parsing", data, "-o", model, *FAST)
    run(*arguments)
    said = run("info", model).stdout
    assert "arcs cross in 3 of 153 training trees" in said and "dep|dep" in said
    assert "of the gold arcs of its training data, and" in " ".join(said.split())
    refused = run(*arguments, "--crossing", "refuse", "--restart", check=1).stderr
    assert "t.conllu:1: " in refused and "crossing arcs" in refused.splitlines()[-1]
    data.write_text(rooted + (treebank / "train.conllu").read_text())
    refused = run(*arguments, check=1).stderr
    assert "t.conllu:2: words 1 and 2 both have head 0" in refused
    run(*arguments, "--roots", "many")
    assert "graph, of order 1, any number of roots" in run("info", model).stdout
