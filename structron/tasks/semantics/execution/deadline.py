"""A time limit for calls.

A user's executor runs in this process and not in a child. A child could always be killed, but it sees the
user's database as it was when the child was made, cannot share an open connection, can return only what can
be pickled, and makes a cheap executor many times slower. So, in the main thread, a timer of the operating
system sends a signal, which ends loops, sleep, and waiting for input or output. In any other thread, where no
signal arrives, and on systems without such timers, a second thread raises the same exception in the first,
which ends loops. Neither can end a single call into C code that never returns. In destructors and callbacks
of the garbage collector Python catches any exception, prints a traceback and goes on; then the exception is
raised again soon after.
"""

from __future__ import annotations

import ctypes
import math
import signal
import threading
import time
from collections.abc import Callable
from types import FrameType
from typing import TypeVar

Result = TypeVar("Result")
AGAIN = 0.05  # seconds until the exception is raised once more, in code that has caught and ignored it


class CutOff(BaseException):
    """The exception that ends a call; not an Exception, which careless code would catch."""


class TooSlow(Exception):
    """Raised when a call has exceeded its time."""


def within(seconds: float, call: Callable[[], Result]) -> Result:
    """Return the result of a call, or raise `TooSlow`; calls may be nested, each with its own limit."""
    if hasattr(signal, "setitimer") and threading.current_thread() is threading.main_thread():
        return _by_signal(seconds, call)
    return _by_thread(seconds, call)


def _by_signal(seconds: float, call: Callable[[], Result]) -> Result:
    mine, running = CutOff(), True
    begun = time.monotonic()
    # A process has only one timer, so keep that of other code going.
    handler = signal.getsignal(signal.SIGALRM)
    due, again = signal.getitimer(signal.ITIMER_REAL)
    others = begun + due if due else math.inf

    def ring(number: int, frame: FrameType | None) -> None:
        nonlocal others
        now = time.monotonic()
        if now >= others and callable(handler):
            others = now + again if again else math.inf
            handler(number, frame)
        # It may also ring late, when the call is over and its result is being returned.
        if running and now >= begun + seconds:
            raise mine

    signal.signal(signal.SIGALRM, ring)
    signal.setitimer(signal.ITIMER_REAL, min(seconds, due or seconds), AGAIN)
    try:
        try:
            return call()
        finally:
            running = False
    except CutOff as error:
        if error is not mine:
            raise
        raise TooSlow from None
    finally:
        running = False
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, handler)
        if others < math.inf:
            signal.setitimer(signal.ITIMER_REAL, max(others - time.monotonic(), 1e-3), again)


def _by_thread(seconds: float, call: Callable[[], Result]) -> Result:
    class Mine(CutOff):
        """An exception class of this call; only a class can be raised in another thread."""

    raise_in = ctypes.pythonapi.PyThreadState_SetAsyncExc
    caller, mine = ctypes.c_ulong(threading.get_ident()), ctypes.py_object(Mine)
    over, ended, raised = threading.Event(), False, False

    def watch() -> None:
        nonlocal raised
        wait = seconds
        while not over.wait(wait):
            if not ended:
                raised = True
                raise_in(caller, mine)
            wait = AGAIN

    watcher = threading.Thread(target=watch, daemon=True)
    watcher.start()
    try:
        return call()
    except Mine:
        raise TooSlow from None
    finally:
        ended = True
        # What was raised and has not arrived must not arrive later, in other code. It is not taken back but
        # raised once more and awaited: after one that is taken back Python goes on looking for it, in every
        # thread, and Python 3.11 does nothing else while code is traced.
        while True:
            try:
                over.set()
                watcher.join()
                if raised:
                    raise_in(caller, mine)
                while raised:
                    pass
                break
            except Mine:
                if not watcher.is_alive():
                    break
