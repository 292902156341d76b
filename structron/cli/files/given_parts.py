"""Given parts of outputs: columns of the input, and the entries of a dictionary."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from structron.errors import SettingError

if TYPE_CHECKING:
    from structron.cli.task_cli import AnyTaskCLI
    from structron.fit.estimator import AnyEstimator


def take_dictionary(
    task: AnyTaskCLI, estimator: AnyEstimator, place: str | None, given: tuple[str, ...]
) -> None:
    """Let the entries of a file win in all that is predicted."""
    from structron.fit.data.entries import Entries
    from structron.fit.problem import Problem

    if place is None:
        return
    if given:
        raise SettingError("--dictionary and --given both say what stays; leave one out")
    problem = getattr(estimator, "problem_type", None)
    takes_none = problem is not None and problem.from_entries is Problem.from_entries
    if not hasattr(estimator, "entries") or takes_none:
        raise SettingError(f"--dictionary is not for {task.estimator.kind}; leave it out")
    estimator.entries = Entries.read(place)


def keeping(item: Any, given: tuple[str, ...], task: AnyTaskCLI) -> Any:
    """Return an input of which prediction keeps what stands in these columns."""
    from structron.io import Sentence

    if not isinstance(item, Sentence):
        raise SettingError(
            f"--given is for words in columns, which {task.estimator.kind} does not read here; leave it out"
        )
    for name in given:
        item.column(name)  # refuse one that is not there
    return item.keeping(given)
