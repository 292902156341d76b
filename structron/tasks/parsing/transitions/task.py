"""The task of transition-based parsing, for the engine and for the definition."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar

from structron import _core
from structron.engine.choices import Choices
from structron.engine.rows import Arrays, Rows, texts, typed
from structron.engine.word_lists import engine_clusters, restored_clusters
from structron.errors import SettingError
from structron.features.atoms import CODES
from structron.records import dataclass
from structron.tasks.parsing.experts.expert import ParsingExpert
from structron.tasks.parsing.features.sets import GRAPH
from structron.tasks.parsing.features.templates import (
    SIGHTS,
    ParseAtom,
    ParseTemplate,
    Place,
    columns_read,
    parse_templates,
    with_clusters,
)
from structron.tasks.parsing.transitions.gold_trees import as_built
from structron.tasks.parsing.transitions.state import NO_LABEL
from structron.tasks.parsing.transitions.systems import (
    KINDS,
    LEFT,
    MOST_SWAPS,
    RIGHT,
    SYSTEMS,
    Arc,
    Transition,
    TransitionSystem,
    check_stacked,
    transitions_for,
)
from structron.tasks.parsing.trees.partial import PartialTree, is_partial
from structron.tasks.parsing.trees.predictors import FrozenDPParser, FrozenParser, Tree
from structron.tasks.parsing.trees.task import Tokens, Treebank, TreeTask

if TYPE_CHECKING:
    import numpy.typing as npt

    from structron.features.clusters import WordClusters
    from structron.tasks.parsing.graph.task import GraphParsingTask
    from structron.tasks.parsing.transitions.oracles import ParseOracle
    from structron.tasks.parsing.transitions.restriction import KnownTree
    from structron.tasks.parsing.transitions.space import ParsingSpace


def token_width(sentence: object) -> int:
    """Return the number of columns if all tokens of a list are tuples of as many str, otherwise 0."""
    return _core.token_width(sentence)


@dataclass(frozen=True)
class ParsingTask(TreeTask):
    """Dependency parsing by transitions; tokens are tuples of form, UPOS, XPOS, FEATS, lemma, as far as read.

    Parameters
    ----------
    labels
        All relations, in the order of their numbers; unlabelled parsing has one.
    transitions
        All actions, by name: ``shift``, ``left:nsubj``, ``root:root``; `of_trees` makes them.
    templates
        Feature templates (see `structron.tasks.parsing.features.templates`).
    system
        ``arc-standard``, ``arc-eager``, ``arc-hybrid`` or ``swap``.
    single_root
        Attach exactly one word to the root.
    dynamic
        Treat every derivation that the dynamic oracle allows as gold, not only that of the static oracle.
    crossing
        How to treat crossing arcs, which only swap can build: ``pseudo`` lifts them and marks the frequent
        ones, ``lift`` lifts them without a mark, ``refuse`` refuses such trees.
    swaps
        The most swaps for each word in system swap.
    bits
        With b bits all features share 2^b rows (the hashing trick), which bounds memory; 0 avoids collisions.
    experts
        Finished parsers that help to choose the best tree; they learn nothing more.
    clusters
        Word clusters, for templates that use them.
    """

    searches: ClassVar[tuple[str, ...]] = ("beam", "dp")

    labels: tuple[str, ...]
    transitions: tuple[str, ...]
    templates: tuple[str, ...]
    system: str = "arc-standard"
    single_root: bool = True
    dynamic: bool = False
    crossing: str = "pseudo"
    swaps: int = 1
    bits: int = 0
    experts: tuple[ParsingExpert, ...] = ()
    clusters: WordClusters | None = None

    def __post_init__(self) -> None:
        self.check_shared()
        if not 0 <= self.swaps <= MOST_SWAPS:
            raise SettingError(
                f"swaps = {self.swaps} is not possible; give a whole number from 0 to {MOST_SWAPS}"
            )
        if self.dynamic and not self.arcs.joins_buffer:
            raise SettingError(f"{self.system} has no dynamic oracle; use arc-eager or arc-hybrid, or static")
        if any(expert.task.labels != self.labels for expert in self.experts):
            raise SettingError("an expert has other relations than the parser; train both on the same trees")

    @classmethod
    def of_trees(cls, trees: Sequence[Tree], templates: Sequence[str], **choices: Any) -> ParsingTask:
        """Create the task for training trees, with their relations and the actions that build them.

        Trees have a single root if all training trees do, unless `choices` decide otherwise.
        """
        system, crossing = choices.get("system", "arc-standard"), choices.get("crossing", "pseudo")
        if "single_root" not in choices:
            choices["single_root"] = all(list(heads).count(0) <= 1 for heads, _ in trees)
        built = as_built(trees, system, crossing)
        labels = sorted({label for _, names in built for label in names if label is not None})
        number = {label: i for i, label in enumerate(labels)}
        arcs = {
            arc
            for heads, names in built
            for dependent, (head, label) in enumerate(zip(heads, names), 1)
            if label is not None
            for arc in _arcs(head, dependent, number[label])
        }
        made = transitions_for(system, sorted(arcs)) if system in SYSTEMS else ()
        named = tuple(transition_name(transition, labels) for transition in made)
        return cls(tuple(labels), named, tuple(templates), **choices)

    def missing(self, tree: Tree) -> set[str]:
        """Return the relations of a tree that the task does not have, or not in this direction."""
        known = set(self.transitions)
        return super().missing(tree) | {
            label
            for word, (head, label) in enumerate(zip(*self.projected(tree)), 1)
            if label is not None and head and f"{'left' if head > word else 'right'}:{label}" not in known
        }

    def with_labels(self, labels: Sequence[str]) -> tuple[ParsingTask, list[int]]:
        """Return the task with more relations, in both directions, and which action each one becomes."""
        known = (*self.labels, *(label for label in labels if label not in self.labels))
        new = {known.index(label) for label in labels}
        old = self.arcs.transitions
        more = {Transition(kind, label) for kind in (LEFT, RIGHT) for label in new} - set(old)
        made = sorted([*old, *more])
        named = tuple(transition_name(transition, known) for transition in made)
        experts = tuple(expert.with_labels(labels) for expert in self.experts)
        wide = replace(self, labels=known, transitions=named, experts=experts)
        return wide, [made.index(each) for each in old]

    @cached_property
    def parsed(self) -> list[ParseTemplate]:
        """Return the parsed templates."""
        return with_clusters(parse_templates(self.templates), self.clusters)

    @property
    def columns(self) -> int:
        """Return the number of columns that a token must have."""
        return max([columns_read(self.parsed), *(expert.task.columns for expert in self.experts)])

    @property
    def actions(self) -> int:
        """Return the number of actions."""
        return len(self.transitions)

    @property
    def weight_columns(self) -> int:
        """Return the number of actions."""
        return self.actions

    @cached_property
    def arcs(self) -> TransitionSystem:
        """Return the transition system with its actions."""
        number = {label: i for i, label in enumerate(self.labels)}
        made = []
        for name in self.transitions:
            kind, _, label = name.partition(":")
            if kind not in KINDS or (label and label not in number):
                raise SettingError(f"transition {name!r} is not known; use kinds {', '.join(KINDS)}")
            made.append(Transition(KINDS.index(kind), number[label] if label else NO_LABEL))
        return TransitionSystem(self.system, tuple(made), self.single_root, self.swaps)

    @cached_property
    def program(self) -> _core.ParsingProgram:
        """Return the templates as a program of the engine."""
        return _core.ParsingProgram(
            [(t.base, [_compiled(atom) for atom in t.atoms]) for t in self.parsed],
            self.columns,
            engine_clusters(self.clusters),
        )

    def _engine(self) -> tuple[_core.ParsingProgram, list[str], int, bool, list[tuple[int, int]], int]:
        pairs = [(t.kind, t.label) for t in self.arcs.transitions]
        return self.program, [*self.labels], SYSTEMS[self.system], self.single_root, pairs, self.swaps

    def corpus(self, weights: _core.Weights) -> Treebank:
        """Create an empty corpus."""
        return Treebank(self, _core.ParsingCorpus(*self._engine(), self.bits))

    def live(self, corpus: Treebank, weights: _core.Weights, choices: Choices) -> _core.Trainer:
        """Create a trainer on a packed corpus."""
        if choices.kind == "dp":
            check_stacked(self.system)
            return _core.dp_parsing_trainer(corpus.packed, weights, *choices.arguments)
        return _core.parsing_trainer(corpus.packed, weights, *choices.arguments, self.dynamic)

    def frozen(self, rows: Rows, kind: str = "beam") -> FrozenParser | FrozenDPParser:
        """Create a predictor with these weights for one kind of search."""
        if kind == "dp":
            check_stacked(self.system)
            dp_engine = _core.DPParsingPredictor(*self._engine(), rows, self.bits)
            return FrozenDPParser(dp_engine, self.labels, self.projected, lambda: self._with_beam(rows))
        if not self.experts:
            return self._with_beam(rows)
        from structron.tasks.parsing.experts.combined_parser import CombinedParser

        return CombinedParser(self.predictor(rows), self.labels, self.projected, self.experts)

    def _with_beam(self, rows: Rows) -> FrozenParser:
        return FrozenParser(self.predictor(rows), self.labels, self.projected)

    def predictor(self, rows: Rows) -> _core.Predictor:
        """Create the engine's predictor with a beam."""
        return _core.parsing_predictor(*self._engine(), self.dynamic, rows, self.bits)

    def header(self) -> dict[str, Any]:
        """Return the task as plain data."""
        return {
            "labels": [*self.labels],
            "transitions": [*self.transitions],
            "templates": [*self.templates],
            "system": self.system,
            "single_root": self.single_root,
            "dynamic": self.dynamic,
            "crossing": self.crossing,
            "swaps": self.swaps,
            "bits": self.bits,
            "experts": [expert.header() for expert in self.experts],
            **self.clusters_header,
        }

    def arrays(self) -> dict[str, npt.NDArray[Any]]:
        """Return the weights of the experts and the word clusters."""
        own = {name: values for expert in self.experts for name, values in expert.arrays().items()}
        return own | ({} if self.clusters is None else self.clusters.arrays())

    @classmethod
    def restore(cls, header: Mapping[str, Any], arrays: Arrays) -> ParsingTask | GraphParsingTask:
        """Restore the task from a model file: by transitions, or by a graph if that is its system."""
        if header["system"] == GRAPH:
            from structron.tasks.parsing.graph.task import GraphParsingTask

            return GraphParsingTask.restore(header, arrays)
        lists: dict[str, Any] = {n: tuple(texts(header, n)) for n in ("labels", "transitions", "templates")}
        kinds = {
            "system": str,
            "single_root": bool,
            "dynamic": bool,
            "crossing": str,
            "swaps": int,
            "bits": int,
        }
        plain = {name: typed(header, name, kind) for name, kind in kinds.items()}
        listed = typed({"experts": []} | dict(header), "experts", list)
        return cls(
            **lists,
            **plain,
            experts=tuple(ParsingExpert.restore(each, arrays, cls.restore) for each in listed),
            clusters=restored_clusters(header, arrays),
        )

    def space(self, tokens: Tokens) -> ParsingSpace:
        """Return the search space of one sentence; where arcs are given, it has no others."""
        from structron.tasks.parsing.transitions.space import ParsingSpace

        listed = [(t,) if isinstance(t, str) else tuple(t) for t in tokens]
        given = self._known_tree(tokens.parts) if isinstance(tokens, _core.Restricted) else None
        return ParsingSpace(self.arcs, self.labels, self.parsed, self.bits, listed, given)

    def _known_tree(self, tree: PartialTree) -> KnownTree:
        from structron.tasks.parsing.transitions.restriction import KnownTree

        heads, labels = tree
        number = {label: i for i, label in enumerate(self.labels)}
        return KnownTree(self.arcs, heads, [None if label is None else number[label] for label in labels])

    def oracle(self, tree: Tree) -> ParseOracle | KnownTree:
        """Return the oracle for the gold tree of one sentence, all of which or a part is known."""
        from structron.tasks.parsing.transitions.oracles import GoldTree, ParseOracle

        heads, labels = self.projected(tree)
        if is_partial((heads, labels)):
            return self._known_tree((heads, labels))
        number = {label: i for i, label in enumerate(self.labels)}
        return ParseOracle(self.arcs, GoldTree(heads, [number[label] for label in labels]), self.dynamic)


def _arcs(head: int | None, dependent: int, label: int) -> list[Arc]:
    """Return the arcs that a word may have; where nobody knows its head, one in each direction."""
    if head is not None:
        return [Arc(head, dependent, label)]
    return [Arc(dependent + 1, dependent, label), Arc(1, 2, label)]


def transition_name(transition: Transition, labels: Sequence[str]) -> str:
    """Return the name of a transition, such as ``left:nsubj`` or ``shift``."""
    kind = KINDS[transition.kind]
    return kind if transition.label == NO_LABEL else f"{kind}:{labels[transition.label]}"


def _compiled(atom: ParseAtom) -> tuple[int, Place, Place, int, int, int, int]:
    return (
        SIGHTS[atom.sight],
        atom.place,
        atom.other,
        CODES[atom.aspect],
        atom.length,
        atom.column,
        atom.multiplier,
    )
