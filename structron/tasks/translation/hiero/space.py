"""Hierarchical phrase-based translation (Chiang 2007) as a forest.

There are three kinds of nodes. A source side of rules that matches is a node, whose items are its rules: so
rules compete with each other, and cube pruning sees the best first. A span of source words up to a limit is a
node, whose items are its translations; it is built from a source side and the spans in its gaps. The words
from the beginning to some place are a node, built by glue, span after span; the last of these is the goal.

The language model first scores a span's words as if nothing were known of the words before them, and corrects
this when they are known. The sum over a derivation is its score of the sentence.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from structron import _core
from structron.errors import SettingError
from structron.features.keys import BOUNDARY, fold, hash_bytes
from structron.reference.forest.hypergraph import Edge, Tree
from structron.tasks.translation.decoding.space import LanguageModel
from structron.tasks.translation.features import ATOMS, PhraseWords, TranslationTemplate
from structron.tasks.translation.hiero.matching import Place, Rule, SentenceRules

# The dense features, in their order: the vector of `Weights.DENSE`.
DENSE = (
    "phrase",
    "lexical",
    "inverse_phrase",
    "inverse_lexical",
    "rules",
    "words",
    "gaps",
    "swaps",
    "glue",
    "language_model",
    "copies",
)
RULES, WORDS, GAPS, SWAPS, GLUE, LANGUAGE_MODEL, COPIES = range(4, 11)
MOST_SPAN = 255
GAP_KEYS = (0x4741503147415031, 0x4741503247415032)  # the hashes of gaps in templates

Name = tuple[int, int]
_AROUND = {ATOMS.index("s[-1]"), ATOMS.index("s[1]")}


class SpanTranslation(NamedTuple):
    """The translation of a span or a beginning: its words, and the language model's state after them."""

    words: tuple[str, ...]
    spoken: Hashable
    is_beginning: bool


@dataclass(frozen=True)
class HieroScoring:
    """The features and limits that score derivations; see
    `structron.tasks.translation.decoding.space.Scoring`.

    Parameters
    ----------
    context
        The number of earlier words that the language model sees.
    span_limit
        The most source words of a span that rules with gaps may cover; longer spans are glued.
    """

    language_model: LanguageModel
    context: int
    templates: tuple[TranslationTemplate, ...] = ()
    span_limit: int = 10
    scale: float = 1.0
    frozen: bool = False
    bits: int = 0

    def __post_init__(self) -> None:
        check_limits(self.span_limit, self.scale)
        check_templates(self.templates)


def check_limits(span_limit: int, scale: float) -> None:
    """Refuse impossible limits."""
    if not 1 <= span_limit <= MOST_SPAN:
        raise SettingError(f"span limit {span_limit} is not possible; give 1 to {MOST_SPAN} words")
    if not 0 < scale < math.inf:
        raise SettingError(f"scale {scale} is not possible; give a number above 0")


def check_templates(templates: Sequence[TranslationTemplate]) -> None:
    """Refuse templates that look beyond a rule."""
    for template in templates:
        if template.back:
            raise SettingError(
                f"template '{template.text}' looks at target words before a phrase, but spans are translated "
                "without knowing them; leave it out, or use system phrases"
            )


def looks_around(template: TranslationTemplate) -> bool:
    """Return True if a template sees the surroundings of a rule."""
    return not _AROUND.isdisjoint(template.atoms)


