"""Search methods: Exact, Greedy, Beam, DPBeam, Forest, Spanning, with their guarantees.

Each is a description of a search: its kind (which member of the family it is), how many items a bin keeps,
whether equivalent ones are merged, and how far behind the best they may be. What runs it, in the definition
or in the engine, is found by the kind; nothing else asks which search it is.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from numbers import Real
from typing import Any, ClassVar

from structron.errors import SettingError
from structron.records import dataclass


@dataclass(frozen=True)
class Exact:
    """The best of all outputs: one beam per step, unbounded, in which equivalent states are merged."""

    width: ClassVar[None] = None
    merge: ClassVar[bool] = True
    within: ClassVar[float] = math.inf
    kind: ClassVar[str] = "beam"
    needs: ClassVar[str] = "{task} has no beams; use one of its own searches"
    in_order: ClassVar[bool] = True
    is_exact: ClassVar[bool] = True
    promises: ClassVar[str] = (
        "finds the best output; every update is valid, the standard update too (Huang et al. 2012, Lemma 1)"
    )

    def __str__(self) -> str:
        return "exact"


@dataclass(frozen=True)
class Greedy:
    """The best next action, step by step: Algorithm 4 of Huang et al. (2012), a beam of width 1."""

    width: ClassVar[int] = 1
    merge: ClassVar[bool] = False
    within: ClassVar[float] = math.inf
    kind: ClassVar[str] = "beam"
    needs: ClassVar[str] = "{task} has no beams; use one of its own searches"
    in_order: ClassVar[bool] = True
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
    within
        Keep only candidates that score at most this much less than the best of their step. A beam seldom
        needs all its places, and one that gives up hopeless ones early is as accurate and faster; how much is
        hopeless depends on the size of the weights, so on the learner and the number of epochs.
    by_class
        Like the plain beam, but updates compare guess and gold over the same part of the input: for
        translation, over the same source words.
    """

    width: int
    merge: bool = False
    within: float = math.inf
    by_class: bool = False
    is_exact: ClassVar[bool] = False

    def __post_init__(self) -> None:
        _check_width(self.width)
        if not isinstance(self.merge, bool):
            raise SettingError(f"beam merge {self.merge!r} is not possible; give True or False")
        number = isinstance(self.within, Real) and not isinstance(self.within, bool)
        if not number or not self.within >= 0:
            raise SettingError(f"beam within {self.within!r} is not possible; give a number of at least 0")
        object.__setattr__(self, "within", float(self.within))

    @property
    def kind(self) -> str:
        """Return the kind: with classes the bins are different."""
        return "classes" if self.by_class else "beam"

    @property
    def in_order(self) -> bool:
        """Return True unless classes of one row stand side by side."""
        return not self.by_class

    @property
    def needs(self) -> str:
        """Return the message for tasks without this search."""
        if self.by_class:
            return "all items of a row of {task} are about the same; leave out +by_class"
        return "{task} has no beams; use one of its own searches"

    @property
    def promises(self) -> str:
        """Return the guarantees of this search for training."""
        merged = "equivalent states share a place; gold that merges into a better one has fallen off; "
        return (merged if self.merge else "") + (
            "may miss the best output; the standard update may be invalid, "
            "all other methods are valid (Huang et al. 2012, Lemma 3)"
        )

    def __str__(self) -> str:
        close = "" if self.within == math.inf else f"+within={self.within!r}".removesuffix(".0")
        apart = "+by_class" if self.by_class else ""
        return f"beam:{self.width}{'+merge' if self.merge else ''}{close}{apart}"


@dataclass(frozen=True)
class DPBeam:
    """A beam with dynamic programming (Huang & Sagae 2010), for arc-standard parsing.

    States that look alike to the templates share one place, whatever their stacks hold below: the beam stands
    for exponentially many derivations.

    Parameters
    ----------
    width
        How many DP states are kept at each step.
    """

    width: int
    merge: ClassVar[bool] = True
    within: ClassVar[float] = math.inf
    kind: ClassVar[str] = "dp"
    in_order: ClassVar[bool] = True
    needs: ClassVar[str] = "states of {task} have no stack; use a beam as beam:8+merge"
    is_exact: ClassVar[bool] = False
    promises: ClassVar[str] = (
        "states that look alike share a place; gold that merges into a better one has fallen off; "
        "may miss the best output; the standard update may be invalid, "
        "all other methods are valid (Huang et al. 2012, Lemma 3)"
    )

    def __post_init__(self) -> None:
        _check_width(self.width)

    def __str__(self) -> str:
        return f"dp:{self.width}"


