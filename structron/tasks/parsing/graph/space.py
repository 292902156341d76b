"""Projective dependency trees as a forest: the items of Eisner (1996), with the context that features see.

A complete item ``C>`` from i to j is the word i with all its descendants to the right up to j. ``I>`` is an
arc from i to j with everything between them; j still lacks its right descendants. ``A>`` is the arc by
itself, which has one derivation for each relation. ``C<``, ``I<`` and ``A<`` are their mirror images. Word 0
is the root. Every projective tree has one derivation.

Templates of higher order add to the state of an item what they see: for a complete item the outermost child
of its head, the child before that, the relation of the former, and the number of children. They are the
siblings of the next child, and the grandchildren if the head becomes a modifier (Zhang & McDonald 2012).
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from functools import cached_property
from itertools import product

from structron.errors import DataError
from structron.features.atoms import aspect
from structron.features.keys import BOUNDARY, fold, hash_bytes
from structron.reference.forest.hypergraph import Edge, Tree, Use
from structron.tasks.parsing.features.graph import GraphAtom, GraphTemplate
from structron.tasks.parsing.graph.arcs import agreeing, known_arcs, neighbouring
from structron.tasks.parsing.graph.items import Item, Part, Seen

ROOT = hash_bytes(b"<root>")  # the value of every atom at the root
NO_WORD = hash_bytes(b"<none>")  # the value of a missing sibling or child
MOST_CHILDREN = 3  # larger counts are equal
Arc = tuple[int, int]  # head and label


class GraphSpace:
    """The forest of one sentence.

    Parameters
    ----------
    tokens
        The words without the root, each a tuple of columns.
    labels
        The number of relations. Weights have a column for each relation and one more for siblings and
        grandchildren, whose templates contain the relations that they see.
    templates
        Feature templates.
    bits
        With b bits all features share 2^b rows.
    single_root
        Attach exactly one word to the root.
    arcs
        Head and modifier of the allowed arcs; None for all. If they contain no projective tree, those of
        `neighbouring` are added, which do.
    given
        Heads and numbers of relations that every tree must have; None where it is free.
    """

    def __init__(
        self,
        tokens: Sequence[Sequence[str]],
        labels: int,
        templates: Sequence[GraphTemplate],
        bits: int = 0,
        *,
        single_root: bool = True,
        arcs: Collection[tuple[int, int]] | None = None,
        given: tuple[Sequence[int | None], Sequence[int | None]] | None = None,
    ) -> None:
        self.tokens, self.labels, self.bits, self.single_root = tokens, labels, bits, single_root
        self._templates = templates
        self._by_part = {
            part: [t for t in templates if t.part == part] for part in ("arc", "sibling", "grandchild")
        }
        self.is_first_order = all(template.part == "arc" for template in templates)
        places = {place for template in templates for place in template.places}
        self._sees_child, self._sees_before = bool(places & {"s", "ss", "c"}), "ss" in places
        self._sees_relation = bool(places & {"m.r", "s.r", "c.r"})
        self._sees_count = bool(places & {"h.v", "m.v"})
        self._given = given
        goal = Item(0, len(tokens), "C>")
        more = neighbouring(len(tokens)) if given is None else agreeing(given[0])
        if given is not None:
            arcs = more if arcs is None else more.intersection(arcs).union(known_arcs(given[0]))
        self._number = self._listed(None if arcs is None else frozenset(arcs))
        if arcs is not None and goal not in self._number:
            self._number = self._listed(more.union(arcs))
        self._nodes, self.has_chart = len(self._number), goal in self._number
        if given is not None:  # vectors of heads have items that no tree of the chart has
            for item in self._listed(None):
                self._number.setdefault(item, len(self._number))

    def pruned(self, arcs: Collection[tuple[int, int]]) -> GraphSpace:
        """Return the space of the same sentence with these arcs only."""
        return GraphSpace(
            self.tokens, self.labels, self._templates, self.bits, single_root=self.single_root, arcs=arcs
        )

    @cached_property
    def items(self) -> list[Item]:
        """Return the nodes, and after them whatever else vectors of heads are made of."""
        return list(self._number)

    def _listed(self, arcs: frozenset[tuple[int, int]] | None) -> dict[Item, int]:
        """List the items that can be built, by width; of the root's items only those that a tree can use."""
        n = len(self.tokens)
        found: dict[Item, int] = {}

        def add(*items: Item) -> None:
            for item in items:
                found[item] = len(found)

        def can(begin: int, end: int, shape: str) -> bool:
            return any(left in found and right in found for left, right in self._cuts(begin, end, shape))

        for width in range(n + 1):
            for begin in range(n - width + 1):
                end = begin + width
                for side in "><" if begin and width else ">" if width else "":
                    arc, incomplete = Item(begin, end, f"A{side}"), Item(begin, end, f"I{side}")
                    if (arcs is None or arc.arc in arcs) and can(begin, end, "I"):
                        add(arc, incomplete)
                if begin and (not width or can(begin, end, "C<")):
                    add(Item(begin, end, "C<"))
                is_used = begin or width in (0, n) or not self.single_root
                if is_used and (not width or can(begin, end, "C>")):
                    add(Item(begin, end, "C>"))
        return found

    def nodes(self) -> int:
        """Return the number of items; the last one is the whole tree."""
        if not self.has_chart:
            raise DataError("no projective tree has all arcs given")
        return self._nodes

    def group(self, node: int) -> int:
        """Return the node itself: items are not grouped."""
        return node

    def span(self, node: int) -> tuple[int, int]:
        """Return the first and last word of an item; items that share only an end word share no arc."""
        return self.items[node].begin, self.items[node].end

    def edges(self, node: int) -> list[Edge]:
        """Return the relations of an arc, or the ways to split an item in two."""
        begin, end, shape = item = self.items[node]
        if shape[0] == "A":
            return [Edge((), label) for label in self.relations(item.arc[1])]
        if begin == end:
            return [Edge((), 0)]
        number, nodes = self._number, self._nodes
        cuts = [
            cut
            for cut in self._cuts(begin, end, shape)
            if all(number.get(part, nodes) < nodes for part in cut)
        ]
        if shape[0] == "I":
            arc = number[item._replace(shape=f"A{shape[1]}")]
            return [Edge((number[left], arc, number[right]), 0) for left, right in cuts]
        return [Edge((number[left], number[right]), 0) for left, right in cuts]

    def _cuts(self, begin: int, end: int, shape: str) -> Iterator[tuple[Item, Item]]:
        if shape[0] == "I":
            for cut in range(begin, end):
                yield Item(begin, cut, "C>"), Item(cut + 1, end, "C<")
        elif shape == "C>":
            for cut in range(begin + 1, end + 1):
                yield Item(begin, cut, "I>"), Item(cut, end, "C>")
        else:
            for cut in range(begin, end):
                yield Item(begin, cut, "C<"), Item(cut, end, "I<")

    def join(self, node: int, edge: Edge, states: tuple[Seen, ...]) -> Seen:
        """Return the state: what features can still see."""
        item = self.items[node]
        if item.shape[0] == "A":
            return self._arc_state(edge.action)
        if item.begin == item.end:
            return Seen()
        if item.shape[0] == "I":
            left, arc, right = states
            return self._incomplete(arc, left if item.shape == "I>" else right)
        # The incomplete tail has the outermost child at its far end.
        inner = 0 if item.shape == "C>" else 1
        return self._complete(self.items[edge.tails[inner]].arc[1], states[inner])

    def _arc_state(self, label: int) -> Seen:
        return Seen(relation=label if self._sees_relation else None)

    def _incomplete(self, arc: Seen, own: Seen) -> Seen:
        """Return the state of an arc whose head has these children on the same side already."""
        count = min(own.children + 1, MOST_CHILDREN) if self._sees_count else 0
        return Seen(None, arc.relation, own.child if self._sees_before else None, count)

    def _complete(self, modifier: int, incomplete: Seen) -> Seen:
        return incomplete._replace(child=modifier if self._sees_child else None)

    def features(
        self, node: int, edge: Edge, states: tuple[Seen, ...]
    ) -> Iterator[tuple[tuple[int, int], float]]:
        """Yield (key, column), each of value 1, for an arc, its sibling and its modifier's children."""
        item = self.items[node]
        if item.shape[0] == "A":
            yield from self._part("arc", edge.action, Part(*item.arc, {}, {}))
        elif item.begin == item.end:
            return
        elif item.shape[0] == "C":
            # The modifier's children on the far side are known when the item is completed.
            incomplete, outer = states if item.shape == "C>" else reversed(states)
            arc = self.items[edge.tails[0 if item.shape == "C>" else 1]].arc
            yield from self._grandchild(arc, incomplete, outer, side=2)
        elif len(states) == 2:  # of a head vector: an arc and its modifier's children on the far side
            yield from self._grandchild(item.arc, *states, side=2)
        else:
            left, arc_state, right = states
            own, other = (left, right) if item.shape == "I>" else (right, left)
            numbers = {
                "m.r": _relation(arc_state),
                "s.r": _relation(own),
                "h.v": own.children + 1,
            }
            words = {"s": own.child, "ss": own.before}
            yield from self._part("sibling", self.labels, Part(*item.arc, words, numbers))
            yield from self._grandchild(item.arc, arc_state, other, side=1)

    def _grandchild(
        self, arc: tuple[int, int], own: Seen, below: Seen, side: int
    ) -> Iterator[tuple[tuple[int, int], float]]:
        numbers = {
            "m.r": _relation(own),
            "c.r": _relation(below),
            "m.v": below.children + 1,
            "side": side,
        }
        yield from self._part("grandchild", self.labels, Part(*arc, {"c": below.child}, numbers))

    def merge_key(self, state: Seen) -> Seen:
        """Return the state itself."""
        return state

    def _part(self, kind: str, column: int, part: Part) -> Iterator[tuple[tuple[int, int], float]]:
        for template in self._by_part[kind]:
            for key in self._keys(template, part):
                yield (fold(key, self.bits), column), 1.0

    def arc_features(self, head: int, modifier: int, label: int) -> Iterator[tuple[tuple[int, int], float]]:
        """Yield the features of a single arc."""
        return self._part("arc", label, Part(head, modifier, {}, {}))

    def _keys(self, template: GraphTemplate, part: Part) -> Iterator[int]:
        """Yield the keys of a template: one, or one for each combination of words in between."""
        between = range(min(part.head, part.modifier) + 1, max(part.head, part.modifier))
        choices = [
            [self._value(atom, word) for word in between]
            if atom.place == "between"
            else [self._of_part(atom.place, part)]
            if atom.look is None
            else [self._of_word(atom, part)]
            for atom in template.atoms
        ]
        for values in product(*choices):
            yield template.key(values)

    def _of_word(self, atom: GraphAtom, part: Part) -> int:
        word = {"h": part.head, "m": part.modifier, **part.others}[atom.place]
        return NO_WORD if word is None else self._value(atom, word + atom.offset)

    def _value(self, atom: GraphAtom, word: int) -> int:
        if word == 0:
            return ROOT
        if not 0 < word <= len(self.tokens) or atom.look is None:
            return BOUNDARY
        look = atom.look
        text = self.tokens[word - 1][look.column]
        return aspect(look.aspect, look.length, text, look.clusters) or BOUNDARY

    @staticmethod
    def _of_part(what: str, part: Part) -> int:
        if what in part.numbers:
            return part.numbers[what]
        side = 1 if part.head < part.modifier else 2
        return side if what == "dir" else side + 4 * bucket(abs(part.head - part.modifier))

    def tree(self, derivation: Tree) -> tuple[list[int], list[int]]:
        """Return the heads and the numbers of the relations."""
        heads, labels = [0] * len(self.tokens), [0] * len(self.tokens)
        for head, modifier, label in self.arcs(derivation):
            heads[modifier - 1], labels[modifier - 1] = head, label
        return heads, labels

    def arcs(self, derivation: Tree) -> Iterator[tuple[int, int, int]]:
        """Yield head, modifier and relation of every arc."""
        for use in derivation.uses:
            item = self.items[use.node]
            if item.shape[0] == "A":
                yield *item.arc, use.edge.action

    def loss(self, gold: Tree, guess: Tree) -> float:
        """Count the words whose head or relation differs."""
        return float(len({*self.arcs(gold)} - {*self.arcs(guess)}))

    def decisions(self, gold: Tree, guess: Tree) -> list[tuple[Arc, Arc]]:
        """Return the head and relation of each word in both derivations."""
        pairs = [dict(self._by_word(each)) for each in (gold, guess)]
        return [(pairs[0][word], pairs[1][word]) for word in sorted({*pairs[0]} & {*pairs[1]})]

    def _by_word(self, derivation: Tree) -> Iterator[tuple[int, Arc]]:
        for head, modifier, label in self.arcs(derivation):
            yield modifier, (head, label)

    def mixed(self, gold: Tree, guess: Tree, positions: Collection[int]) -> Tree:
        """Return the parts of a head vector, which need not be a tree: some words take the guess's heads.

        Features are defined on any head vector (Dror & Reichart 2016), with the siblings and grandchildren
        of that vector.
        """
        words = sorted({word for word, _ in self._by_word(gold)} & {word for word, _ in self._by_word(guess)})
        right, wrong = dict(self._by_word(gold)), dict(self._by_word(guess))
        chosen = {word: wrong[word] if k in positions else right[word] for k, word in enumerate(words)}
        top = gold.uses[-1]
        return Tree(tuple(use for use in self.uses(chosen) if self._is_built(use, top)), gold.score)

    def _is_built(self, use: Use, top: Use) -> bool:
        """Return True if the item that `top` builds has this part; a modifier's far children come last."""
        if self.items[top.node].shape[0] == "A":
            return use.node == top.node and not use.states
        return use.node != top.node or len(use.states) != 2 or len(top.states) == 2

    def uses(self, chosen: dict[int, Arc]) -> Iterator[Use]:
        """Return a vector of heads and relations as uses of edges, as far as features see them."""
        for word, (head, label) in sorted(chosen.items()):
            to_right = head < word
            arc, incomplete = (
                ((head, word, "A>"), (head, word, "I>"))
                if to_right
                else ((word, head, "A<"), (word, head, "I<"))
            )
            yield Use(self._number[Item(*arc)], Edge((), label), ())
            own = self._side(chosen, head, to_right, word)
            near, far = (self._side(chosen, word, right, None) for right in (not to_right, to_right))
            state = self._arc_state(label)
            node = self._number[Item(*incomplete)]
            yield Use(node, Edge((), 0), (own, state, near) if to_right else (near, state, own))
            yield Use(node, Edge((), 0), (self._incomplete(state, own), far))

    def possible(self) -> list[tuple[int, int]]:
        """Return head and modifier of every arc in the chart."""
        return [item.arc for item in self.items[: self._nodes] if item.shape[0] == "A"]

    def agreeing(self) -> list[tuple[int, int]]:
        """Return the arcs that agree with what is given, in the chart or not; else those of the chart."""
        return self.possible() if self._given is None else sorted(agreeing(self._given[0]))

    def relations(self, modifier: int) -> Sequence[int]:
        """Return the relations that an arc to a word may have."""
        known = None if self._given is None else self._given[1][modifier - 1]
        return range(self.labels) if known is None else (known,)

    def _side(self, chosen: dict[int, Arc], head: int, to_right: bool, until: int | None) -> Seen:
        """Return the state of a word's children on one side that are nearer than `until`."""
        children = [word for word, (its, _) in chosen.items() if its == head and (word > head) == to_right]
        children = sorted(children, key=lambda word: abs(word - head))
        seen = Seen()
        for child in children:
            if until is not None and abs(child - head) >= abs(until - head):
                break
            seen = self._complete(child, self._incomplete(self._arc_state(chosen[child][1]), seen))
        return seen


def _relation(seen: Seen) -> int:
    return 1 if seen.relation is None else seen.relation + 2


def bucket(distance: int) -> int:
    """Return the distance of two words in seven steps."""
    return distance if distance <= 5 else 6 if distance <= 10 else 7
