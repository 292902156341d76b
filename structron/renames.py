"""Old names of modules, which work for one release with a warning that gives the new name."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from importlib import import_module
from importlib.machinery import ModuleSpec
from types import ModuleType
from typing import Any
from warnings import warn


class _Renamed(ModuleType):
    """A module under its old name, with the attributes of the new one."""

    _new: str

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        from structron.renames_table import NAMES

        place, _, new = NAMES.get(f"{self.__name__}.{name}", f"{self._new}.{name}").rpartition(".")
        try:
            return getattr(import_module(place), new)
        except AttributeError:
            raise AttributeError(f"module {self.__name__!r} has no attribute {name!r}") from None


class Renames:
    """A finder of modules by their old names, asked only for names that no other finder knows.

    It is a finder and a loader without the classes of `importlib.abc`, which takes a tenth of a short command
    to import.
    """

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """Return how to import an old name, None for all others."""
        if not fullname.startswith("structron."):
            return None
        from structron.renames_table import MODULES

        loader: Any = self  # without the base class that type checkers ask for
        return ModuleSpec(fullname, loader, is_package=True) if fullname in MODULES else None

    def create_module(self, spec: ModuleSpec) -> ModuleType:
        """Return the module under its old name, and warn."""
        from structron.renames_table import MODULES

        new = MODULES[spec.name]
        warn(
            f"{spec.name} is now {new}; the old name goes with release 0.4", DeprecationWarning, stacklevel=2
        )
        module = _Renamed(spec.name)
        module._new = new
        return module

    def exec_module(self, module: ModuleType) -> None:
        """Do nothing: the module has nothing to execute."""


def install() -> None:
    """Let old names be imported."""
    if not any(isinstance(finder, Renames) for finder in sys.meta_path):
        sys.meta_path.append(Renames())
