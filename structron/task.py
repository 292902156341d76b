"""The protocols of a task, and `TaskSpec`, by which the rest of structron finds it.

The engine gives each task three classes of one shape: a `Corpus` of packed examples, a `Live` trainer on it,
and a `Frozen` predictor from finished weights.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from importlib import import_module
from typing import TYPE_CHECKING, Any, ClassVar, Protocol, cast

from structron.errors import SettingError
from structron.records import dataclass
from structron.search import Exact, Search

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from structron import _core
    from structron.engine.choices import Choices
    from structron.engine.rows import Arrays, Rows


@dataclass(frozen=True)
class TaskSpec:
    """The declaration of a task, by which the rest of structron finds it.

    Every part is named as ``module:name`` and imported when it is first asked for, so that declaring a task
    costs nothing. `structron.registry` says how a package declares its tasks.

    Attributes
    ----------
    kind
        The task's word, on the command line and in model files.
    help
        Its purpose, in one line.
    task
        The class that fulfils `Task`.
    estimator
        The class that users fit and predict with.
    settings
        The class of its settings; empty if it has none of its own.
    cli
        An object that reads, writes, scores and shows for the commands (`structron.cli.task_cli.TaskCLI`);
        empty if it has no commands.
    train_command
        A click command that trains it, if it is not made from `settings`.
    json_form
        An object that says what the server takes and gives (`structron.serve.json_forms.JsonForm`).
    account
        A function from a model and an input to what decided the output (`structron.explaining.Account`).
    columns
        An object that says what its outputs are in a table (`structron.fit.data.columns.ColumnForm`).
    play
        An object that says how the playground shows it (`structron.serve.play.task_play.Play`).
    rank
        Where it stands in lists: lower numbers first.
    """

    kind: str
    help: str
    task: str
    estimator: str
    settings: str = ""
    cli: str = ""
    train_command: str = ""
    json_form: str = ""
    account: str = ""
    columns: str = ""
    play: str = ""
    rank: int = 100

    def load(self, part: str) -> Any:
        """Import one part, such as ``estimator``; refuse a part that the task does not have."""
        place = getattr(self, part)
        if not place:
            raise SettingError(
                f"{self.kind} has no {part.replace('_', ' ')}; its package does not declare one"
            )
        module, _, name = place.partition(":")
        return getattr(import_module(module), name)


class Supplied(list[Any]):
    """An output with further arguments for its corpus.

    Attributes
    ----------
    more
        The arguments of the corpus after input and output.
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
    """A corpus that knows its features before training, so that rare ones can be left out.

    `counts` gives the keys of features and how often each is seen; `keep` discards all others.
    """

    def counts(self) -> tuple[npt.NDArray[np.uint64], npt.NDArray[np.uint32]]: ...
    def keep(self, keys: npt.NDArray[np.uint64], /) -> None: ...


def counted(corpus: Corpus) -> CountedCorpus:
    """Cast a corpus: recipes refuse to leave features out in tasks without counts."""
    return cast(CountedCorpus, corpus)


class StoredCorpus(Corpus, Protocol):
    """A corpus whose packed examples can be stored: `arrays` gives them, `restore` takes them back."""

    def arrays(self) -> tuple[npt.NDArray[Any], ...]: ...
    def restore(self, arrays: tuple[npt.NDArray[Any], ...], /) -> None: ...


def stored(corpus: Corpus) -> StoredCorpus:
    """Cast a corpus: estimators refuse to stream in tasks without stored examples."""
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
    def choose_with(self, ask: Callable[..., Any]) -> None: ...


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
    """The definition of a task: inputs, outputs, and how to search them.

    Attributes
    ----------
    kind
        The task's word, on the command line and in model files.
    searches
        The kinds of search it has (`structron.search`), and ``exact`` where exact search comes to an end.
    called
        Its name in messages.
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
        """Return the length of a row of weights; an action may have several columns, or share one."""
        ...

    def start(self, seed: int) -> Mapping[tuple[int, int], float]:
        """Return the initial weights by key of a feature and column; others are zero."""
        ...

    def corpus(self, weights: _core.Weights) -> Corpus:
        """Return an empty corpus whose features are rows of `weights`."""
        ...

    def live(self, corpus: Any, weights: _core.Weights, choices: Choices) -> Live:
        """Return a trainer on a packed corpus."""
        ...

    def frozen(self, rows: Rows, kind: str = "beam") -> Frozen:
        """Return a predictor with these weights for one kind of search; ValueError if they do not fit."""
        ...

    def header(self) -> dict[str, Any]:
        """Return the task as plain data, for the head of a model file."""
        ...

    def arrays(self) -> dict[str, npt.NDArray[Any]]:
        """Return the parts of the task that are stored as arrays of the file."""
        ...

    @classmethod
    def restore(cls, header: Mapping[str, Any], arrays: Arrays) -> Task:
        """Read the task of a model file; `KeyError`, `ModelError` or `SettingError` if it is damaged."""
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
