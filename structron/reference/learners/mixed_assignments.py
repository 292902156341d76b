"""Mixed assignments: the guess in some decisions, gold in the others (Dror & Reichart 2016, Definition 1).

The paper has outputs that are vectors of labels. Here a decision is whatever two derivations can exchange:
between two places that both pass, what the one did there and what the other did. For a sequence of labels
that is one label each; where pieces differ in length, all pieces between two places at which both stop.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any

from structron.errors import TaskError
from structron.reference.checks.hooks import LEARNER, ORACLE, SPACE
from structron.reference.learners.learners import margin_of
from structron.reference.learners.violations import Violation, compare
from structron.reference.learners.weights import Weights
from structron.reference.sequence.bins import Derivation, is_gold
from structron.reference.sequence.spaces import Oracle
from structron.reference.sequence.trace import Path, walk

Actions = tuple[int, ...]


def segments(space: Any, gold: Path, guess: Path) -> list[tuple[Actions, Actions]]:
    """Return the actions of both paths between each two steps on which both have a state."""
    shared = {space.step(state) for state in gold.states} & {space.step(state) for state in guess.states}
    return list(zip(_cut(space, gold, shared), _cut(space, guess, shared), strict=True))


def _cut(space: Any, path: Path, steps: Collection[int]) -> list[Actions]:
    found: list[Actions] = []
    since = 0
    for k, state in enumerate(path.states[1:], 1):
        if space.step(state) in steps:
            found.append(path.actions[since:k])
            since = k
    return found


def mixed_assignment(space: Any, gold: Path, guess: Path, positions: Collection[int]) -> Path:
    """Return m^J of two paths: the guess in the segments `positions`, gold elsewhere.

    For spaces in which every segment can be chosen by itself. Its score is left as gold's.
    """
    actions: list[int] = []
    for k, (right, wrong) in enumerate(segments(space, gold, guess)):
        actions += wrong if k in positions else right
    return Path(tuple(actions), gold.score, walk(space, gold.states[0], actions))


def decisions(space: Any, gold: Any, guess: Any) -> list[tuple[Any, Any]]:
    """Return the decisions of gold and of the guess at each place where they can be exchanged."""
    own = SPACE.of(space, "decisions")
    return segments(space, gold, guess) if own is None else list(own(gold, guess))


def check_mixes(space: Any) -> Any:
    """Return how derivations of a space are mixed; refuse one whose derivations cannot be."""
    mixed = SPACE.of(space, "mixed")
    if mixed is None:
        raise TaskError(
            f"swvp: {type(space).__name__} has no method mixed, so its outputs cannot be mixed; "
            "give it a method mixed(gold, guess, positions), or use another learner"
        )
    return mixed


def mixed_violations(
    space: Any,
    gold: Derivation,
    guesses: Sequence[Derivation],
    oracle: Oracle[Any],
    weights: Weights,
    learner: Any,
) -> list[Violation]:
    """Return the pairs of gold and m^J for the learner's sub-structures J, in their order.

    A mixed assignment that is gold is left out, and of equal ones of one guess all but the first. Where the
    learner can do nothing with them, it gets the plain pair of gold and the best guess: the back-off of
    Property 3. With several guesses, γ is chosen among the mixed assignments of all that are not gold
    (Property 2).
    """
    found: list[Violation] = []
    among = 0
    wrong = [guess for guess in guesses if not is_gold(oracle, guess)] or guesses
    for guess in wrong:
        own, sets = _mixed_with(space, gold, guess, oracle, weights, learner)
        found += own
        among += sets
    found = [each._replace(among=among) for each in found]
    accepts = LEARNER.of(learner, "accepts")
    if found and (accepts is None or accepts(found)):
        return found
    return [compare(space, gold, wrong[0])]


def _mixed_with(
    space: Any, gold: Derivation, guess: Derivation, oracle: Oracle[Any], weights: Weights, learner: Any
) -> tuple[list[Violation], int]:
    """Return the pairs of gold and m^J of one guess, and how many sub-structures there are."""
    mixed = check_mixes(space)
    pairs = decisions(space, gold, guess)
    wrong = frozenset(k for k, (a, b) in enumerate(pairs) if a != b)
    sets = [frozenset(each) for each in learner.substructures([a for a, _ in pairs], [b for _, b in pairs])]
    found: list[Violation] = []
    # dict: the first of equal ones, in order.
    for positions in dict.fromkeys(each & wrong for each in sets):
        mixture: Derivation = mixed(gold, guess, positions)
        if is_gold(oracle, mixture):
            continue
        pair = compare(space, gold, mixture)
        # The score in cost-augmented search.
        augmented = margin_of(learner) * _wrong_parts(oracle, mixture) - weights.score(pair.delta)
        found.append(pair._replace(excess=augmented, loss=float(len(positions))))
    return found, len(sets)


def _wrong_parts(oracle: Oracle[Any], derivation: Derivation) -> int:
    """Count the parts that get the margin."""
    right = ORACLE.of(oracle, "right") or oracle.allows
    parts: Sequence[Any] = derivation.parts
    return sum(not right(*part) for part in parts)
