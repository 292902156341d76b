"""Execution: an executor that raises, loops, is slow or returns strange things does no harm."""

from __future__ import annotations

import signal
import threading
import time
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from structron.errors import SettingError
from structron.io.values.answers import answer_key
from structron.io.values.terms import Term, parse_term
from structron.tasks.semantics.execution.deadline import TooSlow, within
from structron.tasks.semantics.execution.execution import Counts, Execution


def test_answers_are_remembered() -> None:
    asked: list[str] = []

    def executor(term: Term) -> list[str]:
        asked.append(str(term))
        return [term.arguments[0].name]

    execution = Execution(executor)
    assert execution.answer("f('a')") == execution.answer(parse_term("f(a)")) == ["a"]
    assert execution.answer("f(b)") == ["b"]
    assert asked == ["f('a')", "f(b)"]
    assert execution.counts == Counts(ran=2, from_cache=1)
    assert execution.is_right("f(a)", answer_key({"a"})) and not execution.is_right("f(a)", answer_key(["b"]))
    execution.forget()
    assert execution.answer("f(a)") == ["a"] and execution.counts.ran == 3


def test_the_cache_is_bounded() -> None:
    execution = Execution(lambda term: [term.name], cache=3)
    for name in "abcdefg":
        assert execution.answer(name) == [name]
        assert len(execution._known) <= 3 and len(execution._shared) <= 3
    numbers = iter(range(9))
    changing = Execution(lambda term: next(numbers), cache=0)
    assert [changing.answer("f"), changing.answer("f")] == [0, 1]


def test_equal_answers_are_kept_once() -> None:
    execution = Execution(lambda term: list(range(100)))
    assert execution.answer("f") is execution.answer("g")


def test_text_on_request() -> None:
    assert Execution(lambda text: text.upper(), takes="text").answer("f( a , _ )") == "F(A,_)"


class Unprintable(Exception):
    def __str__(self) -> str:
        raise ValueError


def raising(error: BaseException) -> Callable[[Term], Any]:
    def executor(term: Term) -> Any:
        raise error

    return executor


def deep(term: Term) -> Any:
    return deep(term)


@pytest.mark.parametrize(
    ("executor", "message"),
    [
        (raising(KeyError("texas")), "f(a): the executor raised KeyError: 'texas'"),
        (raising(ValueError("one\ntwo")), r"f(a): the executor raised ValueError: one\ntwo"),
        (raising(Unprintable()), "f(a): the executor raised Unprintable"),
        (raising(SystemExit(3)), "f(a): the executor raised SystemExit: 3"),
        (deep, "f(a): the executor raised RecursionError: maximum recursion depth exceeded"),
        (lambda term: (each for each in "ab"), "f(a): an answer of type generator can be read once only"),
        (lambda term: [[bytearray()]], "f(a): answers of type bytearray cannot be compared"),
    ],
)
def test_an_executor_that_raises_gives_no_answer(executor: Callable[[Term], Any], message: str) -> None:
    execution = Execution(executor)
    outcome = execution.outcome("f(a)")
    assert outcome.answer is None and outcome.key is None and outcome.trouble.startswith(message)
    assert execution.answer("g") is None
    assert execution.counts.raised == execution.counts.ran == 2 and execution.counts.timed_out == 0
    assert execution.counts.first_message == outcome.trouble
    assert not execution.is_right("f(a)", None)


def test_what_cannot_be_pickled_is_an_answer_like_any_other() -> None:
    made = [lambda: None, threading.Lock()]
    execution = Execution(lambda term: made)
    assert execution.answer("f") is made and execution.is_right("f", answer_key(made[::-1]))
    assert Execution(lambda term: None).outcome("f") == (None, None, "")


def test_a_user_can_interrupt() -> None:
    with pytest.raises(KeyboardInterrupt):
        Execution(raising(KeyboardInterrupt())).answer("f")


def looping(term: Term) -> Any:
    while True:
        pass


