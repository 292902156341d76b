"""Phrase-based translation (Koehn, Och & Marcu 2003) as a search space.

An action translates one span of source words that is not translated yet, and appends its target words to the
output. A state belongs to the step given by the number of covered words. So an action skips steps, and the
beams of search are the stacks of a decoder.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol

from structron import _core
from structron.errors import SettingError
from structron.features.keys import BOUNDARY, fold, hash_bytes
from structron.reference.learners.weights import Weights
from structron.reference.sequence.trace import Path
from structron.tasks.translation.decoding.sentence_bleu import SentenceBleu
from structron.tasks.translation.features import PhraseWords, TranslationTemplate
from structron.tasks.translation.phrases.options import Option, Words

# The dense features, in their order: the vector of `Weights.DENSE`.
DENSE = (
    "phrase",
    "lexical",
    "inverse_phrase",
    "inverse_lexical",
    "phrases",
    "words",
    "distortion",
    "previous_monotone",
    "previous_swap",
    "previous_discontinuous",
    "next_monotone",
    "next_swap",
    "next_discontinuous",
    "language_model",
    "copies",
)
PHRASES, WORDS, DISTORTION, REORDERING, LANGUAGE_MODEL, COPIES = 4, 5, 6, 7, 13, 14
MOST_DISTORTION = 63  # the engine keeps what is covered beyond the first gap in 64 bits

Name = tuple[int, int]


class LanguageModel(Protocol):
    """The protocol of a language model; its states are compared, and are all that it remembers."""

    def begin(self) -> Hashable:
        """Return the state before the first word of a sentence."""
        ...

    def nothing(self) -> Hashable:
        """Return the state without any history."""
        ...

    def score(self, state: Any, word: str, /) -> tuple[float, Hashable]:
        """Return the logarithm of a word's probability, and the state after it."""
        ...

    def end(self, state: Any, /) -> float:
        """Return the logarithm of the probability that the sentence ends here."""
        ...


class TranslationState(NamedTuple):
    """The covered words and the output.

    Attributes
    ----------
    covered
        One bit for each source word, set if it is translated.
    start, end
        The span that was translated last; 0 and 0 at the beginning.
    following
        The scores of the next phrase's orientation: monotone, swap, discontinuous.
    output
        All target words so far. Only the last ones matter for the future and for merging.
    spoken
        The language model's state.
    """

    covered: int
    start: int
    end: int
    following: tuple[float, ...]
    output: tuple[str, ...]
    spoken: Hashable


@dataclass(frozen=True)
class Scoring:
    """The features and limits that score derivations.

    Parameters
    ----------
    language_model
        The language model of the target language.
    templates
        Sparse features.
    distortion_limit
        The greatest distance of a phrase from the end of the one before, in source words.
    scale
        The factor of dense features. A weight moves by the feature's value, so that its contribution moves by
        the square of this factor: it is their own step size.
    frozen
        Leave the weights of dense features unchanged while the others are learned.
    bits
        With b bits all sparse features share 2^b rows; 0 keeps them apart.
    outlook
        Add the expected score of the rest of the sentence when items compete.
    """

    language_model: LanguageModel
    templates: tuple[TranslationTemplate, ...] = ()
    distortion_limit: int = 6
    scale: float = 1.0
    frozen: bool = False
    bits: int = 0
    outlook: bool = True

    def __post_init__(self) -> None:
        check_limits(self.distortion_limit, self.scale)


def check_limits(distortion_limit: int, scale: float) -> None:
    """Refuse impossible limits."""
    if not 0 <= distortion_limit <= MOST_DISTORTION:
        raise SettingError(
            f"distortion limit {distortion_limit} is not possible; give 0 to {MOST_DISTORTION} words"
        )
    if not 0 < scale < math.inf:
        raise SettingError(f"scale {scale} is not possible; give a number above 0")


