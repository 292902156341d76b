"""MISC of CoNLL-U: attributes such as ``SpaceAfter=No``, with bars between them."""

from __future__ import annotations

SPANS = "NER"
"""The attribute with the label of a name: ``NER=B-PER`` on its first word, ``NER=I-PER`` on the others."""


def attribute(misc: str, name: str) -> str | None:
    """Return the value of an attribute, or None if it is not there.

    Examples
    --------
    >>> attribute("SpaceAfter=No|NER=B-PER", "NER"), attribute("_", "NER")
    ('B-PER', None)
    """
    begin = f"{name}="
    if begin not in misc:
        return None
    return next((part.removeprefix(begin) for part in misc.split("|") if part.startswith(begin)), None)


def with_attribute(misc: str, name: str, value: str | None) -> str:
    """Return MISC with another value of an attribute, or without it if the value is None.

    Examples
    --------
    >>> with_attribute("NER=O|SpaceAfter=No", "NER", "B-LOC"), with_attribute("NER=O", "NER", None)
    ('SpaceAfter=No|NER=B-LOC', '_')
    """
    own = [] if value is None else [f"{name}={value}"]
    kept = [part for part in misc.split("|") if part not in ("", "_") and not part.startswith(f"{name}=")]
    return "|".join([*kept, *own]) or "_"
