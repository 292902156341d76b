"""Explanations of translators: dense and sparse features of each phrase, or of each rule with gaps."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from structron import _core
from structron.explaining.account import Account, Derived
from structron.explaining.built import Built
from structron.explaining.explanation import Named
from structron.explaining.names import EDGE
from structron.model import Model
from structron.tasks.translation.decoding.space import DENSE, TranslationState
from structron.tasks.translation.decoding.task import TranslationTask
from structron.tasks.translation.explaining.phrases import PhraseText, phrase_names
from structron.tasks.translation.explaining.rules import RuleNames
from structron.tasks.translation.hiero.task import HieroTask


def account(model: Model[Any], x: Any) -> Account:
    """Explain the translation of a sentence."""
    if isinstance(model.task, HieroTask):
        return Built(model, x, RuleNames(model.task, x))
    return Derived(model, x, PhraseNames(model.task, x))


class PhraseNames:
    """A sentence that is translated phrase by phrase."""

    def __init__(self, task: TranslationTask, source: Sequence[str]) -> None:
        self.task, self.space = task, task.space(source)
        words = [EDGE, *self.space.source, EDGE]
        self._phrases = [
            PhraseText(words[o.start + 1 : o.end + 1], o.target, o.links, words[o.start], words[o.end + 1])
            for o in self.space.options
        ]

    def features(self, state: TranslationState, action: int) -> Iterator[Named]:
        """Yield the features of the space in their order, beside what each template sees."""
        is_last = self.space._is_last(state, action)
        sparse = [
            name
            for looks_back in (False, True)
            for template in self.task.parsed
            if bool(template.back) == looks_back
            for name in phrase_names(
                template, self._phrases[action], state.output if looks_back else (), is_last and looks_back
            )
        ]
        names = iter(sparse)
        for (key, column), value in self.space.features(state, action):
            name = DENSE[column] if key == _core.Weights.DENSE else next(names)
            yield Named(name, key, column, value)

    def about(self, state: TranslationState) -> str:
        """Return what was said last, and what is to be translated."""
        left = [word for i, word in enumerate(self.space.source) if not state.covered >> i & 1]
        return f"{' '.join(state.output[-3:])} | {' '.join(left[:6])}".strip()

    def label(self, state: TranslationState, action: int) -> str:
        """Return the phrase pair."""
        phrase = self._phrases[action]
        return f"{' '.join(phrase.source)} → {' '.join(phrase.target)}"

    def columns(self) -> Sequence[str]:
        """Return the dense features, which have weights of their own, and one column for all others."""
        return ["the translation"] * max(len(DENSE), self.task.weight_columns)

    def output(self, actions: Sequence[int]) -> str:
        """Return the translation."""
        return " ".join(word for action in actions for word in self.space.options[action].target)
