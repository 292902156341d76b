"""The part that all parsing tasks share: relations, roots, crossing arcs, and a treebank."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
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
from structron.tasks.parsing.trees.projectivity import MARK, is_projective

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from structron.features.clusters import WordClusters

Tokens = Sequence[Any]
BY_CHART = ("forest", "swaps", "mst")  # the searches of the system graph
CROSSING = ("pseudo", "lift", "refuse", "build")


class TreeTask(ABC):
    """A task whose outputs are dependency trees; subclasses declare these attributes as fields.

    Attributes
    ----------
    labels
        All relations, in the order of their numbers; some may carry the mark of a lifted arc.
    templates
        Feature templates.
    system
        The transition system, or ``graph``.
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
        """Refuse settings that no parsing task allows."""
        if not self.labels or len(self.labels) > 65000:
            raise SettingError(f"there are {len(self.labels)} relations; give from 1 to 65000")
        if not 0 <= self.bits <= 32:
            raise SettingError(f"bits = {self.bits} is not possible; give a whole number from 0 to 32")
        if self.crossing not in CROSSING:
            raise SettingError(f"crossing {self.crossing!r} is not known; use one of {', '.join(CROSSING)}")

    @property
    def clusters_header(self) -> dict[str, str]:
        """Return the entry about clusters for the head of a model file, empty without clusters."""
        return {} if self.clusters is None else {"clusters": self.clusters.name}

    @property
    def called(self) -> str:
        """Return the name of the task for messages."""
        return f"system {self.system}"

    def __getstate__(self) -> dict[str, Any]:
        # Objects of the engine are rebuilt on first use.
        named: Any = self
        return {each.name: getattr(self, each.name) for each in fields(named)}

    def word_key(self, word: str) -> int | None:
        """Return the key of a word alone; None if features share rows or no template sees words alone."""
        text = next((each for each in ("s0.w", "q0.w", "m.w") if each in self.templates), None)
        if self.bits or text is None:
            return None
        start = hash_bytes(text.encode())  # in transition systems and in graphs
        return (start + hash_bytes(word.encode()) * (start | 1)) & MASK

    @property
    @abstractmethod
    def columns(self) -> int:
        """Return the number of columns that a token must have."""

    @property
    @abstractmethod
    def weight_columns(self) -> int:
        """Return the length of a row of weights."""

    def start(self, seed: int) -> Mapping[tuple[int, int], float]:
        """Return no weights, since learning starts from zero."""
        return {}

    @abstractmethod
    def corpus(self, weights: _core.Weights) -> Treebank:
        """Create an empty corpus."""

    @abstractmethod
    def live(self, corpus: Treebank, weights: _core.Weights, choices: Choices) -> Live:
        """Create a trainer on a packed corpus."""

    @abstractmethod
    def frozen(self, rows: Rows, kind: str = "beam") -> Frozen:
        """Create a predictor with these weights for one kind of search."""

    @abstractmethod
    def predictor(self, rows: Rows) -> Any:
        """Create the engine's predictor for the task's usual search; it finds the k best trees."""

    def tree_scorer(self, rows: Rows) -> _core.TreeScorer:
        """Create a scorer of given trees."""
        return _core.TreeScorer(self.predictor(rows))

    @abstractmethod
    def header(self) -> dict[str, Any]:
        """Return the task as plain data."""

    def arrays(self) -> dict[str, npt.NDArray[Any]]:
        """Return no arrays."""
        return {}

    @classmethod
    @abstractmethod
    def restore(cls, header: Mapping[str, Any], arrays: Arrays) -> Task:
        """Restore the task from a model file."""

    @abstractmethod
    def space(self, tokens: Tokens) -> Any:
        """Return the search space of one sentence, for the definition."""

    @abstractmethod
    def oracle(self, tree: Tree) -> Any:
        """Return the oracle for the gold tree of one sentence."""

    def projected(self, tree: Tree) -> Tree:
        """Return the tree that the system learns: crossing arcs are lifted unless it can build them."""
        built = projected(tree, self.system, self.crossing)
        return built if built is tree else without_marks(built, self._known)

    def missing(self, tree: Tree) -> set[str]:
        """Return the relations of a tree, known in part perhaps, that the task does not have."""
        return {label for label in self.projected(tree)[1] if label is not None} - self._known

    def unknown_relations(self, trees: Iterable[Tree]) -> tuple[list[list[str]], set[str], str, str]:
        """Return relations as they are scored, without their subtypes, for `warn_of_unknown`."""
        from structron.metrics.attachment import universal

        gold = [[universal(label) for label in labels if label is not None] for _, labels in trees]
        return gold, {universal(label.partition(MARK)[0]) for label in self.labels}, "relations", "words"

    def builds(self, tree: Tree) -> bool:
        """Return True if the system can build a tree once its crossing arcs are lifted."""
        return self.system == "swap" or self.crossing == "build" or is_projective(self.projected(tree)[0])

    @cached_property
    def _known(self) -> frozenset[str]:
        return frozenset(self.labels)


class Treebank:
    """Packed sentences with their trees; crossing arcs are lifted when a tree is added.

    Parameters
    ----------
    packed
        The engine's corpus.
    """

    def __init__(self, task: TreeTask, packed: Any) -> None:
        self.task, self.packed = task, packed

    @property
    def sentences(self) -> int:
        """Return the number of sentences."""
        count: int = self.packed.sentences
        return count

    @property
    def tokens(self) -> int:
        """Return the number of tokens."""
        count: int = self.packed.tokens
        return count

    def add(self, x: Tokens, y: Tree, /) -> None:
        """Add a sentence; raise ValueError or TypeError with an explanation if it is not valid."""
        self.packed.add(x, self.task.projected(y))

    def counts(self) -> tuple[npt.NDArray[np.uint64], npt.NDArray[np.uint32]]:
        """Return the keys of features and how often each occurs on the way to the gold trees."""
        keys, times = self.packed.counts()
        return keys, times

    def keep(self, keys: npt.NDArray[np.uint64], /) -> None:
        """Discard all other features."""
        self.packed.keep(keys)
