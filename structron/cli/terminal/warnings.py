"""Warnings on the command line: one plain line each, without the file and line that Python adds."""

from __future__ import annotations

import contextlib
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click

from structron.errors import StructronWarning


@contextlib.contextmanager
def plainly() -> Iterator[None]:
    """Print our own warnings in one line on standard error."""
    with warnings.catch_warnings():
        warnings.simplefilter("always", StructronWarning)
        warnings.filterwarnings("always", category=DeprecationWarning, module="structron")
        usual = warnings.showwarning

        def show(message: Warning | str, category: type[Warning], *place: Any, **options: Any) -> None:
            is_ours = issubclass(category, DeprecationWarning) and "structron" in Path(place[0]).parts
            if is_ours or issubclass(category, StructronWarning):
                click.echo(f"warning: {message}", err=True)
            else:
                usual(message, category, *place, **options)

        warnings.showwarning = show
        yield


@contextlib.contextmanager
def silently() -> Iterator[None]:
    """Print no warnings while work is done in parts: the caller sums them up at the end."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", StructronWarning)
        yield
