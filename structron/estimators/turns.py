"""Methods that threads call in turn."""

from __future__ import annotations

import threading
from collections.abc import Callable
from functools import wraps
from typing import Any, TypeVar, cast
from weakref import WeakKeyDictionary

Method = TypeVar("Method", bound=Callable[..., Any])

# Outside the objects, which are copied, pickled and looked through by scikit-learn.
_LOCKS: WeakKeyDictionary[Any, threading.RLock] = WeakKeyDictionary()
_ASKING = threading.Lock()


def in_turn(method: Method) -> Method:
    """A method that changes its object: of all such methods of one object, one runs at a time."""

    @wraps(method)
    def wait(self: Any, *args: Any, **options: Any) -> Any:
        with _ASKING:
            lock = _LOCKS.setdefault(self, threading.RLock())
        with lock:
            return method(self, *args, **options)

    return cast(Method, wait)
