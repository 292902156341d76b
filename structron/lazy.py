"""Lazy packages: names that are imported on first use.

A package offers the names of many files, and a program needs few of them: `structron predict` should not wait
for what trains. So an ``__init__`` says twice where its names are, for the type checker and for this file; a
test holds the two equal::

    if TYPE_CHECKING:
        from structron.io.formats.columns import Names
    else:
        on_first_use(__name__, {"columns": ("Names",)})

Type checkers so see plain imports, and no name that is not there. See docs/decisions/0036.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from importlib import import_module
from types import ModuleType
from typing import Any
from warnings import warn


class _Offering(ModuleType):
    """A package that offers names of the files below it."""

    _files: Mapping[str, str]  # which file has a name
    _otherwise: Callable[[str], Any] | None
    _renamed: Mapping[str, str]

    def __getattr__(self, name: str) -> Any:
        if name in self._files:
            place = self._files[name]
            module = place if place.startswith("structron.") else f"{self.__name__}.{place}"
            value = getattr(import_module(module), name)
            setattr(self, name, value)  # so that it is not asked for again
            return value
        if name in self._files.values():  # structron.errors, as if it had been imported with the package
            return import_module(f"{self.__name__}.{name}")
        if name in self._renamed:
            new = self._renamed[name]
            where = f"{self.__name__}.{name} is now {new}"
            warn(f"{where}; the old name goes with release 0.4", DeprecationWarning, stacklevel=2)
            return getattr(self, new)
        value = self._otherwise(name) if self._otherwise is not None else None
        if value is None:
            raise AttributeError(f"module {self.__name__!r} has no attribute {name!r}")
        return value

    def __setattr__(self, name: str, value: Any) -> None:
        # Python puts every file that is imported into its package. Where a name is also that of its file, as
        # `accuracy` is, the package offers the name.
        if name in self._files and isinstance(value, ModuleType):
            value = getattr(value, name)
        super().__setattr__(name, value)

    def __dir__(self) -> list[str]:
        return sorted({*super().__dir__(), *vars(self)["__all__"]})


def on_first_use(
    package: str,
    names: Mapping[str, tuple[str, ...]],
    otherwise: Callable[[str], Any] | None = None,
    renamed: Mapping[str, str] | None = None,
) -> None:
    """Let a package offer names without importing their files.

    Parameters
    ----------
    package
        Its ``__name__``.
    names
        The names by the module below it: ``{"columns": ("Names",)}``.
    otherwise
        A function that returns the value of any other name, or None.
    renamed
        Old names with the new ones; they work for one release, with a warning.
    """
    module = sys.modules[package]
    vars(module)["_files"] = {name: file for file, own in names.items() for name in own}
    vars(module)["_otherwise"] = otherwise
    vars(module)["_renamed"] = renamed or {}
    module.__class__ = _Offering
