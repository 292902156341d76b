"""The update methods of Huang, Fayong & Guo (2012) by name, with the engine's number and their guarantee.

Their definition is in `structron.reference.learners.violations`; the engine's twin in
``core/violations.hpp``.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from structron.errors import SettingError

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

        return reference.METHODS.get(self.name)


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


def parse_update(name: str | Update) -> Update:
    """Look up an update method by name, with hyphens or underscores."""
    if isinstance(name, Update):
        return name
    found = UPDATES.get(str(name).strip().lower().replace("-", "_"))
    if found is None:
        raise SettingError(f"update {name!r} is not known; use one of {', '.join(UPDATES)}")
    return found
