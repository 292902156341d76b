"""Explanations of graph-based parsers: the parts of the tree that each word is the modifier of."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product
from typing import cast

from structron.engine.choices import engine_search
from structron.explaining.explanation import Decision, Named, WeightTable, decided
from structron.explaining.names import EDGE, NONE, seen_of
from structron.features.keys import fold
from structron.model import Model
from structron.tasks.parsing.features.graph import GraphAtom, GraphTemplate
from structron.tasks.parsing.graph.items import Part
from structron.tasks.parsing.graph.predictor import FrozenGraph
from structron.tasks.parsing.graph.space import GraphSpace
from structron.tasks.parsing.graph.task import GraphParsingTask

Tree = tuple[Sequence[int], Sequence[str]]


class NamedParts(GraphSpace):
    """The forest of one sentence whose features come with names.

    `features` of the forest and this differ in nothing but the names: the parts are found by the same code.
    """

    names: Sequence[str] = ()

    def named(self, kind: str, column: int, part: Part) -> Iterator[Named]:
        """Yield the features of a part."""
        for template in self._by_part[kind]:
            for key, name in zip(self._keys(template, part), self._texts(template, part), strict=True):
                yield Named(name, fold(key, self.bits), column, 1.0)

    def _texts(self, template: GraphTemplate, part: Part) -> Iterator[str]:
        between = range(min(part.head, part.modifier) + 1, max(part.head, part.modifier))
        choices = [
            [self._word(atom, word) for word in between]
            if atom.place == "between"
            else [self._text(atom, part)]
            for atom in template.atoms
        ]
        for seen in product(*choices):
            atoms = [f"{atom.text}={text}" for atom, text in zip(template.atoms, seen)]
            yield " ".join(atoms) or template.text

    def _text(self, atom: GraphAtom, part: Part) -> str:
        if atom.look is not None:
            word = {"h": part.head, "m": part.modifier, **part.others}[atom.place]
            return NONE if word is None else self._word(atom, word + atom.offset)
        value = self._of_part(atom.place, part)
        if atom.place.endswith(".r"):
            return NONE if value == 1 else self.names[value - 2]
        if atom.place in ("dir", "d"):
            side = "right" if value % 4 == 1 else "left"
            return side if atom.place == "dir" else f"{side} {value // 4}"
        return str(value - 1) if atom.place.endswith(".v") else ("between", "beyond")[value - 1]

    def _word(self, atom: GraphAtom, word: int) -> str:
        if word == 0:
            return "<root>"
        if not 0 < word <= len(self.tokens) or atom.look is None:
            return EDGE
        look = atom.look
        return seen_of(look.aspect, look.length, self.tokens[word - 1][look.column], look.clusters)

    def _part(self, kind: str, column: int, part: Part) -> Iterator[tuple[tuple[int, int], float]]:
        # Record what `features` asks for, so that it can be named.
        self.asked.append((kind, column, part))
        yield from ()

    @property
    def asked(self) -> list[tuple[str, int, Part]]:
        """The parts that were asked for."""
        return self.__dict__.setdefault("_asked", [])  # type: ignore[no-any-return]


class BuiltTree:
    """The account of a tree: a decision for each word, which is its arc, with siblings and grandchildren."""

    def __init__(self, model: Model[GraphParsingTask], tokens: Sequence[Sequence[str]]) -> None:
        self.task, self.tokens = model.task, tokens
        # The tree as it was built: lifting arcs and putting them back does not change the score.
        self.tree: Tree
        self.tree, self.score = cast(FrozenGraph, model.engine).built(tokens, engine_search(model.search))

    @property
    def output(self) -> str:
        """Heads and relations."""
        return " ".join(f"{head}:{label}" for head, label in zip(*self.tree))

    def columns(self) -> Sequence[str]:
        """Return relations, and one column for what looks at several arcs."""
        return [*self.task.labels, "siblings and grandchildren"]

    def decisions(self, table: WeightTable) -> Iterator[Decision]:
        """Yield the arc of each word.

        The runner-up is the arc that would score best in its place by itself: what siblings and grandchildren
        another arc would have is not looked at, and so its parts of higher order count as nothing.
        """
        space, chosen, own = _named_arcs(self.task, self.tokens, self.tree)
        for word, (head, label) in chosen.items():
            others = _other_arcs(self.task, space, word, (head, label), table)
            arc = _arc(self.task, self.tokens, head, label)
            yield decided(self.tokens[word - 1][0], (arc, table.weigh(own[word])), others)

    def features(self) -> Iterator[Named]:
        """Yield all features of the tree."""
        for found in _named_arcs(self.task, self.tokens, self.tree)[2].values():
            yield from found


def _named_arcs(
    task: GraphParsingTask, tokens: Sequence[Sequence[str]], tree: Tree
) -> tuple[NamedParts, dict[int, tuple[int, int]], dict[int, list[Named]]]:
    """Return the forest, head and relation of each word, and the features of the parts that it is modifier
    of."""
    space = NamedParts(tokens, len(task.labels), task.parsed, task.bits, single_root=task.single_root)
    space.names = task.labels
    number = {label: i for i, label in enumerate(task.labels)}
    chosen = {word: (head, number[label]) for word, (head, label) in enumerate(zip(*tree), 1)}
    own: dict[int, list[Named]] = {word: [] for word in chosen}
    for use in space.uses(chosen):
        if space.is_first_order and use.states:
            continue
        space.asked.clear()
        for _ in space.features(*use):
            pass
        for kind, column, part in space.asked:
            own[part.modifier] += space.named(kind, column, part)
    return space, chosen, own


def _other_arcs(
    task: GraphParsingTask, space: NamedParts, word: int, chosen: tuple[int, int], table: WeightTable
) -> Iterator[tuple[str, dict[str, float]]]:
    """Return, for every head, the best other relation that a word could have to it, by the arc alone."""
    for head in range(len(space.tokens) + 1):
        if head == word:
            continue
        features = list(space.named("arc", 0, Part(head, word, {}, {})))
        sums = [0.0] * len(task.labels)
        for feature in features:
            for column, weight in table.row(feature.key).items():
                if column < len(sums):
                    sums[column] += weight
        labels = [label for label in range(len(sums)) if (head, label) != chosen]
        if labels:
            best = max(labels, key=lambda label: sums[label])
            own = (feature._replace(column=best) for feature in features)
            yield _arc(task, space.tokens, head, best), table.weigh(own)


def _arc(task: GraphParsingTask, tokens: Sequence[Sequence[str]], head: int, label: int) -> str:
    of = f"{tokens[head - 1][0]} ({head})" if head else "the root"
    return f"{task.labels[label]} of {of}"