class TranslationSpace:
    """The search space of one sentence, in plain Python."""

    def __init__(self, scoring: Scoring, source: Words, options: Sequence[Option]) -> None:
        self.scoring, self.source, self.options = scoring, list(source), list(options)
        self.bleu: SentenceBleu | None = None  # judges outputs if training chooses its targets among them
        self._back = max((t.back for t in scoring.templates), default=0)
        hashes = [BOUNDARY, *(hash_bytes(word.encode()) for word in source), BOUNDARY]
        self._phrases = [
            PhraseWords(
                tuple(hashes[o.start + 1 : o.end + 1]),
                tuple(hash_bytes(word.encode()) for word in o.target),
                o.links,
                hashes[o.start],
                hashes[o.end + 1],
            )
            for o in self.options
        ]

    def initial(self) -> TranslationState:
        """Return the state in which nothing is covered."""
        return TranslationState(0, 0, 0, (0.0,) * 3, (), self.scoring.language_model.begin())

    def actions(self, state: TranslationState) -> list[int]:
        """Return the numbers of the options that can come next."""
        return [action for action, option in enumerate(self.options) if self._can_follow(state, option)]

    def _can_follow(self, state: TranslationState, option: Option) -> bool:
        """Return True if an option covers only free words, is near enough, and leaves the first gap in reach.

        Without the last condition the sentence could not be completed.
        """
        limit, gap = self.scoring.distortion_limit, self._first_gap(state)
        free = state.covered & _bits(option) == 0
        near = abs(option.start - state.end) <= limit
        return free and near and (option.start == gap or option.end - gap <= limit)

    def _first_gap(self, state: TranslationState) -> int:
        return next((i for i in range(len(self.source)) if not state.covered >> i & 1), len(self.source))

    def advance(self, state: TranslationState, action: int) -> TranslationState:
        """Return the state after a phrase."""
        option = self.options[action]
        spoken = state.spoken
        for word in option.target:
            _, spoken = self.scoring.language_model.score(spoken, word)
        return TranslationState(
            state.covered | _bits(option),
            option.start,
            option.end,
            tuple(option.reordering[3:]),
            state.output + option.target,
            spoken,
        )

    def features(self, state: TranslationState, action: int) -> Iterator[tuple[Name, float]]:
        """Yield dense features, named by `Weights.DENSE` and a number, and the keys of sparse ones."""
        option, is_last = self.options[action], self._is_last(state, action)
        yield from self._own(action)
        dense = [0.0] * len(DENSE)
        dense[DISTORTION] = -float(abs(option.start - state.end))
        turn = _orientation(state.start, state.end, option.start, option.end)
        dense[REORDERING + turn] += option.reordering[turn]
        dense[REORDERING + 3 + turn] += state.following[turn]
        if is_last:
            n = len(self.source)
            turn = _orientation(option.start, option.end, n, n + 1)
            dense[REORDERING + 3 + turn] += option.reordering[3 + turn]
        dense[LANGUAGE_MODEL] = self._spoken(state.spoken, option, is_last)
        yield from self._named(dense)
        history = [hash_bytes(word.encode()) for word in state.output]
        for template in self.scoring.templates:
            if template.back:
                for key in template.keys(self._phrases[action], history, is_last):
                    yield (fold(key, self.scoring.bits), 0), 1.0

    def _own(self, action: int) -> Iterator[tuple[Name, float]]:
        """Yield the features of an option that do not depend on what came before it."""
        option = self.options[action]
        dense = [0.0] * len(DENSE)
        dense[: len(option.scores)] = option.scores
        dense[PHRASES], dense[WORDS], dense[COPIES] = 1.0, float(len(option.target)), float(option.is_copy)
        yield from self._named(dense)
        for template in self.scoring.templates:
            if not template.back:
                for key in template.keys(self._phrases[action], (), False):
                    yield (fold(key, self.scoring.bits), 0), 1.0

    def _named(self, dense: Sequence[float]) -> Iterator[tuple[Name, float]]:
        for number, value in enumerate(dense):
            if value:
                yield (_core.Weights.DENSE, number), self.scoring.scale * value

    def _spoken(self, state: Hashable, option: Option, is_last: bool) -> float:
        total = 0.0
        for word in option.target:
            gain, state = self.scoring.language_model.score(state, word)
            total += gain
        return total + (self.scoring.language_model.end(state) if is_last else 0.0)

    def _is_last(self, state: TranslationState, action: int) -> bool:
        covered = state.covered | _bits(self.options[action])
        return covered == (1 << len(self.source)) - 1

    def merge_key(self, state: TranslationState) -> tuple[Hashable, ...]:
        """Return all that features and actions still depend on."""
        last = state.output[-self._back :] if self._back else ()
        return (state.covered, state.start, state.end, state.following, state.spoken, last)

    def step(self, state: TranslationState) -> int:
        """Return the number of covered source words."""
        return state.covered.bit_count()

    def bin_class(self, state: TranslationState) -> int:
        """Return the covered words: guess and gold may be compared over the same words."""
        return state.covered

    def is_final(self, state: TranslationState) -> bool:
        """Return True if all is translated."""
        return self.step(state) == len(self.source)

    def is_fixed(self, name: Hashable) -> bool:
        """Return True if learning leaves this feature's weight alone."""
        return self.scoring.frozen and isinstance(name, tuple) and name[0] == _core.Weights.DENSE

    def loss(self, gold: Path, guess: Path) -> float:
        """Count the source words that the guess translates by phrases which gold does not use.

        If BLEU judges gold, the loss is the guess's lack of BLEU if both are complete, else 0.
        """
        if self.bleu is not None:
            right, wrong = gold.states[-1], guess.states[-1]
            if not self.is_final(right) or not self.is_final(wrong):
                return 0.0
            return max(0.0, self.bleu.gain(right.output) - self.bleu.gain(wrong.output))
        wrong = set(guess.actions) - set(gold.actions)
        return float(sum(self.options[a].end - self.options[a].start for a in wrong))

    def outlook(self, weights: Weights) -> Callable[[TranslationState], float]:
        """Return the future cost (Koehn, Och & Marcu 2003): the scores of the best phrases for all gaps.

        Each phrase counts without its neighbours: without distortion and reordering, and with the language
        model's score of its words alone.
        """
        if not self.scoring.outlook:
            return lambda state: 0.0
        n, nothing = len(self.source), self.scoring.language_model.nothing()
        best: dict[tuple[int, int], float] = {}
        for action, option in enumerate(self.options):
            spoken = self.scoring.scale * self._spoken(nothing, option, False)
            value = weights.score(self._own(action)) + weights.score(
                [((_core.Weights.DENSE, LANGUAGE_MODEL), spoken)]
            )
            span = (option.start, option.end)
            best[span] = max(best.get(span, value), value)
        for length in range(2, n + 1):
            for start in range(n - length + 1):
                for middle in range(start + 1, start + length):
                    whole = best[start, middle] + best[middle, start + length]
                    best[start, start + length] = max(best.get((start, start + length), whole), whole)
        return lambda state: sum(best[gap] for gap in _gaps(state.covered, n))


def _bits(option: Option) -> int:
    """Return the words that an option covers, as bits."""
    return (1 << option.end) - (1 << option.start)


def _gaps(covered: int, n: int) -> Iterator[tuple[int, int]]:
    """Yield the spans that are not covered."""
    start = None
    for i in range(n + 1):
        is_gap = i < n and not covered >> i & 1
        if is_gap and start is None:
            start = i
        elif not is_gap and start is not None:
            yield start, i
            start = None


def _orientation(start: int, end: int, next_start: int, next_end: int) -> int:
    """Return how a phrase stands to the one before it: 0 after it, 1 before it (a swap), 2 elsewhere."""
    return 0 if next_start == end else 1 if next_end == start else 2
