"""A question as the engine takes it: its words and the names among them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from structron.tasks.semantics.language.grammar import Grammar
from structron.tasks.semantics.space import Anchor


class Words(list[str]):
    """The words of a question.

    Attributes
    ----------
    names
        The places of names: begin, end and production.
    """

    def __init__(self, words: Iterable[str] = (), names: Sequence[Anchor] = ()) -> None:
        super().__init__(words)
        self.names = list(names)

    @classmethod
    def of(cls, grammar: Grammar, words: Iterable[str]) -> Words:
        """Find the names that a grammar knows."""
        listed = list(words)
        return cls(listed, grammar.anchors(listed))
