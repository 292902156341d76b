"""Questions as forests of hybrid trees (Lu, Ng, Lee & Zettlemoyer 2008): forms with words in them.

A production covers a span of words. Its parts cover spans inside of it, one after the other, and the
production itself covers the other words. Four kinds of nodes build a span, in this order: a production with
all its slots filled (`FULL`); the production ready for use, which is a node (i, j, production) (`CLOSED`); a
part that fits one of its slots (`SLOT`); and a production with open slots (`OPEN`), to which words and parts
are added on the right. A production with one slot may cover no word itself; such chains over one span are
bounded, and their length is the level of the closed node. Names are not covered word by word: they are given
with the question.

Two slots of a production are filled in either order, more than two from left to right.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

from structron import _core
from structron.features.keys import fold
from structron.reference.forest.hypergraph import Edge, Tree
from structron.tasks.semantics.features import (
    ORDER,
    PART,
    SPAN,
    WORD,
    ProductionKeys,
    QuestionKeys,
    SemanticTemplate,
)
from structron.tasks.semantics.language.grammar import FormTree, Grammar

FULL, CLOSED, SLOT, OPEN = range(4)
SAY, NAME = 0, 1  # actions of edges without tails; tails distinguish all others

Anchor = tuple[int, int, int]  # begin, end and production of a name in a question
Name = tuple[int, int]


class Node(NamedTuple):
    """A node of the forest: `which` is a level, a slot, or the number of filled slots."""

    kind: int
    begin: int
    end: int
    production: int
    which: int


class Open(NamedTuple):
    """A production with some of its slots filled."""

    production: int
    parts: tuple[FormTree | None, ...]


@dataclass(frozen=True, eq=False)
class HybridScoring:
    """The features and associations that score derivations.

    Parameters
    ----------
    grammar
        The productions, in the order of their numbers.
    spoken
        The productions that may cover words themselves; the others are names.
    keys
        The keys of each production for templates.
    association
        How strongly a production and a word belong together. It is the only dense feature, and its weight is
        not learned.
    unseen
        The association of a production with words of the training data that never occur with it.
    words
        The hashes of the words in the training data.
    chain
        The longest chain of productions that cover no word themselves.
    """

    grammar: Grammar
    spoken: frozenset[int]
    keys: Sequence[ProductionKeys]
    templates: tuple[SemanticTemplate, ...]
    association: dict[tuple[int, int], float]
    unseen: float
    words: frozenset[int]
    chain: int = 2
    bits: int = 0

    def associated(self, production: int, word: int) -> float:
        """Return how strongly a word suggests a production."""
        if word not in self.words:
            return 0.0
        return self.association.get((production, word), self.unseen)


class HybridSpace:
    """The forest of one question, in plain Python."""

    def __init__(self, scoring: HybridScoring, words: Sequence[str], anchors: Sequence[Anchor] = ()) -> None:
        self.scoring = scoring
        self.length = len(words)
        self.anchors = frozenset(anchors)
        self.question = self._seen(QuestionKeys.of(words))
        named = {production for _, _, production in anchors}
        # The numbers of the productions that can be used in this question.
        self.used = sorted(scoring.spoken | named)
        self._fitting = {
            (p, slot): [c for c in self.used if self._type(c) in accepted]
            for p in self.used
            for slot, accepted in enumerate(scoring.grammar.productions[p].slots)
        }

    def _seen(self, question: QuestionKeys) -> QuestionKeys:
        """Replace words that occur in names only by the types of these names."""
        kinds: dict[int, set[int]] = {}
        for begin, end, production in self.anchors:
            for i in range(begin, end):
                if question.words[i] not in self.scoring.words:
                    kinds.setdefault(i, set()).add(self.scoring.keys[production].kind)
        return question.naming(kinds)

    def _type(self, production: int) -> str:
        return self.scoring.grammar.productions[production].result

    def _arity(self, production: int) -> int:
        return self.scoring.grammar.productions[production].arity

    def _levels(self, production: int) -> range:
        """Return the levels of its closed nodes."""
        return range(self.scoring.chain + 1 if self._arity(production) == 1 else 1)

    @cached_property
    def listed(self) -> list[Node]:
        """Return all nodes but the goal, in order."""
        found: list[Node] = []
        for size in range(1, self.length + 1):
            for i in range(self.length - size + 1):
                found += self._nodes_of(i, i + size)
        return found

    def _nodes_of(self, i: int, j: int) -> Iterator[Node]:
        for p in self.used:
            yield Node(FULL, i, j, p, 0)
        for level in range(self.scoring.chain + 1):
            for p in self.used:
                if level in self._levels(p):
                    yield Node(CLOSED, i, j, p, level)
        for p in self.used:
            for slot in range(self._arity(p)):
                yield Node(SLOT, i, j, p, slot)
        for p in self.used:
            for filled in range(_open_ways(self._arity(p))):
                yield Node(OPEN, i, j, p, filled)

    @cached_property
    def _numbers(self) -> dict[Node, int]:
        return {node: number for number, node in enumerate(self.listed)}

    # --------------------------------------------------------------------------------------------- the forest

    def nodes(self) -> int:
        """Return the number of nodes, including the goal."""
        return len(self.listed) + 1

    def node(self, node: int) -> Node | None:
        """Return a node, None for the goal."""
        return None if self._is_goal(node) else self.listed[node]

    def _is_goal(self, node: int) -> bool:
        return node == len(self.listed)

    def group(self, node: int) -> int:
        """Return the first node of a group: productions of one span and level compete with each other."""
        if self._is_goal(node) or self.listed[node].kind != CLOSED:
            return node
        at = self.listed[node]
        while node > 0 and self.listed[node - 1][:3] == at[:3] and self.listed[node - 1].which == at.which:
            node -= 1
        return node

    def span(self, node: int) -> tuple[int, int]:
        """Return the words that a node covers."""
        return (0, self.length) if self._is_goal(node) else self.listed[node][1:3]

    def is_compared(self, node: int) -> bool:
        """Return True for complete productions, the nodes that updates compare."""
        return self._is_goal(node) or self.listed[node].kind == CLOSED

    def edges(self, node: int) -> list[Edge]:
        """Return the ways to build a node."""
        if self._is_goal(node):
            start = self.scoring.grammar.start
            return [
                Edge((self._numbers[Node(CLOSED, 0, self.length, p, level)],), SAY)
                for p in self.used
                if self._type(p) in start and self.length
                for level in self._levels(p)
            ]
        kind, i, j, p, which = self.listed[node]
        if kind == FULL:
            return list(self._full(i, j, p)) if p in self.scoring.spoken else []
        if kind == CLOSED:
            return list(self._closed(i, j, p, which))
        if kind == SLOT:
            return [
                Edge((self._numbers[Node(CLOSED, i, j, c, level)],), SAY)
                for c in self._fitting[p, which]
                for level in self._levels(c)
            ]
        return list(self._open(i, j, p, which)) if p in self.scoring.spoken else []

    def _full(self, i: int, j: int, p: int) -> Iterator[Edge]:
        arity = self._arity(p)
        if arity == 0 and j == i + 1:
            yield Edge((), SAY)
        if j > i + 1:
            yield Edge((self._numbers[Node(FULL, i, j - 1, p, 0)],), SAY)
            if arity == 1:
                yield Edge((self._numbers[Node(OPEN, i, j - 1, p, 1)],), SAY)
        for before, slot in _last_ways(arity):
            yield from self._filled(i, j, p, before, slot)

    def _closed(self, i: int, j: int, p: int, level: int) -> Iterator[Edge]:
        if level == 0:
            if p in self.scoring.spoken:
                yield Edge((self._numbers[Node(FULL, i, j, p, 0)],), SAY)
            if (i, j, p) in self.anchors:
                yield Edge((), NAME)
            return
        for c in self._fitting[p, 0]:
            if level - 1 in self._levels(c):
                yield Edge((self._numbers[Node(CLOSED, i, j, c, level - 1)],), SAY)

    def _open(self, i: int, j: int, p: int, filled: int) -> Iterator[Edge]:
        if filled == 0 and j == i + 1:
            yield Edge((), SAY)
        is_bare = self._arity(p) == 1 and filled == 1
        if j > i + 1 and not is_bare:
            yield Edge((self._numbers[Node(OPEN, i, j - 1, p, filled)],), SAY)
        for before, slot in _ways(self._arity(p), filled):
            if before == 0:
                yield Edge((self._numbers[Node(SLOT, i, j, p, slot)],), SAY)
            if not is_bare:
                yield from self._filled(i, j, p, before, slot)

    def _filled(self, i: int, j: int, p: int, before: int, slot: int) -> Iterator[Edge]:
        """Yield the ways to fill one more slot by a part that ends here."""
        for k in range(i + 1, j):
            opened, part = Node(OPEN, i, k, p, before), Node(SLOT, k, j, p, slot)
            yield Edge((self._numbers[opened], self._numbers[part]), SAY)

    def join(self, node: int, edge: Edge, states: tuple[Any, ...]) -> Any:
        """Return the form so far."""
        if self._is_goal(node):
            return states[0]
        kind, _, _, p, which = self.listed[node]
        if kind == SLOT:
            return states[0]
        if kind == CLOSED:
            if which > 0:
                return FormTree(p, (states[0],))
            return FormTree(p) if edge.action == NAME else states[0]
        parts: list[FormTree | None] = [None] * self._arity(p)
        for tail, state in zip(edge.tails, states):
            at = self.listed[tail]
            if at.kind == SLOT:
                parts[at.which] = state
            elif at.kind == OPEN:
                parts = [ours or theirs for ours, theirs in zip(parts, state.parts)]
            else:
                parts = list(state.parts)
        if kind == FULL:
            return FormTree(p, tuple(part for part in parts if part is not None))
        return Open(p, tuple(parts))

    def merge_key(self, state: Any) -> Hashable:
        """Return a constant: features see only the productions of parts, which are in the node."""
        return None

    # ------------------------------------------------------------------------------------------- its features

    def features(self, node: int, edge: Edge, states: tuple[Any, ...]) -> Iterator[tuple[Name, float]]:
        """Yield the features of a covered word, a fitting part, an order, or a production that closes."""
        if self._is_goal(node):
            return
        kind, i, j, p, which = self.listed[node]
        if kind == CLOSED:
            if which > 0:
                yield from self._of_part(p, 0, states[0].production)
            yield from self._of_span(p, i, j, bare=which > 0)
        elif kind == SLOT:
            yield from self._of_part(p, which, states[0].production)
        elif self.says(edge):
            word = self.question.words[j - 1]
            if value := self.scoring.associated(p, word):
                yield (_core.Weights.DENSE, 0), value
            for template in self._templates(WORD):
                yield self._named(template.of_word(self.scoring.keys[p], self.question, j - 1))
        elif kind == FULL and self.scoring.grammar.is_exchangeable(p):
            turned = self.listed[edge.tails[1]].which == 0
            for template in self._templates(ORDER):
                yield self._named(template.of_order(self.scoring.keys[p], turned=turned))

    def says(self, edge: Edge) -> bool:
        """Return True if the production itself covers the last word of the node."""
        return not edge.tails or (len(edge.tails) == 1 and self.listed[edge.tails[0]].kind in (FULL, OPEN))

    def _of_part(self, p: int, slot: int, c: int) -> Iterator[tuple[Name, float]]:
        keys = self.scoring.keys
        for template in self._templates(PART):
            yield self._named(template.of_part(keys[p], slot, keys[c]))

    def _of_span(self, p: int, i: int, j: int, *, bare: bool) -> Iterator[tuple[Name, float]]:
        for template in self._templates(SPAN):
            for key in template.of_span(self.scoring.keys[p], self.question, i, j, bare=bare):
                yield self._named(key)

    def _templates(self, kind: int) -> Iterator[SemanticTemplate]:
        return (template for template in self.scoring.templates if template.kind == kind)

    def _named(self, key: int) -> tuple[Name, float]:
        return (fold(key, self.scoring.bits), 0), 1.0

    def is_fixed(self, name: Hashable) -> bool:
        """Return True if learning leaves this feature's weight alone."""
        return isinstance(name, tuple) and name[0] == _core.Weights.DENSE

    def loss(self, gold: Tree, guess: Tree) -> float:
        """Return 1: a form is right or wrong. Counting wrong productions was two points worse."""
        return 1.0


def _open_ways(arity: int) -> int:
    """Count the ways in which a production can be open: no slot filled, and so on."""
    return (0, 2, 3)[arity] if arity < 3 else arity


def _ways(arity: int, filled: int) -> list[tuple[int, int]]:
    """Return the previous state of an open production, and the slot that was filled last."""
    return [(0 if arity < 3 else filled - 1, filled - 1)] if filled else []


def _last_ways(arity: int) -> list[tuple[int, int]]:
    """Return the previous states of a full production, each with the slot that was filled last."""
    if arity == 2:
        return [(1, 1), (2, 0)]
    return [(arity - 1, arity - 1)] if arity else []
