"""What predict gives back: lines in step, bytes as they came, several files, a word about strange symbols."""

from __future__ import annotations

import json
import warnings

import pytest

from structron import Tagger, Transducer
from structron.errors import StructronWarning


@pytest.fixture(scope="module")
def words(run, tmp_path_factory):
    folder = tmp_path_factory.mktemp("words")
    pairs = "phone\tF OW N\nphoto\tF OW T OW\nhone\tHH OW N\ntone\tT OW N\ntop\tT AA P\nhot\tHH AA T\n"
    (folder / "p.tsv").write_text(pairs)
    run("train", "transduction", folder / "p.tsv", "-o", folder / "m", "--epochs", 5)
    return folder


def test_a_line_in_is_a_line_out(run, models, words):
    text = "\nthe dog ran .\n\n  \nshe ran .\n\n"
    for extra in ((), ("--kbest", 1)):
        out = run("predict", models["slash"], *extra, stdin=text).stdout
        assert [bool(line.strip()) for line in out.split("\n")] == [
            bool(line.strip()) for line in text.split("\n")
        ]
    assert run("predict", words / "m", stdin="phone\n\nhot\n").stdout == "phone\tF OW N\n\nhot\tHH AA T\n"
    told = run("predict", models["slash"], "-", "-o", words / "out.txt", stdin=text).stderr
    assert told.startswith("predicted 2 sentences, 7 tokens")


def test_words_with_slashes_are_words(run, models):
    for text in ("and/or he/she\n", "1/2 3/4 2/3\n", "http://a.b/c http://d.e/f\n", "km/h m/s\n"):
        out = run("predict", models["slash"], stdin=text).stdout
        assert [token.rpartition("/")[0] for token in out.split()] == text.split()
    tagged = run("predict", models["slash"], stdin="the/XX dog/XX ran/XX ./XX\n").stdout
    assert [token.partition("/")[0] for token in tagged.split()] == ["the", "dog", "ran", "."]
    assert "XX" not in tagged
    forced = run("predict", models["slash"], "--format", "slash", stdin="and/or he/she\n").stdout
    assert [token.partition("/")[0] for token in forced.split()] == ["and", "he"]


@pytest.mark.parametrize("mark", [b"", b"\xef\xbb\xbf"])
@pytest.mark.parametrize("end", [b"\n", b"\r\n"])
def test_line_ends_and_byte_order_mark_come_back(run, models, tmp_path, mark, end):
    (tmp_path / "a.txt").write_bytes(mark + b"the dog ran ." + end + end + b"she ran ." + end)
    run("predict", models["slash"], tmp_path / "a.txt", "-o", tmp_path / "b.txt")
    out = (tmp_path / "b.txt").read_bytes()
    assert out.startswith(mark + b"the/DT") and out.count(end) == 3 == out.count(b"\n")
    assert out.count(b"\r") == (3 if end == b"\r\n" else 0) and out.count(b"\xef\xbb\xbf") == bool(mark)


@pytest.mark.parametrize("encoding", ["latin-1", "cp1252", "utf-16", "utf-8-sig", "utf-16-le"])
def test_other_encodings_go_in_and_out(run, folder, tmp_path, encoding):
    data, model, out = tmp_path / "a.conllu", tmp_path / "m", tmp_path / "b.conllu"
    text = (folder / "train.conllu").read_text().replace("the\t", "thé\t")
    data.write_bytes(text.encode(encoding))
    said = ("--encoding", encoding)
    run("train", "tagging", data, "-o", model, "--epochs", 2, "--order", 1, *said)
    run("predict", model, data, "-o", out, *said)
    assert out.read_bytes().decode(encoding).count("thé\t") == text.count("thé\t")
    assert "accuracy" in run("evaluate", model, data, *said).stdout
    run("show", model, "--input", data, "--no-steps", "--sentence", 2, *said)


def test_what_does_not_fit_is_one_sentence(run, models, words, tmp_path):
    bad = tmp_path / "bad.txt"
    bad.write_bytes(b"the \xe9t\xe9 .\n")
    done = run("predict", models["slash"], bad, check=1)
    assert "bad.txt:1: byte 0xe9 at position 5 is not UTF-8; name the file's --encoding" in done.stderr
    assert (
        "encoding 'nix' is not known"
        in run("predict", models["slash"], bad, "--encoding", "nix", check=1).stderr
    )
    pairs = tmp_path / "p.tsv"
    pairs.write_text("ab\tł l\nba\tl ł\n", encoding="utf-8")
    run("train", "transduction", pairs, "-o", tmp_path / "m", "--epochs", 3)
    refused = run("predict", tmp_path / "m", "--encoding", "latin-1", stdin="ab\n", check=1).stderr
    assert "'ł' does not exist in latin-1; use another encoding, such as utf-8" in refused


