"""check_space and check_oracle: find errors in a space or an oracle, and report them in one sentence."""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from itertools import pairwise
from numbers import Real
from typing import Any

from structron.errors import TaskError
from structron.reference.checks.hooks import ORACLE, SPACE
from structron.reference.learners.weights import pairs
from structron.reference.sequence.spaces import Oracle, SearchSpace


@dataclass(frozen=True)
class _View:
    """All that a search can see of a state, so that two states can be compared without `==` of their own."""

    step: int
    is_final: bool
    key: Hashable
    actions: tuple[int, ...]
    features: tuple[tuple[tuple[Hashable, float], ...], ...]
    future: float


@dataclass(frozen=True)
class _Visit:
    """A state that was reached, and the actions that led to it."""

    state: Any
    way: tuple[int, ...]

    @property
    def name(self) -> str:
        return f"the state after actions {list(self.way)}" if self.way else "the initial state"


def check_space(space: SearchSpace[Any], *, limit: int = 1000) -> None:
    """Walk through a search space and raise `TaskError` at the first thing that breaks its contract.

    Parameters
    ----------
    space
        The search space of one input; take a small one, in which all kinds of states occur.
    limit
        How many states to visit at most, nearest to the initial state first.
    """
    for name in SPACE.needed:
        if not callable(getattr(space, name, None)):
            raise TaskError(f"check_space: {type(space).__name__} has no method {name}; see SearchSpace")
    SPACE.check_names(space)
    visits = [_Visit(_call(space, "initial", "the initial state"), ())]
    _same(
        _look(space, visits[0]),
        _look(space, _Visit(space.initial(), ())),
        "initial",
        "two calls of initial()",
    )
    final_steps: dict[int, _Visit] = {}
    classes: dict[tuple[int, Hashable], tuple[_View, tuple[Hashable, ...], _Visit]] = {}
    for visit in visits:
        if len(visits) > limit:
            break
        view = _look(space, visit)
        _check_end(view, visit, final_steps)
        successors = [_check_advance(space, visit, view, action) for action in view.actions]
        _check_merging(view, tuple((after.step, after.key) for _, after in successors), visit, classes)
        visits.extend(following for following, _ in successors)


def check_oracle(space: SearchSpace[Any], oracle: Oracle[Any], *, limit: int = 1000) -> None:
    """Walk along gold and raise `TaskError` at the first thing that is wrong with the oracle.

    Parameters
    ----------
    space
        A search space that passes `check_space`.
    oracle
        Which actions are gold in it.
    limit
        How many gold states to visit at most.
    """
    if not callable(getattr(oracle, "allows", None)):
        raise TaskError(f"check_oracle: {type(oracle).__name__} has no method allows; see Oracle")
    ORACLE.check_names(oracle)
    known = _known_actions(space, limit)
    visits = [_Visit(space.initial(), ())]
    classes: dict[tuple[int, Hashable], tuple[list[int], _Visit]] = {}
    for visit in visits:
        if len(visits) > limit:
            break
        before = _look(space, visit)
        possible = list(before.actions)
        allowed = [action for action in possible if _allows(oracle, visit, action)]
        if before != _look(space, visit):
            raise TaskError(f"check_oracle: allows() changes {visit.name}; make it only look")
        strangers = [] if before.is_final else _strangers(oracle, visit, known - set(possible))
        if strangers:
            raise TaskError(
                f"check_oracle: allows() permits action {strangers[0]} in {visit.name}, where actions() "
                f"offers only {possible}; offer it, or do not allow it"
            )
        if not allowed and possible:
            raise TaskError(
                f"check_oracle: allows() permits none of the actions {possible} of {visit.name}; "
                "a gold state needs a gold action until it is final"
            )
        twin_allowed, twin = classes.setdefault((before.step, before.key), (allowed, visit))
        if twin_allowed != allowed:
            raise TaskError(
                f"check_oracle: {twin.name} and {visit.name} have equal merge keys, but allows() permits "
                f"{twin_allowed} in one and {allowed} in the other; "
                "add what the oracle looks at to merge_key"
            )
        visits.extend(_Visit(space.advance(visit.state, action), (*visit.way, action)) for action in allowed)


