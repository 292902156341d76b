"""A predictor that asks several parsers: candidates from each of them, the scores of all added up.

The candidates are the best trees of the parser's own beam and those of each expert.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from typing import Any, NamedTuple

from structron import _core
from structron.tasks.parsing.trees.predictors import Found, FrozenParser, Tokens, Tree, check_width, different

# How many are the parser's own, at least. On the dev set of EWT more gave nothing; without those of experts
# LAS was 0.2 lower (decision 25).
OWN = 16


class Member(NamedTuple):
    """One of those that are asked.

    Attributes
    ----------
    predictor, scorer
        The engine's: one finds trees, the other says what it thinks of given ones.
    weight
        What its scores are multiplied with.
    search
        How it searches.
    is_backward
        Whether it sees sentences from their ends.
    candidates
        How many of its best trees are looked at.
    """

    predictor: Any
    scorer: Any
    weight: float
    search: _core.Search
    is_backward: bool = False
    candidates: int = 1


class CombinedParser(FrozenParser):
    """A predictor with a beam and with experts.

    Of all candidates that every member can build, that one is the best whose weighted scores have the highest
    sum; of equal ones that which was found first, the parser's own before those of experts.

    Parameters
    ----------
    own
        What says the parser's own score of a tree.
    experts
        All have the same relations.
    """

    def __init__(
        self,
        engine: Any,
        labels: Iterable[str],
        projected: Callable[[Tree], Tree],
        own: Any,
        experts: Sequence[Member],
    ) -> None:
        super().__init__(engine, labels, projected)
        self._own, self._experts = own, experts

    @property
    def decode_seconds(self) -> float:
        """CPU time spent searching; adding up is not counted."""
        engines = [self._engine, *(expert.predictor for expert in self._experts)]
        return float(sum(engine.decode_seconds for engine in engines))

    def predict(self, xs: Sequence[Tokens], search: _core.Search, threads: int = 1) -> list[Found]:
        """The best tree of each sentence."""
        return [best[0][0] for best in self.kbest(xs, 1, search, threads)]

    def kbest(
        self, xs: Sequence[Tokens], k: int, search: _core.Search, threads: int = 1
    ) -> list[list[tuple[Found, float]]]:
        """The best candidates of each sentence, all different, with the sums of their scores."""
        check_width(search.width)
        wide = _core.Search(max(search.width, OWN, k), search.merge, search.within)
        own = self._engine.kbest(xs, max(k, OWN), wide, threads)
        candidates = [[_listed(tree) for tree, _ in best] for best in own]
        for expert in self._experts:
            for known, best in zip(candidates, _best(expert, xs, threads)):
                known += [tree for tree in best if tree not in known]
        members = [Member(self._engine, self._own, 1.0, wide), *self._experts]
        return [self._ranked(members, x, trees, k) for x, trees in zip(xs, candidates)]

    def _ranked(
        self, members: Sequence[Member], x: Tokens, trees: Sequence[Found], k: int
    ) -> list[tuple[Found, float]]:
        sums = [0.0] * len(trees)
        for member in members:
            for i, score in enumerate(_scores(member, x, trees)):
                sums[i] += member.weight * score
        # Where there is none that all members can build, the parser's own best stands.
        possible = [i for i, score in enumerate(sums) if score > -math.inf] or [0]
        order = sorted(possible, key=lambda i: -sums[i])
        return different(((self.restored(trees[i]), sums[i]) for i in order), k)


def mirrored(tree: Tree) -> Found:
    """The tree of a sentence that is read from its end.

    >>> mirrored(([2, 0, 2], ["det", "root", "punct"]))
    ([2, 0, 2], ['punct', 'root', 'det'])
    """
    heads, labels = tree
    return [head and len(heads) + 1 - head for head in reversed(heads)], list(reversed(labels))


def _best(expert: Member, xs: Sequence[Tokens], threads: int) -> list[list[Found]]:
    """The best trees of each sentence in the eyes of an expert."""
    seen = [x[::-1] for x in xs] if expert.is_backward else xs
    turned = mirrored if expert.is_backward else _listed
    if expert.candidates == 1:
        return [[turned(tree)] for tree in expert.predictor.predict(seen, expert.search, threads)]
    found = expert.predictor.kbest(seen, expert.candidates, expert.search, threads)
    return [[turned(tree) for tree, _ in best] for best in found]


def _listed(tree: Tree) -> Found:
    heads, labels = tree
    return list(heads), list(labels)


def _scores(member: Member, x: Tokens, trees: Sequence[Found]) -> list[float]:
    if member.is_backward:
        x, trees = x[::-1], [mirrored(tree) for tree in trees]
    scores: list[float] = member.scorer.scores(x, trees)
    return scores
