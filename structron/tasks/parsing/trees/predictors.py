"""Predictors of trees: they move the lifted arcs of the engine's trees back to their places."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import cached_property
from typing import Any

from structron import _core
from structron.errors import SettingError
from structron.tasks.parsing.trees.projectivity import MARK, lower

Tokens = Sequence[Any]
Tree = tuple[Sequence[int], Sequence[str]]
Found = tuple[list[int], list[str]]


class Trees:
    """The parts that all predictors share.

    Parameters
    ----------
    engine
        The engine's predictor.
    labels
        The relations; some may carry the mark of a lifted arc.
    projected
        A gold tree as the system learns it.
    """

    def __init__(self, engine: Any, labels: Iterable[str], projected: Callable[[Tree], Tree]) -> None:
        self._engine, self._projected = engine, projected
        self.marked = {label for label in labels if MARK in label}

    @property
    def decode_seconds(self) -> float:
        """Return the CPU time spent searching."""
        seconds: float = self._engine.decode_seconds
        return seconds

    def trace(self, x: Tokens, gold: Tree | None, search: _core.Search) -> dict[str, Any]:
        """Return the trace of the search on one sentence."""
        check_width(search.width)
        found: dict[str, Any] = self._engine.trace(x, None if gold is None else self._projected(gold), search)
        return found

    def restored(self, tree: Found, x: Tokens = ()) -> Found:
        """Move the lifted arcs of a tree of the engine back to their places, but for heads that are given."""
        if self.marked.isdisjoint(tree[1]):
            return tree
        return lower(tree if not isinstance(x, _core.Restricted) else _settled(tree, x.parts[0]))


class FrozenParser(Trees):
    """A predictor with a beam."""

    def predict(self, xs: Sequence[Tokens], search: _core.Search, threads: int = 1) -> list[Found]:
        """Return the best tree of each sentence."""
        check_width(search.width)
        return [self.restored(tree, x) for x, tree in zip(xs, self._engine.predict(xs, search, threads))]

    def kbest(
        self, xs: Sequence[Tokens], k: int, search: _core.Search, threads: int = 1
    ) -> list[list[tuple[Found, float]]]:
        """Return the best trees of each sentence, all different, with their best derivations' scores."""
        check_width(search.width)
        # Two trees may be equal once their lifted arcs are back in their places.
        enough = search.width if self.marked else k
        found = self._engine.kbest(xs, enough, search, threads)
        pairs = zip(xs, found)
        return [different(((self.restored(tree, x), s) for tree, s in best), k) for x, best in pairs]


class FrozenDPParser(Trees):
    """A predictor whose beam uses dynamic programming, after `structron.reference.sequence.dp_beam`.

    Merged states share what stands below them on the stack, so that nothing tells whether arcs that are given
    can still be made: sentences with given arcs are searched by a plain beam of the same width.

    Parameters
    ----------
    make_beam
        Makes the predictor with a plain beam.
    """

    def __init__(
        self, engine: Any, labels: Iterable[str], projected: Callable[[Tree], Tree],
        make_beam: Callable[[], FrozenParser],
    ) -> None:  # fmt: skip
        super().__init__(engine, labels, projected)
        self._make_beam = make_beam

    @cached_property
    def _beam(self) -> FrozenParser:
        return self._make_beam()

    def predict(self, xs: Sequence[Tokens], search: _core.Search, threads: int = 1) -> list[Found]:
        """Return the best tree of each sentence; equivalent states are always merged."""
        return [tree for tree, _ in self._best(xs, search, threads)]

    def kbest(
        self, xs: Sequence[Tokens], k: int, search: _core.Search, threads: int = 1
    ) -> list[list[tuple[Found, float]]]:
        """Return the best tree of each sentence with its score; the last beam holds no other."""
        if k > 1:
            raise SettingError(
                f"search dp:{search.width} ends with one state, into which all others are merged; "
                "ask for k = 1, or use a beam as beam:8"
            )
        return [[found] for found in self._best(xs, search, threads)]

    def derivations(self, x: Tokens, search: _core.Search) -> float:
        """Count the derivations of a sentence that the beams represent; a plain beam represents its width."""
        ways: float = self._engine.derivations(x, search)
        return ways

    def _best(self, xs: Sequence[Tokens], search: _core.Search, threads: int) -> list[tuple[Found, float]]:
        free = [x for x in xs if not isinstance(x, _core.Restricted)]
        best = iter(self._engine.kbest(free, 1, search, threads))
        if len(free) == len(xs):
            return [(self.restored(tree), score) for ((tree, score),) in best]
        kept = [x for x in xs if isinstance(x, _core.Restricted)]
        given = iter(self._beam.kbest(kept, 1, _core.Search(search.width, False), threads))
        found = []
        for x in xs:
            ((tree, score),) = next(given if isinstance(x, _core.Restricted) else best)
            found.append((tree if isinstance(x, _core.Restricted) else self.restored(tree), score))
        return found


def different(trees: Iterable[tuple[Found, float]], k: int) -> list[tuple[Found, float]]:
    """Return the first `k` different trees."""
    known: list[tuple[Found, float]] = []
    for tree, score in trees:
        if len(known) < k and all(tree != other for other, _ in known):
            known.append((tree, score))
    return known


def _settled(tree: Found, given: Sequence[int | None]) -> Found:
    """Take the marks from words whose heads are given: they stand where they are."""
    heads, labels = tree
    plain = [label if head is None else label.partition(MARK)[0] for label, head in zip(labels, given)]
    return heads, plain


def check_width(width: int) -> None:
    """Refuse a beam without bound."""
    # A sentence has far too many states, and hardly any two can be merged.
    if width == 0:
        raise SettingError("exact search would never end in parsing; use greedy or a beam as beam:8")
