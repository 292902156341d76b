"""Spark: a model as a function of columns, loaded once by each of Spark's workers of Python."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from structron.adapters.arrow import annotate, column_type, opened

try:
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
    returned = from_arrow_type(column_type(opened(model), given))
    if hasattr(functions, "arrow_udf"):
        return functions.arrow_udf(_of_arrow(model, threads), returned, "SCALAR_ITER")
    return functions.pandas_udf(_of_pandas(model, given, threads), returned, "SCALAR_ITER")


def _of_arrow(model: Any, threads: int) -> Any:
    def function(columns: Iterator[pa.Array]) -> Iterator[pa.Array]:
        estimator = opened(model, threads)
        for column in columns:
            yield annotate(estimator, column)

    return function


def _of_pandas(model: Any, given: Any, threads: int) -> Any:
    def function(columns: Any) -> Any:
        estimator = opened(model, threads)
        for column in columns:
            found = annotate(estimator, pa.array(column, given, from_pandas=True))
            if pa.types.is_struct(found.type):
                yield pa.Table.from_struct_array(found).to_pandas()
            else:
                yield found.to_pandas()

    return function
