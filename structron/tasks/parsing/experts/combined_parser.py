"""A predictor that asks several parsers: it collects candidates from each and adds up their scores.

The candidates are the best trees of the parser's own beam and those of each expert.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from typing import Any, NamedTuple

from structron import _core
from structron.tasks.parsing.trees.predictors import Found, FrozenParser, Tokens, Tree, check_width, different

# The least number of candidates from the parser itself. More gained nothing on the dev set of EWT; without
# the candidates of experts LAS was 0.2 lower (decision 25).
OWN = 16


class Member(NamedTuple):
    """A parser that is asked.

    Attributes
    ----------
    predictor, scorer
        The engine's objects: one finds trees, the other scores given trees.
    weight
        The factor of its scores.
    search
        Its search.
    is_backward
        True if it reads sentences from their ends.
    candidates
        How many of its best trees become candidates.
    """

    predictor: Any
    scorer: Any
    weight: float
    search: _core.Search
    is_backward: bool = False
    candidates: int = 1


class CombinedParser(FrozenParser):
    """A predictor with a beam and experts.

    The best candidate is the one with the highest weighted sum of scores, among those that every member can
    build. Of equal candidates the first one found wins; the parser's own come before those of experts.

    Parameters
    ----------
    own
        The scorer of the parser itself.
    experts
        Members with the same relations as the parser.
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
        """Return the CPU time spent searching, without the time for adding up scores."""
        engines = [self._engine, *(expert.predictor for expert in self._experts)]
        return float(sum(engine.decode_seconds for engine in engines))

    def predict(self, xs: Sequence[Tokens], search: _core.Search, threads: int = 1) -> list[Found]:
        """Return the best tree of each sentence."""
        return [best[0][0] for best in self.kbest(xs, 1, search, threads)]

    def kbest(
        self, xs: Sequence[Tokens], k: int, search: _core.Search, threads: int = 1
    ) -> list[list[tuple[Found, float]]]:
        """Return the best candidates of each sentence, all different, with the sums of their scores."""
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
        # If no candidate can be built by all members, the parser's own best tree is the answer.
        possible = [i for i, score in enumerate(sums) if score > -math.inf] or [0]
        order = sorted(possible, key=lambda i: -sums[i])
        return different(((self.restored(trees[i], x), sums[i]) for i in order), k)


def mirrored(tree: Tree) -> Found:
    """Return the tree of the reversed sentence.

    >>> mirrored(([2, 0, 2], ["det", "root", "punct"]))
    ([2, 0, 2], ['punct', 'root', 'det'])
    """
    heads, labels = tree
    return [head and len(heads) + 1 - head for head in reversed(heads)], list(reversed(labels))


def turned_round(x: Any) -> Any:
    """Return a sentence from its end, with what is given of its tree."""
    if not isinstance(x, _core.Restricted):
        return x[::-1]
    return _core.Restricted(x.input[::-1], mirrored(x.parts))


def _best(expert: Member, xs: Sequence[Tokens], threads: int) -> list[list[Found]]:
    """Return the best trees of each sentence according to an expert."""
    seen = [*map(turned_round, xs)] if expert.is_backward else xs
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
        x, trees = turned_round(x), [mirrored(tree) for tree in trees]
    scores: list[float] = member.scorer.scores(x, trees)
    return scores
