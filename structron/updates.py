"""The update methods of Huang, Fayong & Guo (2012) by name, with the engine's number and their guarantee.

Their definition is in `structron.reference.learners.violations`; the engine's twin in
``core/learn/violations.hpp``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from structron.errors import SettingError
from structron.records import dataclass
from structron.settings import Piece, is_piece, piece_of

if TYPE_CHECKING:
    from structron.reference.learners.violations import Method


@dataclass(frozen=True)
class Update:
    """An update method: a way to choose the prefix that is updated.

    Attributes
    ----------
    name
        The paper's word for it.
    code
        The engine's number for it.
    always_valid
        Whether every update fixes a violation, whatever the search.
    summary
        One line for tables and help.
    """

    name: str
    code: int
    always_valid: bool
    summary: str

    @property
    def method(self) -> Method | None:
        """Return the definition; None for LaSO, which updates while it searches."""
        from structron import reference

        return self.own if is_piece(self.name) else reference.METHODS.get(self.name)

    @property
    def own(self) -> Method | None:
        """Return the function of a method of one's own; None for all others."""
        if is_piece(self.name) and piece_of(self.name) is None:
            raise SettingError(
                f"update {self.name}: a model's file names it and does not hold it; give the function itself"
            )
        found: Method | None = piece_of(self.name)
        return found


UPDATES = {
    update.name: update
    for update in (
        Update("standard", 0, False, "the whole output if it is wrong; may be invalid with inexact search"),
        Update("early", 1, True, "where gold falls off the beam; the rest is skipped"),
        Update("hybrid", 2, True, "the whole output where that is a violation, early otherwise"),
        Update("latest", 3, True, "the longest prefix that is still a violation"),
        Update("max_violation", 4, True, "the prefix that is violated most"),
        Update("skip", 6, True, "the whole output, only where that is a violation"),
        Update("parallel", 7, True, "the parts of a chart that are violated most and do not overlap"),
        Update("laso", 5, True, "where gold falls off, then on from gold alone"),
    )
}


_OWN = 8


def parse_update(name: str | Update | Method) -> Update:
    """Look up an update method by name, with hyphens or underscores; or take a function as it is."""
    if isinstance(name, Update):
        return name
    if callable(name) and not isinstance(name, type):
        name = Piece.of(name)
    if isinstance(name, str) and is_piece(name):
        return Update(name, _OWN, False, "a function of one's own")
    found = UPDATES.get(str(name).strip().lower().replace("-", "_"))
    if found is None:
        raise SettingError(f"update {name!r} is not known; use one of {', '.join(UPDATES)}, or a function")
    return found
