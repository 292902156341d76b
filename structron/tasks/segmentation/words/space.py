"""Segmentation by words, and joint segmentation and tagging: the definition.

A text is read character by character (Zhang & Clark 2007, 2011): each is appended to the word before it, or
begins a word with one of the tags; if sentences are found, too, it may also begin a sentence. A last action
ends the text. Without tags there is a single empty one.

=========================  ============================================  ================================
action                     effect                                        columns of its weights
=========================  ============================================  ================================
0                          the character continues the word              T + 1 + its tag, 2T + 2
1 + t                      it begins a word with tag t                   t, 2T + 1
T + 1                      the text ends                                 T, 2T + 1
T + 2 + t                  it begins a sentence, with a word of tag t    t, 2T + 1, 2T + 3
=========================  ============================================  ================================

`core/tasks/segmentation/word_space.hpp` is the engine's twin.
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
ANY_DUTY, MUST_BEGIN_WORD, MUST_CONTINUE_WORD = 0, 1, 2  # what is given of a character
MOST_LENGTH = 15  # longer words have the same length


class WordState(NamedTuple):
    """The position, the begins of the last two words, and their tags, last first.

    The number of tags stands for the tag of a missing word.
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
        duties: Sequence[int] = (),
    ) -> None:
        """Prepare the search; without `spaces` no word may contain white space.

        `duties` says of each character whether it must begin a word or continue one.
        """
        self.characters, self.tags, self._sentences, self._bits = characters, tags, sentences, bits
        self._spaces, self._duties = spaces, duties
        self._templates = [(template, template.columns(tags)) for template in templates]
        self._read: tuple[WordState, list[int]] | None = None

    @property
    def finish(self) -> int:
        """Return the action that ends the text."""
        return self.tags + 1

    def initial(self) -> WordState:
        """Return the state before any character."""
        return WordState(0, 0, 0, self.tags, self.tags)

    def actions(self, state: WordState) -> Sequence[int]:
        """Return the possible actions.

        The first character begins a word, and so do characters after white space unless words may contain it.
        After the last character the text ends.
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
        duty = self._duties[state.position] if self._duties else ANY_DUTY
        begins = [*begin, *sentence] if duty != MUST_CONTINUE_WORD else []
        return [*([APPEND] if goes_on and duty != MUST_BEGIN_WORD else []), *begins]

    def advance(self, state: WordState, action: int) -> WordState:
        """Return the state after one character."""
        at = state.position
        if action in (APPEND, self.finish):
            return state._replace(position=at + 1)
        tag = action - 1 if action <= self.tags else action - self.tags - 2
        return WordState(at + 1, at, state.begin, tag, state.t1)

    def columns(self, state: WordState, action: int) -> tuple[int, ...]:
        """Return the columns that weigh an action."""
        n = self.tags
        if action == APPEND:
            return n + 1 + state.t1, 2 * n + 2
        if action <= n + 1:
            return (n if action == self.finish else action - 1), 2 * n + 1
        return action - n - 2, 2 * n + 1, 2 * n + 3

    def features(self, state: WordState, action: int) -> Iterator[tuple[tuple[int, int], float]]:
        """Yield pairs of (key, column), each of value 1."""
        read = self._read
        if read is None or read[0] is not state:  # every action of a state has the same keys
            read = self._read = (state, self._seen(state))
        weighed = self.columns(state, action)
        for key, (_, columns) in zip(read[1], self._templates):
            column = next((c for c in weighed if c in columns), None)
            if column is not None and key:
                yield (fold(key, self._bits), column), 1.0

    def _seen(self, state: WordState) -> list[int]:
        """Return the keys of what templates see in a state."""
        return [
            template.key(lambda name, offset: self._value(state, name, offset))
            for template, _ in self._templates
        ]

    def _value(self, state: WordState, name: str, offset: int) -> int:
        """Return the value of an atom; a boundary if there is no word."""
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
        """Return all that features see: the last two words and their tags."""
        return state[1:]

    def step(self, state: WordState) -> int:
        """Return the number of characters read."""
        return state.position

    def mixed(self, gold: Path, guess: Path, positions: Collection[int]) -> Path:
        """Treat some characters as the guess does, and the others as gold does."""
        from structron.reference.learners.mixed_assignments import mixed_assignment

        return mixed_assignment(self, gold, guess, positions)

    def is_final(self, state: WordState) -> bool:
        """Return True if the text has ended; a text without characters has ended at once."""
        return state.position > len(self.characters) or not len(self.characters)


class WordOracle:
    """Gold words: one derivation."""

    def __init__(self, actions: Sequence[int]) -> None:
        self.actions = actions

    def allows(self, state: WordState, action: int) -> bool:
        """Return True if gold takes this action."""
        return self.actions[state.position] == action
