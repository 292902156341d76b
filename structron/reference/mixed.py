"""Mixed assignments: the guess in some positions, gold in the others (Dror & Reichart 2016, Definition 1)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from structron.errors import TaskError
from structron.reference.hooks import LEARNER, SPACE
from structron.reference.learners import Learner, margin_of
from structron.reference.spaces import SearchSpace
from structron.reference.trace import Path
from structron.reference.violations import Violation, compare, hamming
from structron.reference.weights import Weights


def mixed_assignment(gold: Sequence[int], guess: Sequence[int], positions: frozenset[int]) -> tuple[int, ...]:
    """m^J: what the guess says in `positions`, what gold says elsewhere."""
    return tuple(guess[k] if k in positions else gold[k] for k in range(len(gold)))


def check_mixes(space: Any) -> Any:
    """How outputs of a space are mixed; refuse one whose outputs cannot be."""
    mixed = SPACE.of(space, "mixed")
    if mixed is None:
        raise TaskError(
            f"swvp: {type(space).__name__} has no method mixed, so its outputs cannot be mixed; "
            "give it a method mixed(gold, guess, positions), or use another learner"
        )
    return mixed


def mixed_violations(space: Any, gold: Path, guess: Path, weights: Weights, learner: Any) -> list[Violation]:
    """The pairs of gold and m^J for the learner's sub-structures J, in their order.

    A mixed assignment equal to gold is left out, and of equal ones all but the first. Where the learner can
    do nothing with them, it gets the plain pair of gold and guess: the back-off of Property 3.
    """
    mixed = check_mixes(space)
    wrong = frozenset(k for k, (a, b) in enumerate(zip(gold.actions, guess.actions)) if a != b)
    sets = [frozenset(each) for each in learner.substructures(gold.actions, guess.actions)]
    found: list[Violation] = []
    # dict: the first of equal ones, in order.
    for positions in dict.fromkeys(each & wrong for each in sets):
        if positions:
            actions = mixed(gold.actions, guess.actions, positions)
            found.append(_pair(space, gold, actions, weights, learner)._replace(among=len(sets)))
    accepts = LEARNER.of(learner, "accepts")
    if found and (accepts is None or accepts(found)):
        return found
    return [compare(space, gold, guess)]


def _pair(
    space: SearchSpace[Any], gold: Path, actions: Sequence[int], weights: Weights, learner: Learner
) -> Violation:
    """Gold against a mixed assignment, scored as augmented search would; its loss is how much differs."""
    states = [gold.states[0]]
    for action in actions:
        states.append(space.advance(states[-1], action))
    pair = compare(space, gold, Path(tuple(actions), gold.score, tuple(states)))
    loss = hamming(gold, Path(tuple(actions), 0.0, ()))
    return pair._replace(excess=margin_of(learner) * loss - weights.score(pair.delta), loss=loss)
