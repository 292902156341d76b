"""Sums over all outputs in place of the maximum: forward and backward over the lattice of exact search.

With scores s = w · Φ / T, a conditional random field (Lafferty et al. 2001) gives an output the probability
exp(s) / Z. The lattice is that of exact search: states of one step with the same merge key are one node.
"""

from __future__ import annotations

import math
from collections.abc import Hashable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

from structron.reference.checks.hooks import ORACLE, SPACE
from structron.reference.learners.violations import Violation
from structron.reference.learners.weights import SparseVector, Weights, pairs
from structron.reference.sequence.spaces import Oracle, SearchSpace

Node = tuple[int, Hashable]  # a step, and the merge key of a state


class Arc(NamedTuple):
    """An action that leads from one node to another, with its score over the temperature."""

    begin: Node
    end: Node
    state: Any
    action: int
    score: float


@dataclass(frozen=True)
class Lattice:
    """All outputs of a space, and the sums over them.

    Attributes
    ----------
    arcs
        In the order of their steps.
    forward, backward
        Of each node the logarithm of the sum over all ways to it, and from it to an end.
    log_total
        The logarithm of the sum over all outputs, log Z; minus infinity if there is none.
    """

    arcs: list[Arc]
    forward: dict[Node, float]
    backward: dict[Node, float]
    log_total: float

    def marginals(self) -> Iterator[tuple[Arc, float]]:
        """Yield each arc with the probability that an output takes it."""
        for arc in self.arcs:
            log = self.forward[arc.begin] + arc.score + self.backward[arc.end] - self.log_total
            yield arc, math.exp(log)


def lattice(
    space: SearchSpace[Any], weights: Weights, oracle: Oracle[Any] | None = None, temperature: float = 1.0
) -> Lattice:
    """Sum over all outputs; with an oracle, over those that are gold."""
    gold_key = None if oracle is None else ORACLE.of(oracle, "merge_key")

    def node(state: Any) -> Node:
        key = space.merge_key(state)
        return space.step(state), key if gold_key is None else (key, gold_key(state))

    start = space.initial()
    waiting: dict[int, dict[Node, Any]] = {space.step(start): {node(start): start}}
    arcs: list[Arc] = []
    ends: list[Node] = []
    while waiting:
        for begin, state in waiting.pop(min(waiting)).items():
            if space.is_final(state):
                ends.append(begin)
                continue
            for action in space.actions(state):
                if oracle is not None and not oracle.allows(state, action):
                    continue
                after = space.advance(state, action)
                end = node(after)
                waiting.setdefault(end[0], {}).setdefault(end, after)
                score = weights.score(space.features(state, action)) / temperature
                arcs.append(Arc(begin, end, state, action, score))
    forward = _sums({node(start): [0.0]}, ((arc.begin, arc.end, arc.score) for arc in arcs))
    backward = _sums(
        {end: [0.0] for end in ends}, ((arc.end, arc.begin, arc.score) for arc in reversed(arcs))
    )
    for arc in arcs:  # which lead nowhere
        backward.setdefault(arc.end, -math.inf)
    return Lattice(arcs, forward, backward, log_sum(forward[end] for end in ends))


def _sums(known: dict[Node, list[float]], arcs: Iterable[tuple[Node, Node, float]]) -> dict[Node, float]:
    """Return the sums over all ways to each node; arcs come in the order of their beginnings."""
    found: dict[Node, float] = {}
    for begin, end, score in arcs:
        if begin not in found:
            found[begin] = log_sum(known.get(begin, ()))
        known.setdefault(end, []).append(found[begin] + score)
    return {node: log_sum(terms) for node, terms in known.items()} | found


def log_sum(terms: Iterable[float]) -> float:
    """Return log Σ exp(x)."""
    given = [term for term in terms if term > -math.inf]
    if not given:
        return -math.inf
    most = max(given)
    return most + math.log(sum(math.exp(term - most) for term in given))


def expected(
    space: SearchSpace[Any], weights: Weights, oracle: Oracle[Any] | None = None, temperature: float = 1.0
) -> tuple[SparseVector, float]:
    """Return E[Φ] and log Z of all outputs; with an oracle, of those that are gold."""
    sums = lattice(space, weights, oracle, temperature)
    is_fixed = SPACE.of(space, "is_fixed") or _never
    total: SparseVector = {}
    if sums.log_total > -math.inf:
        for arc, probability in sums.marginals():
            for name, value in pairs(space.features(arc.state, arc.action)):
                if not is_fixed(name):
                    total[name] = total.get(name, 0.0) + probability * value
    return total, sums.log_total


def _never(_: Hashable) -> bool:
    return False


def shortfall(
    space: SearchSpace[Any], oracle: Oracle[Any], weights: Weights, temperature: float = 1.0
) -> list[Violation]:
    """Return gold minus all outputs, each as it is expected: the gradient of the log-likelihood times T.

    Its excess is T (log Z - log Z of gold), so minus the log-likelihood times T: like a violation it is never
    below 0, and as T goes to 0 it becomes the difference of the standard update. The loss is the
    log-likelihood's own, minus log p(gold). Without any gold there is nothing to learn.
    """
    gold, gold_total = expected(space, weights, oracle, temperature)
    if gold_total == -math.inf:
        return []
    guess, total = expected(space, weights, None, temperature)
    delta = {name: gold.get(name, 0.0) - guess.get(name, 0.0) for name in {**gold, **guess}}
    loss = max(0.0, total - gold_total)
    return [Violation({name: x for name, x in delta.items() if x != 0.0}, temperature * loss, loss)]
