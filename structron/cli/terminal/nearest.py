"""The known word that a misspelt one was probably meant to be."""

from __future__ import annotations

from collections.abc import Iterable


def meant(word: str, known: Iterable[str]) -> str:
    """Return ``(did you mean ...?)`` with a blank before it, or nothing where no known word is near."""
    from difflib import get_close_matches

    found = get_close_matches(word, list(known), 1)
    return f" (did you mean {found[0]}?)" if found else ""
