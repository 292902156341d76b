"""Progress of long work: any code reports, and whoever wants to know listens.

The function that listens belongs to the caller's context, as a variable of it would: nothing that reads,
packs or predicts needs a parameter for it, and without a listener nothing is reported.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator, Sequence
from contextvars import ContextVar
from typing import Any

Listener = Callable[[str, int, int], object]  # what is under way, how much of it is done, of how much

_listener: ContextVar[Listener | None] = ContextVar("current_listener", default=None)


@contextlib.contextmanager
def progress_to(told: Listener | None) -> Iterator[None]:
    """Report progress in this block to `told`; None if the caller reports all of it as one."""
    token = _listener.set(told)
    try:
        yield
    finally:
        _listener.reset(token)


def has_listener() -> bool:
    """Return True if anybody listens."""
    return _listener.get() is not None


def current_listener() -> Listener:
    """Return the current listener, to be used from elsewhere."""
    return _listener.get() or (lambda name, done, total: None)


def report_progress(name: str, done: int, total: int) -> None:
    """Report that so much of this work is done."""
    current_listener()(name, done, total)


def in_pieces(name: str, items: Sequence[Any], size: int) -> Iterator[Sequence[Any]]:
    """Yield the items, `size` at a time and with reports if somebody listens, else all at once."""
    if not has_listener() or len(items) <= size:
        yield items
        return
    for begin in range(0, len(items), size):
        report_progress(name, begin, len(items))
        yield items[begin : begin + size]
    report_progress(name, len(items), len(items))
