"""pandas: tables with a row for each token in, a column out; and an accessor that annotates columns of texts.

A `Series` with a sentence in each row needs nothing of this: `fit` and `predict` take it as it is, and what
is predicted is a `Series` with the same index.
"""

from __future__ import annotations

from typing import Any

from structron.errors import DataError
from structron.io.values.trees import Tree

try:
    import pandas as pd
except ImportError as error:
    raise ImportError("structron.adapters.pandas needs pandas; pip install pandas") from error

__all__ = ["Columns", "predicted", "sentences"]


@pd.api.extensions.register_series_accessor("structron")
class Columns:
    """``series.structron.annotate("en")``: what a model finds in each row, a text or a list of words."""

    def __init__(self, series: pd.Series) -> None:
        self._series = series

    def annotate(self, model: Any, *, threads: int | None = None) -> Any:
        """Return a series of the same index; its type is Arrow's, of structs or lists (`pd.ArrowDtype`).

        Parameters
        ----------
        model
            An estimator, or the file or name of a model.
        threads
            How many threads predict; None for as many as the estimator says.
        """
        from structron.adapters.arrow import annotate

        found = annotate(model, self._as_arrow(), threads=threads)
        values = pd.arrays.ArrowExtensionArray(found)
        return pd.Series(values, index=self._series.index, name=self._series.name)

    def words(self, model: Any, *, field: str = "words", threads: int | None = None) -> Any:
        """Return a table with a line for each word, or name (``field="names"``), by the index of its row."""
        from structron.adapters.arrow import annotate, exploded

        table = exploded(annotate(model, self._as_arrow(), threads=threads), field)
        frame = table.drop_columns(["row"]).to_pandas(types_mapper=pd.ArrowDtype)
        return frame.set_axis(self._series.index.take(table.column("row").to_numpy()), axis="index")

    def _as_arrow(self) -> Any:
        import pyarrow as pa

        try:
            return pa.array(self._series, from_pandas=True)
        except (pa.ArrowInvalid, pa.ArrowTypeError) as error:
            raise DataError(f"column {self._series.name}: {error}; give texts, or lists of words") from None


def sentences(frame: pd.DataFrame, *columns: str, by: str) -> list[Any]:
    """Return the sentences of a table with a row for each token, as estimators take them.

    Parameters
    ----------
    columns
        The words, and what else is read of a token; or the labels alone, for y.
    by
        The column that says which sentence a token is of; sentences come in the order of their first tokens.
    """
    listed = [frame[name].tolist() for name in _known(frame, (*columns, by))[:-1]]
    tokens = listed[0] if len(listed) == 1 else list(zip(*listed))
    return [[tokens[i] for i in rows] for rows in _places(frame, by)]


def predicted(estimator: Any, frame: pd.DataFrame, *columns: str, by: str) -> Any:
    """Return predictions by the frame's index: a `Series` of labels, or a table of heads and relations.

    Parameters
    ----------
    estimator
        One that gives each token something, such as a tag or a head.
    columns, by
        What it reads, see `sentences`.
    """
    places = _places(frame, by)
    found = estimator.predict(sentences(frame, *columns, by=by))
    trees = bool(found) and isinstance(found[0], Tree)
    values: list[Any] = [None] * len(frame)
    for rows, output in zip(places, found):
        for row, value in zip(rows, zip(*output) if trees else output, strict=True):
            values[row] = value
    if trees:
        return pd.DataFrame(values, index=frame.index, columns=["head", "relation"])
    return pd.Series(values, index=frame.index, name="guess", dtype=object)


def _places(frame: pd.DataFrame, by: str) -> list[list[int]]:
    """Return the rows of each sentence, from 0."""
    places: dict[Any, list[int]] = {}
    for row, sentence in enumerate(frame[by].tolist()):
        places.setdefault(sentence, []).append(row)
    return list(places.values())


def _known(frame: pd.DataFrame, columns: tuple[str, ...]) -> tuple[str, ...]:
    missing = next((name for name in columns if name not in frame.columns), None)
    if missing is not None or len(columns) < 2:
        known = ", ".join(map(str, frame.columns))
        raise DataError(f"the table has no column {missing!r}; its columns are {known}")
    return columns
