"""The task: search spaces in Python, everything else in the engine."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, fields
from typing import TYPE_CHECKING, Any, ClassVar, Self

from structron import _core
from structron.errors import ModelError

if TYPE_CHECKING:
    import numpy.typing as npt

    from structron.engine.choices import Choices
    from structron.engine.rows import Arrays, Rows
    from structron.reference.sequence.spaces import Oracle, SearchSpace


@dataclass(frozen=True)
class OwnTask(ABC):
    """A task that is defined by a search space in plain Python.

    A subclass is a frozen dataclass with `kind`. Its fields are numbers, texts and tuples of these; they are
    kept in the model file. `space`, `oracle` and `output` must depend on nothing else.

    Parameters
    ----------
    bits
        With b bits all features share 2^b rows; 0 keeps them apart.
    """

    kind: ClassVar[str]
    searches: ClassVar[tuple[str, ...]] = ("beam",)
    dense: ClassVar[int] = 0

    bits: int = 0

    @abstractmethod
    def space(self, x: Any) -> SearchSpace[Any]:
        """Return the graph of states of one input; names of features are texts, or anything with a repr."""

    @abstractmethod
    def oracle(self, x: Any, y: Any) -> Oracle[Any]:
        """Return the oracle for the output `y`."""

    @abstractmethod
    def output(self, x: Any, actions: Sequence[int]) -> Any:
        """Return the output that a sequence of actions stands for."""

    @property
    def called(self) -> str:
        """The name of the task in messages."""
        return self.kind

    @property
    def weight_columns(self) -> int:
        """One: the name of a feature says what it should know of the action."""
        return 1

    def start(self, seed: int) -> Mapping[tuple[int, int], float]:
        """Return no weights: learning starts from zero."""
        return {}

    def corpus(self, weights: _core.Weights) -> OwnExamples:
        """Return an empty corpus."""
        return OwnExamples(self, _core.OwnCorpus(weights))

    def live(self, corpus: OwnExamples, weights: _core.Weights, choices: Choices) -> _core.Trainer:
        """Return the engine's trainer on a corpus."""
        return _core.own_trainer(corpus.packed, weights, *choices.arguments)

    def frozen(self, rows: Rows, kind: str = "beam") -> FrozenTask:
        """Return a predictor with these weights."""
        return FrozenTask(self, _core.own_predictor(self.bits, rows))

    def header(self) -> dict[str, Any]:
        """Return the fields, for the head of a model file."""
        return {"own": asdict(self)}

    def arrays(self) -> dict[str, npt.NDArray[Any]]:
        """Return no arrays."""
        return {}

    @classmethod
    def restore(cls, header: Mapping[str, Any], arrays: Arrays) -> Self:
        """Return the task of a model file."""
        own = header["own"]
        known = {each.name: each for each in fields(cls)}
        if not isinstance(own, dict) or set(own) != set(known):
            raise ModelError(f"its settings are not those of {cls.kind}")
        for name, value in own.items():
            wanted = known[name].type
            if isinstance(wanted, str) and wanted in _PLAIN and type(value) is not _PLAIN[wanted]:
                raise ModelError(f"its {name} should be of type {wanted}")
        return cls(**{name: _frozen(value) for name, value in own.items()})


_PLAIN = {"int": int, "str": str, "bool": bool}


def _frozen(value: Any) -> Any:
    """Make tuples of lists: JSON has no others."""
    return tuple(map(_frozen, value)) if isinstance(value, list) else value


@dataclass
class OwnExamples:
    """Examples whose states are asked for while they are learned from, each once."""

    task: OwnTask
    packed: _core.OwnCorpus

    def add(self, x: Any, y: Any) -> None:
        """Add one example."""
        self.packed.add(self.task.space(x), self.task.oracle(x, y))

    @property
    def sentences(self) -> int:
        """The number of examples."""
        return self.packed.sentences

    @property
    def tokens(self) -> int:
        """The number of examples, since lengths of derivations are not known."""
        return self.packed.tokens


@dataclass
class FrozenTask:
    """A predictor: the engine's, with spaces in front and outputs behind."""

    task: OwnTask
    engine: _core.Predictor

    @property
    def decode_seconds(self) -> float:
        """The CPU time spent searching, Python's part included."""
        return self.engine.decode_seconds

    def predict(self, xs: Sequence[Any], search: _core.Search, threads: int = 1) -> list[Any]:
        """Return the best output for each input."""
        found = self.engine.predict([self.task.space(x) for x in xs], search, threads)
        return [self.task.output(x, actions) for x, actions in zip(xs, found)]

    def kbest(
        self, xs: Sequence[Any], k: int, search: _core.Search, threads: int = 1
    ) -> list[list[tuple[Any, float]]]:
        """Return the best outputs for each input with their scores; different derivations count as
        different."""
        found = self.engine.kbest([self.task.space(x) for x in xs], k, search, threads)
        return [
            [(self.task.output(x, actions), score) for actions, score in best] for x, best in zip(xs, found)
        ]

    def trace(self, x: Any, gold: Any, search: _core.Search) -> dict[str, Any]:
        """Return the trace of the search on one input."""
        oracle = None if gold is None else self.task.oracle(x, gold)
        return self.engine.trace(self.task.space(x), oracle, search)
