"""Templates for edit scripts: endings and beginnings of a word, each with its tag and its features."""

from __future__ import annotations

_UPOS, _FEATS = "p[0]", "p[0] col(2)[0]"

LEMMA = [
    _UPOS,
    _FEATS,
    f"lower[0] {_UPOS}",
    f"w[0] {_UPOS}",
    f"class[0] {_UPOS}",
    f"shape[0] {_UPOS}",
    *[f"lsuffix({n})[0] {_UPOS}" for n in (1, 2, 3, 4, 5, 6)],
    *[f"lsuffix({n})[0] {_FEATS}" for n in (1, 2, 3, 4, 5)],
    *[f"lprefix({n})[0] {_UPOS}" for n in (1, 2, 3)],
    *[f"lprefix({n})[0] lsuffix({m})[0] {_UPOS}" for n, m in ((1, 2), (1, 3), (2, 2))],
    f"class[0] lsuffix(2)[0] {_FEATS}",
]
"""Columns: the form, UPOS, FEATS."""
