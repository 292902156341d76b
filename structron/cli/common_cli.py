"""`CommonCLI`: what most tasks answer to the commands, for tasks to derive from."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from typing import Any

from structron.cli.files.lines import write_lines


class CommonCLI:
    """The usual answers of a `TaskCLI`; a task overrides those that differ."""

    sides: tuple[str, ...] = ()
    presets: Collection[str] = ()

    def split(self, items: Sequence[Any]) -> tuple[Sequence[Any], Sequence[Any] | None]:
        """Return the items: their outputs are in them."""
        return items, None

    def write(self, items: Iterable[Any], file: Any) -> None:
        """Write lines one after the other."""
        write_lines(items, file)

    def remarks(self, estimator: Any) -> list[str]:
        """Return no remarks: every input gets an answer."""
        return []

    def owns(self, format: str, columns: Collection[str]) -> bool:
        """Return False: other tasks may write the same format."""
        return False
