"""Explanations of a sentence that is translated by rules with gaps."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from structron import _core
from structron.explaining.explanation import Named
from structron.explaining.names import EDGE
from structron.reference.forest.hypergraph import Tree, Use
from structron.tasks.translation.explaining.phrases import PhraseText, phrase_names
from structron.tasks.translation.hiero.matching import Rule
from structron.tasks.translation.hiero.space import DENSE, looks_around
from structron.tasks.translation.hiero.task import HieroTask


class RuleNames:
    """One sentence: rules, the places that they are used in, and the glue between them."""

    def __init__(self, task: HieroTask, source: Sequence[str]) -> None:
        self.task, self.space = task, task.space(source)
        self.words = [EDGE, *source, EDGE]

    def features(self, use: Use) -> Iterator[Named]:
        """Yield the features of the forest in their order, beside what each template sees."""
        names = iter(list(self._sparse(use)))
        for (key, column), value in self.space.features(*use):
            yield Named(DENSE[column] if key == _core.Weights.DENSE else next(names), key, column, value)

    def _sparse(self, use: Use) -> Iterator[str]:
        if self.space.is_beginning(use.node):
            return
        is_placed = use.node >= self.space.patterns
        rule = self._rule(use)
        begin, end = self.space.span(use.node) if is_placed else (0, 0)
        around = (self.words[begin], self.words[end + 1]) if is_placed else ("", "")
        for template in self.task.parsed:
            if looks_around(template) != is_placed:
                continue
            said = [each for each in rule.target if isinstance(each, str)] if template.ngram else rule.target
            phrase = PhraseText(_shown(rule.source), _shown(said), rule.links, *around)
            yield from phrase_names(template, phrase, (), False)

    def _rule(self, use: Use) -> Rule:
        return self.space.rules.options[use.states[0] if use.node >= self.space.patterns else use.edge.action]

    def about(self, use: Use) -> str:
        """Return the words of the span; a rule by itself may be in several places."""
        if use.node < self.space.patterns:
            return " ".join(_shown(self._rule(use).source))
        begin, end = self.space.span(use.node)
        return " ".join(self.words[begin + 1 : end + 1])

    def label(self, use: Use) -> str:
        """Return the rule, where it is put, or glue."""
        if self.space.is_beginning(use.node):
            return " ".join(self.space.join(*use).words)
        target = " ".join(_shown(self._rule(use).target))
        return target if use.node < self.space.patterns else f"{target}, put here"

    def columns(self) -> Sequence[str]:
        """Return the dense features, which have weights of their own, and one column for all others."""
        return ["the translation"] * max(len(DENSE), self.task.weight_columns)

    def output(self, tree: Tree) -> str:
        """Return the translation."""
        return " ".join(self.space.words_of(tree))


def _shown(symbols: Sequence[str | int]) -> list[str]:
    return [symbol if isinstance(symbol, str) else f"[{symbol + 1}]" for symbol in symbols]
