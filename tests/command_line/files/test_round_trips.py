"""train, predict, evaluate, info and show go together, in every format, plain, packed and through pipes."""

from __future__ import annotations

import gzip
import json
from itertools import pairwise
from pathlib import Path

import pytest

SUFFIXES = {"conllu": ".conllu", "columns": ".tsv", "slash": ".txt"}


@pytest.mark.parametrize("name", SUFFIXES)
def test_what_goes_out_looks_like_what_came_in(name, run, folder, models, tmp_path):
    source = folder / f"dev{SUFFIXES[name]}"
    out = tmp_path / f"out{SUFFIXES[name]}"
    done = run("predict", models[name], source, "-o", out)
    assert done.stdout == ""
    piped = run("predict", models[name], "-", stdin=source.read_text())
    assert piped.stdout == out.read_text()
    gold, guess = source.read_text().split("\n"), out.read_text().split("\n")
    assert len(gold) == len(guess)
    figures = json.loads(run("evaluate", models[name], source, "--json").stdout)
    assert figures["sentences"] == 40
    pairs = list(_labels(gold, guess, name))
    assert figures["accuracy"] == sum(a == b for a, b in pairs) / len(pairs) > 0.6
    assert figures["tokens"] == len(pairs)


def _labels(gold, guess, name):
    for a, b in zip(gold, guess):
        if name == "slash":
            for x, y in zip(a.split(), b.split()):
                assert x.rpartition("/")[0] == y.rpartition("/")[0]
                yield x.rpartition("/")[2], y.rpartition("/")[2]
        elif a:
            column = 3 if name == "conllu" else 1
            x, y = a.split("\t"), b.split("\t")
            assert x[:column] + x[column + 1 :] == y[:column] + y[column + 1 :]
            yield x[column], y[column]


def test_packed_files_are_read_and_written(run, folder, models, tmp_path):
    packed = tmp_path / "out.conllu.gz"
    run("predict", models["conllu"], folder / "dev.conllu.gz", "-o", packed)
    plain = run("predict", models["conllu"], folder / "dev.conllu").stdout
    assert gzip.decompress(packed.read_bytes()).decode() == plain
    retrained = tmp_path / "m"
    run("train", "tagging", folder / "train.conllu.gz", "-o", retrained, "--epochs", 3, "--order", 1)
    assert retrained.read_bytes() == models["conllu"].read_bytes()


def test_comments_ranges_and_empty_nodes_survive(run, models):
    text = (
        "# sent_id = 1\n1-2\tdu\t_\t_\t_\t_\t_\t_\t_\t_\n1\tde\t_\t_\t_\t_\t_\t_\t_\t_\n"
        "2\tle\t_\t_\t_\t_\t_\t_\t_\t_\n2.1\tx\t_\t_\t_\t_\t_\t_\t_\t_\n\n"
    )
    out = run("predict", models["conllu"], stdin=text).stdout
    lines = out.split("\n")
    assert lines[0] == "# sent_id = 1"
    assert [line.split("\t")[0] for line in lines[1:5]] == ["1-2", "1", "2", "2.1"]
    assert lines[1].split("\t")[3] == "_" != lines[2].split("\t")[3]


def test_plain_words_get_their_tags(run, models):
    for name in ("conllu", "columns"):
        out = run("predict", models[name], stdin="the dog saw her .\n\nshe ran .\n").stdout
        lines = out.splitlines()
        assert [token.rpartition("/")[0] for token in lines[0].split()] == ["the", "dog", "saw", "her", "."]
        assert len(lines) == 3 and lines[1] == "", "line in, line out"
        assert (
            out
            == run(
                "predict", models[name], "-", "--format", "text", stdin="the dog saw her .\n\nshe ran .\n"
            ).stdout
        )


def test_words_with_slashes_are_words_in_text(run, models):
    out = run("predict", models["slash"], "-", "--format", "text", stdin="he and/or she ran .\n").stdout
    assert out.split()[1].startswith("and/or/")


def test_further_columns_are_read_also_where_the_labels_are_missing(run, folder, models):
    text = "the DT\ndog NN\nran VBD\n. .\n\n"
    out = run("predict", models["chunks"], "-", "--format", "columns", stdin=text).stdout
    assert [line.split(" ")[:2] for line in out.splitlines() if line] == [
        line.split(" ") for line in text.splitlines() if line
    ]
    assert [line.split(" ")[2] for line in out.splitlines()[:2]] == ["B-NP", "I-NP"]


def test_spans_are_scored_by_type(run, folder, models):
    figures = json.loads(run("evaluate", models["chunks"], folder / "chunks.txt", "--json").stdout)
    assert figures["f1"] == 1.0 and set(figures["types"]) == {"NP", "VP"}
    page = run("evaluate", models["chunks"], folder / "chunks.txt", "--confusions", 3).stdout
    assert "span F1" in page and "precision" in page and "NP" in page


