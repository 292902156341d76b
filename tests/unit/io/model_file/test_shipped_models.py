"""Models that come with structron: the files that were made, with licences, saying what they said."""

from __future__ import annotations

import hashlib
import json
import os
from pathlib import Path
from typing import Any

import pytest

import structron
from models.make import MAKERS, data_folder
from structron import ModelError, Pipeline
from structron.errors import StructronWarning
from structron.io.model_file.shipped_models import FOLDER, shipped

NOTED = json.loads((FOLDER / "models.json").read_text())
MOST = {"en": 20_000_000, "en-g2p": 10_000_000}


@pytest.fixture(scope="module")
def nlp() -> Pipeline:
    return structron.load("en")


@pytest.mark.parametrize("name", MOST)
def test_each_is_the_file_that_was_made_with_its_licence_beside_it(name: str) -> None:
    content = shipped()[name].read_bytes()
    assert len(content) == NOTED[name]["bytes"] <= MOST[name]
    assert hashlib.sha256(content).hexdigest() == NOTED[name]["sha256"]
    assert len((FOLDER / f"LICENSE.{name}.txt").read_text()) > 1000
    assert f"LICENSE.{name}.txt" in (FOLDER / "README.md").read_text()


def test_the_figures_that_were_noted_are_those_that_were_promised() -> None:
    dev, test = (NOTED["en"]["figures"][part] for part in ("dev", "test"))
    assert test["Tokens"] >= 99.0 and test["Sentences"] >= 80 and min(dev["LAS"], test["LAS"]) >= 80
    assert NOTED["en-g2p"]["figures"]["held out"]["word errors without stress"] < 26


def test_english_text_becomes_trees(nlp: Pipeline) -> None:
    doc = nlp("Dr. Smith can't come.  He's ill!")
    assert [sentence.text for sentence in doc] == ["Dr. Smith can't come.", "He's ill!"]
    words = [(w.form, w.lemma, w.upos, w.head, w.deprel, w.start) for w in doc.words]
    assert words == [
        ("Dr.", "Dr.", "PROPN", 2, "nmod:desc", 0),
        ("Smith", "Smith", "PROPN", 5, "nsubj", 4),
        ("ca", "can", "AUX", 5, "aux", 10),
        ("n't", "not", "PART", 5, "advmod", 10),
        ("come", "come", "VERB", 0, "root", 16),
        (".", ".", "PUNCT", 5, "punct", 20),
        ("He", "he", "PRON", 3, "nsubj", 23),
        ("'s", "be", "AUX", 3, "cop", 23),
        ("ill", "ill", "ADJ", 0, "root", 28),
        ("!", "!", "PUNCT", 3, "punct", 31),
    ]
    assert doc.words[2].feats == "VerbForm=Fin" and doc.words[2].xpos == "MD"


def test_english_words_are_pronounced() -> None:
    said = structron.load("en-g2p").predict(["telescope", "knight", "banana"])
    assert said == ["T EH1 L AH0 S K OW2 P", "N AY1 T", "B AH0 N AE1 N AH0"]


@pytest.mark.parametrize(
    "text",
    [
        "",
        "x",
        " \n\t\u00a0\r\n ",
        "a" * 1_000_000,
        "\x00\x01\x1b[31m\x7f ok",
        "مرحبا بالعالم. שלום עולם!",
        "我们今天去北京。你好吗？",
        "Καλημέρα κόσμε. Τι κάνεις;",
        "👨\u200d👩\u200d👧 e\u0301",
    ],
    ids=lambda text: ascii(text[:6]),
)
def test_of_odd_texts_nothing_is_lost(nlp: Pipeline, text: str) -> None:
    doc = nlp(text)
    assert "".join(token.text for sentence in doc for token in sentence.tokens) == "".join(text.split())
    assert all(text[token.start : token.end] == token.text for s in doc for token in s.tokens)
    assert doc.to_conllu().count("\n\n") == len(doc)


@pytest.mark.parametrize("bad", [None, 5, b"text", [], ["a", ""]])
def test_what_is_no_text_is_refused_in_one_sentence(nlp: Pipeline, bad: Any) -> None:
    with pytest.raises(structron.DataError, match="give a text, or a sentence as a list of words"):
        nlp(bad)


def test_half_of_a_surrogate_pair_is_named(nlp: Pipeline) -> None:
    with pytest.raises(structron.DataError, match="half of a surrogate pair, which is not a character; fix"):
        nlp("one \ud800 half")


def test_a_file_of_that_name_comes_first_and_a_folder_does_not(
    nlp: Pipeline, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("en").mkdir()
    assert structron.load("en").stages_ == nlp.stages_
    structron.load("en-g2p").save("en-g2p")
    with pytest.warns(StructronWarning, match="en-g2p: the file in this folder is taken, not the model"):
        structron.load("en-g2p")
    with pytest.raises(ModelError, match=r"fr: there is no such file; .* comes with structron: en, en-g2p$"):
        structron.load("fr")
    with pytest.raises(ModelError, match=r"there is no such file; check the name or train a model first$"):
        structron.load("./en-fr")


@pytest.mark.skipif("STRUCTRON_DATA" not in os.environ, reason="needs the data folder")
@pytest.mark.parametrize("name", MAKERS)
def test_the_figures_are_those_of_the_data(name: str) -> None:
    _, figures, _ = MAKERS[name]
    assert figures(data_folder(), structron.load(name)) == NOTED[name]["figures"]
