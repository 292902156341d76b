"""Exact, Greedy, Beam: how the best output is sought, and what each kind of search can promise."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import ClassVar

from structron.errors import SettingError


@dataclass(frozen=True)
class Exact:
    """The best of all outputs: one beam per step, unbounded, in which equivalent states are merged."""

    width: ClassVar[None] = None
    merge: ClassVar[bool] = True
    is_exact: ClassVar[bool] = True
    promises: ClassVar[str] = (
        "finds the best output; every update is valid, the standard update too (Huang et al. 2012, Lemma 1)"
    )

    def __str__(self) -> str:
        return "exact"


@dataclass(frozen=True)
class Greedy:
    """The best next action, one after the other: Algorithm 4 of Huang et al. (2012), a beam of width 1."""

    width: ClassVar[int] = 1
    merge: ClassVar[bool] = False
    is_exact: ClassVar[bool] = False
    promises: ClassVar[str] = (
        "may miss the best output; the standard update may be invalid, "
        "all other methods are valid (Huang et al. 2012, Lemma 2)"
    )

    def __str__(self) -> str:
        return "greedy"


@dataclass(frozen=True)
class Beam:
    """The best `width` candidates of each step: Algorithm 7 of Huang et al. (2012).

    Parameters
    ----------
    width
        How many candidates are kept at each step.
    merge
        Keep only the best of the candidates whose merge keys are equal (their Definition 6).
    """

    width: int
    merge: bool = False
    is_exact: ClassVar[bool] = False

    def __post_init__(self) -> None:
        if isinstance(self.width, bool) or not isinstance(self.width, int) or self.width < 1:
            raise SettingError(
                f"beam width {self.width!r} cannot be; give a whole number of at least 1, or use Exact()"
            )
        if not isinstance(self.merge, bool):
            raise SettingError(f"beam merge {self.merge!r} cannot be; give True or False")

    @property
    def promises(self) -> str:
        """What this search can promise to a trainer."""
        merged = "equivalent states share a place; gold that merges into a better one has fallen off; "
        return (merged if self.merge else "") + (
            "may miss the best output; the standard update may be invalid, "
            "all other methods are valid (Huang et al. 2012, Lemma 3)"
        )

    def __str__(self) -> str:
        return f"beam:{self.width}{'+merge' if self.merge else ''}"


Search = Exact | Greedy | Beam


def parse_search(text: str | Search) -> Search:
    """The search that `text` names: ``exact``, ``greedy``, ``beam:8`` or ``beam:8+merge``; `str` undoes it.

    Examples
    --------
    >>> parse_search("beam:8+merge")
    Beam(width=8, merge=True)
    """
    if isinstance(text, Exact | Greedy | Beam):
        return text
    name = text.strip().lower() if isinstance(text, str) else ""
    if name == "exact":
        return Exact()
    if name == "greedy":
        return Greedy()
    found = re.fullmatch(r"beam:([0-9]{1,9})(\+merge)?", name)
    if found is None:
        raise SettingError(f"search {text!r} is not known; use exact, greedy, beam:8 or beam:8+merge")
    return Beam(int(found[1]), merge=found[2] is not None)
