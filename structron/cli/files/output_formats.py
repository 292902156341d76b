"""Formats in which a task writes its output, besides that of its input."""

from __future__ import annotations

from typing import TYPE_CHECKING

from structron.cli.task_cli import Formatted
from structron.errors import SettingError

if TYPE_CHECKING:
    from structron.cli.task_cli import AnyTaskCLI


def formatting(shown: AnyTaskCLI, format: str) -> Formatted:
    """Return a task that writes its output in this format; refuse another."""
    kind = shown.estimator.kind
    if not isinstance(shown, Formatted):
        raise SettingError(
            f"--output-format is not for {kind}, whose output looks like the input; leave it out"
        )
    if format not in shown.output_formats:
        raise SettingError(
            f"--output-format {format} is not for {kind}; use one of {', '.join(shown.output_formats)}"
        )
    return shown
