"""A learner, search, space or oracle with a name that is nearly right is refused: it would be ignored."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import pytest

from structron import SettingError, StructronError, TaskError, own
from structron.reference import Perceptron, Violation, check_oracle, check_space, train
from structron.reference.checks.hooks import LEARNER, ORACLE, SEARCH, SPACE
from structron.search import Beam
from structron.theory import audit


class Word:
    """Two tokens, each tagged 0 or 1; the right tags are all 1."""

    def initial(self) -> int:
        return 1

    def actions(self, state: int) -> list[int]:
        return [] if state >= 4 else [0, 1]

    def advance(self, state: int, action: int) -> int:
        return 2 * state + action

    def features(self, state: int, action: int) -> dict[Any, float]:
        return {(state, action): 1.0}

    def merge_key(self, state: int) -> int:
        return state

    def step(self, state: int) -> int:
        return state.bit_length()

    def is_final(self, state: int) -> bool:
        return state >= 4

    def allows(self, state: int, action: int) -> bool:
        return action == 1


class Plain:
    def change(self, violations: Sequence[Violation]) -> dict[Any, float]:
        return dict(violations[0].delta)


def learn(space: Any = None, oracle: Any = None, learner: Any = None, search: Any = "greedy") -> int:
    example = (space or Word(), oracle or Word())
    epochs = train([example], search=search, update="early", learner=learner, epochs=3)
    return [epoch.updates for epoch in epochs][-1]


def with_name(kind: type, name: str) -> Any:
    return type(kind.__name__, (kind,), {name: 1.0})()


def test_what_has_the_right_names_learns() -> None:
    assert learn() == 0
    assert learn(learner=Plain(), search=Beam(2, within=5.0)) == 0
    check_space(Word())
    check_oracle(Word(), Word())


@pytest.mark.parametrize(
    ("name", "meant"),
    [
        *[("margn", "margin"), ("Margin", "margin"), ("close_call", "close_calls"), ("Excess", "excess")],
        *[("constraint", "constraints"), ("sub_structures", "substructures"), ("accept", "accepts")],
    ],
)
def test_a_learner(name: str, meant: str) -> None:
    said = f"learner Plain: '{name}' is never used, '{meant}' is; rename it, or write _{name}"
    with pytest.raises(SettingError, match=said):
        learn(learner=with_name(Plain, name))
    with pytest.raises(SettingError, match=said):
        audit([(Word(), Word())], search="greedy", update="early", learner=with_name(Plain, name))


@pytest.mark.parametrize(("name", "meant"), [("los", "loss"), ("mixd", "mixed")])
def test_a_space(name: str, meant: str) -> None:
    for go in (lambda each: learn(space=each), check_space):
        with pytest.raises(TaskError, match=f"space Word: '{name}' is never used, '{meant}' is"):
            go(with_name(Word, name))


def test_an_oracle() -> None:
    class Judge:
        def allows(self, state: int, action: int) -> bool:
            return action == 1

    for name, meant in (("mergekey", "merge_key"), ("right_", "right")):
        said = f"oracle Judge: '{name}' is never used, '{meant}' is"
        with pytest.raises(TaskError, match=said):
            learn(oracle=with_name(Judge, name))
        with pytest.raises(TaskError, match=said):
            check_oracle(Word(), with_name(Judge, name))


def test_a_search() -> None:
    @dataclass(frozen=True)
    class Own:
        width: int = 2
        merge: bool = False
        withn: float = 3.0

    with pytest.raises(SettingError, match="search Own: 'withn' is never used, 'within' is"):
        learn(search=Own())


def test_what_is_missing_is_named() -> None:
    class Wrong:
        def chang(self, violations: Sequence[Violation]) -> dict[Any, float]:
            return {}

    with pytest.raises(SettingError, match="learner Wrong: 'chang' is never used, 'change' is"):
        learn(learner=Wrong())
    with pytest.raises(SettingError, match="learner int: there is no 'change'; it needs one"):
        learn(learner=3)


def test_names_of_ones_own_are_welcome() -> None:
    class Own(Plain):
        margins = gammas = history = losses = ()
        margin = 0.0

    assert learn(learner=Own()) == 0
    assert learn(learner=with_name(Plain, "_margn")) == 0


def test_every_table_is_asked_by_its_own_names() -> None:
    for hooks in (LEARNER, SEARCH, SPACE, ORACLE):
        assert issubclass(hooks.error, StructronError)
        assert not set(hooks.needed) & set(hooks.optional)
        for name, usual in hooks.optional.items():
            assert hooks.of(object(), name) == usual
        with pytest.raises(KeyError):
            hooks.of(Perceptron(), "no such name")


def test_the_engine_names_what_a_space_or_an_oracle_lacks() -> None:
    class Half:
        def initial(self) -> int:
            return 0

    with pytest.raises(TaskError, match="space Half: there is no 'actions'; it needs one"):
        own.train([(Half(), Half())])
