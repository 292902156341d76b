"""What every task offers to model, training, estimators and command line, so that these are written once.

The engine gives each task three classes of one shape: a `Corpus` of packed examples, a `Live` trainer on it,
and a `Frozen` predictor from finished weights.
"""

from __future__ import annotations

from array import array
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple, Protocol, TypeAlias, cast

from structron import _core
from structron.errors import ModelError, SettingError
from structron.search import Exact, Search

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

# What a model file has are views, what a task gives for one is made by numpy; both are read alike.
Arrays: TypeAlias = "Mapping[str, memoryview | npt.NDArray[Any]]"
_NONE: Any = array("f")


class Rows(NamedTuple):
    """Frozen weights: `keys[r]` owns the cells from `offsets[r]` to `offsets[r + 1]`.

    Beside them stands a short vector of the weights of `dense` features; most tasks have none. Those of a
    model file (`stored_rows`) are views, which the engine reads as well, until somebody asks for `arrays`.
    """

    keys: npt.NDArray[np.uint64]
    offsets: npt.NDArray[np.uint32]
    columns: npt.NDArray[np.uint32]
    weights: npt.NDArray[np.float32]
    dense: npt.NDArray[np.float32] = _NONE

    def arrays(self) -> Rows:
        """The same memory as arrays of numpy."""
        import numpy as np

        return Rows(*map(np.asarray, self))

    def __reduce__(self) -> tuple[Any, ...]:
        return Rows, tuple(self.arrays())  # views cannot be pickled

    def cells(
        self,
    ) -> tuple[npt.NDArray[np.uint64], npt.NDArray[np.uint32], npt.NDArray[np.float32]]:
        """Key, column and weight of each cell, as `_core.Weights` takes them, the dense ones last."""
        import numpy as np

        key = np.repeat(self.keys, np.diff(self.offsets))
        dense = np.full(len(self.dense), _core.Weights.DENSE, np.uint64)
        return (
            np.concatenate([key, dense]),
            np.concatenate([self.columns, np.arange(len(dense), dtype=np.uint32)]),
            np.concatenate([self.weights, self.dense]),
        )


_EMPTY: Any = (array("Q"), array("I", [0]), array("I"), array("f"))
NO_ROWS = Rows(*_EMPTY)
"""The weights of what has none, or not yet."""


class Choices(NamedTuple):
    """How to learn, in the engine's terms.

    Attributes
    ----------
    search
        How to search for the best output.
    update
        The engine's number for the update method.
    skip_correct
        Make no update on an example whose output is right.
    learner
        How far the weights move.
    kind
        Which member of the family of searches it is.
    """

    search: _core.Search
    update: int
    skip_correct: bool
    learner: _core.Learner
    kind: str = "beam"

    @property
    def arguments(self) -> tuple[_core.Search, int, bool, _core.Learner]:
        """What the engine's trainers take."""
        return self.search, self.update, self.skip_correct, self.learner


def engine_search(search: Search) -> _core.Search:
    """The engine's name for a search: a width of 0 is a beam without bound."""
    return _core.Search(search.width or 0, search.merge, search.within)


class Supplied(list[Any]):
    """An output with what else its corpus should know of the example.

    Attributes
    ----------
    more
        What the corpus takes after input and output.
    """

    more: tuple[Any, ...] = ()


class Corpus(Protocol):
    """Examples as integers; `add` takes what is `Supplied` with an output after it."""

    @property
    def sentences(self) -> int: ...
    @property
    def tokens(self) -> int: ...
    def add(self, x: Any, y: Any, /, *more: Any) -> None: ...


class CountedCorpus(Corpus, Protocol):
    """One that knows its features before training, so that rare ones can be left out.

    `counts` gives the keys of features and how often each is seen; `keep` discards all others.
    """

    def counts(self) -> tuple[npt.NDArray[np.uint64], npt.NDArray[np.uint32]]: ...
    def keep(self, keys: npt.NDArray[np.uint64], /) -> None: ...


def counted(corpus: Corpus) -> CountedCorpus:
    """A corpus, asked for counts: recipes of tasks that have none refuse to leave features out."""
    return cast(CountedCorpus, corpus)


class StoredCorpus(Corpus, Protocol):
    """One whose packed examples can be kept in a file: `arrays` gives them, `restore` takes them back."""

    def arrays(self) -> tuple[npt.NDArray[Any], ...]: ...
    def restore(self, arrays: tuple[npt.NDArray[Any], ...], /) -> None: ...


