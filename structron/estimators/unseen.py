"""What a model has never seen: symbols of an input, labels of gold; a warning says so."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Sequence

from structron.errors import warn

SHOWN = 5


def unknown_labels(
    gold: Iterable[Iterable[str]], known: Collection[str], things: str = "labels", parts: str = "tokens"
) -> str | None:
    """What to say of labels in gold that no prediction can have; None if there are none.

    Examples
    --------
    >>> unknown_labels([["N", "X"], ["V", "N"]], ["N", "V"])
    '1 of 3 labels in gold is unknown to the model (X), 25.0 % of tokens; these always count as errors'
    """
    times = Counter(label for labels in gold for label in labels)
    unknown = {label: count for label, count in times.items() if label not in known}
    if not unknown:
        return None
    named = sorted(unknown, key=lambda label: (-unknown[label], label))
    listed = ", ".join(named[:SHOWN]) + (", …" if len(named) > SHOWN else "")
    share = 100 * sum(unknown.values()) / times.total()
    return (
        f"{len(unknown):,} of {len(times):,} {things} in gold {'is' if len(unknown) == 1 else 'are'} unknown "
        f"to the model ({listed}), {share:.1f} % of {parts}; these always count as errors"
    )


def warn_of_unknown(
    gold: Iterable[Iterable[str]], known: Collection[str], things: str = "labels", parts: str = "tokens"
) -> None:
    """Warn if gold has labels that no prediction can have."""
    if said := unknown_labels(gold, known, things, parts):
        warn(said)


def count_unseen(sources: Iterable[Sequence[str]], known: frozenset[str]) -> Counter[str]:
    """The symbols of inputs that the model has no piece for, and how often each is there."""
    found: Counter[str] = Counter()
    for symbols in sources:
        if not known.issuperset(symbols):
            found.update(symbol for symbol in symbols if symbol not in known)
    return found


def unseen_symbols(unseen: Counter[str], known: frozenset[str]) -> str | None:
    """What to say of symbols that a transducer passes over; None if there are none."""
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
