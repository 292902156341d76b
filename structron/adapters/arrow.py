"""Arrow: a column of texts or tokens in, a column of what a model finds out; the other tables build on it.

`annotate` takes an array, `with_annotations` a table or a stream of batches. Rows are analysed some at a time
by the threads of the model, and what comes out is flat Arrow memory without an object for each word.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import accumulate
from pathlib import Path
from typing import Any

from structron.errors import DataError, SettingError
from structron.fit.data.columns import NUMBER, ColumnForm, Lists, Many, Shape, Values
from structron.loading import load
from structron.registry import spec_of

try:
    import pyarrow as pa
    import pyarrow.compute as pc
except ImportError as error:
    raise ImportError("structron.adapters.arrow needs PyArrow; pip install 'structron[arrow]'") from error

__all__ = ["annotate", "column_type", "exploded", "opened", "with_annotations"]

BATCH = 256  # rows that are analysed together
OUTPUT = "annotated"


def opened(model: Any, threads: int | None = None) -> Any:
    """Return an estimator: itself, or the model of a file or name, which a process reads once.

    Parameters
    ----------
    threads
        How many threads predict; None for as many as the estimator says.
    """
    if isinstance(model, (str, Path)):
        return _read(str(model), threads or 1)
    if not hasattr(model, "predict"):
        shown = type(model).__name__
        raise SettingError(f"model is of type {shown}; give an estimator, a file or a name such as en")
    if threads is not None:
        model.threads = threads
    return model


@lru_cache(maxsize=8)
def _read(place: str, threads: int) -> Any:
    found = load(place)
    found.threads = threads
    return found


def annotate(model: Any, column: Any, *, threads: int | None = None) -> Any:
    """Return what a model finds in each row of a column, as a column; rows of null are null.

    Parameters
    ----------
    model
        An estimator, or the file or name of a model.
    column
        A `pyarrow.Array` or `ChunkedArray`, or anything with Arrow's interface. A row is a text, a list of
        words, or a list of structs whose fields are what a token consists of.
    threads
        How many threads predict; None for as many as the estimator says.
    """
    estimator, column = opened(model, threads), _as_column(column)
    chunks = column.chunks if isinstance(column, pa.ChunkedArray) else [column]
    wanted = column_type(estimator, column.type)
    made: list[Any] = []
    before = 0
    for chunk in chunks:
        made += _annotated(estimator, chunk, wanted, before)
        before += len(chunk)
    if isinstance(column, pa.ChunkedArray):
        return pa.chunked_array(made, wanted)
    return pa.concat_arrays(made) if made else pa.array([], wanted)


def column_type(model: Any, type: Any = None) -> Any:
    """Return the type of what `annotate` returns for a column of a type; None stands for texts."""
    estimator, given = opened(model), pa.string() if type is None else type
    form = _form(estimator)
    return _arrow_type(form.shape(estimator, _is_raw(given)))


def with_annotations(
    model: Any, table: Any, column: str, output: str = OUTPUT, *, threads: int | None = None
) -> Any:
    """Return a table with one more column.

    A `RecordBatch` comes out as one, a stream (`RecordBatchReader`) as a stream that reads on when it is
    read; anything else with Arrow's interface comes out as a `Table`.
    """
    estimator = opened(model, threads)
    if isinstance(table, pa.RecordBatchReader):
        schema = _widened(estimator, table.schema, column, output)
        return pa.RecordBatchReader.from_batches(schema, _stream(estimator, table, column, schema))
    given = table if isinstance(table, (pa.RecordBatch, pa.Table)) else pa.table(table)
    schema = _widened(estimator, given.schema, column, output)
    found = annotate(estimator, given.column(column))
    return type(given).from_arrays([*given.columns, found], schema=schema)


def exploded(column: Any, field: str = "words", row: str = "row") -> Any:
    """Return a table with a line for each record of a field, such as each word, and the number of its row.

    Rows count from 0. Rows of null or without records have no line.
    """
    given = _as_column(column)
    whole = given.combine_chunks() if isinstance(given, pa.ChunkedArray) else given
    if not pa.types.is_struct(whole.type) or whole.type.get_field_index(field) < 0:
        known = ", ".join(f.name for f in whole.type) if pa.types.is_struct(whole.type) else str(whole.type)
        raise DataError(f"the column has no field {field!r}; it has {known}")
    lists = pc.struct_field(whole, field)
    rows, values = pc.list_parent_indices(lists), pc.list_flatten(lists)
    fields = {f.name: pc.struct_field(values, f.name) for f in values.type}
    return pa.table({row: rows, **fields})


# ---------------------------------------------------------------------------------------- from rows to Arrow


def _annotated(estimator: Any, chunk: Any, wanted: Any, before: int) -> Iterator[Any]:
    """Yield arrays with what is found in the rows of one array."""
    form = _form(estimator)
    for start in range(0, len(chunk), BATCH):
        rows = _rows(chunk.slice(start, BATCH))
        given = [row for row in rows if row is not None]
        values = _values(estimator, form, given, rows, before + start) if given else None
        found = pa.array([], wanted) if values is None else _array(values, wanted)
        if len(given) < len(rows):
            numbers, at = [], 0
            for row in rows:
                numbers.append(None if row is None else at)
                at += row is not None
            found = found.take(pa.array(numbers, pa.int64()))
        yield found


def _values(
    estimator: Any, form: ColumnForm, given: Sequence[Any], rows: Sequence[Any], before: int
) -> Values:
    """Return the predictions for rows; an error names its row."""
    try:
        return form.values(estimator, given)
    except DataError:
        for number, row in enumerate(rows, before):
            if row is None:
                continue
            try:
                form.values(estimator, [row])
            except DataError as error:
                raise DataError(f"row {number}: {error}") from None
        raise


def _rows(column: Any) -> list[Any]:
    """Return rows as estimators take them: texts, lists of words, or lists of tuples."""
    rows: list[Any] = column.to_pylist()
    first = next((row for row in rows if row), None)
    if isinstance(first, list) and any(isinstance(token, Mapping) for token in first):
        return [None if row is None else [tuple(token.values()) for token in row] for row in rows]
    return rows


def _is_raw(type: Any) -> bool:
    """Return whether rows of a type are texts; refuse what is neither text nor list of tokens."""
    types = pa.types
    if types.is_dictionary(type):
        type = type.value_type
    if (
        types.is_string(type)
        or types.is_large_string(type)
        or types.is_string_view(type)
        or types.is_null(type)
    ):
        return True
    if types.is_list(type) or types.is_large_list(type) or types.is_fixed_size_list(type):
        return False
    raise DataError(f"a column of type {type} cannot be annotated; give texts, or lists of words")


def _form(estimator: Any) -> ColumnForm:
    form: ColumnForm = spec_of(estimator.kind).load("columns")
    return form


def _arrow_type(shape: Shape) -> Any:
    if isinstance(shape, Many):
        return pa.list_(_arrow_type(shape.of))
    if isinstance(shape, Mapping):
        return pa.struct([pa.field(name, _arrow_type(own)) for name, own in shape.items()])
    return pa.int32() if shape == NUMBER else pa.string()


def _array(values: Values, wanted: Any) -> Any:
    """Return flat values as an array of a type."""
    if isinstance(values, Lists):
        offsets = pa.array([0, *accumulate(values.lengths)], pa.int32())
        return pa.ListArray.from_arrays(offsets, _array(values.values, wanted.value_type), type=wanted)
    if isinstance(values, Mapping):
        columns = [_array(values[field.name], field.type) for field in wanted]
        return pa.StructArray.from_arrays(columns, fields=list(wanted))
    return pa.array(values, wanted)


def _as_column(column: Any) -> Any:
    """Return any column with Arrow's interface as PyArrow's."""
    if isinstance(column, (pa.Array, pa.ChunkedArray)):
        return column
    if hasattr(column, "__arrow_c_stream__"):
        return pa.chunked_array(column)
    if hasattr(column, "__arrow_c_array__"):
        return pa.array(column)
    raise DataError(
        f"column is of type {type(column).__name__}; give an Arrow array, as pa.array(...) makes one"
    )


def _widened(estimator: Any, schema: Any, column: str, output: str) -> Any:
    """Return a schema with the new column; refuse names that do not fit it."""
    known = ", ".join(schema.names)
    if column not in schema.names:
        raise DataError(f"the table has no column {column!r}; its columns are {known}")
    if output in schema.names:
        raise DataError(f"the table has a column {output!r} already; choose another name for the output")
    return schema.append(pa.field(output, column_type(estimator, schema.field(column).type)))


def _stream(estimator: Any, batches: Iterable[Any], column: str, schema: Any) -> Iterator[Any]:
    for batch in batches:
        found = annotate(estimator, batch.column(column))
        yield pa.RecordBatch.from_arrays([*batch.columns, found], schema=schema)
