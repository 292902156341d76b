"""Standard streams, signals and the end of the process, whatever the shell made of them.

A closed stream leaves its number to the next file that is opened: it is filled here, before any is. What
cannot be shown on standard error is dropped; what cannot be written to standard output is an error.
"""

from __future__ import annotations

import atexit
import contextlib
import gc
import io
import os
import signal
import sys
import threading
from collections.abc import Iterator
from functools import cache
from typing import Any, NoReturn


def repair_streams() -> None:
    """Open what is closed, give errors of standard output its name, and let standard error fail silently."""
    # Opened the wrong way round, so that the first use fails as it does on a closed stream.
    for number, how in ((0, os.O_WRONLY), (1, os.O_RDONLY), (2, os.O_WRONLY)):
        try:
            os.fstat(number)
        except OSError:
            opened = os.open(os.devnull, how)
            if opened != number:
                os.dup2(opened, number)
                os.close(opened)
    if sys.stdin is None:
        sys.stdin = open(0, encoding="utf-8", closefd=False)  # noqa: SIM115
    # A Python caller may have put other streams there: these are left alone.
    if sys.stdout is sys.__stdout__:
        sys.stdout = _text(io.BufferedWriter(_Named(1, "wb", closefd=False)), sys.stdout, "strict")
    if sys.stderr is sys.__stderr__:
        sys.stderr = _text(_Lossy(), sys.stderr, "backslashreplace")


def _text(buffer: Any, like: Any, errors: str) -> io.TextIOWrapper:
    """Return a text stream over a buffer, otherwise like the one that was there."""
    if like is None:
        return io.TextIOWrapper(buffer, "utf-8", errors, line_buffering=True)
    return io.TextIOWrapper(buffer, like.encoding, like.errors, line_buffering=like.line_buffering)


class _Named(io.FileIO):
    """Standard output, whose errors say that it was this."""

    def write(self, data: Any) -> int:
        """Write some of it."""
        try:
            return super().write(data)
        except OSError as error:
            error.filename = "stdout"
            raise


class _Lossy(io.BufferedIOBase):
    """Standard error without its errors: a full disk behind a log must not end a training."""

    def write(self, data: Any) -> int:
        """Write all of it, or as much as can be shown."""
        left = memoryview(data).cast("B")
        size = len(left)
        with contextlib.suppress(OSError):
            while len(left):
                left = left[os.write(2, left) :]
        return size

    def writable(self) -> bool:
        """Return that it can be written."""
        return True

    def fileno(self) -> int:
        """Return standard error's own number."""
        return 2

    def isatty(self) -> bool:
        """Return whether it is a terminal."""
        return os.isatty(2)


def drop_stdout() -> None:
    """Discard what is left in the buffer, which must not be written at exit."""
    try:
        sys.stdout.flush()
        return
    except (OSError, ValueError):
        pass
    with contextlib.suppress(OSError, ValueError):
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, sys.stdout.fileno())
        os.close(nowhere)


@cache
def end_quickly() -> None:
    """Let the process end without a last search for cycles among all of its objects.

    For a short text that takes longer than predicting, and the memory is given back anyway.
    """
    atexit.register(gc.freeze)


@contextlib.contextmanager
def interruptible() -> Iterator[None]:
    """End a command as Ctrl-C does when it is terminated or its terminal is lost."""
    before = catch_signals()
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def catch_signals() -> dict[int, Any]:
    """Let a polite kill and a lost terminal raise KeyboardInterrupt, so that half-written files are removed.

    The parent process may want a signal ignored (nohup); then it is. Returns the handlers before.
    """
    before: dict[int, Any] = {}
    if threading.current_thread() is threading.main_thread():
        for name in ("SIGTERM", "SIGHUP"):
            number = getattr(signal, name, None)
            if number is not None and signal.getsignal(number) is not signal.SIG_IGN:
                before[number] = signal.signal(number, _interrupt)
    return before


def _interrupt(number: int, frame: object) -> NoReturn:
    raise KeyboardInterrupt