def stored(corpus: Corpus) -> StoredCorpus:
    """A corpus, asked for its arrays: estimators of tasks that have none refuse to stream."""
    return cast(StoredCorpus, corpus)


class Live(Protocol):
    """A trainer on a corpus: `run` gives examples, steps, errors, updates, invalid and early-stopped.

    `find` is its first half: what an update on these examples would fix, as arrays that can travel.
    """

    @property
    def waited_seconds(self) -> float: ...
    def run(
        self, order: npt.NDArray[np.uint32], batch: int = 1, threads: int = 1
    ) -> tuple[int, int, int, int, int, int]: ...
    def find(
        self, examples: npt.NDArray[np.uint32], numbers: npt.NDArray[np.uint32], threads: int = 1
    ) -> tuple[tuple[int, int, int, int, int, int], tuple[npt.NDArray[Any], ...]]: ...
    def trace(self, example: int, /) -> dict[str, Any]: ...


class Frozen(Protocol):
    """A predictor."""

    @property
    def decode_seconds(self) -> float: ...
    def predict(self, xs: Sequence[Any], /, search: _core.Search, threads: int = 1) -> list[Any]: ...
    def kbest(
        self, xs: Sequence[Any], /, k: int, search: _core.Search, threads: int = 1
    ) -> list[list[tuple[Any, float]]]: ...
    def trace(self, x: Any, gold: Any, search: _core.Search) -> dict[str, Any]: ...


class Task(Protocol):
    """What is predicted from what.

    Attributes
    ----------
    kind
        The task's word, on the command line and in model files.
    searches
        The kinds of search it has (`structron.search`), and ``exact`` where exact search comes to an end.
    called
        What it is called in messages.
    bits
        With b bits all features share 2^b rows; 0 keeps them apart.
    dense
        How many features have a weight of their own in the dense vector.
    """

    kind: ClassVar[str]
    searches: ClassVar[tuple[str, ...]]
    dense: ClassVar[int]

    @property
    def called(self) -> str: ...
    @property
    def bits(self) -> int: ...
    @property
    def weight_columns(self) -> int:
        """How long a row of weights is; an action may have several columns, or share one with others."""
        ...

    def start(self, seed: int) -> Mapping[tuple[int, int], float]:
        """The weights that learning starts from, by a feature's key and a column; none where it is zero."""
        ...

    def corpus(self, weights: _core.Weights) -> Corpus:
        """An empty corpus whose features are rows of `weights`."""
        ...

    def live(self, corpus: Any, weights: _core.Weights, choices: Choices) -> Live:
        """A trainer on a packed corpus."""
        ...

    def frozen(self, rows: Rows, kind: str = "beam") -> Frozen:
        """A predictor with these weights, for one kind of search; ValueError if they do not fit."""
        ...

    def header(self) -> dict[str, Any]:
        """The task as plain data, for the head of a model file."""
        ...

    def arrays(self) -> dict[str, npt.NDArray[Any]]:
        """What of the task is kept in arrays of the file."""
        ...

    @classmethod
    def restore(cls, header: Mapping[str, Any], arrays: Arrays) -> Task:
        """The task of a model file; `KeyError`, `ModelError` or `SettingError` if it is not whole."""
        ...


def check_search(task: str, kinds: Sequence[str], search: Search, kind: str | None = None) -> None:
    """Refuse a search of a kind that a task does not have.

    Exact search is a beam without bound, but only for tasks that list ``exact``: states of the others are
    beyond number. `kind` is the word for the task where `task` names one of its systems.
    """
    if isinstance(search, Exact) and "beam" in kinds and "exact" not in kinds:
        raise SettingError(f"exact search would never end in {kind or task}; use greedy or a beam as beam:8")
    if search.kind not in kinds:
        if "forest" in kinds and "beam" not in kinds:
            raise SettingError(
                f"search {search}: {task} is searched over a chart; use forest:4, or forest for exact search"
            )
        raise SettingError(f"search {search}: {search.needs.format(task=task)}")


def empty_weights(task: Task) -> _core.Weights:
    """The weights of a task before anything is learned."""
    return _core.Weights(task.weight_columns, task.bits, task.dense)


