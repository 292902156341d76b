"""The engine's semantic parser, with the traces of its charts."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from structron import _core
from structron.tasks.semantics.gold import HybridGold
from structron.tasks.semantics.language.grammar import FormTree
from structron.tasks.semantics.space import HybridSpace


class FrozenSemantics:
    """A predictor from questions (pairs of words and names) to forms (trees of productions).

    Parameters
    ----------
    space
        Builds the forest of a question for the definition.
    tree
        Builds the tree of a form from its productions in order.
    """

    def __init__(
        self,
        engine: _core.FrozenSemantics,
        space: Callable[[Any], HybridSpace],
        tree: Callable[[Sequence[int]], FormTree | None],
    ) -> None:
        self.engine, self.space, self.tree = engine, space, tree

    @property
    def decode_seconds(self) -> float:
        """Return the CPU time spent searching so far."""
        return self.engine.decode_seconds

    def predict(self, questions: Sequence[Any], search: _core.Search, threads: int = 1) -> list[Any]:
        """Return the best form of each question, None without one."""
        return [self.tree(form) for form in self.engine.predict(questions, search, threads)]

    def kbest(
        self, questions: Sequence[Any], k: int, search: _core.Search, threads: int = 1
    ) -> list[list[tuple[Any, float]]]:
        """Return the k best different forms of each question, with their scores."""
        return [
            [(self.tree(form), score) for form, score in best]
            for best in self.engine.kbest(questions, k, search, threads)
        ]

    def trace(self, question: Any, gold: Any, search: _core.Search) -> dict[str, Any]:
        """Return the chart of one question, with the definition's forest and oracle."""
        forms = None if gold is None else [tree.preorder() for tree in gold]
        found = self.engine.trace(question, forms, search)
        space = self.space(question)
        oracle = None if gold is None else HybridGold(space, gold)
        return found | {"space": space, "oracle": oracle}
