"""Methods of one object that never run at the same time."""

from __future__ import annotations

import threading
from collections.abc import Callable
from functools import wraps
from typing import Concatenate, ParamSpec, TypeVar
from weakref import WeakKeyDictionary

OwnerT = TypeVar("OwnerT")
Arguments = ParamSpec("Arguments")
ResultT = TypeVar("ResultT")

# Outside the objects, which are copied, pickled and inspected by scikit-learn.
_LOCKS: WeakKeyDictionary[object, threading.RLock] = WeakKeyDictionary()
_LOCK_OF_LOCKS = threading.Lock()


def exclusive(
    method: Callable[Concatenate[OwnerT, Arguments], ResultT],
) -> Callable[Concatenate[OwnerT, Arguments], ResultT]:
    """A method that changes its object: of all such methods of one object, one runs at a time."""

    @wraps(method)
    def locked(self: OwnerT, /, *args: Arguments.args, **options: Arguments.kwargs) -> ResultT:
        with _LOCK_OF_LOCKS:
            lock = _LOCKS.setdefault(self, threading.RLock())
        with lock:
            return method(self, *args, **options)

    return locked