# What memory holds, by the letters of Python's `struct`.
_KINDS = dict.fromkeys("BHILQ", "U") | dict.fromkeys("bhilq", "I") | dict.fromkeys("efd", "F")


def view_of(arrays: Arrays, name: str, *kinds: str) -> memoryview:
    """One array of a model file where it is, of one of the kinds it may be: ``U64`` or ``F16``."""
    found: Any = arrays.get(name)
    if found is not None:
        view = memoryview(found)
        if view.ndim == 1 and f"{_KINDS.get(view.format)}{8 * view.itemsize}" in kinds:
            return view
    raise ModelError(f"its array '{name}' is missing or of the wrong kind")


def keys_of(arrays: Arrays, name: str) -> array[int]:
    """An array of keys."""
    return array("Q", view_of(arrays, name, "U64").tobytes())


def numbers_of(arrays: Arrays, name: str) -> array[int]:
    """An array of whole numbers of 32 bits; they may have been stored in fewer."""
    return array("I", _core.widened(view_of(arrays, name, "U32", "U16", "U8")).tobytes())


def stored_rows(arrays: Arrays, columns: str, greatest: float) -> Rows:
    """The weights of a model file; `ModelError` if they do not fit together.

    Parameters
    ----------
    columns
        What the file calls the array of these.
    greatest
        What no weight may exceed; NaN does.
    """
    lengths = view_of(arrays, "lengths", "U32", "U16", "U8")
    cells = view_of(arrays, columns, "U32", "U16", "U8")
    found = view_of(arrays, "weights", "F32", "F16")
    dense = view_of(arrays, "dense", "F32") if "dense" in arrays else _NONE
    try:
        offsets = _core.offsets_of(lengths)
    except ValueError:
        raise ModelError("its weights do not fit together") from None
    if offsets[-1] != len(cells):
        raise ModelError("its weights do not fit together")
    if max(_core.largest(found), _core.largest(dense)) > greatest:
        raise ModelError("a weight is out of range")
    views: Any = (view_of(arrays, "keys", "U64"), offsets, _core.widened(cells), _core.widened(found), dense)
    return Rows(*views)


def array_of(arrays: Arrays, name: str, kind: type, *narrower: type) -> npt.NDArray[Any]:
    """One array of a model file, of the kind it must be; it may have been stored in a narrower one."""
    import numpy as np

    given = arrays.get(name)
    found = None if given is None else np.asarray(given)
    if found is None or found.dtype not in (kind, *narrower) or found.ndim != 1:
        raise ModelError(f"its array '{name}' is missing or of the wrong kind")
    return found.astype(kind, copy=False)


def narrowed(array: npt.NDArray[Any], *kinds: type) -> npt.NDArray[Any]:
    """The array in the first of these kinds that holds all of its values as they are, or as it is."""
    import numpy as np

    for kind in kinds:
        with np.errstate(over="ignore"):
            narrow: npt.NDArray[Any] = array.astype(kind)
        if np.array_equal(narrow, array):
            return narrow
    return array


def check_floats(arrays: Arrays, greatest: float) -> None:
    """Refuse arrays of a model file with a float that is no number, infinite or beyond `greatest`.

    Whatever such a float is part of, weights, probabilities or votes, searches would compare sums that are no
    numbers.
    """
    for name, values in arrays.items():
        view = memoryview(cast(Any, values))
        if view.format in ("e", "f", "d") and _core.largest(view) > greatest:
            raise ModelError(f"its array '{name}' has a value that is no number or out of range")


def typed(header: Mapping[str, Any], name: str, kind: type) -> Any:
    """One entry of a header, of the type it must be; true and false are no numbers."""
    if not isinstance(header[name], kind) or (kind is int and isinstance(header[name], bool)):
        raise ModelError(f"its {name} should be of type {kind.__name__}")
    return header[name]


def texts(header: Mapping[str, Any], name: str) -> list[str]:
    """One entry of a header that must be a list of str."""
    values: list[str] = typed(header, name, list)
    if not all(isinstance(value, str) for value in values):
        raise ModelError(f"its {name} should be texts")
    return values


def is_text(label: Any) -> bool:
    """Whether it is a str that can be written: half of a surrogate pair cannot."""
    return isinstance(label, str) and (label.isascii() or not any("\ud800" <= c <= "\udfff" for c in label))
