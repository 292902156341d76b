"""Source symbols that a transducer has never seen, and the warning about them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

SHOWN = 5


def count_unseen(sources: Iterable[Sequence[str]], known: frozenset[str]) -> Counter[str]:
    """Count the symbols of inputs for which the model has no piece."""
    found: Counter[str] = Counter()
    for symbols in sources:
        if not known.issuperset(symbols):
            found.update(symbol for symbol in symbols if symbol not in known)
    return found


def unseen_symbols(unseen: Counter[str], known: frozenset[str]) -> str | None:
    """Return the warning about symbols that a transducer skips; None if there are none."""
    if not unseen:
        return None
    listed = ", ".join(f"{symbol!r} ({count:,})" for symbol, count in unseen.most_common(SHOWN))
    more = ", …" if len(unseen) > SHOWN else ""
    advice = "check the spelling of the input"
    for way, fold in (("lower", str.lower), ("upper", str.upper)):
        other = [symbol for symbol in unseen if fold(symbol) != symbol]
        if other and all(fold(symbol) in known for symbol in other):
            advice = f"the model knows these letters in {way} case only, so convert the input"
    total = unseen.total()
    return (
        f"{total:,} {'symbol' if total == 1 else 'symbols'} of the input {'was' if total == 1 else 'were'} "
        f"never seen in training and {'is' if total == 1 else 'are'} passed over: {listed}{more}; {advice}"
    )
