"""Spark: a model as a function of columns, loaded once by each of Spark's workers of Python."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from structron.adapters.arrow import annotate, column_type, opened

try:
    import pandas as pd
    import pyarrow as pa
    from pyspark.sql import functions
    from pyspark.sql.pandas.types import from_arrow_type
except ImportError as error:
    raise ImportError(
        "structron.adapters.clusters.spark needs Spark; pip install 'structron[spark]'"
    ) from error

__all__ = ["annotator"]


def annotator(model: Any, *, words: bool = False, threads: int = 1) -> Any:
    """Return a function of columns: ``frame.withColumn("annotated", annotator("en")("text"))``.

    Columns travel as Arrow where Spark can (`arrow_udf`, from 4.1 on), otherwise by pandas (`pandas_udf`).

    Parameters
    ----------
    model
        The file or name of a model, which every worker must find on its own machine, or an estimator, which
        travels with each task.
    words
        True if rows are lists of words, False if they are texts.
    threads
        How many threads each of the workers has.
    """
    given = pa.list_(pa.string()) if words else pa.string()
    wanted = column_type(opened(model), given)
    if hasattr(functions, "arrow_udf"):
        return functions.arrow_udf(_of_arrow(model, threads), from_arrow_type(wanted))
    made = _frames if pa.types.is_struct(wanted) else _series
    return functions.pandas_udf(made(model, given, threads), from_arrow_type(wanted))


# Spark reads from the annotations of a function what it takes and returns.


def _of_arrow(model: Any, threads: int) -> Any:
    def function(columns: Iterator[pa.Array]) -> Iterator[pa.Array]:
        estimator = opened(model, threads)
        for column in columns:
            yield annotate(estimator, column)

    return function


def _frames(model: Any, given: Any, threads: int) -> Any:
    def function(columns: Iterator[pd.Series]) -> Iterator[pd.DataFrame]:
        estimator = opened(model, threads)
        for column in columns:
            found = annotate(estimator, pa.array(column, given, from_pandas=True))
            yield pa.Table.from_struct_array(found).to_pandas()

    return function


def _series(model: Any, given: Any, threads: int) -> Any:
    def function(columns: Iterator[pd.Series]) -> Iterator[pd.Series]:
        estimator = opened(model, threads)
        for column in columns:
            yield annotate(estimator, pa.array(column, given, from_pandas=True)).to_pandas()

    return function
