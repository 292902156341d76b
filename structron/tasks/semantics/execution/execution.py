"""Execution of forms by a user's function, which may fail in any way.

An executor that raises, loops or is slow gives no answer; failures are counted, and the first message is
kept. `structron.io.values.answers` defines when answers are equal, and
`structron.tasks.semantics.execution.deadline` ends slow calls.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable
from dataclasses import dataclass
from typing import Any, NamedTuple

from structron.errors import SettingError, StructronError, one_line
from structron.io.values.answers import answer_key
from structron.io.values.terms import Term, parse_term
from structron.tasks.semantics.execution.deadline import TooSlow, within

TAKES = ("term", "text")


class Outcome(NamedTuple):
    """The answer of a form and its comparison key, or the reason why there is none."""

    answer: Any = None
    key: Hashable = None
    trouble: str = ""


@dataclass
class Counts:
    """The number of executions and failures, and the first failure's message."""

    ran: int = 0
    raised: int = 0
    timed_out: int = 0
    from_cache: int = 0
    first_message: str = ""


class Execution:
    """Runs an executor with a time limit and caches its answers.

    Parameters
    ----------
    executor
        A function from a form to its answer: any value that `structron.io.values.answers` can compare, or
        None for no answer. It should give the same answer to the same form.
    seconds
        The time limit for one form.
    cache
        The number of forms in the cache; 0 for none, if answers change. A form that was too slow is not tried
        again while it is in the cache.
    takes
        What the executor takes: a ``term`` or its ``text``.
    """

    def __init__(
        self,
        executor: Callable[[Any], Any],
        *,
        seconds: float = 1.0,
        cache: int = 50_000,
        takes: str = "term",
    ) -> None:
        if not callable(executor):
            raise SettingError(f"an executor must be a function from a form to its answer, not {executor!r}")
        if isinstance(seconds, bool) or not isinstance(seconds, (int, float)) or not 0 < seconds < math.inf:
            raise SettingError(f"seconds = {seconds!r} is not possible; give a number above 0")
        if isinstance(cache, bool) or not isinstance(cache, int) or cache < 0:
            raise SettingError(f"cache = {cache!r} is not possible; give a whole number of at least 0")
        if takes not in TAKES:
            raise SettingError(f"takes = {takes!r} is not known; use one of {', '.join(TAKES)}")
        self.executor, self.seconds, self.cache, self.takes = executor, float(seconds), cache, takes
        self.counts = Counts()
        self._known: dict[Term, Outcome] = {}
        self._shared: dict[Hashable, Outcome] = {}

    def outcome(self, form: Term | str) -> Outcome:
        """Execute a form; never raise what the executor raises."""
        term = parse_term(form) if isinstance(form, str) else form
        known = self._known.get(term)
        if known is not None:
            self.counts.from_cache += 1
            return known
        outcome = self._run(term)
        if self.cache:
            if len(self._known) >= self.cache:
                self.forget()
            # Many forms have the same answer, which may be long, so it is stored once.
            if not outcome.trouble:
                outcome = self._shared.setdefault(outcome.key, outcome)
            self._known[term] = outcome
        return outcome

    def answer(self, form: Term | str) -> Any:
        """Return the answer of a form, or None."""
        return self.outcome(form).answer

    def is_right(self, form: Term | str, key: Hashable) -> bool:
        """Return True if a form has the answer with this `answer_key`."""
        outcome = self.outcome(form)
        return outcome.answer is not None and outcome.key == key

    def forget(self) -> None:
        """Forget all answers; the counts stay."""
        self._known.clear()
        self._shared.clear()

    def _run(self, term: Term) -> Outcome:
        given = str(term) if self.takes == "text" else term

        def call() -> Outcome:
            # Compare the answer within the limit: it may be an endless list, or slow to compare.
            answer = self.executor(given)
            return Outcome() if answer is None else Outcome(answer, answer_key(answer))

        self.counts.ran += 1
        try:
            return within(self.seconds, call)
        except TooSlow:
            self.counts.timed_out += 1
            return self._trouble(f"{term}: the executor took more than {self.seconds:g} seconds")
        except (Exception, SystemExit) as error:
            self.counts.raised += 1
            told = str(error) if isinstance(error, StructronError) else _told(error)
            return self._trouble(f"{term}: {told}")

    def _trouble(self, message: str) -> Outcome:
        self.counts.first_message = self.counts.first_message or one_line(message)
        return Outcome(trouble=one_line(message))


def _told(error: BaseException) -> str:
    try:
        return f"the executor raised {type(error).__name__}: {error}"
    except Exception:  # an exception that cannot even be printed
        return f"the executor raised {type(error).__name__}"
