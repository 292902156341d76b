"""Source symbols that a transducer has never seen: what they are read as, and the warning about them."""

from __future__ import annotations

import unicodedata
from collections import Counter
from collections.abc import Iterable, Sequence

SHOWN = 5


def as_known(symbols: Sequence[str], known: frozenset[str]) -> tuple[str, ...]:
    """Read unseen letters in their other case, or without their marks, where training had those.

    Everything else stays as it is.

    Examples
    --------
    >>> as_known("Échec!", frozenset("cehABC"))
    ('e', 'c', 'h', 'e', 'c', '!')
    """
    if known.issuperset(symbols):
        return tuple(symbols)
    read = ((symbol, _read(symbol, known)) for symbol in symbols)
    return tuple(part for symbol, parts in read for part in ((symbol,) if parts is None else parts))


def _read(symbol: str, known: frozenset[str]) -> tuple[str, ...] | None:
    """Return the reading of one symbol, empty for a mark; None if no piece has it."""
    found = _in_some_case(symbol, known)
    if found or symbol.isascii():
        return found or None
    unmarked = "".join(c for c in unicodedata.normalize("NFKD", symbol) if not unicodedata.combining(c))
    return (_in_some_case(unmarked, known) or None) if unmarked else ()


def _in_some_case(symbol: str, known: frozenset[str]) -> tuple[str, ...]:
    for other in (symbol, symbol.lower(), symbol.upper()):
        if other in known:
            return (other,)
        if len(symbol) == 1 and known.issuperset(other):  # the capital of ß is SS
            return tuple(other)
    return ()


def count_unseen(sources: Iterable[Sequence[str]], known: frozenset[str]) -> Counter[str]:
    """Count the symbols of inputs for which the model has no piece in either case."""
    found: Counter[str] = Counter()
    for symbols in sources:
        if not known.issuperset(symbols):
            found.update(symbol for symbol in symbols if not _in_some_case(symbol, known))
    return found


def unseen_symbols(unseen: Counter[str], known: frozenset[str]) -> str | None:
    """Return the warning about symbols that a transducer skips or changes; None if there are none."""
    if not unseen:
        return None
    marked = Counter({symbol: count for symbol, count in unseen.items() if _read(symbol, known) is not None})
    skipped = unseen - marked
    ways = ((skipped, "passed over"), (marked, "read without marks"))
    said = "; ".join(_said(symbols, how) for symbols, how in ways if symbols)
    return f"{said}; check the spelling of the input"


def _said(symbols: Counter[str], how: str) -> str:
    listed = ", ".join(f"{symbol!r} ({count:,})" for symbol, count in symbols.most_common(SHOWN))
    more = ", …" if len(symbols) > SHOWN else ""
    total = symbols.total()
    one = total == 1
    return (
        f"{total:,} {'symbol' if one else 'symbols'} of the input {'was' if one else 'were'} "
        f"never seen in training and {'is' if one else 'are'} {how}: {listed}{more}"
    )
