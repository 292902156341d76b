"""The mistakes of a training, recorded by the engine's ballot, that define its weight vectors."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from structron.engine.rows import Arrays, Rows, array_of, narrowed, typed
from structron.errors import ModelError


class Mistakes(NamedTuple):
    """Mistake m moved some columns by `example[m]`; the weights before it stood for `votes[m]` examples.

    Attributes
    ----------
    examples
        The number of misclassified examples; the rows of such a model have a column for each.
    example
        The example of each mistake.
    begin, changed
        The columns that mistake m moved are `changed[begin[m]:begin[m + 1]]`: twice the column, plus one if
        the example was subtracted.
    votes
        One entry more than there are mistakes; the last entry is the votes of the final weights.
    """

    examples: int
    example: npt.NDArray[np.uint32]
    begin: npt.NDArray[np.uint32]
    changed: npt.NDArray[np.uint32]
    votes: npt.NDArray[np.uint32]

    @classmethod
    def of_ballot(
        cls, packed: tuple[int, tuple[npt.NDArray[Any], ...], tuple[npt.NDArray[Any], ...]]
    ) -> tuple[Mistakes, Rows]:
        """Return the mistakes that the engine has recorded, and the examples as rows."""
        examples, rows, arrays = packed
        return cls(examples, *arrays), Rows(*rows)

    def arrays(self) -> dict[str, npt.NDArray[Any]]:
        """Return the mistakes as arrays of a model file."""
        named = zip(self._fields[1:], self[1:])
        return {f"mistakes.{name}": narrowed(values, np.uint8, np.uint16) for name, values in named}

    @classmethod
    def restore(cls, header: Mapping[str, Any], arrays: Arrays) -> Mistakes | None:
        """Restore the mistakes of a model file, None if the model does not vote."""
        examples = typed({"mistaken": 0} | dict(header), "mistaken", int)
        if not 0 <= examples < 2**31:
            raise ModelError("its number of mistaken examples is out of range")
        if "mistakes.votes" not in arrays:
            return None
        names = cls._fields[1:]
        kinds = (np.uint32, np.uint16, np.uint8)
        return cls(examples, *(array_of(arrays, f"mistakes.{name}", *kinds) for name in names))
