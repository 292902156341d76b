"""The experiments' modules, while a test needs them: their folder is no package, and its names are short."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import ModuleType

import pytest

FOLDER = Path(__file__).resolve().parents[2] / "experiments"


@contextmanager
def experiment_modules(*names: str) -> Iterator[list[ModuleType]]:
    """Import modules of the experiments, none of which was there before or stays afterwards."""
    if not FOLDER.is_dir():
        pytest.skip("the experiments are not part of this distribution")
    _forget()
    sys.path.insert(0, str(FOLDER))
    try:
        yield [importlib.import_module(name) for name in names]
    finally:
        sys.path.remove(str(FOLDER))
        _forget()


def _forget() -> None:
    """Remove whatever was imported from the folder: others may have modules of the same short names."""
    ours = []
    for name, module in list(sys.modules.items()):
        # A folder without __init__.py has a path and no file.
        places = [getattr(module, "__file__", None) or "", *getattr(module, "__path__", ())]
        if any(place.startswith(str(FOLDER)) for place in places):
            ours.append(name)
    for name in ours:
        del sys.modules[name]