def _call(space: SearchSpace[Any], name: str, where: str, *arguments: Any) -> Any:
    """Call a method of the space; report what it raises with the place."""
    try:
        return getattr(space, name)(*arguments)
    except Exception as error:
        raise TaskError(
            f"check_space: {name}() raised {type(error).__name__}: {error} in {where}; "
            "it must work for every state that can be reached"
        ) from error


def _look(space: SearchSpace[Any], visit: _Visit) -> _View:
    """Look at a state as a search does, and check each part of what is seen."""
    state, where = visit.state, visit.name
    step = _call(space, "step", where, state)
    if isinstance(step, bool) or not hasattr(type(step), "__index__"):
        raise TaskError(f"check_space: step() gives {step!r} in {where}; it must be a whole number")
    key = _call(space, "merge_key", where, state)
    try:
        hash(key)
    except TypeError:
        raise TaskError(
            f"check_space: merge_key() gives a {type(key).__name__} in {where}, which cannot be hashed; "
            "use a tuple, a string or a number"
        ) from None
    actions = _check_actions(_call(space, "actions", where, state), where)
    features = tuple(_check_features(space, visit, action) for action in actions)
    is_final = bool(_call(space, "is_final", where, state))
    return _View(int(step), is_final, key, actions, features, _check_future(space, visit, is_final))


def _check_future(space: SearchSpace[Any], visit: _Visit, is_final: bool) -> float:
    """Return the score that `future` expects of the rest of the path."""
    if SPACE.of(space, "future") is None:
        return 0.0
    future = _call(space, "future", visit.name, visit.state)
    if isinstance(future, bool) or not isinstance(future, Real) or not math.isfinite(future):
        raise TaskError(f"check_space: future() gives {future!r} in {visit.name}; it must be a finite number")
    if is_final and future != 0:
        raise TaskError(
            f"check_space: future() gives {future!r} in {visit.name}, which is final; give 0 there"
        )
    return float(future)


def _check_actions(actions: Any, where: str) -> tuple[int, ...]:
    if isinstance(actions, str) or not hasattr(actions, "__len__") or not hasattr(actions, "__getitem__"):
        raise TaskError(
            f"check_space: actions() gives a {type(actions).__name__} in {where}; "
            "it must be a sequence of whole numbers, such as a list"
        )
    for action in actions:
        if isinstance(action, bool) or not hasattr(type(action), "__index__") or action < 0:
            raise TaskError(
                f"check_space: actions() holds {action!r} in {where}; actions must be whole numbers from 0"
            )
    numbers = tuple(int(action) for action in actions)
    for earlier, later in pairwise(numbers):
        if earlier == later:
            raise TaskError(f"check_space: actions() offers {later} twice in {where}; offer each action once")
        if earlier > later:
            raise TaskError(
                f"check_space: actions() offers {earlier} before {later} in {where}; "
                "sort them, for the order decides ties"
            )
    return numbers


def _check_features(
    space: SearchSpace[Any], visit: _Visit, action: int
) -> tuple[tuple[Hashable, float], ...]:
    where = f"{visit.name}, action {action}"
    features = _call(space, "features", where, visit.state, action)
    if isinstance(features, str) or not hasattr(features, "__iter__"):
        raise TaskError(
            f"check_space: features() gives a {type(features).__name__} for {where}; "
            "it must be a dictionary or pairs of name and value"
        )
    found = []
    for pair in pairs(features):
        try:
            name, value = pair
            hash(name)
            finite = not isinstance(pair, str) and math.isfinite(value)
        except (TypeError, ValueError):
            raise TaskError(
                f"check_space: features() holds {pair!r} for {where}; "
                "each must be a pair of a hashable name and a number"
            ) from None
        if not finite:
            raise TaskError(
                f"check_space: feature {name!r} has value {value!r} for {where}; "
                "values must be finite numbers"
            )
        found.append((name, float(value)))
    return tuple(found)


def _check_end(view: _View, visit: _Visit, final_steps: dict[int, _Visit]) -> None:
    if view.is_final and view.actions:
        raise TaskError(
            f"check_space: {visit.name} is final but has actions {list(view.actions)}; "
            "a final state must have none"
        )
    if not view.is_final and not view.actions:
        raise TaskError(
            f"check_space: {visit.name} is a dead end: not final and without actions; "
            "give it an action, or do not let actions() lead there"
        )
    if view.is_final:
        final_steps.setdefault(view.step, visit)
    if len(final_steps) > 1:
        (step, one), (other_step, other) = final_steps.items()
        raise TaskError(
            f"check_space: {one.name} is final on step {step} and {other.name} on step {other_step}; "
            "give all final states the same step"
        )


