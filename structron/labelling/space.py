"""The search space of one sentence in the definition: states are the last tags."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from typing import NamedTuple

from structron.features.keys import combine_tags, fold
from structron.labelling.dictionary import Dictionary
from structron.labelling.templates import Template
from structron.reference.learners.mixed_assignments import mixed_assignment
from structron.reference.sequence.trace import Path


class TagState(NamedTuple):
    """A position and the last two tags; the number of tags stands for the start of the sentence."""

    position: int
    t1: int
    t2: int


class TaggingSpace:
    """The search space of one sentence of words, in plain Python."""

    def __init__(
        self,
        tokens: Sequence[Sequence[str]],
        tags: int,
        templates: Sequence[Template],
        order: int,
        rules: tuple[bytes | None, bytes | None],
        dictionary: Dictionary,
        bits: int = 0,
        hidden: int = 1,
        allowed: Sequence[bytes] = (),
    ) -> None:
        """Take the sentence; `allowed` limits the tags of each token, whatever its word, unless empty."""
        self.tokens, self._tags, self._order, self._bits, self._hidden = tokens, tags, order, bits, hidden
        self._keys = [[(t.key(tokens, i), t) for t in templates] for i in range(len(tokens))]
        self._after, self._end = rules
        self._dictionary, self._allowed = dictionary, allowed
        self._read: tuple[TagState, list[int]] | None = None

    def initial(self) -> TagState:
        """Return the state without tags."""
        return TagState(0, self._tags, self._tags)

    def actions(self, state: TagState) -> Sequence[int]:
        """Return the tags that rules and dictionary allow, or rules alone if the dictionary leaves none."""
        if self.is_final(state):
            return []
        tags: list[int] = list(range(self._tags))
        if self._after is not None and self._end is not None:
            last = state.position + 1 == len(self.tokens)
            tags = [
                a for a in tags if self._after[state.t1 * self._tags + a] and not (last and not self._end[a])
            ]
        if self._allowed:
            tags = [a for a in tags if self._allowed[state.position][a]]
        known = self._dictionary.tags_of(self.tokens[state.position][0])
        if known is not None:
            tags = [a for a in tags if a in known] or tags
        return tags

    def advance(self, state: TagState, action: int) -> TagState:
        """Move one token further."""
        return TagState(state.position + 1, action, state.t1)

    def features(self, state: TagState, action: int) -> Iterable[tuple[tuple[int, int], float]]:
        """Return pairs of (key, tag), each of value 1."""
        read = self._read
        if read is None or read[0] is not state:  # every tag of a state has the same keys
            read = self._read = (state, self._seen(state))
        return [((key, action), 1.0) for key in read[1]]

    def _seen(self, state: TagState) -> list[int]:
        """Return the keys of what templates see in a state."""
        return [
            fold(combine_tags(key, template.tags, state.t1, state.t2), self._bits)
            for key, template in self._keys[state.position]
            if key
        ]

    def merge_key(self, state: TagState) -> tuple[int, ...]:
        """Return the tags that features or rules still see."""
        order = self._order
        if order == 2:
            return (state.t2, state.t1)
        return (state.t1,) if order == 1 or self._after is not None else ()

    def step(self, state: TagState) -> int:
        """Return the number of tagged tokens."""
        return state.position

    def mixed(self, gold: Path, guess: Path, positions: Collection[int]) -> Path:
        """Return the guess's tags in some positions and gold's elsewhere, regardless of the rules."""
        return mixed_assignment(self, gold, guess, positions)

    def loss(self, gold: Path, guess: Path) -> float:
        """Count the labels that differ; sub-labels of one label count as equal."""
        hidden = self._hidden
        return float(sum(a // hidden != b // hidden for a, b in zip(gold.actions, guess.actions)))

    def is_final(self, state: TagState) -> bool:
        """Return True if all tokens are tagged."""
        return state.position == len(self.tokens)


class TagOracle:
    """Gold tags: one derivation."""

    def __init__(self, tags: Sequence[int]) -> None:
        self.tags = tags

    def allows(self, state: TagState, action: int) -> bool:
        """Return True for the gold tag."""
        return self.tags[state.position] == action


class PartialOracle:
    """Every sequence that agrees with what is known of the labels; none if there is none."""

    def __init__(self, may: Sequence[bytes] | None) -> None:
        self.may = may

    def allows(self, state: TagState, action: int) -> bool:
        """Return True if a sequence that agrees has the tag there."""
        return self.may is not None and bool(self.may[state.position][action])


class HiddenOracle:
    """Gold labels with latent sub-labels."""

    def __init__(self, labels: Sequence[int], hidden: int) -> None:
        self.labels, self.hidden = labels, hidden

    def allows(self, state: TagState, action: int) -> bool:
        """Return True if the sub-label belongs to the gold label."""
        return self.labels[state.position] == action // self.hidden
