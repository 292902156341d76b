"""Executors by name: ``shop:answer`` is the function ``answer`` of the module ``shop``."""

from __future__ import annotations

import importlib
import sys
from functools import cache
from pathlib import Path
from typing import Any

from structron.errors import SettingError


@cache
def executor_of(name: str) -> Any:
    """Return the function of a module, which may also be in the current folder."""
    module, colon, function = name.partition(":")
    if not colon or not module or not function:
        raise SettingError(f"executor {name}: no function; write module:function, such as shop:answer")
    here = str(Path.cwd())
    if here not in sys.path:
        sys.path.insert(0, here)
    try:
        found: Any = importlib.import_module(module)
    except (Exception, SystemExit) as error:
        raise SettingError(
            f"executor {name}: {module} cannot be imported ({type(error).__name__}: {error}); correct it"
        ) from None
    for part in function.split("."):
        found = getattr(found, part, None)
    if not callable(found):
        raise SettingError(f"executor {name}: {module} has no function {function}; name one that it has")
    return found
