"""Words of raw text as BLEU counts them: mteval-v13a, as in sacreBLEU; single characters without blanks."""

from __future__ import annotations

import re

_ENTITIES = {"&quot;": '"', "&amp;": "&", "&lt;": "<", "&gt;": ">"}
_STEPS = (
    (re.compile(r"([\{-\~\[-\` -\&\(-\+\:-\@\/])"), r" \1 "),
    (re.compile(r"([^0-9])([\.,])"), r"\1 \2 "),
    (re.compile(r"([\.,])([^0-9])"), r" \1 \2"),
    (re.compile(r"([0-9])(-)"), r"\1 \2 "),
)


def words_13a(text: str) -> list[str]:
    """Split a text as mteval-v13a does.

    Examples
    --------
    >>> words_13a('He paid 3.50, "twice".')
    ['He', 'paid', '3.50', ',', '"', 'twice', '"', '.']
    """
    for entity, character in _ENTITIES.items():
        text = text.replace(entity, character)
    text = f" {text} "
    for pattern, between in _STEPS:
        text = pattern.sub(between, text)
    return text.split()


def characters(text: str) -> list[str]:
    """Split a text into characters, without blanks."""
    return list("".join(text.split()))
