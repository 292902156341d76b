"""Python runs this as it starts: `structron._core` is then the engine that `STRUCTRON_ENGINE` names."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from importlib.machinery import ModuleSpec
from importlib.util import spec_from_file_location
from types import ModuleType


class _Engine:
    """Finds that one module, before the editable install does."""

    @staticmethod
    def find_spec(
        name: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """Where the engine is, if it is asked for."""
        if name != "structron._core":
            return None
        return spec_from_file_location(name, os.environ["STRUCTRON_ENGINE"])


sys.meta_path.insert(0, _Engine)
