"""The task itself: word by word, as it is, with a capital, in capitals, or as it is usually written."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar, NamedTuple

from structron.own import OwnTask

LOWER, CAPITAL, UPPER, USUAL = range(4)
NAMES = ("lower", "Capital", "UPPER", "Usual")


class State(NamedTuple):
    """How many words are done, and how the last two of them are written."""

    position: int
    last: int
    before: int


class Sentence:
    """A sentence in lower case as a graph of states, and as an oracle if its true form is known."""

    def __init__(self, task: TruecasingTask, text: str, gold: str | None = None) -> None:
        self.words = text.lower().split()
        self.forms = [task.forms(word) for word in self.words]
        self.gold = None if gold is None else gold.split()

    def initial(self) -> State:
        return State(0, -1, -1)

    def actions(self, state: State) -> Sequence[int]:
        return () if self.is_final(state) else tuple(range(len(self.forms[state.position])))

    def advance(self, state: State, action: int) -> State:
        return State(state.position + 1, action, state.last)

    def features(self, state: State, action: int) -> Iterator[tuple[str, float]]:
        i, word = state.position, self.words[state.position]
        case = NAMES[action]
        before = self.words[i - 1] if i else "<"
        after = self.words[i + 1] if i + 1 < len(self.words) else ">"
        for name in (
            "bias",
            f"word={word}",
            f"before={before}",
            f"after={after}",
            f"before={before} word={word}",
            f"word={word} after={after}",
            f"suffix={word[-3:]}",
            f"prefix={word[:3]}",
            f"last={state.last}",
            f"last={state.last},{state.before}",
            f"last={state.last} word={word}",
            f"first={i == 0}",
        ):
            yield f"{name} -> {case}", 1.0

    def merge_key(self, state: State) -> State:
        return state

    def step(self, state: State) -> int:
        return state.position

    def is_final(self, state: State) -> bool:
        return state.position == len(self.words)

    def allows(self, state: State, action: int) -> bool:
        """Return whether an action is gold: the first that writes the true form, or no change."""
        assert self.gold is not None
        forms, i = self.forms[state.position], state.position
        true = self.gold[i] if i < len(self.gold) else ""
        return action == (forms.index(true) if true in forms else LOWER)

    def label(self, state: State, action: int) -> str:
        return NAMES[action]

    def about(self, state: State) -> str:
        return self.words[state.position]


@dataclass(frozen=True)
class TruecasingTask(OwnTask):
    """What it must know of its data: words that are usually written in a way of their own, such as iPhone."""

    kind: ClassVar[str] = "truecasing"

    usual: tuple[str, ...] = ()

    @cached_property
    def _usual(self) -> dict[str, str]:
        return {form.lower(): form for form in self.usual}

    def forms(self, word: str) -> list[str]:
        """Return the ways to write a word, by action."""
        forms = [word, word[:1].upper() + word[1:], word.upper()]
        return [*forms, self._usual[word]] if word in self._usual else forms

    def space(self, x: str) -> Sentence:
        return Sentence(self, x)

    def oracle(self, x: str, y: str) -> Sentence:
        return Sentence(self, x, y)

    def output(self, x: str, actions: Sequence[int]) -> str:
        return " ".join(self.forms(word)[action] for word, action in zip(x.lower().split(), actions))
