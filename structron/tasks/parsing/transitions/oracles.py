"""Oracles: static ones for every system, dynamic ones for arc-eager and arc-hybrid.

A static oracle is a rule on states: it returns one action, also in states that are not gold. A dynamic oracle
(Goldberg & Nivre 2012, 2013) allows every action that puts no further gold arc out of reach.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

from structron.errors import SettingError
from structron.tasks.parsing.transitions.state import NO_LABEL, Cell, Node, State, nodes
from structron.tasks.parsing.transitions.systems import (
    IDLE,
    LEFT,
    REDUCE,
    RIGHT,
    ROOT,
    SHIFT,
    SWAP,
    Transition,
    TransitionSystem,
    buffer_word,
)


class GoldTree:
    """A tree with the properties that oracles need; `heads` and `labels` have an entry 0 for the root."""

    def __init__(self, heads: Sequence[int], labels: Sequence[int]) -> None:
        self.heads, self.labels = [0, *heads], [NO_LABEL, *labels]

    @property
    def length(self) -> int:
        """Return the number of words."""
        return len(self.heads) - 1

    @cached_property
    def children(self) -> list[list[int]]:
        """Return the dependents of every word in order."""
        children: list[list[int]] = [[] for _ in self.heads]
        for word in range(1, len(self.heads)):
            children[self.heads[word]].append(word)
        return children

    @cached_property
    def order(self) -> list[int]:
        """Return the position of every word in an inorder walk of the tree (Nivre 2009)."""
        order = [0] * len(self.heads)
        walk: list[int] = []
        todo: list[tuple[int, bool]] = [(0, False)]
        while todo:
            word, opened = todo.pop()
            if opened:
                walk.append(word)
                continue
            before = [c for c in self.children[word] if c < word]
            after = [c for c in self.children[word] if c > word]
            todo += [(c, False) for c in reversed(after)] + [(word, True)]
            todo += [(c, False) for c in reversed(before)]
        for place, word in enumerate(walk):
            order[word] = place
        return order

    @cached_property
    def components(self) -> list[int]:
        """Return the maximal projective component of every word: what arc-standard alone can build.

        Nivre, Kuhlmann & Hall (2009); each is named by its topmost word.
        """
        parent = [0] * len(self.heads)
        missing = [len(children) for children in self.children]
        stack: list[int] = []
        for word in range(1, len(self.heads)):
            stack.append(word)
            while len(stack) > 1:
                s1, s0 = stack[-2:]
                if self.heads[s1] == s0 and missing[s1] == 0:
                    del stack[-2]
                    parent[s1], missing[s0] = s0, missing[s0] - 1
                elif self.heads[s0] == s1 and missing[s0] == 0:
                    del stack[-1]
                    parent[s0], missing[s1] = s1, missing[s1] - 1
                else:
                    break
        tops = list(range(len(self.heads)))
        for word in tops[1:]:
            top = word
            while parent[top]:
                top = parent[top]
            tops[word] = top
        return tops


class ParseOracle:
    """The gold tree of one sentence, which judges the actions of one system."""

    def __init__(self, system: TransitionSystem, tree: GoldTree, dynamic: bool = False) -> None:
        if dynamic and not system.joins_buffer:
            raise SettingError(f"{system.name} has no dynamic oracle; use arc-eager or arc-hybrid, or static")
        self.system, self.tree, self.dynamic = system, tree, dynamic

    def allows(self, state: State, action: int) -> bool:
        """Return True if an action is gold in this state."""
        if self.dynamic:
            return self.loss(state, action) == 0
        return self.action(state) == action

    def action(self, state: State) -> int | None:
        """Return the action of the static oracle, None if its rule cannot be followed."""
        transition = self._rule(state)
        if transition.kind not in self.system.possible(state, self.tree.length):
            return None
        return self.system.number.get(transition)

    def loss(self, state: State, action: int) -> int:
        """Count the gold arcs that the action puts out of reach; a wrong relation counts as one."""
        transition = self.system.transitions[action]
        if self.system.name == "arc-eager":
            return self._eager_loss(state, transition)
        return self._hybrid_loss(state, transition)

    def _rule(self, state: State) -> Transition:
        gold, b = self.tree, buffer_word(state, self.tree.length)
        s0, s1 = state.on_stack(0), state.on_stack(1)
        if s0 is None:
            return Transition(SHIFT if b else IDLE)
        if self.system.name == "arc-eager":
            return self._eager_rule(s0, b)
        if self.system.name == "swap":
            return self._swap_rule(s0, s1, b)
        head, top = gold.heads[s0.token], s0.token
        complete = b == 0 or not any(child >= b for child in gold.children[top])
        if self.system.name == "arc-hybrid" and b and head == b:
            return Transition(LEFT, gold.labels[top])
        if self.system.name == "arc-standard" and s1 is not None and gold.heads[s1.token] == top:
            return Transition(LEFT, gold.labels[s1.token])
        if s1 is not None and head == s1.token and complete:
            return Transition(RIGHT, gold.labels[top])
        if s1 is None and head == 0 and (b == 0 or (complete and not self.system.single_root)):
            return Transition(ROOT, gold.labels[top])
        return Transition(SHIFT)

    def _eager_rule(self, s0: Node, b: int) -> Transition:
        gold, top, headed = self.tree, s0.token, s0.label != NO_LABEL
        if b == 0:
            return Transition(REDUCE) if headed else Transition(ROOT, gold.labels[top])
        if not headed and gold.heads[top] == b:
            return Transition(LEFT, gold.labels[top])
        if gold.heads[b] == top:
            return Transition(RIGHT, gold.labels[b])
        if headed and (0 < gold.heads[b] < top or any(child < top for child in gold.children[b])):
            return Transition(REDUCE)
        return Transition(SHIFT)

    def _swap_rule(self, s0: Node, s1: Node | None, b: int) -> Transition:
        """Return the lazy action: swap only what cannot be built first (Nivre, Kuhlmann & Hall 2009)."""
        gold = self.tree
        if s1 is not None:
            if gold.heads[s1.token] == s0.token and self._is_complete(s1):
                return Transition(LEFT, gold.labels[s1.token])
            if gold.heads[s0.token] == s1.token and self._is_complete(s0):
                return Transition(RIGHT, gold.labels[s0.token])
            apart = b == 0 or gold.components[s0.token] != gold.components[b]
            if gold.order[s1.token] > gold.order[s0.token] and apart:
                return Transition(SWAP)
        return Transition(SHIFT) if b else Transition(ROOT, gold.labels[s0.token])

    def _is_complete(self, node: Node) -> bool:
        return node.left_count + node.right_count == len(self.tree.children[node.token])

    def _ahead(self, word: int, b: int) -> int:
        """Count the dependents of a word that wait in the buffer."""
        return sum(child >= b for child in self.tree.children[word]) if b else 0

    def _below(self, cell: Cell | None, word: int) -> int:
        """Count the words of the stack that wait for this one as their head."""
        return sum(self.tree.heads[n.token] == word and n.label == NO_LABEL for n in nodes(cell))

    def _eager_loss(self, state: State, transition: Transition) -> int:
        gold, b, (kind, label) = self.tree, buffer_word(state, self.tree.length), transition
        if kind == SHIFT:
            return (gold.heads[b] in [n.token for n in nodes(state.stack)]) + self._below(state.stack, b)
        assert state.stack is not None
        top, below = state.stack.node.token, state.stack.below
        if kind == REDUCE:
            return self._ahead(top, b)
        if kind == ROOT:
            return int(gold.heads[top] == 0 and gold.labels[top] != label)
        if b == 0:  # an arc that a gold derivation never needs
            return 1
        if kind == LEFT:
            if gold.heads[top] == b:
                return (gold.labels[top] != label) + self._ahead(top, b)
            return (gold.heads[top] > b or gold.heads[top] == 0) + self._ahead(top, b)
        if gold.heads[b] == top:
            return (gold.labels[b] != label) + self._below(state.stack, b)
        in_reach = gold.heads[b] in (0, *range(b + 1, gold.length + 1), *(n.token for n in nodes(below)))
        return in_reach + self._below(state.stack, b)

    def _hybrid_loss(self, state: State, transition: Transition) -> int:
        gold, b, (kind, label) = self.tree, buffer_word(state, self.tree.length), transition
        if kind == SHIFT:
            under = [] if state.stack is None else [n.token for n in nodes(state.stack.below)]
            # The last word of the stack is attached to the root, so the root is below all of them.
            lost = gold.heads[b] in under if gold.heads[b] else state.stack is not None
            return lost + self._below(state.stack, b)
        assert state.stack is not None
        top, below = state.stack.node.token, state.stack.below
        head, ahead = gold.heads[top], self._ahead(top, b)
        neighbour = 0 if below is None else below.node.token
        if kind == LEFT:
            if head == b:
                return ahead + (gold.labels[top] != label)
            return ahead + (head > b or head == neighbour)
        if head == neighbour:
            return ahead + (gold.labels[top] != label)
        return ahead + (b != 0 and head >= b)