def sleeping(term: Term) -> Any:
    time.sleep(1000)


def stubborn(term: Term) -> Any:
    ignored = 0
    while ignored < 3:
        try:
            while True:
                pass
        except BaseException:
            ignored += 1
    while True:
        pass


class Slow:
    def __eq__(self, other: object) -> bool:
        return looping(parse_term("a"))

    __hash__ = None  # type: ignore[assignment]


def in_a_thread(call: Callable[[], Any]) -> Any:
    found: list[Any] = []
    thread = threading.Thread(target=lambda: found.append(call()))
    thread.start()
    thread.join()
    return found[0]


@pytest.mark.parametrize("executor", [looping, sleeping, stubborn, lambda term: Slow()])
def test_what_takes_too_long_is_cut_off(executor: Callable[[Term], Any]) -> None:
    execution = Execution(executor, seconds=0.05)
    message = "f(a): the executor took more than 0.05 seconds"
    assert execution.outcome("f(a)") == execution.outcome("f(a)") == (None, None, message)
    assert execution.counts == Counts(ran=1, timed_out=1, from_cache=1, first_message=message)


@pytest.mark.parametrize("executor", [looping, stubborn, lambda term: Slow()])
def test_it_is_cut_off_in_any_thread(executor: Callable[[Term], Any]) -> None:
    execution = Execution(executor, seconds=0.05)
    assert in_a_thread(lambda: execution.answer("f(a)")) is None
    assert execution.counts.timed_out == 1
    quick = Execution(lambda term: term.name, seconds=1000)
    assert in_a_thread(lambda: quick.answer("f")) == "f"


@pytest.fixture
def alarms() -> Iterator[list[int]]:
    rung: list[int] = []
    before = signal.signal(signal.SIGALRM, lambda *_: rung.append(1))
    yield rung
    signal.setitimer(signal.ITIMER_REAL, 0)
    signal.signal(signal.SIGALRM, before)


@pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="no such timers here")
def test_somebody_elses_timer_goes_on(alarms: list[int]) -> None:
    signal.setitimer(signal.ITIMER_REAL, 500)
    assert Execution(lambda term: 5).answer("f") == 5
    assert 400 < signal.setitimer(signal.ITIMER_REAL, 0)[0] <= 500
    signal.setitimer(signal.ITIMER_REAL, 0.01)
    with pytest.raises(TooSlow):
        within(0.1, lambda: looping(parse_term("a")))
    assert alarms == [1]  # it was due meanwhile


def test_calls_may_be_nested() -> None:
    inner = Execution(looping, seconds=0.05)
    outer = Execution(lambda term: inner.outcome(term).trouble, seconds=1000)
    assert "more than 0.05 seconds" in outer.answer("f")
    assert outer.counts.timed_out == 0
    both = Execution(lambda term: Execution(looping, seconds=1000).answer(term), seconds=0.05)
    assert both.answer("f") is None and both.counts.timed_out == 1
    assert in_a_thread(lambda: both.answer("g")) is None and both.counts.timed_out == 2
    assert in_a_thread(lambda: "more than 0.05" in inner.outcome("g").trouble)


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"executor": 5}, "an executor must be a function from a form to its answer, not 5"),
        ({"seconds": 0}, "seconds = 0 is not possible; give a number above 0"),
        ({"seconds": float("nan")}, "seconds = nan is not possible; give a number above 0"),
        ({"seconds": "1"}, "seconds = '1' is not possible; give a number above 0"),
        ({"cache": -1}, "cache = -1 is not possible; give a whole number of at least 0"),
        ({"takes": "tree"}, "takes = 'tree' is not known; use one of term, text"),
    ],
)
def test_settings_that_are_not_possible(wrong: dict[str, Any], message: str) -> None:
    with pytest.raises(SettingError) as caught:
        Execution(**({"executor": len} | wrong))
    assert str(caught.value) == message
