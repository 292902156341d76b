"""Which search, update and learner go together, and with which task: asked of the recipes themselves.

tools/combinations.py writes docs/combinations.md from it.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from itertools import product
from typing import Any, NamedTuple

from structron.errors import SettingError
from structron.registry import learned, recipe_of
from structron.updates import UPDATES


class Subject(NamedTuple):
    """A task, or one of its systems."""

    kind: str
    system: str = ""  # the usual one

    @property
    def settings(self) -> dict[str, Any]:
        """Return the settings that its recipe is given."""
        return {"system": self.system} if self.system else {}

    def __str__(self) -> str:
        return f"{self.kind} {self.system}".strip()


SUBJECTS = tuple(
    Subject(kind, system) for kind in learned() for system in ("", *recipe_of(kind).systems_apart)
)
# One of each kind; widths and margins make no difference here.
SEARCHES = (
    "exact", "greedy", "beam:8", "beam:8+merge", "beam:8+within=20", "beam:8+merge+by_class", "dp:8",
    "forest", "forest:4", "forest:4+swaps", "mst",
)  # fmt: skip
LEARNERS = ("perceptron", "perceptron:margin=20", "mira", "mira:5", "pa", "swvp", "ssvm", "crf")


@cache
def refusal(subject: Subject, **choices: Any) -> str | None:
    """Return why a recipe refuses these choices; None if they are possible."""
    try:
        recipe_of(subject.kind)(**subject.settings, **choices)
    except SettingError as error:
        return str(error)
    return None


def searches_of(subject: Subject) -> tuple[str, ...]:
    """Return the searches that a task has."""
    return tuple(search for search in SEARCHES if refusal(subject, search=search) is None)


def updates_of(search: str) -> tuple[str, ...]:
    """Return the updates that go with a search, whatever the task."""
    having = [subject for subject in SUBJECTS if search in searches_of(subject)]
    return tuple(
        update
        for update in UPDATES
        if not any(refusal(each, search=search, update=update) for each in having)
    )


def learners_of(subject: Subject) -> tuple[str, ...]:
    """Return the learners that go with a task and its usual search."""
    return tuple(learner for learner in LEARNERS if refusal(subject, learner=learner) is None)


def others() -> Iterator[tuple[Subject, str, str, str, str]]:
    """Yield refused choices any two of which go together: task, choices and why."""
    for subject in SUBJECTS:
        learners = learners_of(subject)
        for search in searches_of(subject):
            for update, learner in product(updates_of(search), learners):
                why = refusal(subject, search=search, update=update, learner=learner)
                if why is not None:
                    yield subject, search, update, learner, why
