"""Numbers with what they count."""

from __future__ import annotations


def counted(count: int, things: str) -> str:
    """One label, two labels: `things` is the plural.

    >>> counted(1, "labels"), counted(2_000, "relations")
    ('1 label', '2,000 relations')
    """
    return f"{count:,} {things.removesuffix('s') if count == 1 else things}"