@dataclass(frozen=True)
class Forest:
    """A search over a forest, bottom-up; exact, or with cube pruning (Huang & Chiang 2007).

    Parameters
    ----------
    width
        How many items with different keys a group of nodes keeps; None keeps one of every key.
    swaps
        For trees: afterwards change one head after the other, as long as that gains something, crossing arcs
        or not (McDonald & Pereira 2006).
    """

    width: int | None = None
    swaps: bool = False
    needs: ClassVar[str] = "{task} is searched by actions and not over a chart; use a beam as beam:8"
    in_order: ClassVar[bool] = False
    merge: ClassVar[bool] = True
    within: ClassVar[float] = math.inf

    def __post_init__(self) -> None:
        if self.width is not None:
            _check_width(self.width)
        if not isinstance(self.swaps, bool):
            raise SettingError(f"forest swaps {self.swaps!r} is not possible; give True or False")

    @property
    def kind(self) -> str:
        """Return the kind: with swaps the result is a whole tree, not a chart."""
        return "swaps" if self.swaps else "forest"

    @property
    def is_exact(self) -> bool:
        """Return True if nothing is pruned."""
        return self.width is None and not self.swaps

    @property
    def promises(self) -> str:
        """Return the guarantees of this search for training."""
        if self.is_exact:
            return Exact.promises
        return (
            "may miss the best output; the standard update may be invalid, "
            "all other methods are valid (Zhang et al. 2013)"
        )

    def __str__(self) -> str:
        return f"forest{'' if self.width is None else f':{self.width}'}{'+swaps' if self.swaps else ''}"


@dataclass(frozen=True)
class Spanning:
    """The best of all trees, crossing arcs or not: Chu-Liu-Edmonds, for features of single arcs."""

    width: ClassVar[None] = None
    merge: ClassVar[bool] = True
    within: ClassVar[float] = math.inf
    kind: ClassVar[str] = "mst"
    needs: ClassVar[str] = "outputs of {task} are not sums of arcs; use a beam as beam:8"
    in_order: ClassVar[bool] = False
    is_exact: ClassVar[bool] = True
    promises: ClassVar[str] = Exact.promises

    def __str__(self) -> str:
        return "mst"


@dataclass(frozen=True)
class KeptRows:
    """A beam whose rows are chosen by an object of one's own, under the name that was given to it.

    Parameters
    ----------
    name
        As it is written, with the width.
    keeper
        The object, with `width` and ``keep(row)``; see `structron.reference.sequence.row_keeper.RowKeeper`.
    """

    name: str
    keeper: Any
    within: ClassVar[float] = math.inf
    kind: ClassVar[str] = "beam"
    needs: ClassVar[str] = "{task} has no beams; use one of its own searches"
    in_order: ClassVar[bool] = False  # LaSO would number the items of a search anew
    is_exact: ClassVar[bool] = False
    promises: ClassVar[str] = "keeps what your own code chooses; updates may be invalid, and are counted"

    def __post_init__(self) -> None:
        _check_width(self.width)

    @property
    def width(self) -> int:
        """Return how many items the gold side keeps."""
        width: int = getattr(self.keeper, "width", 1)
        return width

    @property
    def merge(self) -> bool:
        """Return whether only the best of equivalent candidates is offered."""
        return bool(getattr(self.keeper, "merge", False))

    def __str__(self) -> str:
        return self.name


Search = Exact | Greedy | Beam | DPBeam | Forest | Spanning | KeptRows


def narrowest(search: Search) -> Search:
    """Return the quickest search of the same kind, to test if an input can be read at all."""
    if search.kind == "mst":
        return Spanning()
    return Forest(1) if search.kind in ("forest", "swaps") else Greedy()


def leaves_bins(search: Search) -> bool:
    """Return False for a search that leaves one tree behind, and neither beams nor a chart."""
    return search.kind not in ("mst", "swaps")


