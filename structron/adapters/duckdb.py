"""DuckDB: a model as a function of SQL, from texts or lists of words to structs."""

from __future__ import annotations

from typing import Any

from structron.adapters.arrow import annotate, column_type, opened

try:
    import duckdb
    import pyarrow as pa
except ImportError as error:
    raise ImportError("structron.adapters.duckdb needs DuckDB; pip install 'structron[duckdb]'") from error

__all__ = ["register"]


def register(
    connection: Any,
    model: Any,
    name: str = "structron",
    *,
    words: bool = False,
    threads: int | None = None,
) -> Any:
    """Make a model a function of a connection, which is returned: ``SELECT structron(text) FROM reviews``.

    Parameters
    ----------
    model
        An estimator, or the file or name of a model.
    name
        What the function is called in SQL; a function of that name that was registered before is replaced.
    words
        True if rows are lists of words, False if they are texts.
    threads
        How many threads predict; None for as many as the estimator says.
    """
    estimator = opened(model, threads)
    given = pa.list_(pa.string()) if words else pa.string()
    types = duckdb.from_arrow(_empty(given), connection=connection).types
    wanted = duckdb.from_arrow(_empty(column_type(estimator, given)), connection=connection).types

    def function(column: Any) -> Any:
        return annotate(estimator, column)

    known = "SELECT count(*) FROM duckdb_functions() WHERE function_name = ?"
    if connection.execute(known, [name.lower()]).fetchall()[0][0]:
        connection.remove_function(name)
    connection.create_function(name, function, types, wanted[0], type="arrow")
    return connection


def _empty(type: Any) -> Any:
    """Return a table without rows, from which DuckDB reads a type."""
    return pa.table({"column": pa.array([], type)})