def test_several_inputs_go_to_standard_output_or_into_a_folder(run, folder, models, tmp_path):
    one, two = folder / "dev.txt", folder / "train.txt"
    alone = [run("predict", models["slash"], place).stdout for place in (one, two)]
    assert run("predict", models["slash"], one, two).stdout == "".join(alone)
    run("predict", models["slash"], one, two, "-o", f"{tmp_path}/new/")
    assert [(tmp_path / "new" / place.name).read_text() for place in (one, two)] == alone
    assert (
        "several inputs need a folder"
        in run("predict", models["slash"], one, two, "-o", tmp_path / "x", check=1).stderr
    )
    assert (
        "two inputs are called dev.txt"
        in run("predict", models["slash"], one, one, "-o", tmp_path, check=1).stderr
    )
    assert (
        "standard input has no name" in run("predict", models["slash"], "-", "-o", tmp_path, check=1).stderr
    )


def test_symbols_never_seen_are_counted_once(run, words):
    done = run("predict", words / "m", stdin="1PHONE\nphone\n2HOT1\n" * 3)
    assert done.stderr.count("\n") == 1
    assert done.stderr.startswith("warning: 9 symbols of the input were never seen in training")
    assert "passed over: '1' (6), '2' (3); check the spelling" in done.stderr
    plain, capitals = (run("predict", words / "m", stdin=f"{word}\n") for word in ("phone", "PHONE"))
    assert not plain.stderr and not capitals.stderr
    assert plain.stdout.split("\t")[1] == capitals.stdout.split("\t")[1] and "PHONE\t" in capitals.stdout
    assert "check the spelling" in run("predict", words / "m", stdin="?!\n").stderr


def test_python_warns_of_symbols_and_labels_never_seen(words):
    transducer = Transducer.load(words / "m")
    with pytest.warns(StructronWarning, match="never seen in training and are passed over: ' '"):
        transducer.predict(["PHONE 1"])
    assert transducer.unseen_.total() == 2
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert transducer.predict(["phone"]) == transducer.predict(["PHONE"])
    tagger = Tagger(epochs=1).fit([["a", "b"]], [["X", "Y"]])
    with pytest.warns(StructronWarning, match=r"1 of 2 labels in gold is unknown to the model \(Z\), 50.0 %"):
        tagger.score([["a", "b"]], [["X", "Z"]])


def test_another_format_is_not_pronounced(run, folder, models, words, tmp_path):
    done = run("predict", words / "m", folder / "dev.conllu", check=1)
    assert "dev.conllu: this is CoNLL-U, not a file of pairs; give words, one a line" in done.stderr
    for model in (words / "m", models["slash"]):
        done = run("predict", model, models["slash"], check=1)
        assert "this is binary data, not text" in done.stderr and not done.stdout


def test_labels_never_seen_are_told(run, folder, models, tmp_path):
    other = tmp_path / "other.conllu"
    other.write_text(
        (folder / "dev.conllu").read_text().replace("\tDT\t", "\tX\t").replace("\tIN\t", "\tY\t")
    )
    said = run("evaluate", models["conllu"], other).stderr
    assert (
        "2 of " in said and "labels in gold are unknown to the model (X, Y)" in said and said.count("\n") == 1
    )
    files = (folder / "train.conllu", "--dev", other, "-o", tmp_path / "m")
    trained = run("train", "tagging", *files, "--epochs", 1).stderr
    assert trained.count("labels in gold are unknown to the model (X, Y)") == 1


def test_standard_output_is_a_dash(run, folder, models, words, tmp_path):
    assert run("predict", models["slash"], folder / "dev.txt", "-o", "-").stdout
    assert run("align", words / "p.tsv", "-o", "-").stdout


CHUNKS = "the DT B-NP O\ndog NN I-NP O\nran VBD B-VP O\n\nMary NNP B-NP B-PER\nran VBD B-VP O\n\n"


@pytest.fixture(scope="module")
def names(run, tmp_path_factory):
    """A tagger of names that reads three columns between blanks."""
    folder = tmp_path_factory.mktemp("names")
    (folder / "train.txt").write_text(CHUNKS * 5)
    given = ("--format", "columns", "-o", folder / "m", "--epochs", 3)
    run("train", "tagging", folder / "train.txt", *given)
    return folder / "m"