def _check_advance(space: SearchSpace[Any], visit: _Visit, view: _View, action: int) -> tuple[_Visit, _View]:
    """Advance twice and compare; the previous state must not have changed."""
    where = f"{visit.name}, action {action}"
    following = _Visit(_call(space, "advance", where, visit.state, action), (*visit.way, action))
    after = _look(space, following)
    if _look(space, visit) != view:
        raise TaskError(
            f"check_space: advance() or features() changes the state it is given ({where}); "
            "make a new state instead"
        )
    again = _look(space, _Visit(_call(space, "advance", where, visit.state, action), following.way))
    _same(after, again, "advance", f"two calls of advance() for {where}")
    if _look(space, following) != after:
        raise TaskError(
            f"check_space: advance() gives the same object twice for {where} and changes it; "
            "make a new state instead"
        )
    if after.step <= view.step:
        raise TaskError(
            f"check_space: advance() leads from step {view.step} to step {after.step} ({where}); "
            "every action must lead to a later step"
        )
    return following, after


def _check_merging(
    view: _View,
    successors: tuple[Hashable, ...],
    visit: _Visit,
    classes: dict[tuple[int, Hashable], tuple[_View, tuple[Hashable, ...], _Visit]],
) -> None:
    """Check that states with equal keys on one step are the same to a search from here on."""
    twin_view, twin_successors, twin = classes.setdefault((view.step, view.key), (view, successors, visit))
    checks: Sequence[tuple[str, Callable[[], bool]]] = (
        ("differ in being final", lambda: twin_view.is_final == view.is_final),
        ("have different actions", lambda: twin_view.actions == view.actions),
        ("have different features", lambda: _sorted(twin_view) == _sorted(view)),
        ("have different futures", lambda: twin_view.future == view.future),
        ("lead to different merge keys or steps", lambda: twin_successors == successors),
    )
    for what, holds in checks:
        if not holds():
            raise TaskError(
                f"check_space: {twin.name} and {visit.name} have equal merge keys but {what}; "
                "add what distinguishes them to merge_key"
            )


def _sorted(view: _View) -> list[dict[Hashable, float]]:
    """Return features as a search sums them: order and repetition do not matter."""
    sums: list[dict[Hashable, float]] = []
    for features in view.features:
        sums.append({})
        for name, value in features:
            sums[-1][name] = sums[-1].get(name, 0.0) + value
    return sums


def _same(one: _View, other: _View, name: str, what: str) -> None:
    if one != other:
        raise TaskError(
            f"check_space: {what} give states that differ; {name}() must always give the same, "
            "without chance and without memory"
        )


def _known_actions(space: SearchSpace[Any], limit: int) -> set[int]:
    """Return the actions that occur anywhere near the start."""
    known: set[int] = set()
    states = [space.initial()]
    for state in states:
        if len(states) > limit:
            break
        actions = list(space.actions(state))
        known.update(actions)
        states.extend(space.advance(state, action) for action in actions)
    return known


def _strangers(oracle: Oracle[Any], visit: _Visit, actions: set[int]) -> list[int]:
    """Return allowed actions that are not offered; actions that the oracle cannot judge are not allowed."""
    found = []
    for action in sorted(actions):
        with suppress(TaskError):
            if _allows(oracle, visit, action):
                found.append(action)
    return found


def _allows(oracle: Oracle[Any], visit: _Visit, action: int) -> bool:
    """Ask the oracle twice, and take only a plain yes or no."""
    try:
        answers = [oracle.allows(visit.state, action) for _ in range(2)]
    except Exception as error:
        raise TaskError(
            f"check_oracle: allows() raised {type(error).__name__}: {error} in {visit.name}, "
            f"action {action}; it must answer for every gold state and every action"
        ) from error
    for answer in answers:
        if type(answer).__name__ not in ("bool", "bool_"):
            raise TaskError(
                f"check_oracle: allows() gives {answer!r} in {visit.name}, action {action}; "
                "return True or False"
            )
    if answers[0] != answers[1]:
        raise TaskError(
            f"check_oracle: allows() gives two answers in {visit.name}, action {action}; "
            "it must always give the same"
        )
    return bool(answers[0])
