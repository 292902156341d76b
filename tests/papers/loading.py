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
    """Import modules of the experiments, and forget all of them afterwards."""
    if not FOLDER.is_dir():
        pytest.skip("the experiments are not part of this distribution")
    before = set(sys.modules)
    sys.path.insert(0, str(FOLDER))
    try:
        yield [importlib.import_module(name) for name in names]
    finally:
        sys.path.remove(str(FOLDER))
        for name in set(sys.modules) - before:
            file = getattr(sys.modules[name], "__file__", None) or ""
            if file.startswith(str(FOLDER)):
                del sys.modules[name]