def widened(search: Search, k: int) -> Search:
    """Return a search that keeps k outputs to compare; its best output stays the same."""
    if isinstance(search, Greedy):
        return Beam(k)
    if isinstance(search, Beam):
        return Beam(max(k, search.width), search.merge, by_class=search.by_class)
    if isinstance(search, DPBeam):
        return DPBeam(max(k, search.width))
    if not leaves_bins(search):
        raise SettingError(
            f"search {search} finds one tree, and a margin needs two; use --search forest:4, or a beam"
        )
    return search


_NUMBER = r"[0-9]{1,17}(?:\.[0-9]{1,25})?(?:e[+-]?[0-9]{1,3})?"  # whatever repr makes of a float


# Without merging a beam that is never full holds every sequence there is: a model file must not ask for that.
WIDEST = 100_000


def _check_width(width: int) -> None:
    if isinstance(width, bool) or not isinstance(width, int) or width < 1:
        raise SettingError(
            f"beam width {width!r} is not possible; give a whole number of at least 1, or search exactly"
        )
    if width > WIDEST:
        raise SettingError(f"beam width {width} is too large; use at most {WIDEST}, or Exact()")


_REGISTERED: dict[str, Callable[[int | None], Any]] = {}


def register_search(name: str, make: Callable[[int | None], Any]) -> None:
    """Give a search of one's own a name: ``gumbel:8`` is then ``make(8)``, and ``gumbel`` is ``make(None)``.

    What is made has `width` and a method ``keep(row)`` that returns the places of those that stay in a row
    of a beam (`structron.reference.sequence.row_keeper`): the definition and the engine run it, for every
    task that is searched by beams. Or it has `kind` ``own``, `width`, `merge` and a method
    ``run(space, weights, oracle, margin, start)`` that gives the bins (`structron.reference.sequence.bins`):
    the definition runs it; the engine does not.
    """
    if not re.fullmatch("[a-z][a-z_]*", name) or name in ("exact", "greedy", "beam", "dp", "forest", "mst"):
        raise SettingError(f"search name {name!r} is taken or has other marks; use other small letters")
    _REGISTERED[name] = make


def is_registered(text: str) -> bool:
    """Return whether a text names a search of one's own."""
    return text.partition(":")[0] in _REGISTERED


def parse_search(text: str | Search) -> Search:
    """Parse the name of a search; `str` is the inverse.

    There are ``exact``, ``greedy``, ``beam:8``, ``beam:8+merge``, ``beam:8+within=20``, both as
    ``beam:8+merge+within=20``, ``beam:30+merge+by_class`` for translation, ``dp:8`` for parsing, ``forest``
    and ``forest:4`` over charts, ``forest:4+swaps`` and ``mst`` for trees with crossing arcs.

    Examples
    --------
    >>> parse_search("beam:8+merge")
    Beam(width=8, merge=True, within=inf, by_class=False)
    """
    if isinstance(text, Search):
        return text
    name = text.strip().lower() if isinstance(text, str) else ""
    own = re.fullmatch(r"([a-z_]+)(?::([0-9]{1,9}))?", name)
    if own is not None and own[1] in _REGISTERED:
        made: Search = _REGISTERED[own[1]](int(own[2]) if own[2] else None)
        return KeptRows(name, made) if hasattr(made, "keep") else made
    if name == "exact":
        return Exact()
    if name == "greedy":
        return Greedy()
    if name == "mst":
        return Spanning()
    if dp := re.fullmatch(r"dp:([0-9]{1,30})", name):
        return DPBeam(int(dp[1]))
    if chart := re.fullmatch(r"forest(?::([0-9]{1,30}))?(\+swaps)?", name):
        return Forest(int(chart[1]) if chart[1] else None, swaps=chart[2] is not None)
    found = re.fullmatch(rf"beam:([0-9]{{1,30}})(\+merge)?(?:\+within=({_NUMBER}))?(\+by_class)?", name)
    if found is None:
        raise SettingError(
            f"search {text!r} is not known; use exact, greedy, beam:8, beam:8+merge, beam:8+within=20, dp:8, "
            "forest, forest:4, forest:4+swaps or mst"
        )
    return Beam(int(found[1]), found[2] is not None, float(found[3] or math.inf), found[4] is not None)
