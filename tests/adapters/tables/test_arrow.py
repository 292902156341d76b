"""A column of Arrow in, a column of structs out, and in it exactly what the pipeline finds."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import structron
from structron import Classifier, DataError, Lemmatizer, Parser, Pipeline, SettingError, Tagger
from structron.io import Tree
from tests.pipelines import treebank
from tests.unit.estimators.corpora import treebank as tagged

pa = pytest.importorskip("pyarrow", reason="PyArrow is not installed; pip install 'structron[arrow]'")

from structron.adapters.arrow import (  # noqa: E402
    BATCH,
    annotate,
    column_type,
    exploded,
    opened,
    with_annotations,
)

TEXTS = [
    "Time flies. Angela Merkel can't go to Berlin, said Mr. Smith of IBM.",
    None,
    "",
    " \n\n ",
    "Ünïcödé 😀 works.\n\nTwo paragraphs,  with   blanks.",
]
WORD = ("id", "form", "lemma", "upos", "xpos", "feats", "head", "deprel", "start", "end")
NAME = ("label", "text", "start", "end", "first", "beyond")
X, Y = tagged(20)


@pytest.fixture(scope="module")
def nlp() -> Pipeline:
    return Pipeline.load("en")


@pytest.fixture(scope="module")
def small() -> Pipeline:
    """One with multiword tokens whose characters are not their words."""
    return Pipeline(stages=("segmenter", "upos", "parser"), prefer="speed").fit(treebank(40))


def records(document: Any, what: str, keys: tuple[str, ...], *, places: bool = True) -> list[dict[str, Any]]:
    keys = tuple(key for key in keys if places or key not in ("start", "end"))
    return [
        {"sentence": number} | {key: getattr(each, key) for key in keys}
        for number, sentence in enumerate(document, 1)
        for each in getattr(sentence, what)
    ]


def expected(document: Any, *, places: bool = True) -> dict[str, Any]:
    words = records(document, "words", WORD, places=places)
    return {"words": words, "names": records(document, "entities", NAME, places=places)}


@pytest.mark.parametrize(
    "type", [pa.string(), pa.large_string(), pa.string_view(), pa.dictionary(pa.int32(), pa.string())]
)
def test_a_column_has_what_pipe_yields(nlp: Pipeline, type: Any) -> None:
    given = (
        pa.array(TEXTS).cast(type)
        if not pa.types.is_dictionary(type)
        else pa.array(TEXTS).dictionary_encode()
    )
    found = annotate(nlp, given)
    assert found.type == column_type(nlp) == column_type("en", type)
    found.validate(full=True)
    documents = nlp.pipe([text for text in TEXTS if text is not None])
    wanted = [None if text is None else expected(next(documents)) for text in TEXTS]
    assert found.to_pylist() == wanted
    assert [name["label"] for name in wanted[0]["names"]] == ["PER", "LOC", "PER"]  # type: ignore[index]


def test_multiword_tokens_share_a_place(small: Pipeline) -> None:
    texts = [sentence.comments[0].removeprefix("# text = ") for sentence in treebank(12, seed=5)]
    words = [row["words"] for row in annotate(small, pa.array(texts)).to_pylist()]
    keys = ("id", "form", "upos", "head", "deprel", "start", "end")
    assert words == [records(document, "words", keys) for document in small.pipe(texts)]
    places = [(word["start"], word["end"]) for row in words for word in row]
    assert len(set(places)) < len(places)


def test_rows_of_words(nlp: Pipeline) -> None:
    rows = [["Angela", "Merkel", "left", "New York", "."], None, ["Rain"]]
    found = annotate(nlp, pa.array(rows)).to_pylist()
    documents = [None if row is None else nlp(row) for row in rows]
    assert found == [None if each is None else expected(each, places=False) for each in documents]


def test_batches_threads_chunks_and_streams_change_nothing(nlp: Pipeline) -> None:
    texts = [f"Number {i} is here." if i % 7 else None for i in range(BATCH + 50)]
    whole = annotate(nlp, pa.array(texts))
    chunked = annotate(nlp, pa.chunked_array([texts[:3], [], texts[3:]], pa.string()), threads=2)
    nlp.threads = 1
    assert chunked.combine_chunks() == whole
    table = pa.table({"id": range(len(texts)), "text": texts})
    added = with_annotations(nlp, table, "text", "found")
    assert added.column_names == ["id", "text", "found"] and added["found"].combine_chunks() == whole
    stream = pa.RecordBatchReader.from_batches(table.schema, table.to_batches(max_chunksize=100))
    assert with_annotations(nlp, stream, "text", "found").read_all()["found"].to_pylist() == whole.to_pylist()
    lines = exploded(whole)
    assert lines["form"].to_pylist() == [w["form"] for row in whole.to_pylist() if row for w in row["words"]]
    assert lines["row"].to_pylist()[:5] == [1] * 5
    assert annotate(nlp, pa.chunked_array([], pa.string())).type == whole.type
    assert annotate(nlp, pa.array([None], pa.string())).to_pylist() == [None]


def test_other_models_have_columns_too() -> None:
    tagger = Tagger(epochs=2).fit(X, Y)
    assert annotate(tagger, pa.array(X)).to_pylist() == tagger.predict(X)
    tokens = [("dogs", "N"), ("bark", "V")]
    parser = Parser(epochs=2).fit([tokens], [Tree([2, 0], ["nsubj", "root"])])
    structs = pa.array([[{"form": form, "tag": tag} for form, tag in tokens]])
    assert annotate(parser, structs).to_pylist() == [
        [{"head": 2, "relation": "nsubj"}, {"head": 0, "relation": "root"}]
    ]
    texts = ["cheap pills", "a meeting", "cheap offer", "notes of a meeting"]
    spam = Classifier(epochs=3).fit(texts, ["spam", "ham"] * 2)
    assert annotate(spam, pa.array(texts)).to_pylist() == ["spam", "ham", "spam", "ham"]
    many = Classifier(epochs=3, multilabel=True).fit(texts, [["spam", "short"], ["ham"], ["spam"], []])
    assert annotate(many, pa.array(texts)).to_pylist() == many.predict(texts)
    table = Classifier(epochs=3, multilabel=True).fit(texts, np.array([[1, 0], [0, 1], [1, 0], [0, 1]]))
    assert annotate(table, pa.array(texts)).to_pylist() == [["0"], ["1"], ["0"], ["1"]]
    numbers = Classifier(epochs=3).fit(texts, [1, 2, 1, 2])
    assert annotate(numbers, pa.array(texts)).to_pylist() == ["1", "2", "1", "2"]
    lemmatizer = Lemmatizer().fit([[("dogs", "N", "_")]], [["dog"]])
    word = {"form": "dogs", "tag": "N", "feats": "_"}
    assert annotate(lemmatizer, pa.array([[word], []])).to_pylist() == [["dog"], []]


def test_what_cannot_be_annotated_is_refused_in_a_sentence(nlp: Pipeline, small: Pipeline) -> None:
    with pytest.raises(DataError, match="a column of type int64 cannot be annotated; give texts"):
        annotate(nlp, pa.array([1, 2]))
    with pytest.raises(DataError, match="column is of type list; give an Arrow array"):
        annotate(nlp, ["a text"])
    with pytest.raises(SettingError, match="model is of type int; give an estimator"):
        annotate(7, pa.array(TEXTS))
    with pytest.raises(DataError, match=r"row 300: .*words that are not empty"):
        annotate(nlp, pa.array([["a"], None] * 150 + [[""]]))
    table = pa.table({"text": ["a"]})
    with pytest.raises(DataError, match="the table has no column 'body'; its columns are text"):
        with_annotations(nlp, table, "body")
    with pytest.raises(DataError, match="has a column 'text' already; choose another name"):
        with_annotations(nlp, table, "text", "text")
    with pytest.raises(DataError, match="the column has no field 'lines'; it has words, names"):
        exploded(annotate(nlp, pa.array(["a"])), "lines")
    with pytest.raises(SettingError, match="transduction has no columns"):
        annotate(structron.load("en-g2p"), pa.array(["word"]))


def test_a_model_by_name_is_read_once() -> None:
    assert opened("en") is opened("en") and opened("en", 2).threads == 2 and opened("en").threads == 1
