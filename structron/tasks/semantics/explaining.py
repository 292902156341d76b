"""Explanations of semantic parsers: which words a production says, and which parts fit into it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from structron import _core
from structron.explaining.account import Account
from structron.explaining.built import Built
from structron.explaining.explanation import Named
from structron.explaining.names import EDGE
from structron.model import Model
from structron.reference.forest.hypergraph import Tree, Use
from structron.tasks.semantics.features import ATOMS, ORDER, PART, PREFIX, SPAN, WORD
from structron.tasks.semantics.space import CLOSED, FULL, SLOT
from structron.tasks.semantics.task import SemanticTask

Seen = dict[str, str]


def account(model: Model[SemanticTask], x: Any) -> Account:
    """Explain the form of a question."""
    return Built(model, x, QuestionNames(model.task, x))


class QuestionNames:
    """A question, whose productions cover spans of words."""

    def __init__(self, task: SemanticTask, words: Any) -> None:
        self.task, self.words, self.space = task, list(words), task.space(words)

    def features(self, use: Use) -> Iterator[Named]:
        """Yield the features of the forest in their order, beside what each template sees."""
        names = self._names(use)
        for (key, column), value in self.space.features(*use):
            # The association of words, known before training, is the only dense feature.
            yield Named("association" if key == _core.Weights.DENSE else next(names), key, column, value)

    def _names(self, use: Use) -> Iterator[str]:
        if use.node == len(self.space.listed):
            return
        kind, i, j, p, which = self.space.listed[use.node]
        if kind == CLOSED:
            if which > 0:
                yield from self._of(PART, self._part(p, 0, use.states[0].production))
            yield from self._of(SPAN, self._span(p, i, j, which > 0), self.words[i:j])
        elif kind == SLOT:
            yield from self._of(PART, self._part(p, which, use.states[0].production))
        elif self.space.says(use.edge):
            yield from self._of(WORD, self._word(p, j - 1))
        elif kind == FULL and self.task.grammar.productions[p].arity == 2:
            turned = self.space.listed[use.edge.tails[1]].which == 0
            yield from self._of(ORDER, self._own(p) | {"order": "turned" if turned else "as in the form"})

    def _of(self, kind: int, seen: Seen, inside: Sequence[str] = ()) -> Iterator[str]:
        for template in self.task.parsed:
            if template.kind != kind:
                continue
            atoms = [ATOMS[atom] for atom in template.atoms]
            each = {"in": inside, "any": self.words}.get(atoms[-1])
            told = " ".join(f"{atom}={seen[atom]}" for atom in atoms if atom in seen)
            if each is None:
                yield told
            else:
                yield from (f"{told} {atoms[-1]}={word}".strip() for word in each)

    def _own(self, p: int) -> Seen:
        production = self.task.grammar.productions[p]
        seen = production.text if p in self.task.spoken else f"{production.result}/{production.arity}"
        return {"p": seen, "f": production.function, "name": production.text}

    def _part(self, p: int, slot: int, c: int) -> Seen:
        part = self._own(c)
        return self._own(p) | {"c": part["p"], "g": part["f"], "s": str(slot + 1)}

    def _word(self, p: int, i: int) -> Seen:
        beside = {"w[-1]": self._at(i - 1), "w[1]": self._at(i + 1)}
        return self._own(p) | {"w": self.words[i], "prefix": self.words[i][:PREFIX]} | beside

    def _span(self, p: int, i: int, j: int, bare: bool) -> Seen:
        edges = {
            "first": self._at(i),
            "last": self._at(j - 1),
            "before": self._at(i - 1),
            "after": self._at(j),
        }
        return self._own(p) | edges | {"bare": "yes" if bare else "no"}

    def _at(self, i: int) -> str:
        return self.words[i] if 0 <= i < len(self.words) else EDGE

    def _production(self, p: int) -> str:
        return str(self.task.grammar.productions[p].text)

    def about(self, use: Use) -> str:
        """Return the words of the span."""
        begin, end = self.space.span(use.node)
        return " ".join(self.words[begin:end])

    def label(self, use: Use) -> str:
        """Describe the use of the production."""
        kind, _, end, p, which = self.space.listed[use.node]
        own = self._production(p)
        if kind == SLOT:
            return f"{self._production(use.states[0].production)} fills slot {which + 1} of {own}"
        if kind == CLOSED:
            return f"{own}, which says nothing" if which else own
        return f"{own} says {self.words[end - 1]}" if self.space.says(use.edge) else f"the parts of {own}"

    def columns(self) -> Sequence[str]:
        """Return one column: all weights are in it."""
        return ["the form"]

    def output(self, tree: Tree) -> str:
        """Return the form."""
        last = tree.uses[-1]
        return str(self.task.grammar.term(self.space.join(*last)))
