"""Explanations of transition-based parsers: what templates see of stack and buffer."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from structron.explaining.explanation import Named
from structron.explaining.names import NONE, seen_of
from structron.features.keys import fold
from structron.tasks.parsing.features.templates import ParseAtom
from structron.tasks.parsing.transitions.state import NO_LABEL, Node, State, nodes
from structron.tasks.parsing.transitions.systems import IDLE
from structron.tasks.parsing.transitions.task import ParsingTask


class ParseNames:
    """A sentence of a parser by transitions."""

    def __init__(self, task: ParsingTask, tokens: Sequence[Sequence[str]]) -> None:
        self.task, self.tokens = task, tokens
        self.space = task.space(tokens)
        self._last: tuple[State, list[Named]] | None = None

    def features(self, state: State, action: int) -> Iterator[Named]:
        """Yield templates with what they see of stack and buffer; idling has none."""
        if self.space.system.transitions[action].kind == IDLE:
            return iter(())
        if self._last is None or self._last[0] is not state:  # every other action of a state has the same
            self._last = (state, list(self._fired(state, 0)))
        return (each._replace(column=action) for each in self._last[1])

    def _fired(self, state: State, action: int) -> Iterator[Named]:
        atoms: dict[str, tuple[int, str]] = {}  # many templates share an atom; compute it once
        for template in self.space.templates:
            for atom in template.atoms:
                if atom.text not in atoms:
                    name = f"{atom.text}={self._seen(state, atom)}"
                    atoms[atom.text] = self.space._value(state, atom), name
            found = [atoms[atom.text] for atom in template.atoms]
            key = fold(template.key([value for value, _ in found]), self.space.bits)
            yield Named(" ".join(name for _, name in found) or template.text, key, action, 1.0)

    def _seen(self, state: State, atom: ParseAtom) -> str:
        at = self.space._spot(state, atom.place)
        if atom.sight == "word":
            if not at.token:
                return NONE
            word = self.tokens[at.token - 1][atom.column]
            return seen_of(atom.aspect, atom.length, word, atom.clusters)
        if atom.sight == "r":
            return NONE if at.label == NO_LABEL else self.task.labels[at.label]
        if atom.sight in ("sl", "sr"):
            bits = self.space._value(state, atom)
            # A bit stands for every 64th relation; the first of them is named.
            names = [label for i, label in enumerate(self.task.labels[:64]) if bits >> i & 1]
            return "{" + ",".join(names) + "}"
        value = self.space._value(state, atom)
        return str(value if atom.sight == "d" else value - 1)

    def about(self, state: State) -> str:
        """Return the two words on top of the stack and the first of the buffer."""
        stack = [self._word(node) for node in list(nodes(state.stack))[1::-1]]
        ahead = self.space._buffer_spot(state, 0).token
        first = self.tokens[ahead - 1][0] if ahead else ""
        return f"{' '.join(stack)} | {first}".strip()

    def _word(self, node: Node) -> str:
        return str(self.tokens[node.token - 1][0])

    def label(self, state: State, action: int) -> str:
        """Return the transition."""
        return self.task.transitions[action]

    def columns(self) -> Sequence[str]:
        """Return the transitions."""
        return list(self.task.transitions)

    def output(self, actions: Sequence[int]) -> str:
        """Return the transitions."""
        return " ".join(self.task.transitions[action] for action in actions)
