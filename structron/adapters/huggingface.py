"""Hugging Face `datasets`: columns in, columns out.

A column goes into `fit` and `predict` as it is, ``estimator.fit(ds["tokens"], ds["ner_tags"])``: numbers that
stand for names (`ClassLabel`) are learned as these names. Here is what takes more than one column.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from structron.errors import DataError
from structron.fit.data.examples import with_names
from structron.io.values.trees import Tree

__all__ = ["sentences", "trees", "with_predictions"]


def sentences(dataset: Any, *columns: str) -> list[Any]:
    """Return sentences as estimators take them: the lists of one column, or tuples of several, words
    first."""
    found = [with_names(dataset[name]) for name in _known(dataset, columns)]
    return found[0] if len(found) == 1 else list(zip(*found))


def trees(dataset: Any, heads: str = "head", relations: str = "deprel") -> list[Tree]:
    """Return the trees of a treebank; heads may be texts, as in the treebanks of the Hub."""
    _known(dataset, (heads, relations))
    made = []
    for number, (own, labels) in enumerate(zip(dataset[heads], with_names(dataset[relations])), 1):
        try:
            made.append(Tree([int(head) for head in own], list(labels)))
        except (TypeError, ValueError):
            raise DataError(f"row {number}: a head is not a number; leave the row out") from None
    return made


def with_predictions(
    dataset: Any, estimator: Any, columns: str | Sequence[str], output: str = "guess"
) -> Any:
    """Return the dataset with one more column; with two for trees, relations in ``guess_relation``.

    Parameters
    ----------
    estimator
        Anything of structron that predicts.
    columns
        What it reads, see `sentences`.
    output
        The name of the new column.
    """
    names = (columns,) if isinstance(columns, str) else tuple(columns)
    found = estimator.predict(sentences(dataset, *names))
    if found and isinstance(found[0], Tree):
        heads = dataset.add_column(output, [tree.heads for tree in found])
        return heads.add_column(f"{output}_relation", [tree.labels for tree in found])
    return dataset.add_column(output, list(found))


def _known(dataset: Any, columns: Sequence[str]) -> Sequence[str]:
    missing = next((name for name in columns if name not in dataset.column_names), None)
    if missing is not None or not columns:
        known = ", ".join(dataset.column_names)
        raise DataError(f"the dataset has no column {missing!r}; its columns are {known}")
    return columns