def test_kbest_begins_with_the_best(run, folder, models):
    source = folder / "dev.txt"
    best = run("predict", models["slash"], source).stdout.splitlines()
    listed = run("predict", models["slash"], source, "--kbest", 3).stdout.splitlines()
    fields = [line.split("\t") for line in listed]
    assert [words for rank, _, words in fields if rank == "1"] == best
    assert all(float(a[1]) >= float(b[1]) for a, b in pairwise(fields) if b[0] != "1")
    conllu = run("predict", models["conllu"], folder / "dev.conllu", "--kbest", 2).stdout
    assert conllu.count("# rank = 2\n# score = ") > 0


def test_the_search_can_be_another(run, folder, models):
    greedy = json.loads(
        run("evaluate", models["slash"], folder / "dev.txt", "--json", "--search", "greedy").stdout
    )
    beam = json.loads(run("evaluate", models["slash"], folder / "dev.txt", "--json").stdout)
    assert (greedy["search"], beam["search"]) == ("greedy", "beam:4+within=40")
    assert greedy["signature"] == beam["signature"]
    same = run("predict", models["slash"], folder / "dev.txt", "--search", "beam:4+within=40").stdout
    assert same == run("predict", models["slash"], folder / "dev.txt").stdout


def test_info_tells_how_the_model_was_made(run, models):
    found = json.loads(run("info", models["conllu"], "--json").stdout)
    assert found["task"] == "tagging" and found["recipe"]["epochs"] == 3 and len(found["epochs"]) == 3
    assert found["signature"]["recipe"] and found["bytes"] == models["conllu"].stat().st_size
    page = run("info", models["conllu"]).stdout
    for what in ("labels", "templates", "recipe", "signature", "trained on  150 sentences"):
        assert what in page
    assert "\x1b" not in page


def test_flags_go_before_the_recipe(run, folder, tmp_path):
    recipe = tmp_path / "r.toml"
    recipe.write_text('epochs = 5\nsearch = "greedy"\nupdate = "early"\norder = 1\n')
    templates = tmp_path / "templates"
    templates.write_text("# words\nw[0]\n\nlsuffix(2)[0]\nt[-1]\n")
    model = tmp_path / "m"
    run(
        "train", "tagging", folder / "train.txt", "-o", model, "--recipe", recipe,
        "--epochs", 2, "--update", "max-violation", "--templates", templates, "--seed", 3, "--cut", 2,
        "--dictionary", 5, "--learner", "perceptron:plain", "--constraints", "none",
    )  # fmt: skip
    made = json.loads(run("info", model, "--json").stdout)
    wanted = {"epochs": 2, "search": "greedy", "update": "max_violation", "order": 1, "seed": 3, "cut": 2}
    assert wanted.items() <= made["recipe"].items()
    assert made["templates"] == ["w[0]", "lsuffix(2)[0]", "t[-1]"]
    assert made["dictionary_words"] > 0 and made["recipe"]["learner"] == "perceptron:plain"


def test_another_column_can_be_the_target(run, folder, tmp_path):
    model = tmp_path / "m"
    run(
        "train",
        "tagging",
        folder / "chunks.txt",
        "-o",
        model,
        "--columns",
        "form=0,pos=1",
        "--target",
        "pos",
        "--epochs",
        2,
    )
    assert "VBD" in json.loads(run("info", model, "--json").stdout)["labels"]


def test_bad_sentences_are_left_out_and_counted(run, folder, tmp_path):
    bad = tmp_path / "bad.tsv"
    bad.write_text(Path(folder / "train.tsv").read_text() + "a\tDT\nb\n\nc\tNN\td\n\ne\t\n\n")
    model = tmp_path / "m"
    refused = run("train", "tagging", bad, "-o", model, "--epochs", 1, check=1)
    assert "bad.tsv:" in refused.stderr and "--skip-bad" in refused.stderr and not model.exists()
    done = run("train", "tagging", bad, "-o", model, "--epochs", 1, "--skip-bad")
    assert "left out 3 bad sentences" in done.stderr
    assert json.loads(run("info", model, "--json").stdout)["trained_on"]["sentences"] == 150


def test_hidden_sub_labels_go_in_by_one_option_and_never_come_out(run, folder, tmp_path):
    model = tmp_path / "m"
    run("train", "tagging", folder / "train.tsv", "-o", model, "--epochs", 3, "--order", 1, "--hidden", 2)
    assert json.loads(run("info", model, "--json").stdout)["hidden"] == 2
    assert "2 sub-labels of each label" in run("info", model).stdout
    out = run("predict", model, folder / "dev.tsv").stdout
    assert not any(line.endswith((":1", ":2")) for line in out.split("\n"))
    drawn = run("show", model, "the dog saw the man").stdout
    assert any(line.startswith("hidden ") and ":" in line for line in drawn.split("\n"))
    refused = run("train", "parsing", folder / "train.conllu", "-o", model, "--hidden", 2, check=2)
    assert "--hidden is an option of tagging, not of parsing" in refused.stderr
