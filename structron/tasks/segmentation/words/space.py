"""Segmentation by words, and joint segmentation and tagging, as the definition sees them.

A text is read character by character (Zhang & Clark 2007, 2011): each is appended to the word before it, or
begins a word with one of the tags; where sentences are found too, it may also begin a sentence. A last action
ends the text. Without tags there is one, which says nothing.

=========================  ============================================  ================================
action                     what it does                                  columns that it is weighed by
=========================  ============================================  ================================
0                          the character goes on with the word           T + 1 + its tag, 2T + 2
1 + t                      it begins a word with tag t                   t, 2T + 1
T + 1                      the text is over                              T, 2T + 1
T + 2 + t                  it begins a sentence, with a word of tag t    t, 2T + 1, 2T + 3
=========================  ============================================  ================================

`core/tasks/segmentation/word_space.hpp` is the engine's.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

from structron.features.keys import BOUNDARY, fold
from structron.tasks.segmentation.features.words import LOCAL, WordTemplate
from structron.tasks.segmentation.words.characters import Characters

if TYPE_CHECKING:
    from structron.reference.sequence.trace import Path

APPEND = 0
MOST_LENGTH = 15  # beyond it, words are equally long


class WordState(NamedTuple):
    """How far we are; where the last word and the one before it begin, and their tags, last first.

    The number of tags stands for that of a word that is not there.
    """

    position: int
    begin: int
    before: int
    t1: int
    t2: int


class WordSpace:
    """The search space of one text, in plain Python."""

    def __init__(
        self,
        characters: Characters,
        tags: int,
        templates: Sequence[WordTemplate],
        sentences: bool = False,
        bits: int = 0,
        spaces: bool = True,
    ) -> None:
        """Without `spaces` no word holds white space."""
        self.characters, self.tags, self._sentences, self._bits = characters, tags, sentences, bits
        self._spaces = spaces
        self._templates = [(template, template.columns(tags)) for template in templates]

    @property
    def finish(self) -> int:
        """The action that ends the text."""
        return self.tags + 1

    def initial(self) -> WordState:
        """Nothing is read yet."""
        return WordState(0, 0, 0, self.tags, self.tags)

    def actions(self, state: WordState) -> Sequence[int]:
        """The first character begins a word, and so do those after white space, unless words may hold it.

        All others may do anything; after them the text is over.
        """
        if self.is_final(state):
            return []
        if state.position == len(self.characters):
            return [self.finish]
        begin = range(1, self.tags + 1)
        if state.position == 0:
            return begin
        sentence = range(self.tags + 2, 2 * self.tags + 2) if self._sentences else ()
        goes_on = self._spaces or not self.characters.units[state.position].white
        return [*([APPEND] if goes_on else []), *begin, *sentence]

    def advance(self, state: WordState, action: int) -> WordState:
        """One character further."""
        at = state.position
        if action in (APPEND, self.finish):
            return state._replace(position=at + 1)
        tag = action - 1 if action <= self.tags else action - self.tags - 2
        return WordState(at + 1, at, state.begin, tag, state.t1)

    def columns(self, state: WordState, action: int) -> tuple[int, ...]:
        """What an action is weighed by."""
        n = self.tags
        if action == APPEND:
            return n + 1 + state.t1, 2 * n + 2
        if action <= n + 1:
            return (n if action == self.finish else action - 1), 2 * n + 1
        return action - n - 2, 2 * n + 1, 2 * n + 3

    def features(self, state: WordState, action: int) -> Iterator[tuple[tuple[int, int], float]]:
        """Pairs of (key, column), each of value 1."""
        weighed = self.columns(state, action)
        for template, columns in self._templates:
            column = next((c for c in weighed if c in columns), None)
            if column is None:
                continue
            key = template.key(lambda name, offset: self._value(state, name, offset))
            if key:
                yield (fold(key, self._bits), column), 1.0

    def _value(self, state: WordState, name: str, offset: int) -> int:
        """What an atom sees; where there is no word, a boundary."""
        seen = self.characters
        if name in LOCAL:
            return seen.local(name, state.position, offset)
        if name == "t":
            return 1 + (state.t1 if offset == -1 else state.t2)
        begin, end = (state.begin, state.position) if offset == -1 else (state.before, state.begin)
        if end == 0:
            return 0 if name == "one" else BOUNDARY
        match name:
            case "w":
                return seen.word(begin, end)
            case "len":
                return min(end - begin, MOST_LENGTH)
            case "first":
                return seen.values[begin]
            case "last":
                return seen.values[end - 1]
            case "one":
                return int(end - begin == 1)
            case "known":
                return seen.how_known(begin, end)
            case "seen":
                return seen.word(begin, end) if seen.how_known(begin, end) > 1 else 1
        return seen.longest_known(begin)

    def merge_key(self, state: WordState) -> tuple[int, ...]:
        """All that features look at: the last two words and their tags."""
        return state[1:]

    def step(self, state: WordState) -> int:
        """Characters read."""
        return state.position

    def mixed(self, gold: Path, guess: Path, positions: Collection[int]) -> Path:
        """What the guess does with some characters, and gold with the others."""
        from structron.reference.learners.mixed_assignments import mixed_assignment

        return mixed_assignment(self, gold, guess, positions)

    def is_final(self, state: WordState) -> bool:
        """Whether the text is over; one without characters is from the start."""
        return state.position > len(self.characters) or not len(self.characters)


class WordOracle:
    """Gold words: one derivation."""

    def __init__(self, actions: Sequence[int]) -> None:
        self.actions = actions

    def allows(self, state: WordState, action: int) -> bool:
        """Whether gold does the same with this character."""
        return self.actions[state.position] == action
