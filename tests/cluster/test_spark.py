"""Spark: every row comes out once and as it should be, also when a worker is killed in the middle."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.cluster.crowds import TEXTS, die_once, loaded, note, text

pa = pytest.importorskip("pyarrow", reason="PyArrow is not installed; make test-cluster installs it")
pytest.importorskip("pyspark", reason="Spark is not installed; make test-cluster installs it")
if shutil.which("java") is None:
    pytest.skip("Spark needs Java, and there is none", allow_module_level=True)

from pyspark.sql import SparkSession, functions  # noqa: E402

from structron import Tagger  # noqa: E402
from structron.adapters.arrow import annotate  # noqa: E402
from structron.adapters.clusters import spark  # noqa: E402
from tests.unit.estimators.corpora import treebank  # noqa: E402


@pytest.fixture(scope="module")
def session() -> Iterator[Any]:
    os.environ["PYSPARK_PYTHON"] = sys.executable
    root = str(Path(__file__).resolve().parents[2])
    built = (
        SparkSession.builder.master("local[2,4]")  # two workers; a task may be tried four times
        .config("spark.ui.enabled", "false")
        .config("spark.executorEnv.PYTHONPATH", root)
        .config("spark.sql.execution.arrow.maxRecordsPerBatch", "50")
        .config("spark.driver.host", "127.0.0.1")
        .getOrCreate()
    )
    built.sparkContext.setLogLevel("OFF")
    yield built
    built.stop()


def texts(session: Any) -> Any:
    made = functions.udf(text, "string")
    return session.range(0, TEXTS, numPartitions=4).withColumn("text", made("id"))


def assert_all(frame: Any) -> None:
    """Each text once, with what is found in it here."""
    table = frame.select("id", "annotated").toArrow()
    ids = table["id"].to_pylist()
    assert sorted(ids) == list(range(TEXTS)) and table["annotated"].null_count == 0
    some = slice(0, 100)
    wanted = annotate("en", pa.array([text(number) for number in ids[some]])).to_pylist()
    assert table["annotated"].combine_chunks()[some].to_pylist() == wanted


@pytest.mark.parametrize("way", ["arrow_udf", "pandas_udf"])
def test_every_row_comes_out_once(session: Any, way: str, monkeypatch: pytest.MonkeyPatch) -> None:
    if way == "pandas_udf":
        monkeypatch.delattr(functions, "arrow_udf", raising=False)  # as in Spark before 4.1
    assert_all(texts(session).withColumn("annotated", spark.annotator("en")("text")))


def test_columns_of_words_and_of_null(session: Any) -> None:
    X, Y = treebank(20)
    tagger = Tagger(epochs=2).fit(X, Y)
    frame = session.createDataFrame([(words,) for words in X[:4]] + [(None,)], "words array<string>")
    rows = frame.select(spark.annotator(tagger, words=True)("words").alias("tags")).collect()
    assert [row["tags"] for row in rows] == [*Y[:4], None]


def test_a_worker_killed_in_the_middle_loses_and_doubles_nothing(session: Any, tmp_path: Path) -> None:
    def mortal(columns: Iterator[Any]) -> Iterator[Any]:
        estimator = spark.opened("en")
        note(tmp_path)
        for column in columns:
            die_once(column.to_pylist(), tmp_path / "died")
            yield annotate(estimator, column)

    returned = spark.from_arrow_type(spark.column_type("en"))
    function = functions.arrow_udf(mortal, returned, "SCALAR_ITER")
    assert_all(texts(session).withColumn("annotated", function("text")))
    assert (tmp_path / "died").exists() and len(set(loaded(tmp_path))) >= 2
