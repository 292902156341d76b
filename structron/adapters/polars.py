"""Polars: ``pl.col("text").structron.annotate("en")``, an expression, once this module is imported."""

from __future__ import annotations

from typing import Any

from structron.adapters.arrow import annotate, column_type, opened

try:
    import polars as pl
    import pyarrow as pa
except ImportError as error:
    raise ImportError("structron.adapters.polars needs Polars; pip install 'structron[polars]'") from error

__all__ = ["Expressions"]


@pl.api.register_expr_namespace("structron")
class Expressions:
    """The namespace `structron` of an expression."""

    def __init__(self, expression: Any) -> None:
        self._expression = expression

    def annotate(self, model: Any, *, words: bool = False, threads: int | None = None) -> Any:
        """Return an expression of what a model finds in each row, a text or a list of words.

        Parameters
        ----------
        model
            An estimator, or the file or name of a model.
        words
            True if rows are lists of words, False if they are texts.
        threads
            How many threads predict; None for as many as the estimator says.
        """
        estimator = opened(model, threads)
        given = pa.list_(pa.string()) if words else pa.string()
        wanted = pl.from_arrow(pa.array([], column_type(estimator, given))).dtype

        def function(series: Any) -> Any:
            return pl.Series(series.name, pl.from_arrow(annotate(estimator, series.to_arrow())), dtype=wanted)

        # Rows do not depend on each other, so that a streaming engine may give them piece by piece.
        return self._expression.map_batches(function, return_dtype=wanted, is_elementwise=True)
