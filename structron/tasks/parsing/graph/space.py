"""Projective dependency trees as a forest: the items of Eisner (1996).

A complete item ``C>`` from i to j is the word i with all its descendants to the right up to j; ``I>`` is an
arc from i to j with all that is between them, j still without its right descendants; ``C<`` and ``I<`` are
the same to the left. Word 0 is the root. Every projective tree has one derivation.

With templates of second order the state of a complete item is the outermost child of its head. It is seen as
the sibling of the next child, and as a grandchild where the head becomes a modifier.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import product
from typing import NamedTuple

from structron.errors import TaskError
from structron.features.atoms import aspect
from structron.features.keys import BOUNDARY, fold, hash_bytes
from structron.features.parsing.graph import GraphAtom, GraphTemplate, order_of
from structron.reference.hypergraph import Edge, Tree, Use

ROOT = hash_bytes(b"<root>")  # what every atom sees of the root
State = int | None  # the outermost child of a complete item's head
Arc = tuple[int, int]  # head and label


class Item(NamedTuple):
    """A node of the forest."""

    begin: int
    end: int
    shape: str

    @property
    def arc(self) -> tuple[int, int] | None:
        """Head and modifier of an incomplete item."""
        if self.shape[0] == "C":
            return None
        return (self.begin, self.end) if self.shape == "I>" else (self.end, self.begin)


class GraphSpace:
    """The forest of one sentence.

    Parameters
    ----------
    tokens
        The words, each a tuple of columns; the root is not among them.
    labels
        How many relations there are. Columns of weights are relations, and one more for siblings and
        grandchildren: their parts have none, so that the best relation of an arc does not depend on them.
    templates
        What features are made of.
    bits
        With b bits all features share 2^b rows.
    single_root
        Exactly one word hangs from the root.
    """

    def __init__(
        self,
        tokens: Sequence[Sequence[str]],
        labels: int,
        templates: Sequence[GraphTemplate],
        bits: int = 0,
        *,
        single_root: bool = True,
    ) -> None:
        self.tokens, self.labels, self.bits, self.single_root = tokens, labels, bits, single_root
        self._by_part = {
            part: [t for t in templates if t.part == part] for part in ("arc", "sibling", "grandchild")
        }
        self._second = order_of(templates) == 2
        self.items = list(self._listed())
        self._number = {item: node for node, item in enumerate(self.items)}

    def _listed(self) -> Iterator[Item]:
        """By width; of the root's items only those that a tree can use."""
        n = len(self.tokens)
        for width in range(n + 1):
            for begin in range(n - width + 1):
                end = begin + width
                if width:
                    yield Item(begin, end, "I>")
                    if begin:
                        yield Item(begin, end, "I<")
                if begin:
                    yield Item(begin, end, "C<")
                if begin or width in (0, n) or not self.single_root:
                    yield Item(begin, end, "C>")

    def nodes(self) -> int:
        """One for each item; the last has the whole tree."""
        return len(self.items)

    def group(self, node: int) -> int:
        """Each item by itself."""
        return node

    def span(self, node: int) -> tuple[int, int]:
        """The words of an item; two items that share only a word at their ends share no arc."""
        return self.items[node].begin, self.items[node].end

    def edges(self, node: int) -> list[Edge]:
        """The ways to cut an item into two; the action of an arc is its label."""
        begin, end, shape = self.items[node]
        if begin == end:
            return [Edge((), 0)]
        pairs = [(left, right) for left, right in self._cuts(begin, end, shape) if left and right]
        found = [(self._number[left], self._number[right]) for left, right in pairs]
        actions = range(self.labels) if shape[0] == "I" else range(1)
        return [Edge(tails, action) for tails in found for action in actions]

    def _cuts(self, begin: int, end: int, shape: str) -> Iterator[tuple[Item | None, Item | None]]:
        if shape[0] == "I":
            for cut in range(begin, end):
                yield self._known(begin, cut, "C>"), self._known(cut + 1, end, "C<")
        elif shape == "C>":
            for cut in range(begin + 1, end + 1):
                yield self._known(begin, cut, "I>"), self._known(cut, end, "C>")
        else:
            for cut in range(begin, end):
                yield self._known(begin, cut, "C<"), self._known(cut, end, "I<")

    def _known(self, begin: int, end: int, shape: str) -> Item | None:
        item = Item(begin, end, shape)
        return item if item in self._number else None

    def join(self, node: int, edge: Edge, states: tuple[State, ...]) -> State | tuple[()]:
        """The outermost child, where features see it; an empty tuple stands for nothing to see."""
        item = self.items[node]
        if not self._second or item.shape[0] == "I" or item.begin == item.end:
            return ()
        # The incomplete tail has the outermost child at its far end.
        return self.items[edge.tails[0]].end if item.shape == "C>" else self.items[edge.tails[1]].begin

    def features(
        self, node: int, edge: Edge, states: tuple[State | tuple[()], ...]
    ) -> Iterator[tuple[tuple[int, int], float]]:
        """Pairs of (key, column), each of value 1: of the arc, its sibling and its grandchildren."""
        item = self.items[node]
        if item.begin == item.end:
            return
        if item.arc is not None:
            head, modifier = item.arc
            left, right = (None if state == () else state for state in states)
            sibling, child = (left, right) if head < modifier else (right, left)
            yield from self._part("arc", edge.action, head, modifier)
            if isinstance(sibling, int):
                yield from self._part("sibling", self.labels, head, modifier, s=sibling)
            if isinstance(child, int):
                yield from self._part("grandchild", self.labels, head, modifier, c=child)
            return
        # The modifier's children on the far side come in when the item is completed.
        arc = self.items[edge.tails[0 if item.shape == "C>" else 1]].arc
        outer = states[1 if item.shape == "C>" else 0]
        if arc is not None and isinstance(outer, int):
            yield from self._part("grandchild", self.labels, *arc, c=outer)

    def merge_key(self, state: State | tuple[()]) -> State | tuple[()]:
        """The state itself."""
        return state

    def _part(
        self, part: str, column: int, head: int, modifier: int, **others: int
    ) -> Iterator[tuple[tuple[int, int], float]]:
        places = {"h": head, "m": modifier, **others}
        for template in self._by_part[part]:
            for key in self._keys(template, places):
                yield (fold(key, self.bits), column), 1.0

    def _keys(self, template: GraphTemplate, places: dict[str, int]) -> Iterator[int]:
        """The keys of a template: one, or as many as there are words between."""
        head, modifier = places["h"], places["m"]
        between = range(min(head, modifier) + 1, max(head, modifier))
        choices = [
            [self._value(atom, word) for word in between]
            if atom.place == "between"
            else [self._of_arc(atom.place, head, modifier)]
            if atom.look is None
            else [self._value(atom, places[atom.place] + atom.offset)]
            for atom in template.atoms
        ]
        for values in product(*choices):
            yield template.key(values)

    def _value(self, atom: GraphAtom, word: int) -> int:
        if word == 0:
            return ROOT
        if not 0 < word <= len(self.tokens) or atom.look is None:
            return BOUNDARY
        look = atom.look
        return aspect(look.aspect, look.length, self.tokens[word - 1][look.column]) or BOUNDARY

    @staticmethod
    def _of_arc(what: str, head: int, modifier: int) -> int:
        side = 1 if head < modifier else 2
        return side if what == "dir" else side + 4 * bucket(abs(head - modifier))

    def tree(self, derivation: Tree) -> tuple[list[int], list[int]]:
        """Heads and numbers of relations."""
        heads, labels = [0] * len(self.tokens), [0] * len(self.tokens)
        for head, modifier, label in self.arcs(derivation):
            heads[modifier - 1], labels[modifier - 1] = head, label
        return heads, labels

    def arcs(self, derivation: Tree) -> Iterator[tuple[int, int, int]]:
        """Head, modifier and relation of every arc."""
        for use in derivation.uses:
            if (arc := self.items[use.node].arc) is not None:
                yield *arc, use.edge.action

    def loss(self, gold: Tree, guess: Tree) -> float:
        """How many words have another head or relation."""
        return float(len({*self.arcs(gold)} - {*self.arcs(guess)}))

    def decisions(self, gold: Tree, guess: Tree) -> list[tuple[Arc, Arc]]:
        """Each word's head and relation."""
        pairs = [dict(self._by_word(each)) for each in (gold, guess)]
        return [(pairs[0][word], pairs[1][word]) for word in sorted({*pairs[0]} & {*pairs[1]})]

    def _by_word(self, derivation: Tree) -> Iterator[tuple[int, Arc]]:
        for head, modifier, label in self.arcs(derivation):
            yield modifier, (head, label)

    def mixed(self, gold: Tree, guess: Tree, positions: Collection[int]) -> Tree:
        """The parts of a head vector that need not be a tree: some words' heads are the guess's.

        Features are defined on any head vector (Dror & Reichart 2016): siblings and grandchildren are those
        that the vector has.
        """
        words = sorted({word for word, _ in self._by_word(gold)} & {word for word, _ in self._by_word(guess)})
        right, wrong = dict(self._by_word(gold)), dict(self._by_word(guess))
        chosen = {word: wrong[word] if k in positions else right[word] for k, word in enumerate(words)}
        return Tree(tuple(self._uses(chosen)), gold.score)

    def words(self) -> int:
        """How many words there are, without the root."""
        return len(self.tokens)

    def vector(self, chosen: Mapping[int, Arc]) -> tuple[Use, ...]:
        """The parts of a vector of heads, by word its head and relation; crossing arcs and cycles too."""
        return tuple(self._uses(dict(chosen)))

    def arc(self, head: int, modifier: int, label: int) -> Use:
        """The one part of an arc, where templates see arcs alone."""
        if self._second:
            raise TaskError(
                "mst: a tree is the sum of its arcs, but templates see siblings or grandchildren; "
                "leave out those with s or c, or use forest"
            )
        (use,) = self.vector({modifier: (head, label)})
        return use

    def _uses(self, chosen: dict[int, Arc]) -> Iterator[Use]:
        """A vector of heads as uses of edges, as far as features see them."""
        children: dict[int, list[int]] = {}
        for word, (head, _) in chosen.items():
            children.setdefault(head, []).append(word)
        for word, (head, label) in sorted(chosen.items()):
            node = self._number[Item(head, word, "I>") if head < word else Item(word, head, "I<")]
            inner = [w for w in children.get(head, []) if min(head, word) < w < max(head, word)]
            sibling = (max(inner) if head < word else min(inner)) if inner else None
            own = children.get(word, [])
            near = [w for w in own if (w < word) == (head < word)]
            far = [w for w in own if (w > word) == (head < word)]
            inside = (min(near) if head < word else max(near)) if near else None
            outside = (max(far) if head < word else min(far)) if far else None
            seen = (sibling, inside) if head < word else (inside, sibling)
            states = tuple(() if s is None or not self._second else s for s in seen)
            yield Use(node, Edge((), label), states)
            if outside is not None and self._second:
                yield self._outer(node, outside, head < word)

    def _outer(self, node: int, child: int, to_right: bool) -> Use:
        """The use in which the modifier of an arc gets its outermost child on the far side."""
        item = self.items[node]
        if to_right:
            whole = self._number[Item(item.begin, len(self.tokens), "C>")]
            return Use(whole, Edge((node, node), 0), ((), child))
        return Use(self._number[Item(1, item.end, "C<")], Edge((node, node), 0), (child, ()))


def bucket(distance: int) -> int:
    """The distance of two words in seven steps."""
    return distance if distance <= 5 else 6 if distance <= 10 else 7


class GraphOracle:
    """A gold tree: heads and numbers of relations. A margin is asked for wrong arcs alone."""

    def __init__(self, space: GraphSpace, heads: Sequence[int], labels: Sequence[int]) -> None:
        self._items = space.items
        self._gold = {(head, word, label) for word, (head, label) in enumerate(zip(heads, labels), 1)}

    def allows(self, node: int, edge: Edge, states: tuple[object, ...]) -> bool:
        """Whether the arc that this makes, if any, is gold."""
        arc = self._items[node].arc
        return arc is None or (*arc, edge.action) in self._gold
