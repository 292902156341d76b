"""Gold labels that a model does not know; a warning says so."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable

from structron.errors import warn

SHOWN = 5


def unknown_labels(
    gold: Iterable[Iterable[str]], known: Collection[str], things: str = "labels", parts: str = "tokens"
) -> str | None:
    """Return a message about labels in gold that no prediction can have; None if there are none.

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