def test_the_last_of_some_words_is_not_taken_for_a_label(run, names, tmp_path):
    for text in (
        "the dog saw Mary\n",
        "the dog saw Mary\nMary saw the dog\n",
        "Mary ran\nthe dog saw Mary\n",
    ):
        done = run("predict", names, stdin=text, check=1)
        said = "stdin: 4 words on a line may be a sentence, or the columns form 1 2 label of one word; pass"
        assert said in done.stderr and not done.stdout
    # Rows with labels get others, rows without get some, and who says what it is gets it.
    assert run("predict", names, stdin="Mary NNP B-NP O\n").stdout == "Mary NNP B-NP B-PER\n\n"
    assert run("predict", names, stdin="Mary NNP B-NP\n").stdout == "Mary NNP B-NP B-PER\n\n"
    assert run("predict", names, "--format", "columns", stdin="Mary NNP B-NP new\n").stdout.endswith(
        "B-PER\n\n"
    )
    (tmp_path / "two.txt").write_text("time N\nflies V\n\nflies N\n\n" * 5)
    run("train", "tagging", tmp_path / "two.txt", "--format", "columns", "-o", tmp_path / "m", "--epochs", 2)
    words = [
        token.partition("/")[0]
        for token in run("predict", tmp_path / "m", stdin="time flies\n").stdout.split()
    ]
    assert words == ["time", "flies"]
    assert run("predict", tmp_path / "m", stdin="time V\n").stdout == "time N\n\n"


def test_documents_begin_where_they_did(run, names):
    text = "-DOCSTART- -X- -X- O\n\nMary NNP B-NP\nran VBD B-VP\n\n-DOCSTART- -X- -X- O\n\n"
    out = run("predict", names, "--format", "columns", stdin=text).stdout
    assert out == text.replace("B-NP\n", "B-NP B-PER\n").replace("B-VP\n", "B-VP O\n")


def test_compressed_files_go_in_and_come_out(run, names, tmp_path):
    """Also where nothing is in the first bytes, as in bzip2 before its first block ends."""
    import bz2
    import lzma

    import numpy as np

    rng = np.random.default_rng(0)
    rows = "".join(f"{word:x} NN I-NP\nran VBD B-VP\n\n" for word in rng.integers(1 << 60, size=10000))
    for ending, module in ((".bz2", bz2), (".xz", lzma)):
        (tmp_path / f"in{ending}").write_bytes(module.compress(rows.encode()))
        assert (tmp_path / f"in{ending}").stat().st_size > 1 << 16
        run("predict", names, tmp_path / f"in{ending}", "-o", tmp_path / f"out{ending}")
        out = module.decompress((tmp_path / f"out{ending}").read_bytes()).decode()
        assert out == rows.replace("NP\n", "NP O\n").replace("VP\n", "VP O\n")


def test_names_are_not_written_over_parts_of_speech(run, tmp_path):
    """A tagger of names from columns, given CoNLL-U: its labels go to MISC, and are scored there."""
    (tmp_path / "train.tsv").write_text("the\tO\nMary\tB-PER\nran\tO\n\nin\tO\nRome\tB-LOC\n\n" * 5)
    run("train", "tagging", tmp_path / "train.tsv", "-o", tmp_path / "m", "--epochs", 3)
    row = "{}\t{}\t_\t{}\t_\t_\t_\t_\t_\t{}\n"
    before = [("Mary", "PROPN", "SpaceAfter=No|NER=B-LOC"), ("ran", "VERB", "NER=B-PER"), ("in", "ADP", "_")]
    after = [("Mary", "PROPN", "SpaceAfter=No|NER=B-PER"), ("ran", "VERB", "_"), ("in", "ADP", "_")]
    one, two = (
        "".join(row.format(i, *each) for i, each in enumerate(rows, 1)) + "\n" for rows in (before, after)
    )
    (tmp_path / "in.conllu").write_text(one)
    done = run("predict", tmp_path / "m", tmp_path / "in.conllu")
    assert done.stdout == two
    assert done.stderr == f"{tmp_path}/in.conllu: spans stand in MISC as NER=, not in UPOS\n"
    (tmp_path / "gold.conllu").write_text(two)
    said = json.loads(run("evaluate", tmp_path / "m", tmp_path / "gold.conllu", "--json").stdout)
    assert said["f1"] == said["accuracy"] == 1.0
    (tmp_path / "none.conllu").write_text(two.replace("|NER=B-PER", ""))
    refused = run("evaluate", tmp_path / "m", tmp_path / "none.conllu", check=1).stderr
    assert "there are no labels to score against; give labelled sentences" in refused
    # Who learned from CoNLL-U writes where it learned from, and parts of speech go where they belong.
    (tmp_path / "train.conllu").write_text(one * 3)
    run("train", "tagging", tmp_path / "train.conllu", "-o", tmp_path / "pos", "--epochs", 3)
    done = run("predict", tmp_path / "pos", tmp_path / "in.conllu")
    assert done.stdout == one and not done.stderr
