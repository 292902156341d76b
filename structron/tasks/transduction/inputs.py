"""Inputs of a transducer: texts, lists of symbols, references, and pairs from files."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from structron.errors import DataError
from structron.fit.data.inputs import check_text, listed, listed_targets
from structron.io import Notation, Pair
from structron.records import dataclass

Symbols = tuple[str, ...]


@dataclass(frozen=True)
class Sources:
    """Inputs, each a text or a list of symbols; `pairs` if they came from files."""

    items: list[str | Symbols]
    pairs: list[Pair] | None

    def place(self, i: int) -> str:
        """Name the place of source `i`, for messages."""
        return self.pairs[i].place if self.pairs is not None else f"source {i + 1}"

    def symbols(self, notation: Notation) -> list[Symbols]:
        """Return all sources as symbols."""
        return [notation.symbols_of_source(item) if isinstance(item, str) else item for item in self.items]


@dataclass(frozen=True)
class Targets:
    """The references of each source, each a text or a tuple of symbols."""

    items: list[list[str | Symbols]]

    @property
    def texts(self) -> list[str]:
        """Return the references that are texts."""
        return [item for items in self.items for item in items if isinstance(item, str)]

    @property
    def text(self) -> bool:
        """Return True if there are texts, so that outputs should be texts too."""
        return any(isinstance(item, str) for items in self.items for item in items)

    def symbols(self, notation: Notation) -> list[list[Symbols]]:
        """Return all references as symbols."""
        return [
            [notation.symbols_of_target(item) if isinstance(item, str) else item for item in items]
            for items in self.items
        ]


def read_sources(X: Iterable[object]) -> Sources:
    """Read the sources that a user gives."""
    if isinstance(X, str | bytes):
        raise DataError("X is a single string; give a list of sources, each a str or a list of symbols")
    items = listed(X, "X", "give a list of sources")
    pairs = [item for item in items if isinstance(item, Pair)]
    if pairs:
        if len(pairs) < len(items):
            raise DataError("X mixes pairs from files with others; give one kind")
        return Sources([pair.source for pair in pairs], pairs)
    return Sources([_one(item, f"source {i}", "source") for i, item in enumerate(items, 1)], None)


def read_targets(
    y: Iterable[object] | None, pairs: Sequence[Pair] | None, count: int, text: bool | None = None
) -> Targets:
    """Read the targets that a user gives, or those of the pairs themselves.

    How a list of str is understood depends on all of `y`, never on one item: if targets are texts, it holds
    several references, otherwise it is one reference, symbol by symbol.

    Parameters
    ----------
    text
        Treat targets as texts. If None, they are texts if one item is a str, or if a str in a list contains a
    blank.
    """
    if y is None:
        if pairs is None:
            raise DataError("y is missing; give the target of each source")
        for pair in pairs:
            if not pair.targets:
                raise DataError(f"{pair.place}: there is no target; write source TAB target")
        return Targets([list(pair.targets) for pair in pairs])
    items = listed_targets(y, count, "symbols")
    texts = any(map(_is_text, items)) if text is None else text
    return Targets([_references(item, f"y of source {i}", texts) for i, item in enumerate(items, 1)])


def _is_text(item: str | list[object]) -> bool:
    """Return True if this can only be a text, or a list of texts."""
    return isinstance(item, str) or any(isinstance(part, str) and " " in part for part in item)


def _references(item: str | list[object], name: str, texts: bool) -> list[str | Symbols]:
    """Return one reference or several; a list that contains a list always has several."""
    if isinstance(item, str):
        return [_one(item, name, "target")]
    if texts or not all(isinstance(part, str) for part in item):
        return [_one(part, name, "target") for part in item]
    return [_one(item, name, "target")]


def _one(item: object, name: str, what: str) -> str | Symbols:
    """Return a text, or a tuple of symbols."""
    if isinstance(item, str):
        check_text(item, name)
        return item
    symbols: list[str] = []
    for symbol in listed(item, name, f"give a {what} as a str or a list of symbols"):
        if not isinstance(symbol, str) or not symbol:
            raise DataError(f"{name}: symbol {symbol!r} is not text; give a str that is not empty")
        check_text(symbol, name)
        symbols.append(symbol)
    return tuple(symbols)