class HieroSpace:
    """The forest of one sentence, in plain Python: patterns, then spans by length, then beginnings."""

    patience = 2  # how many times a node's places are tried, since many derivations have the same output

    def __init__(self, scoring: HieroScoring, rules: SentenceRules) -> None:
        self.scoring, self.rules = scoring, rules
        self.words = n = len(rules.source)
        self.patterns = len(rules.patterns)
        longest = min(scoring.span_limit, n)
        self.spans = [(i, i + size) for size in range(1, longest + 1) for i in range(n - size + 1)]
        self._node = {span: self.patterns + k for k, span in enumerate(self.spans)}
        self._hashes = [BOUNDARY, *(hash_bytes(word.encode()) for word in rules.source), BOUNDARY]

    # --------------------------------------------------------------------------------------------- the forest

    def nodes(self) -> int:
        """Return the number of nodes: patterns, spans, beginnings; an empty sentence has one beginning."""
        return self.patterns + len(self.spans) + max(1, self.words)

    def group(self, node: int) -> int:
        """Return the node itself: every node has its own places."""
        return node

    def span(self, node: int) -> Place:
        """Return the source words that a node covers; a pattern may be in several places."""
        if node < self.patterns:
            return (0, 0)
        at = node - self.patterns
        return self.spans[at] if at < len(self.spans) else (0, self._end(node))

    def is_compared(self, node: int) -> bool:
        """Return True for translations; updates do not compare rules without their place."""
        return node >= self.patterns

    def is_beginning(self, node: int) -> bool:
        """Return True if glue makes a node."""
        return node >= self.patterns + len(self.spans)

    def _end(self, node: int) -> int:
        return min(self.words, node - self.patterns - len(self.spans) + 1)

    def _beginning(self, end: int) -> int:
        return self.patterns + len(self.spans) + end - 1

    def edges(self, node: int) -> list[Edge]:
        """Return the ways to build a node: rules, patterns with their gaps, or glue."""
        if node < self.patterns:
            return [Edge((), option) for option in self.rules.patterns[node]]
        if not self.is_beginning(node):
            return [
                Edge((match.pattern, *(self._node[gap] for gap in match.gaps)), 0)
                for match in self.rules.matches.get(self.span(node), ())
            ]
        end = self._end(node)
        if end == 0:
            return [Edge((), 0)]
        found = [Edge((self._node[0, end],), 0)] if (0, end) in self._node else []
        for middle in range(max(1, end - self.scoring.span_limit), end):
            found.append(Edge((self._beginning(middle), self._node[middle, end]), 0))
        return found

    def join(self, node: int, edge: Edge, states: tuple[Any, ...]) -> Any:
        """Return a rule's number, or the output."""
        if node < self.patterns:
            return edge.action
        if self.is_beginning(node):
            words = tuple(word for state in states for word in state.words)
            return SpanTranslation(words, self._spoken(self.scoring.language_model.begin(), words)[1], True)
        rule = self.rules.options[states[0]]
        words = ()
        for symbol in rule.target:
            words += (symbol,) if isinstance(symbol, str) else states[1 + symbol].words
        return SpanTranslation(words, self._spoken(self.scoring.language_model.nothing(), words)[1], False)

    def merge_key(self, state: Any) -> Hashable:
        """Return what the language model can still see: the first words, and the state after the last."""
        if not isinstance(state, SpanTranslation):
            return int(state)
        return state.spoken if state.is_beginning else (state.words[: self.scoring.context], state.spoken)

    def words_of(self, tree: Tree) -> tuple[str, ...]:
        """Return the output of a derivation; states may be those of better ones with the same keys."""
        stack: list[tuple[str, ...]] = []
        for use in tree.uses:
            first = len(stack) - len(use.edge.tails)
            tails = stack[first:]
            made: tuple[str, ...] = ()
            if self.is_beginning(use.node):
                made = tuple(word for tail in tails for word in tail)
            elif use.node >= self.patterns:
                for symbol in self.rules.options[use.states[0]].target:
                    made += (symbol,) if isinstance(symbol, str) else tails[1 + symbol]
            stack[first:] = [made]
        return stack[-1]

    # ------------------------------------------------------------------------------------------- its features

    def features(self, node: int, edge: Edge, states: tuple[Any, ...]) -> Iterator[tuple[Name, float]]:
        """Yield dense features, named by `Weights.DENSE` and a number, and the keys of sparse ones."""
        dense = [0.0] * len(DENSE)
        if node < self.patterns:
            rule = self.rules.options[edge.action]
            yield from self._named(self._own(rule))
            yield from self._sparse(rule, None)
            return
        after = self.join(node, edge, states)
        if self.is_beginning(node):
            dense[GLUE] = float(len(states) == 2)
            dense[LANGUAGE_MODEL] = self._begun(after.words, self._end(node) == self.words)
            for state in states:
                dense[LANGUAGE_MODEL] -= (
                    self._begun(state.words, False) if state.is_beginning else self._alone(state.words)
                )
            yield from self._named(dense)
            return
        rule = self.rules.options[states[0]]
        dense[LANGUAGE_MODEL] = self._alone(after.words) - self._runs(rule)
        for state in states[1:]:
            dense[LANGUAGE_MODEL] -= self._alone(state.words)
        yield from self._named(dense)
        yield from self._sparse(rule, self.span(node))

    def _own(self, rule: Rule) -> list[float]:
        """Return the dense features of a rule that do not depend on its place."""
        dense = [0.0] * len(DENSE)
        dense[: len(rule.scores)] = rule.scores
        dense[RULES], dense[WORDS], dense[GAPS] = 1.0, float(rule.target_words), float(len(rule.gaps))
        dense[SWAPS], dense[COPIES] = float(rule.gaps == [1, 0]), float(rule.is_copy)
        dense[LANGUAGE_MODEL] = self._runs(rule)
        return dense

    def _named(self, dense: Sequence[float]) -> Iterator[tuple[Name, float]]:
        for number, value in enumerate(dense):
            if value:
                yield (_core.Weights.DENSE, number), self.scoring.scale * value

    def _sparse(self, rule: Rule, span: Place | None) -> Iterator[tuple[Name, float]]:
        """Yield with a span the templates that see what is around it; without, the others."""
        before, after = (0, 0) if span is None else (self._hashes[span[0]], self._hashes[span[1] + 1])
        source, target = tuple(map(_hashed, rule.source)), tuple(map(_hashed, rule.target))
        words = tuple(_hashed(symbol) for symbol in rule.target if isinstance(symbol, str))
        for template in self.scoring.templates:
            if looks_around(template) == (span is not None):
                said = words if template.ngram else target
                phrase = PhraseWords(source, said, rule.links, before, after)
                for key in template.keys(phrase, (), False):
                    yield (fold(key, self.scoring.bits), 0), 1.0

    def _spoken(self, state: Any, words: Sequence[str]) -> tuple[float, Any]:
        total = 0.0
        for word in words:
            gain, state = self.scoring.language_model.score(state, word)
            total += gain
        return total, state

    def _alone(self, words: Sequence[str]) -> float:
        return self._spoken(self.scoring.language_model.nothing(), words)[0]

    def _begun(self, words: Sequence[str], is_whole: bool) -> float:
        total, state = self._spoken(self.scoring.language_model.begin(), words)
        return total + (self.scoring.language_model.end(state) if is_whole else 0.0)

    def _runs(self, rule: Rule) -> float:
        """Return the language model's score of the words between gaps, run by run."""
        total, run = 0.0, list[str]()
        for symbol in (*rule.target, 0):
            if isinstance(symbol, str):
                run.append(symbol)
            else:
                total, run = total + self._alone(run), []
        return total

    def is_fixed(self, name: Hashable) -> bool:
        """Return True if learning leaves this feature's weight alone."""
        return self.scoring.frozen and isinstance(name, tuple) and name[0] == _core.Weights.DENSE

    def loss(self, gold: Tree, guess: Tree) -> float:
        """Count the source words that the guess translates by rules which gold does not use there."""
        wrong = Counter(self._used(guess)) - Counter(self._used(gold))
        return float(sum(self.rules.options[o].source_words * times for (_, o), times in wrong.items()))

    def _used(self, tree: Tree) -> Iterator[tuple[int, int]]:
        for use in tree.uses:
            if use.node >= self.patterns and not self.is_beginning(use.node):
                yield use.node, use.states[0]


def _hashed(symbol: str | int) -> int:
    return hash_bytes(symbol.encode()) if isinstance(symbol, str) else GAP_KEYS[symbol]
