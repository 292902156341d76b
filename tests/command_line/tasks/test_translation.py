"""train, predict, evaluate, show, info and audit on parallel text, plain and through pipes."""

from __future__ import annotations

import json

import numpy as np
import pytest

WORDS = {
    "das": "the", "ein": "a", "haus": "house", "buch": "book", "kind": "child", "ist": "is", "war": "was",
    "klein": "small", "gross": "big", "neu": "new", "sehr": "very", "hier": "here",
}  # fmt: skip


def sentence(rng) -> str:
    parts = [("das", "ein"), ("haus", "buch", "kind"), ("ist", "war"), ("klein", "gross", "neu", "hier")]
    words = [str(rng.choice(each)) for each in parts]
    return " ".join([*words[:3], *(["sehr"] if rng.random() < 0.3 else []), words[3]])


@pytest.fixture(scope="module")
def bitext(tmp_path_factory):
    folder = tmp_path_factory.mktemp("bitext")
    rng = np.random.default_rng(4)
    for name, count in (("train", 120), ("dev", 20)):
        sources = [sentence(rng) for _ in range(count)]
        targets = [" ".join(WORDS[word] for word in source.split()) for source in sources]
        (folder / f"{name}.de").write_text("\n".join(sources) + "\n")
        (folder / f"{name}.en").write_text("\n".join(targets) + "\n")
    (folder / "other.en").write_text("the small\n" * 20)
    (folder / "some.en").write_text("the small\n\n" * 10)
    (folder / "blank").write_text("\n" * 20)
    return folder


@pytest.fixture(scope="module")
def model(bitext, run):
    done = run(
        "train", "translation", bitext / "train.de", bitext / "train.en",
        "--dev", bitext / "dev.de", bitext / "dev.en", "--reference", bitext / "some.en",
        "-o", bitext / "model", "--epochs", 1, "--tuning", 1, "--templates", "rules",
        "--search", "beam:5+merge",
    )  # fmt: skip
    assert f"{bitext / 'train.de'} and {bitext / 'train.en'}: 120 sentences" in done.stderr
    stages = [done.stderr.index(f"\n{each}\n") for each in ("alignment", "phrases", "language model")]
    assert stages == sorted(stages) and "phrase pairs" in done.stderr
    assert "\ntuning, BLEU " in done.stderr
    return bitext / "model"


def test_text_goes_in_and_text_comes_out_line_by_line(run, model, bitext, tmp_path):
    done = run("predict", model, stdin="das haus ist klein\n\nein blorp\n")
    assert done.stdout == "the house is small\n\na blorp\n"
    assert "1 word of the input is in no phrase of the model and copied: 'blorp' (1)" in done.stderr
    for threads in (1, 2):
        run("predict", model, bitext / "dev.de", "-o", tmp_path / f"{threads}", "--threads", threads)
    assert (tmp_path / "1").read_text() == (tmp_path / "2").read_text()
    odd = "das haus " * 100 + "\nein\x0bbuch\x0cist\x1b[0m\r\n"
    found = run("predict", model, stdin=odd).stdout.splitlines()
    assert sorted(set(found[0].split())) == ["house", "the"] and len(found[0].split()) == 200
    assert len(found) == 2 and found[1].split() == ["a", "book", "ist\x1b[0m"]
    # What is not a text is told, and with --skip-bad an empty line in its place, so that lines stay in step.
    broken = tmp_path / "broken"
    broken.write_bytes(b"das haus\nein\0buch\nein h\xe4us\nein buch\n")
    done = run("predict", model, broken, check=1)
    assert f"{broken}:2: there is a NUL character, which is not text; fix it, or pass" in done.stderr
    done = run("predict", model, broken, "--skip-bad")
    assert done.stdout == "the house\n\n\na book\n" and "left out 2 bad sentences" in done.stderr
    linked = run("predict", model, "--alignment", stdin="das haus ist klein\n\nein blorp\n").stdout
    assert linked == "the house is small\t0-0 1-1 2-2 3-3\n\na blorp\t0-0 1-1\n"
    done = run("predict", model, "--alignment", "--kbest", 2, check=1)
    assert "--alignment is of the best output alone; leave it or --kbest out" in done.stderr
    lines = run("predict", model, "--kbest", 2, stdin="ein buch\n").stdout.splitlines()
    assert [line.split("\t")[:3:2] for line in lines] == [["ein buch", "1"], ["ein buch", "2"]]


