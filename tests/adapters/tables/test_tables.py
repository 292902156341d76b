"""DuckDB, Polars and pandas: each gives what Arrow's column has, where its users expect it."""

from __future__ import annotations

from typing import Any

import pytest

pa = pytest.importorskip("pyarrow", reason="PyArrow is not installed; pip install 'structron[arrow]'")

from structron import DataError, Pipeline, Tagger  # noqa: E402
from structron.adapters.arrow import annotate  # noqa: E402
from tests.unit.estimators.corpora import treebank  # noqa: E402

TEXTS = ["Angela Merkel can't go to Berlin. Really?", None, "", "She said so."]
WORDS = [["She", "said", "so"], None, ["Rain"]]
X, Y = treebank(20)


@pytest.fixture(scope="module")
def nlp() -> Pipeline:
    return Pipeline.load("en")


@pytest.fixture(scope="module")
def wanted(nlp: Pipeline) -> list[Any]:
    found: list[Any] = annotate(nlp, pa.array(TEXTS)).to_pylist()
    return found


def test_duckdb(nlp: Pipeline, wanted: list[Any]) -> None:
    duckdb = pytest.importorskip("duckdb", reason="DuckDB is not installed; pip install 'structron[duckdb]'")
    from structron.adapters.duckdb import register

    connection = duckdb.connect()
    texts = pa.table({"number": range(len(TEXTS)), "text": TEXTS})
    connection.register("texts", texts)
    assert register(connection, nlp) is connection
    register(connection, nlp)  # again, in its place
    rows = connection.execute("SELECT structron(text) FROM texts ORDER BY number").fetchall()
    assert [row[0] for row in rows] == wanted
    asked = """SELECT number, word.form FROM (SELECT number, unnest(structron(text).words) AS word FROM texts)
               WHERE word.upos = 'PROPN' ORDER BY number, word.id"""
    assert connection.execute(asked).fetchall() == [(0, "Angela"), (0, "Merkel"), (0, "Berlin")]
    register(connection, Tagger(epochs=2).fit(X, Y), "tags", words=True)
    connection.register("sentences", pa.table({"words": X[:3]}))
    found = connection.execute("SELECT tags(words) FROM sentences").fetchall()
    assert [row[0] for row in found] == Y[:3]
    many = connection.execute("SELECT count(structron('Rain ' || i).words[1].upos) FROM range(5000) t(i)")
    assert many.fetchall() == [(5000,)]  # more than a vector of DuckDB's


def test_polars(nlp: Pipeline, wanted: list[Any]) -> None:
    pl = pytest.importorskip("polars", reason="Polars is not installed; pip install 'structron[polars]'")
    import structron.adapters.polars  # noqa: F401

    frame = pl.DataFrame({"text": TEXTS})
    expression = pl.col("text").structron.annotate(nlp).alias("found")
    found = frame.with_columns(expression)
    assert found["found"].to_list() == wanted
    lazy = frame.lazy().with_columns(expression)
    assert lazy.collect_schema()["found"] == found["found"].dtype
    assert lazy.collect(engine="streaming")["found"].to_list() == wanted
    words = found.select(pl.col("found").struct.field("words").explode().struct.unnest())
    assert words["form"].drop_nulls().to_list() == [w["form"] for row in wanted if row for w in row["words"]]
    given = pl.DataFrame({"words": WORDS}).select(pl.col("words").structron.annotate(nlp, words=True))
    assert given["words"].to_list() == annotate(nlp, pa.array(WORDS)).to_pylist()
    assert frame.filter(pl.lit(False)).select(expression).schema["found"] == found["found"].dtype


def test_pandas(nlp: Pipeline, wanted: list[Any]) -> None:
    pd = pytest.importorskip("pandas", reason="pandas is not installed; pip install pandas")
    import structron.adapters.pandas  # noqa: F401

    series = pd.Series(TEXTS, index=list("abcd"), name="text")
    found = series.structron.annotate(nlp)
    assert list(found.index) == list("abcd") and found.name == "text"
    assert pa.array(found).to_pylist() == wanted
    words = series.structron.words(nlp)
    assert words["form"].tolist() == [word["form"] for row in wanted if row for word in row["words"]]
    assert set(words.index) == {"a", "d"} and words.loc["d", "upos"].tolist()[0] == "PRON"
    names = series.structron.words(nlp, field="names")
    assert list(names.index) == ["a", "a"] and names["text"].tolist() == ["Angela Merkel", "Berlin"]
    assert (
        pa.array(pd.Series(WORDS).structron.annotate(nlp)).to_pylist()
        == annotate(nlp, pa.array(WORDS)).to_pylist()
    )
    with pytest.raises(DataError, match=r"column mixed: .*; give texts, or lists of words"):
        pd.Series(["a", 1], name="mixed", dtype=object).structron.annotate(nlp)
