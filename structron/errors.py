"""Errors and warnings for users: each is one sentence that says where, what, and what next."""

import re
import sys
import warnings
from typing import NoReturn

OUT_OF_MEMORY = (
    "there is not enough memory for this; use less data, shorter inputs, a narrower search or fewer threads"
)
_LONGEST = 1000
# Ends of lines, and what a terminal would take for a command.
_UNFIT = "[\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]"  # compiled when there is a message


def one_line(message: str) -> str:
    """Put a message on one line of reasonable length, whatever values it quotes."""
    if len(message) > _LONGEST:
        # Its beginning says where and what, its end what next.
        message = f"{message[: _LONGEST * 2 // 3]} … {message[-_LONGEST // 4 :]}"
    return re.sub(_UNFIT, lambda found: repr(found[0])[1:-1], message)


class StructronError(Exception):
    """The base of all errors; each is one sentence."""

    def __init__(self, message: str = "") -> None:
        super().__init__(one_line(message))


class DataError(StructronError):
    """An error in a data file: ``file:line: what; what next``."""


class ModelError(StructronError):
    """A model file is damaged, of another program or of another version."""


class SettingError(StructronError, ValueError):
    """A choice that is not possible, or a pair of choices that exclude each other."""


class TaskError(StructronError):
    """A user's search space or oracle breaks its contract."""


class ClusterError(StructronError):
    """Other machines do not answer, are not set up alike, or are lost too often."""


class EngineError(StructronError):
    """The engine refuses something for which neither data nor settings are the cause: a bug in structron."""


class MemoryShortage(StructronError, MemoryError):
    """There is not enough memory for the request."""


def out_of_memory() -> NoReturn:
    """Raise the error for a failed allocation; the engine calls it, too."""
    raise MemoryShortage(OUT_OF_MEMORY)


class StructronWarning(UserWarning):
    """A request that works but is probably not intended."""


def warn(message: str) -> None:
    """Warn the caller of the package, whose line Python prints; each line gets a warning once."""
    level, frame = 2, sys._getframe(1)
    while frame.f_back is not None and frame.f_globals.get("__name__", "").startswith("structron."):
        level, frame = level + 1, frame.f_back
    warnings.warn(one_line(message), StructronWarning, stacklevel=level)
