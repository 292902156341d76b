"""Executors by their names: ``shop:answer`` is the function ``answer`` of the module ``shop``."""

from __future__ import annotations

import importlib
import sys
from functools import cache
from pathlib import Path
from typing import Any

from structron.errors import SettingError
from structron.estimators.semantics import SemanticParser
from structron.training import Recipe


class Executor:
    """A function that was named on the command line; it is written as its name."""

    def __init__(self, name: str, function: Any) -> None:
        self.name, self.function = name, function

    def __call__(self, form: Any) -> Any:
        return self.function(form)

    def __str__(self) -> str:
        return self.name


@cache
def executor_of(name: str) -> Executor:
    """The function of a module, which is looked for in the current folder too."""
    module, colon, function = name.partition(":")
    if not colon or not module or not function:
        raise SettingError(f"--executor {name}: no function; write module:function, such as shop:answer")
    here = str(Path.cwd())
    if here not in sys.path:
        sys.path.insert(0, here)
    try:
        found = importlib.import_module(module)
    except (Exception, SystemExit) as error:
        raise SettingError(
            f"--executor {name}: {module} cannot be imported ({type(error).__name__}: {error}); correct it"
        ) from None
    for part in function.split("."):
        found = getattr(found, part, None)  # type: ignore[assignment]
    if not callable(found):
        raise SettingError(f"--executor {name}: {module} has no function {function}; name one that it has")
    return Executor(name, found)


class NamedParser(SemanticParser):
    """A semantic parser whose executor has a name."""

    @classmethod
    def from_recipe(cls, recipe: Recipe, **extra: Any) -> NamedParser:
        """The parser of a recipe; `answers` says how files are read, and is none of its parameters."""
        extra.pop("answers", None)
        named = extra.pop("executor", "")
        return super().from_recipe(recipe, executor=executor_of(named) if named else None, **extra)
