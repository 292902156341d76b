"""The task of graph-based parsing, for the engine and for the definition."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar

from structron import _core
from structron.engine.choices import Choices
from structron.engine.rows import Arrays, Rows, texts, typed
from structron.engine.word_lists import engine_clusters, restored_clusters
from structron.errors import SettingError
from structron.task import Live
from structron.tasks.parsing.features.graph import (
    GraphTemplate,
    columns_read,
    order_of,
    parse_graph_templates,
    with_clusters,
)
from structron.tasks.parsing.graph.predictor import FrozenGraph
from structron.tasks.parsing.graph.program import compile_templates
from structron.tasks.parsing.graph.pruner import PrunedArcs, Pruner
from structron.tasks.parsing.transitions.gold_trees import as_built, projected
from structron.tasks.parsing.trees.task import BY_CHART, Tokens, Treebank, TreeTask

if TYPE_CHECKING:
    import numpy.typing as npt

    from structron.features.clusters import WordClusters
    from structron.tasks.parsing.graph.oracle import GraphOracle
    from structron.tasks.parsing.graph.space import GraphSpace
    from structron.tasks.parsing.trees.predictors import Tree

# The engine's functions that make them, by the kind of search.
TRAINERS: Mapping[str, Callable[..., Live]] = {
    "forest": _core.chart_trainer,
    "swaps": _core.climbing_trainer,
    "mst": _core.spanning_trainer,
}
PREDICTORS: Mapping[str, Callable[..., _core.Predictor]] = {
    "forest": _core.chart_predictor,
    "swaps": _core.climbing_predictor,
    "mst": _core.spanning_predictor,
}


@dataclass(frozen=True)
class GraphParsingTask(TreeTask):
    """Trees that are searched as a whole: over a chart (Eisner 1996), or with crossing arcs.

    Parameters
    ----------
    labels
        All relations, in the order of their numbers; unlabelled parsing has one.
    templates
        Feature templates over parts of trees (see `structron.tasks.parsing.features.graph`).
    single_root, crossing, bits
        As in `ParsingTask`. With crossing ``build`` trees are learned unchanged, by a search that builds
        crossing arcs: ``mst`` or ``forest+swaps``.
    pruner
        Selects the arcs to score; None for all.
    clusters
        Word clusters, for templates that use them.
    """

    searches: ClassVar[tuple[str, ...]] = BY_CHART
    system = "graph"

    labels: tuple[str, ...]
    templates: tuple[str, ...]
    single_root: bool = True
    crossing: str = "pseudo"
    bits: int = 0
    pruner: Pruner | None = None
    clusters: WordClusters | None = None

    def __post_init__(self) -> None:
        self.check_shared()

    @classmethod
    def of_trees(cls, trees: Sequence[Tree], templates: Sequence[str], **choices: Any) -> GraphParsingTask:
        """Create the task for training trees, with their relations.

        Trees have a single root if all training trees do, unless `choices` decide otherwise.
        """
        if "single_root" not in choices:
            choices["single_root"] = all(list(heads).count(0) <= 1 for heads, _ in trees)
        built = as_built(trees, cls.system, choices.get("crossing", "pseudo"))
        labels = sorted({label for _, names in built for label in names if label is not None})
        return cls(tuple(labels), tuple(templates), **choices)

    def with_labels(self, labels: Sequence[str]) -> tuple[GraphParsingTask, list[int]]:
        """Return the task with more relations, and which column each of its columns becomes."""
        new = [label for label in labels if label not in self.labels]
        made = replace(self, labels=(*self.labels, *new))
        return made, [*range(len(self.labels)), len(made.labels)]

    @cached_property
    def parsed(self) -> list[GraphTemplate]:
        """Return the parsed templates."""
        return with_clusters(parse_graph_templates(self.templates), self.clusters)

    @property
    def columns(self) -> int:
        """Return the number of columns that a token must have."""
        return columns_read([*self.parsed, *(self.pruner.parsed if self.pruner else ())])

    @property
    def order(self) -> int:
        """Return 1 if templates see arcs alone, 2 if they see more."""
        return order_of(self.parsed)

    @property
    def weight_columns(self) -> int:
        """Return the number of relations plus one column for siblings and grandchildren."""
        return len(self.labels) + 1

    @cached_property
    def program(self) -> _core.GraphProgram:
        """Return the templates as a program of the engine."""
        pruning = [] if self.pruner is None else self.pruner.parsed
        clusters = engine_clusters(self.clusters)
        return _core.GraphProgram(
            compile_templates(self.parsed), self.columns, compile_templates(pruning), clusters
        )

    @cached_property
    def _pruner(self) -> _core.GraphPruner | None:
        return None if self.pruner is None else self.pruner.engine

    def pruned(self, xs: Sequence[Tokens], trees: Sequence[Tree]) -> PrunedArcs:
        """Count the arcs of these sentences that the pruner keeps."""
        corpus = _core.GraphCorpus(
            self.program, ["_"], self.single_root, 0, self._pruner, self.crossing == "build"
        )
        crossing = "build" if self.crossing == "build" else "lift"
        for x, (heads, labels) in zip(xs, trees, strict=True):
            # A plain pair, since trees are not checked yet if crossing arcs are refused.
            heads, _ = projected((heads, labels), self.system, crossing)
            corpus.add(x, (heads, ["_"] * len(heads)))
        return PrunedArcs(*corpus.pruned(), corpus.tokens)

    def corpus(self, weights: _core.Weights) -> Treebank:
        """Create an empty corpus."""
        shape = self.program, [*self.labels], self.single_root
        crossing = self.crossing == "build"
        pruner = None if self.pruner is None else self.pruner.while_training
        return Treebank(self, _core.GraphCorpus(*shape, self.bits, pruner, crossing))

    def live(self, corpus: Treebank, weights: _core.Weights, choices: Choices) -> Live:
        """Create a trainer on a packed corpus."""
        check_order(choices.kind, self.parsed)
        return TRAINERS[choices.kind](corpus.packed, weights, *choices.arguments)

    def frozen(self, rows: Rows, kind: str = "forest") -> FrozenGraph:
        """Create a predictor with these weights for one kind of search."""
        check_order(kind, self.parsed)
        shape = self.program, [*self.labels], self.single_root
        engine = PREDICTORS[kind](*shape, rows, self.bits, self._pruner)
        return FrozenGraph(engine, self.labels, self.projected, self, kind == "forest")

    def predictor(self, rows: Rows) -> _core.Predictor:
        """Create the engine's predictor with a chart."""
        return _core.chart_predictor(
            self.program, [*self.labels], self.single_root, rows, self.bits, self._pruner
        )

    def header(self) -> dict[str, Any]:
        """Return the task as plain data."""
        return {
            "labels": [*self.labels],
            "templates": [*self.templates],
            "system": self.system,
            "single_root": self.single_root,
            "crossing": self.crossing,
            "bits": self.bits,
            "pruner": None if self.pruner is None else self.pruner.header(),
            **self.clusters_header,
        }

    def arrays(self) -> dict[str, npt.NDArray[Any]]:
        """Return the weights of the pruner and the word clusters."""
        own = {} if self.pruner is None else self.pruner.arrays()
        return own | ({} if self.clusters is None else self.clusters.arrays())

    @classmethod
    def restore(cls, header: Mapping[str, Any], arrays: Arrays) -> GraphParsingTask:
        """Restore the task from a model file."""
        lists: dict[str, Any] = {n: tuple(texts(header, n)) for n in ("labels", "templates")}
        kinds = {"single_root": bool, "crossing": str, "bits": int}
        pruner = None if header["pruner"] is None else Pruner.restore(typed(header, "pruner", dict), arrays)
        plain = {name: typed(header, name, kind) for name, kind in kinds.items()}
        return cls(**lists, **plain, pruner=pruner, clusters=restored_clusters(header, arrays))

    def space(self, tokens: Tokens, arcs: Collection[tuple[int, int]] | None = None) -> GraphSpace:
        """Return the search space of one sentence, with all arcs or with these."""
        from structron.tasks.parsing.graph.space import GraphSpace

        listed = [(t,) if isinstance(t, str) else tuple(t) for t in tokens]
        one = self.single_root
        given = None
        if isinstance(tokens, _core.Restricted):
            heads, labels = tokens.parts
            given = heads, self._numbers(labels)
        shape = listed, len(self.labels), self.parsed, self.bits
        return GraphSpace(*shape, single_root=one, arcs=arcs, given=given)

    def _numbers(self, labels: Sequence[str | None]) -> list[int | None]:
        number = {label: i for i, label in enumerate(self.labels)}
        return [None if label is None else number[label] for label in labels]

    def oracle(self, tree: Tree, space: GraphSpace | None = None) -> GraphOracle:
        """Return the oracle for the gold tree of one sentence."""
        from structron.tasks.parsing.graph.oracle import GraphOracle

        heads, labels = self.projected(tree)
        # With all arcs the items depend on the number of words only.
        of = self.space([()] * len(heads)) if space is None else space
        return GraphOracle(of, heads, self._numbers(labels))


def check_order(kind: str, templates: Sequence[GraphTemplate]) -> None:
    """Refuse templates that see more than a search can handle."""
    if kind == "mst" and order_of(templates) > 1:
        raise SettingError(
            "search mst: a tree is the sum of its arcs, but templates see siblings or grandchildren; "
            "use templates graph_fast, or search forest:4+swaps"
        )
