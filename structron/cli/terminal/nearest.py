"""The known word that a misspelt one was probably meant to be, names of tasks among them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from structron import registry

if TYPE_CHECKING:
    import click


def meant(word: str, known: Iterable[str]) -> str:
    """Return ``(did you mean ...?)`` with a blank before it, or nothing where no known word is near."""
    from difflib import get_close_matches

    found = get_close_matches(word, list(known), 1)
    return f" (did you mean {found[0]}?)" if found else ""


def known_task(ctx: click.Context, param: click.Parameter, value: str) -> str:
    """Return the name of a task; refuse an unknown one with a list of all tasks."""
    import click

    known = registry.trained()
    if value not in known:
        raise click.UsageError(
            f"there is no task {value!r}{meant(value, known)}; the tasks are: {', '.join(known)}", ctx
        )
    return value
