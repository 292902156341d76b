"""The installed tasks: those of structron, and those of other packages.

A task is a package that offers its `TaskSpec` as ``SPEC``. Those of structron are the folders of
`structron.tasks`; another package declares its own by an entry point of the group ``structron.tasks``::

    [project.entry-points."structron.tasks"]
    truecasing = "truecasing:SPEC"

Entry points are read only where a task is not one of structron's, or all are listed: reading them takes
longer than predicting a sentence (docs/decisions/0047).
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from pkgutil import iter_modules
from typing import TYPE_CHECKING, Any
from warnings import warn

from structron.errors import SettingError, StructronWarning

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

    from structron.fit.recipe import Recipe
    from structron.task import Task, TaskSpec

GROUP = "structron.tasks"


@cache
def _others() -> dict[str, EntryPoint]:
    """Return the tasks of other packages by name; none of them replaces one of structron's."""
    from importlib.metadata import entry_points

    found = sorted(entry_points(group=GROUP), key=lambda point: point.name)
    return {point.name: point for point in found if not _is_own(point.name)}


@cache
def _is_own(kind: str) -> bool:
    return kind.isidentifier() and find_spec(f"{GROUP}.{kind}") is not None


def has(kind: str) -> bool:
    """Return whether there is a task of this name."""
    return _is_own(kind) or kind in _others()


@cache
def spec_of(kind: str) -> TaskSpec:
    """Return the declaration of a task; refuse a name that no package declares."""
    if _is_own(kind):
        own: TaskSpec = import_module(f"{GROUP}.{kind}").SPEC
        return own
    if kind not in _others():
        raise SettingError(
            f"there is no task {kind!r}; the tasks are {', '.join(spec.kind for spec in specs())}"
        )
    point = _others()[kind]
    try:
        spec: TaskSpec = point.load()
    except Exception as error:
        said = " ".join(str(error).split())
        raise SettingError(
            f"task {kind!r}: {point.value} cannot be imported ({said}); reinstall it"
        ) from None
    if spec.kind != kind:
        raise SettingError(f"task {kind!r}: {point.value} declares {spec.kind!r}; give both the same name")
    return spec


def specs() -> Iterator[TaskSpec]:
    """Yield all declarations, structron's first; one that cannot be read is left out with a warning."""
    rooms = iter_modules(import_module(GROUP).__path__)
    own = [spec_of(room.name) for room in rooms if room.ispkg]
    yield from sorted(own, key=lambda spec: spec.rank)
    for kind in _others():
        try:
            yield spec_of(kind)
        except SettingError as error:
            warn(str(error), StructronWarning, stacklevel=2)


def task_of(kind: str) -> type[Task]:
    """Return the class of a task."""
    task: type[Task] = spec_of(kind).load("task")
    return task


def estimator_of(kind: str) -> type[Any]:
    """Return the estimator of a task."""
    estimator: type[Any] = spec_of(kind).load("estimator")
    return estimator


def recipe_of(kind: str) -> type[Recipe]:
    """Return the settings of a task."""
    recipe: type[Recipe] = spec_of(kind).load("settings")
    return recipe


def cli_of(kind: str) -> Any:
    """Return the command line of a task."""
    return spec_of(kind).load("cli")


def learned() -> dict[str, str]:
    """Return the tasks that have settings of their own, each with its line of help."""
    return {spec.kind: spec.help for spec in specs() if spec.settings}


def trained() -> dict[str, str]:
    """Return the tasks of ``structron train``, each with its line of help."""
    return {spec.kind: spec.help for spec in specs() if spec.cli}
