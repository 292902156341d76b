"""Names of a package that are imported on first use.

A package offers the names of many files, and a program needs few of them: `structron predict` should not wait
for what trains. So an ``__init__`` says twice where its names are, for the type checker and for this file
(a test holds the two equal)::

    if TYPE_CHECKING:
        from structron.data.columns import Names
    else:
        __getattr__, __dir__ = on_first_use(__name__, {"columns": ("Names",)})

Type checkers so see plain imports, and no name that is not there. A name that is also that of a file beside
it cannot be here: once that file is imported, the name is the file's. Such a one is imported at once.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from importlib import import_module
from typing import Any


def on_first_use(
    package: str, names: Mapping[str, tuple[str, ...]], otherwise: Callable[[str], Any] | None = None
) -> tuple[Callable[[str], Any], Callable[[], list[str]]]:
    """The functions ``__getattr__`` and ``__dir__`` (PEP 562) of a package.

    Parameters
    ----------
    package
        Its ``__name__``.
    names
        What it offers, by the file below it that has them: ``{"parsing.task": ("ParsingTask",)}``.
    otherwise
        What finds any other name; None where there is none.
    """
    files = {name: file for file, held in names.items() for name in held}

    def find(name: str) -> Any:
        if name in files:
            value = getattr(import_module(f"{package}.{files[name]}"), name)
            setattr(sys.modules[package], name, value)  # so that nobody asks again
            return value
        value = otherwise(name) if otherwise is not None else None
        if value is not None:
            return value
        raise AttributeError(f"module {package!r} has no attribute {name!r}")

    def listed() -> list[str]:
        module = vars(sys.modules[package])
        return sorted({*module, *module["__all__"]})

    return find, listed
