"""Examples between user and engine: on the way in, and back in the shape they came in."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from structron.errors import DataError, SettingError
from structron.io import Sentence
from structron.model import Place, numbered
from structron.records import dataclass

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

Source_co = TypeVar("Source_co", covariant=True)
Output = TypeVar("Output")


@dataclass(frozen=True)
class Examples(Generic[Source_co]):
    """Inputs as the engine takes them, with their outputs where these are known.

    Attributes
    ----------
    xs, ys
        One each, in the shape of the task; `ys` is empty where only inputs were given.
    source
        How the estimator read them.
    place
        Where an example stands, for messages.
    checksum
        Of data that are not here, see `structron.fit.data.signature`.
    file_of
        The number of each example's file, where they were given as files: shards are then of whole files.
    """

    xs: Sequence[Any]
    ys: Sequence[Any]
    source: Source_co
    place: Place = numbered
    checksum: str = ""
    file_of: Sequence[int] = ()

    @property
    def size(self) -> dict[str, int]:
        """Return how much there is, for the model's file."""
        return {"sentences": len(self.xs), "tokens": sum(map(len, self.xs))}


def keeping(X: Iterable[object], columns: str) -> list[Sentence]:
    """Return sentences from files of which prediction keeps what stands in these columns."""
    found = []
    for sentence in X:
        if not isinstance(sentence, Sentence):
            raise DataError("given names columns, which only sentences from files have; give a list")
        found.append(sentence.keeping(tuple(name for name in columns.split(",") if name)))
    return found


def as_given(X: object, found: list[Output]) -> list[Output] | npt.NDArray[np.object_]:
    """Outputs in the shape of the inputs: a list, or for an array an array of objects.

    For a Series of pandas it is a Series with the same index.
    """
    if not hasattr(X, "__array__"):
        return found
    pandas = sys.modules.get("pandas")  # a Series exists only if pandas was imported
    if pandas is not None and isinstance(X, pandas.Series):
        series: Any = pandas.Series(found, index=X.index, dtype=object)
        return series  # type: ignore[no-any-return]
    import numpy as np

    # One by one: lists of one length would become a table.
    array: npt.NDArray[np.object_] = np.empty(len(found), dtype=np.object_)
    for i, output in enumerate(found):
        array[i] = output
    return array


def with_names(y: Any) -> Any:
    """Labels as names: a column of `datasets` may hold numbers, and tell what they stand for."""
    names = getattr(getattr(getattr(y, "features", None), "feature", None), "names", None)
    if not isinstance(names, list):
        return y
    named = []
    for i, row in enumerate(y, 1):
        strange = next((n for n in row if not isinstance(n, int) or not 0 <= n < len(names)), None)
        if strange is not None:
            raise DataError(f"y of sentence {i}: {strange!r} stands for no label; leave the sentence out")
        named.append([names[number] for number in row])
    return named


def either(classes: Sequence[str] | None, labels: Sequence[str] | None) -> Sequence[str] | None:
    """Labels that are given under one of two names."""
    if classes is not None and labels is not None:
        raise SettingError("classes and labels are two names for one thing; give one of them")
    return labels if classes is None else classes


def format_of(sources: Sequence[Sentence] | None) -> dict[str, object]:
    """The format of the files that sentences came from, for the model's file; nothing without files."""
    if not sources:
        return {}
    format = sources[0].format
    return {"format": {"name": format.name, "separator": format.separator, "columns": list(format.columns)}}