def test_a_model_and_what_it_predicted_have_the_same_figures(run, model, bitext, tmp_path):
    source, target, out = bitext / "dev.de", bitext / "dev.en", tmp_path / "out.en"
    run("predict", model, source, "-o", out)
    found = json.loads(run("evaluate", model, source, target, "--json").stdout)
    again = json.loads(run("evaluate", out, target, "--json").stdout)
    assert found["bleu"] == again["bleu"] > 90 and found["chrf"] == again["chrf"] > 90
    sacrebleu = pytest.importorskip("sacrebleu")
    outputs, references = out.read_text().splitlines(), [target.read_text().splitlines()]
    score = sacrebleu.BLEU(tokenize="none", force=True).corpus_score(outputs, references).score
    assert found["bleu"] == pytest.approx(score)
    both = json.loads(run("evaluate", model, source, target, bitext / "other.en", "--json").stdout)
    assert both["bleu_signature"].startswith("nrefs:2|")
    # An empty line is no reference.
    some = json.loads(run("evaluate", out, target, bitext / "some.en", "--json").stdout)
    assert some["bleu"] == both["bleu"] and some["task"] == "translation"


def test_two_outputs_are_held_against_each_other(run, bitext):
    target, other = bitext / "dev.en", bitext / "other.en"
    out = run("evaluate", target, target, "--against", other).stdout
    assert "BLEU  100.00   nrefs:1|case:mixed" in out and f"against {other}, by 1,000 samples" in out
    assert "p = 0.0010" in out


def test_a_report_of_a_model_is_by_sentence_the_worst_first(run, model, bitext, tmp_path):
    source, target, page = bitext / "dev.de", bitext / "dev.en", tmp_path / "errors.html"
    out = run("evaluate", model, source, target, "--report", "--errors", page, "--against", model).stdout
    assert "the worst by chrF" in out and "mean chrF" in out and f"against {model}, by 1,000 samples" in out
    assert all(len(line) <= 80 for line in out.splitlines() if line.startswith("      "))
    table = run("evaluate", model, source, target, "--csv").stdout.splitlines()
    assert table[0] == "place,chrF,source,output,gold" and len(table) == 21
    scores = [float(line.split(",")[1]) for line in table[1:]]
    assert page.read_text().count("<li>") == 20 and f"chrF {100 * min(scores):.2f}" in page.read_text()
    report = json.loads(run("evaluate", model, source, target, "--report", "--json").stdout)["report"]
    assert report["worst"][0]["score"] == pytest.approx(min(scores), abs=1e-6)
    for option in ("--plot", "--train"):
        done = run("evaluate", model, source, target, option, tmp_path / "x.png", check=1)
        assert f"{option} is about labels, and these have none" in done.stderr


def test_show_has_phrases_stacks_and_gold(run, model, bitext):
    out = run("show", model, "das haus ist klein", "--gold", "the house is small", "--top", 2).stdout
    assert out.index("guess") < out.index("gold") < out.index("step 1  1 word") and "max-violation" in out
    files = ("--input", bitext / "dev.de", "--input", bitext / "dev.en", "--sentence", 2)
    assert "gold" in run("show", model, *files, "--no-steps").stdout
    assert "no phrases yield" in run("show", model, "ein haus", "--gold", "castle").stdout
    done = run("show", model, "--input", bitext / "dev.de", "--sentence", 21, check=1)
    assert f"{bitext / 'dev.de'}: there is no line 21, since it has 20; check the file" in done.stderr
    done = run("show", model, " ", check=1)
    assert "there are no words; give a sentence between quotes" in done.stderr


def test_info_tells_phrases_and_tuning(run, model):
    out = run("info", model).stdout
    assert "task        translation, " in out and "phrase pairs" in out and "BLEU before each round" in out
    assert "language_model" in out and "120 sentences" in out
    assert json.loads(run("info", model, "--json").stdout)["phrases"] > 10


