"""The request that `show` passes to a task; a file of its own because no other command needs it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from structron.cli.files.reading import Reading


@dataclass(frozen=True)
class Show:
    """A request to `show`.

    Attributes
    ----------
    text, gold
        An input given on the command line, with its gold output.
    place, number, reading
        Or a file, which of its examples, and how it is read.
    beside
        The other sides of that file.
    steps, top
        Whether every step's beam is drawn, and how much of it.
    svg
        A picture to write.
    """

    text: str | None
    gold: str | None
    place: str | None
    number: int
    reading: Reading
    steps: bool
    top: int
    svg: str | None = None
    beside: tuple[str, ...] = ()
