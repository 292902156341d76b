"""Lazy packages: names that are imported on first use.

A package offers the names of many files, and a program needs few of them: `structron predict` should not wait
for what trains. So an ``__init__`` imports its names for type checkers and editors only, and offers the same
names at run time::

    if TYPE_CHECKING:
        from structron.io.formats.columns import Names as Names

    on_first_use(__name__)

See docs/decisions/0036.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from importlib import import_module
from types import CodeType, ModuleType
from typing import Any
from warnings import warn


class _Offering(ModuleType):
    """A package that offers names of the files below it."""

    _modules: Mapping[str, str]  # which module has a name
    _made: Mapping[str, Callable[[], Any]]
    _renamed: Mapping[str, str]

    def __getattr__(self, name: str) -> Any:
        if name in self._modules:
            value = getattr(import_module(self._modules[name]), name)
            setattr(self, name, value)  # so that it is not asked for again
            return value
        module = f"{self.__name__}.{name}"
        if module in self._modules.values():  # structron.errors, as if it had been imported with the package
            return import_module(module)
        if name in self._renamed:
            new = self._renamed[name]
            warn(
                f"{module} is now {new}; the old name goes with release 0.4", DeprecationWarning, stacklevel=2
            )
            return getattr(self, new)
        if name in self._made:
            return self._made[name]()
        raise AttributeError(f"module {self.__name__!r} has no attribute {name!r}")

    def __setattr__(self, name: str, value: Any) -> None:
        # Python puts every file that is imported into its package. Where a name is also that of its file, as
        # `accuracy` is, the package offers the name.
        if name in self._modules and isinstance(value, ModuleType):
            if value.__name__ != self._modules[name]:
                return  # a folder: the name is in one of its files, and is imported when it is used
            value = getattr(value, name)
        super().__setattr__(name, value)

    def __dir__(self) -> list[str]:
        return sorted({*super().__dir__(), *vars(self)["__all__"]})


def on_first_use(
    package: str,
    made: Mapping[str, Callable[[], Any]] | None = None,
    renamed: Mapping[str, str] | None = None,
) -> None:
    """Let a package offer what it imports under ``TYPE_CHECKING``; `__all__` lists these names.

    Parameters
    ----------
    package
        Its ``__name__``.
    made
        Functions that return the values of further names.
    renamed
        Old names with the new ones; they work for one release, with a warning.
    """
    module = sys.modules[package]
    offered = {
        name: place
        for name, place in _imports(sys._getframe(1).f_code, package.partition(".")[0]).items()
        if name not in vars(module)  # which is imported already
    }
    vars(module).update(_modules=offered, _made=made or {}, _renamed=renamed or {})
    vars(module)["__all__"] = sorted({*offered, *vars(module)["_made"]})
    module.__class__ = _Offering


def _imports(code: CodeType, root: str) -> dict[str, str]:
    """Map each name to the module below `root` that it is imported from, executed or not.

    Compiled code lists the names it uses in the order of the source: a module, then what is imported from it.
    Source files are not read, since an installation may have none.
    """
    imported = {name for each in code.co_consts if isinstance(each, tuple) for name in each}
    found, module = dict[str, str](), ""
    for name in code.co_names:
        if name.startswith(f"{root}."):
            module = name
        elif module and name in imported:
            found[name] = module
    return found
