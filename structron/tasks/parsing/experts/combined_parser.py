"""A predictor that asks several parsers: it collects candidates from each and adds up their scores.

The candidates are the best trees of the parser's own beam and those of each expert. The engine's twin is
`core/tasks/parsing/experts/combined.hpp`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Any

from structron import _core
from structron.engine.choices import engine_search
from structron.search import parse_search
from structron.tasks.parsing.trees.predictors import Found, FrozenParser, Tokens, Tree, check_width, different

if TYPE_CHECKING:
    from structron.tasks.parsing.experts.expert import ParsingExpert

# The least number of candidates from the parser itself. More gained nothing on the dev set of EWT; without
# the candidates of experts LAS was 0.2 lower (decision 25).
OWN = 16


class CombinedParser(FrozenParser):
    """A predictor with a beam and experts.

    The best candidate is the one with the highest weighted sum of scores, among those that every member can
    build. Of equal candidates the first one found wins; the parser's own come before those of experts.

    Parameters
    ----------
    own
        The engine's predictor of the parser itself.
    experts
        Parsers with the same relations.
    """

    def __init__(
        self, own: _core.Predictor, labels: Iterable[str], projected: Callable[[Tree], Tree],
        experts: Sequence[ParsingExpert],
    ) -> None:  # fmt: skip
        asked = [
            (
                each.task.predictor(each.rows),
                each.weight,
                engine_search(parse_search(each.search)),
                each.is_backward,
                each.candidates,
            )
            for each in experts
        ]
        super().__init__(_core.combined_predictor(own, asked, OWN, turned_round), labels, projected)

    def kbest(
        self, xs: Sequence[Tokens], k: int, search: _core.Search, threads: int = 1
    ) -> list[list[tuple[Found, float]]]:
        """Return the best candidates of each sentence, all different, with the sums of their scores."""
        check_width(search.width)
        found = self._engine.kbest(xs, k, search, threads)
        return [different(((self.restored(tree, x), s) for tree, s in best), k) for x, best in zip(xs, found)]


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
