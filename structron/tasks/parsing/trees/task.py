"""What all tasks of parsing share, by transitions or not: relations, roots, crossing arcs, a treebank."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import fields
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar

from structron import _core
from structron.engine.choices import Choices
from structron.engine.rows import Arrays, Rows
from structron.errors import SettingError
from structron.features.keys import MASK, hash_bytes
from structron.task import Frozen, Live, Task
from structron.tasks.parsing.transitions.gold_trees import projected, without_marks
from structron.tasks.parsing.trees.predictors import Tree
from structron.tasks.parsing.trees.projectivity import is_projective

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from structron.features.clusters import WordClusters

Tokens = Sequence[Any]
BY_CHART = ("forest", "swaps", "mst")  # the searches of system graph
CROSSING = ("pseudo", "lift", "refuse", "build")


class TreeTask(ABC):
    """A task whose outputs are dependency trees; those that there are have these settings as their fields.

    Attributes
    ----------
    labels
        All relations, in the order of their numbers; some may carry the mark of a lifted arc.
    templates
        Feature templates.
    system
        What the trees are built by.
    single_root, crossing, bits, clusters
        As `ParsingTask` explains them.
    """

    kind: ClassVar[str] = "parsing"
    searches: ClassVar[tuple[str, ...]]
    dense: ClassVar[int] = 0

    labels: tuple[str, ...]
    templates: tuple[str, ...]
    system: str
    single_root: bool
    crossing: str
    bits: int
    clusters: WordClusters | None

    def check_shared(self) -> None:
        """Refuse what no such task can be."""
        if not self.labels or len(self.labels) > 65000:
            raise SettingError(f"there are {len(self.labels)} relations; give from 1 to 65000")
        if not 0 <= self.bits <= 32:
            raise SettingError(f"bits = {self.bits} is not possible; give a whole number from 0 to 32")
        if self.crossing not in CROSSING:
            raise SettingError(f"crossing {self.crossing!r} is not known; use one of {', '.join(CROSSING)}")

    @property
    def clusters_header(self) -> dict[str, str]:
        """What the head of a model file says of clusters: nothing if there are none."""
        return {} if self.clusters is None else {"clusters": self.clusters.name}

    @property
    def called(self) -> str:
        """What it is called in messages."""
        return f"system {self.system}"

    def __getstate__(self) -> dict[str, Any]:
        # What the engine needs is made again where it is needed.
        named: Any = self
        return {each.name: getattr(self, each.name) for each in fields(named)}

    def word_key(self, word: str) -> int | None:
        """The key of a word by itself; None if features share rows, or no template sees words alone."""
        text = next((each for each in ("s0.w", "q0.w", "m.w") if each in self.templates), None)
        if self.bits or text is None:
            return None
        start = hash_bytes(text.encode())  # in transition systems and in graphs
        return (start + hash_bytes(word.encode()) * (start | 1)) & MASK

    @property
    @abstractmethod
    def columns(self) -> int:
        """How many columns a token must have."""

    @property
    @abstractmethod
    def weight_columns(self) -> int:
        """How long a row of weights is."""

    def start(self, seed: int) -> Mapping[tuple[int, int], float]:
        """Learning starts from zero."""
        return {}

    @abstractmethod
    def corpus(self, weights: _core.Weights) -> Treebank:
        """An empty corpus."""

    @abstractmethod
    def live(self, corpus: Treebank, weights: _core.Weights, choices: Choices) -> Live:
        """A trainer on a packed corpus."""

    @abstractmethod
    def frozen(self, rows: Rows, kind: str = "beam") -> Frozen:
        """A predictor with these weights, for one kind of search."""

    @abstractmethod
    def predictor(self, rows: Rows) -> Any:
        """The engine's predictor for the task's usual kind of search; it finds the k best trees."""

    @abstractmethod
    def tree_scorer(self, rows: Rows) -> Any:
        """What says how good given trees are."""

    @abstractmethod
    def header(self) -> dict[str, Any]:
        """The task as plain data."""

    def arrays(self) -> dict[str, npt.NDArray[Any]]:
        """Nothing of it is kept in arrays."""
        return {}

    @classmethod
    @abstractmethod
    def restore(cls, header: Mapping[str, Any], arrays: Arrays) -> Task:
        """The task of a model file."""

    @abstractmethod
    def space(self, tokens: Tokens) -> Any:
        """One sentence as the definition sees it."""

    @abstractmethod
    def oracle(self, tree: Tree) -> Any:
        """The gold tree of one sentence."""

    def projected(self, tree: Tree) -> Tree:
        """The tree as the system learns it: crossing arcs lifted, unless it can build them."""
        built = projected(tree, self.system, self.crossing)
        return built if built is tree else without_marks(built, self._known)

    def builds(self, tree: Tree) -> bool:
        """Whether the system can build a tree, once its crossing arcs are lifted if it lifts any."""
        return self.system == "swap" or self.crossing == "build" or is_projective(self.projected(tree)[0])

    @cached_property
    def _known(self) -> frozenset[str]:
        return frozenset(self.labels)


class Treebank:
    """Packed sentences with their trees; where arcs cross they are lifted on the way in.

    Parameters
    ----------
    packed
        The engine's corpus.
    """

    def __init__(self, task: TreeTask, packed: Any) -> None:
        self.task, self.packed = task, packed

    @property
    def sentences(self) -> int:
        """How many there are."""
        count: int = self.packed.sentences
        return count

    @property
    def tokens(self) -> int:
        """How many there are."""
        count: int = self.packed.tokens
        return count

    def add(self, x: Tokens, y: Tree, /) -> None:
        """One more sentence; ValueError or TypeError in words if it is not possible."""
        self.packed.add(x, self.task.projected(y))

    def counts(self) -> tuple[npt.NDArray[np.uint64], npt.NDArray[np.uint32]]:
        """The keys of features, and how often each is seen on the way to the gold trees."""
        keys, times = self.packed.counts()
        return keys, times

    def keep(self, keys: npt.NDArray[np.uint64], /) -> None:
        """Discard all others."""
        self.packed.keep(keys)