def test_rules_with_gaps_are_another_system(run, bitext, tmp_path):
    done = run(
        "train", "translation", bitext / "train.de", bitext / "train.en", "--system", "hiero",
        "--dev", bitext / "dev.de", bitext / "dev.en", "-o", tmp_path / "m",
        "--epochs", 1, "--tuning", 1, "--templates", "edges", "--search", "forest:5",
    )  # fmt: skip
    assert "\nrules\n" in done.stderr and " rules" in done.stderr.splitlines()[-1]
    assert run("predict", tmp_path / "m", stdin="das haus ist klein\n\n").stdout == "the house is small\n\n"
    out = run("show", tmp_path / "m", "das haus ist klein", "--gold", "the house is small").stdout
    assert out.index("guess") < out.index("gold") < out.index("span [0,1)") and "max-violation" in out
    out = run("info", tmp_path / "m").stdout
    assert " rules, " in out and "glue" in out
    done = run("evaluate", tmp_path / "m", bitext / "dev.de", bitext / "dev.en", "--json")
    assert json.loads(done.stdout)["bleu"] > 90


def test_audit_reads_both_sides(run, bitext):
    out = run(
        "audit", "translation", bitext / "train.de", bitext / "train.en", "--sample", 4, "--passes", 2,
        "--templates", "rules", "--search", "beam:2+merge",
    ).stdout  # fmt: skip
    assert "search beam:2+merge" in out and "radius" in out
    done = run("audit", "translation", bitext / "train.de", bitext / "train.en", check=1)
    assert "learns nothing by updates, and there is nothing to audit; name features with" in done.stderr
    done = run("audit", "translation", bitext / "train.de", "--templates", "rules", check=1)
    assert "sentences lie in files side by side, and 1 was given; give SRC TGT" in done.stderr


def test_bad_files_are_told_in_one_sentence(run, model, bitext, tmp_path):
    short, bad, train = tmp_path / "short", tmp_path / "bad", bitext / "dev.de"
    short.write_text("the house\n")
    done = run("train", "translation", train, short, "-o", tmp_path / "m", check=1)
    assert f"{train}: it has 20 lines and {short} has 1; give files that are translations" in done.stderr
    bad.write_bytes(b"the h\xe4use\n")
    done = run("train", "translation", short, bad, "-o", tmp_path / "m", check=1)
    assert f"{bad}:1: byte 0xe4 at position 6 is not UTF-8" in done.stderr
    other = tmp_path / "utf-16"
    other.write_bytes("das haus\nein buch\n".encode("utf-16"))
    done = run("train", "translation", other, train, "-o", tmp_path / "m", check=1)
    assert f"{other}:1: byte 0xff at position 1 is not UTF-8; name the file's --encoding" in done.stderr
    files = bitext / "train.de", bitext / "train.en", "--dev", train, bitext / "blank"
    done = run("train", "translation", *files, "-o", tmp_path / "m", check=1)
    assert "none of 20 pairs to tune on has words on both sides" in done.stderr
    assert json.loads(run("evaluate", model, train, bitext / "blank", "--json").stdout)["bleu"] == 0
    done = run("train", "translation", "-", "-", "-o", tmp_path / "m", check=1)
    assert "standard input can be read only once" in done.stderr
    done = run("evaluate", short, train, "--task", "translation", check=1)
    assert "it has 1 lines and" in done.stderr
    done = run("evaluate", model, train, check=1)
    assert "sentences lie in files side by side, and 1 was given; give SRC TGT" in done.stderr
    done = run("evaluate", model, bitext / "dev.en", train, check=1)
    assert "sources and targets seem to be swapped" in done.stderr
    done = run(
        "train", "translation", train, bitext / "dev.en", "--reference", short, "-o", tmp_path / "m", check=1
    )
    assert "--reference is another reference of --dev; give --dev SRC TGT first" in done.stderr
    done = run("evaluate", model, train, bitext / "dev.en", "--against", short, check=1)
    assert "short: it has 1 lines and " in done.stderr and "compare translations of the same" in done.stderr


def test_a_corpus_in_which_nothing_can_be_reached_is_told_in_one_sentence(run, tmp_path):
    for side in ("de", "en"):
        lines = [" ".join(f"{side}{number}{letter}" for letter in "abc") for number in range(60)]
        (tmp_path / side).write_text("\n".join(lines) + "\n")
    given = ("train", "translation", tmp_path / "de", tmp_path / "en", "-o", tmp_path / "m", "--tuning", 1)
    done = run(*given, "--templates", "context", check=1)
    said = "structron: none of 60 sources has a derivation of its target; use templates dense"
    assert done.stderr.splitlines()[-1].startswith(said) and not (tmp_path / "m").exists()
    # What it advises works, and nothing but the checkpoint is in the way.
    run(*given, "--restart")
    assert run("predict", tmp_path / "m", stdin="de3a de3b\n").stdout == "en3a en3b\n"
