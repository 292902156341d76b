"""The search space of one word: the definition of transduction."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from structron.features.keys import BOUNDARY, fold, hash_bytes
from structron.tasks.transduction.features import FARTHEST_TARGET, OTHER, VOWEL, Place, TransductionTemplate
from structron.tasks.transduction.words.vowels import Vowels

if TYPE_CHECKING:
    from structron.reference.sequence.trace import Path
    from structron.tasks.transduction.words.known_words import Hint, KnownWords

Symbols = Sequence[str]


class Pair(NamedTuple):
    """A piece of the source and its target; an empty target is a silent symbol."""

    source: tuple[str, ...]
    target: tuple[str, ...]

    def __str__(self) -> str:
        return f"{' '.join(self.source)} → {' '.join(self.target) or 'ε'}"


class Inventory(Protocol):
    """The parts of a task that its search space uses; see `TransductionTask`."""

    @property
    def pairs(self) -> tuple[Pair, ...]: ...
    @property
    def bits(self) -> int: ...
    @property
    def vowels(self) -> Vowels: ...
    @property
    def known_words(self) -> KnownWords | None: ...
    @property
    def parsed(self) -> list[TransductionTemplate]: ...
    @property
    def skip(self) -> int: ...
    @property
    def columns(self) -> list[tuple[int, int, int]]: ...
    @property
    def target_order(self) -> int: ...
    @property
    def action_order(self) -> int: ...
    @property
    def by_source(self) -> dict[tuple[str, ...], list[int]]: ...
    @property
    def hashes(self) -> list[int]: ...
    def turned(self, symbols: Symbols) -> list[str]: ...
    def emitted(self, actions: Iterable[int]) -> list[str]: ...


class TransductionState(NamedTuple):
    """The consumed part of the source, the whole output, and the last pairs."""

    position: int
    output: tuple[str, ...]
    actions: tuple[int, ...]


class TransductionSpace:
    """The search space of one input, in plain Python."""

    def __init__(self, task: Inventory, source: Symbols) -> None:
        self.task, self.source = task, source
        self._hashes = [hash_bytes(symbol.encode()) for symbol in source]
        self._vowels = [VOWEL if symbol in task.vowels.source else OTHER for symbol in source]
        self._longest = max(len(pair.source) for pair in task.pairs)
        self._read: tuple[TransductionState, list[tuple[int, int]]] | None = None

    @cached_property
    def hints(self) -> list[tuple[Hint | None, Hint | None]]:
        """Return the hints of known words for each place."""
        known = self.task.known_words
        return [(None, None)] * len(self.source) if known is None else known.hints(self.source)

    def initial(self) -> TransductionState:
        """Return the state in which nothing is consumed."""
        return TransductionState(0, (), ())

    def actions(self, state: TransductionState) -> list[int]:
        """Return the pairs whose source comes next; skip a symbol that is not the whole source of a pair."""
        return self.actions_at(state.position)

    def actions_at(self, position: int) -> list[int]:
        """Return the actions at a position; they do not depend on the history."""
        if position == len(self.source):
            return []
        found: list[int] = []
        for length in range(1, self._longest + 1):
            here = self.task.by_source.get(tuple(self.source[position : position + length]), [])
            found += here if position + length <= len(self.source) else []
            if length == 1 and not here:
                found.append(self.task.skip)
        return sorted(found)

    def piece(self, position: int, action: int) -> Pair:
        """Return the source and the target of an action here."""
        if action == self.task.skip:
            return Pair((self.source[position],), ())
        return self.task.pairs[action]

    def advance(self, state: TransductionState, action: int) -> TransductionState:
        """Return the state after a pair; keep only the pairs that features look at."""
        source, target = self.piece(state.position, action)
        order = self.task.action_order
        actions = (*state.actions, action)[-order:] if order else ()
        return TransductionState(state.position + len(source), state.output + target, actions)

    def place(self, state: TransductionState) -> Place:
        """Return a state as templates see it."""
        recent, again = state.output[-FARTHEST_TARGET:], self.again(state)
        return Place(
            self._hashes,
            self._vowels,
            state.position,
            [key for hint in self.hints[state.position] for key in (hint.keys if hint else (0, 0, 0))],
            [hash_bytes(symbol.encode()) for symbol in recent],
            [VOWEL if symbol in self.task.vowels.target else OTHER for symbol in recent],
            [self.task.hashes[a] for a in state.actions],
            BOUNDARY if again is None else self.task.hashes[again],
        )

    def again(self, state: TransductionState) -> int | None:
        """Return the last action that began with the next symbol, among those kept in the state."""
        here = self.source[state.position]
        for action in reversed(state.actions):
            if action != self.task.skip and self.task.pairs[action].source[0] == here:
                return action
        return None

    def features(self, state: TransductionState, action: int) -> Iterable[tuple[tuple[int, int], float]]:
        """Return pairs of (key, column), each of value 1."""
        read = self._read
        if read is None or read[0] is not state:  # every pair of a state has the same keys
            read = self._read = (state, self._seen(state))
        columns = self.task.columns[action]
        return [((key, columns[view]), 1.0) for key, view in read[1]]

    def _seen(self, state: TransductionState) -> list[tuple[int, int]]:
        """Return the keys of what templates see in a state, each with the view of its columns."""
        place = self.place(state)
        keys = ((template.key(place), template.view) for template in self.task.parsed)
        return [(fold(key, self.task.bits), view) for key, view in keys if key]

    def merge_key(self, state: TransductionState) -> tuple[Any, ...]:
        """Return the symbols and pairs that features still look at."""
        order = self.task.target_order
        return (state.output[-order:] if order else (), state.actions)

    def step(self, state: TransductionState) -> int:
        """Return the number of source symbols consumed."""
        return state.position

    def mixed(self, gold: Path, guess: Path, positions: Collection[int]) -> Path:
        """Take the guess's pairs between some symbols at which both stop, and gold's between the others."""
        from structron.reference.learners.mixed_assignments import mixed_assignment

        return mixed_assignment(self, gold, guess, positions)

    def is_final(self, state: TransductionState) -> bool:
        """Return True if the source is consumed."""
        return state.position == len(self.source)
