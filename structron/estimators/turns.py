"""Methods that threads call in turn."""

from __future__ import annotations

import threading
from collections.abc import Callable
from functools import wraps
from typing import Any, Concatenate, ParamSpec, TypeVar
from weakref import WeakKeyDictionary

Self = TypeVar("Self")
Arguments = ParamSpec("Arguments")
Given = TypeVar("Given")

# Outside the objects, which are copied, pickled and looked through by scikit-learn.
_LOCKS: WeakKeyDictionary[Any, threading.RLock] = WeakKeyDictionary()
_ASKING = threading.Lock()


def in_turn(
    method: Callable[Concatenate[Self, Arguments], Given],
) -> Callable[Concatenate[Self, Arguments], Given]:
    """A method that changes its object: of all such methods, one runs at a time."""

    @wraps(method)
    def wait(self: Self, *args: Arguments.args, **options: Arguments.kwargs) -> Given:
        with _ASKING:
            lock = _LOCKS.setdefault(self, threading.RLock())
        with lock:
            return method(self, *args, **options)

    return wait
