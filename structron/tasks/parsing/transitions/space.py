"""The search space of one sentence: the definition of transition-based parsing."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Sequence
from typing import NamedTuple

from structron.errors import DataError
from structron.features.atoms import aspect
from structron.features.keys import BOUNDARY, fold
from structron.tasks.parsing.features.templates import ParseAtom, ParseTemplate, Place
from structron.tasks.parsing.transitions.kernel import Kernel
from structron.tasks.parsing.transitions.restriction import KnownTree
from structron.tasks.parsing.transitions.state import NO_LABEL, Cell, Node, State, nodes
from structron.tasks.parsing.transitions.systems import IDLE, SHIFT, TransitionSystem, check_stacked


class Spot(NamedTuple):
    """The content of a place: a word, what is known of it, and the relation to its head."""

    token: int = 0
    node: Node | None = None
    label: int = NO_LABEL
    below: tuple[Node, ...] = ()


class ParsingSpace:
    """The search space of one sentence, in plain Python."""

    def __init__(
        self,
        system: TransitionSystem,
        labels: Sequence[str],
        templates: Sequence[ParseTemplate],
        bits: int,
        tokens: Sequence[Sequence[str]],
        given: KnownTree | None = None,
    ) -> None:
        if given is not None and system.name != "swap" and not given.leads_on(State()):
            raise DataError("no tree that this system builds has all arcs given")
        self.given = given
        self.system, self.labels, self.templates, self.bits = system, labels, templates, bits
        self.tokens = tokens
        self._read: tuple[State, list[int]] | None = None
        self._kernels: dict[bool, Kernel] = {}

    def initial(self) -> State:
        """Return the state before anything is read."""
        return State()

    def actions(self, state: State) -> Sequence[int]:
        """Return the possible actions."""
        if self.is_final(state):
            return []
        kinds = self.system.possible(state, len(self.tokens))
        found = [a for a, transition in enumerate(self.system.transitions) if transition.kind in kinds]
        return found if self.given is None else [a for a in found if self.given.allows(state, a)]

    def advance(self, state: State, action: int) -> State:
        """Return the state after an action."""
        return self.system.advance(state, action, len(self.tokens))

    def features(self, state: State, action: int) -> Iterable[tuple[tuple[int, int], float]]:
        """Return pairs of (key, action), each of value 1; idling has none."""
        if self.system.transitions[action].kind == IDLE:
            return []
        if self._read is None or self._read[0] is not state:  # every action of a state has the same keys
            self._read = (state, [self._key(state, template) for template in self.templates])
        return [((key, action), 1.0) for key in self._read[1]]

    def merge_key(self, state: State) -> Hashable:
        """Return all of the state but its step."""
        return state._replace(step=0)

    def kernel(self, state: State, margin: bool = False) -> Hashable:
        """Return all that templates can see now or later; with a margin also what the margin depends on."""
        check_stacked(self.system.name)
        if margin not in self._kernels:
            self._kernels[margin] = Kernel(self.templates, tokens=margin)
        seen = self._kernels[margin].of(
            lambda atom: self._value(state, atom), lambda place: self._spot(state, place).token
        )
        return state.next, seen

    def pushes(self, action: int) -> bool:
        """Return True if an action pushes a word on the stack."""
        return self.system.transitions[action].kind == SHIFT

    def on_top_of(self, below: State, state: State) -> State:
        """Replace everything under the topmost tree of the stack by the stack of `below`."""
        assert state.stack is not None
        return state._replace(stack=Cell(state.stack.node, below.stack))

    def under(self, state: State) -> State | None:
        """Return the state without its topmost tree; None if the stack is empty."""
        return None if state.stack is None else state._replace(stack=state.stack.below)

    def step(self, state: State) -> int:
        """Return the number of actions taken."""
        return state.step

    def is_final(self, state: State) -> bool:
        """Return True if every word is attached and no idling is left."""
        return state.step == self.system.steps(len(self.tokens))

    def tree(self, actions: Sequence[int]) -> tuple[list[int], list[str]]:
        """Return the tree that a derivation builds."""
        heads, labels = [0] * len(self.tokens), [""] * len(self.tokens)
        state = self.initial()
        for action in actions:
            arc = self.system.attached(state, action, len(self.tokens))
            if arc is not None:
                heads[arc.dependent - 1] = arc.head
                labels[arc.dependent - 1] = self.labels[arc.label]
            state = self.advance(state, action)
        return heads, labels

    def _key(self, state: State, template: ParseTemplate) -> int:
        return fold(template.key([self._value(state, atom) for atom in template.atoms]), self.bits)

    def _value(self, state: State, atom: ParseAtom) -> int:
        at = self._spot(state, atom.place)
        if atom.sight == "word":
            if not at.token:
                return BOUNDARY
            # A word that is too short has no such affix.
            word = self.tokens[at.token - 1][atom.column]
            return aspect(atom.aspect, atom.length, word, atom.clusters) or BOUNDARY
        if atom.sight == "d":
            return bucket(at.token, self._spot(state, atom.other).token)
        if atom.sight == "r":
            return at.label + 2
        return _SEEN[atom.sight](at.node or Node(0))

    def _spot(self, state: State, place: Place) -> Spot:
        anchor, *steps = place
        spot = self._stack_spot(state, anchor) if anchor < 4 else self._buffer_spot(state, anchor - 4)
        for step in steps:
            if step:
                spot = _step(spot, step)
        return spot

    def _stack_spot(self, state: State, depth: int) -> Spot:
        rest = tuple(nodes(state.stack))[depth:]
        return Spot(rest[0].token, rest[0], rest[0].label, rest[1:]) if rest else Spot()

    def _buffer_spot(self, state: State, ahead: int) -> Spot:
        waiting = list(nodes(state.front))
        if ahead < len(waiting):
            return Spot(waiting[ahead].token, waiting[ahead])
        token = state.next + ahead - len(waiting)
        return Spot(token, Node(token)) if token <= len(self.tokens) else Spot()


def bucket(a: int, b: int) -> int:
    """Return the distance of two words in seven steps; 0 if one of them is missing."""
    if not a or not b:
        return 0
    apart = abs(a - b)
    return apart if apart <= 4 else 5 if apart <= 6 else 6 if apart <= 10 else 7


def _step(spot: Spot, step: int) -> Spot:
    """Move to a child (1 to 4) or to the head (5)."""
    if spot.node is None:
        return Spot()
    if step == 5:
        if spot.node.label == NO_LABEL or not spot.below:
            return Spot()
        return Spot(spot.below[0].token, spot.below[0], spot.below[0].label, spot.below[1:])
    children = spot.node.lefts if step < 3 else spot.node.rights
    at = (step - 1) % 2
    return (
        Spot(children[at].node.token, children[at].node, children[at].label) if at < len(children) else Spot()
    )


_SEEN: dict[str, Callable[[Node], int]] = {
    "vl": lambda node: min(node.left_count, 7) + 1,
    "vr": lambda node: min(node.right_count, 7) + 1,
    "sl": lambda node: node.left_set,
    "sr": lambda node: node.right_set,
}
