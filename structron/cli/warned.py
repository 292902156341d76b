"""Warnings on the command line: one plain line each, without the place in our code that Python would add."""

from __future__ import annotations

import contextlib
import warnings
from collections.abc import Iterator
from typing import Any

import click

from structron.errors import StructronWarning


@contextlib.contextmanager
def plainly() -> Iterator[None]:
    """Tell our own warnings in one line on standard error."""
    with warnings.catch_warnings():
        warnings.simplefilter("always", StructronWarning)
        usual = warnings.showwarning

        def show(message: Warning | str, category: type[Warning], *place: Any, **further: Any) -> None:
            if issubclass(category, StructronWarning):
                click.echo(f"warning: {message}", err=True)
            else:
                usual(message, category, *place, **further)

        warnings.showwarning = show
        yield


@contextlib.contextmanager
def silently() -> Iterator[None]:
    """Say nothing while work is done in parts: who does it tells at the end what there is to tell."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", StructronWarning)
        yield
