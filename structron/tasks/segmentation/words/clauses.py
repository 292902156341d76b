"""Clauses: what of a text is searched by itself where words are built and no sentences are found.

A word hardly depends on what stands before a comma. Training examples are clauses, since an example is
updated once, however long it is; so new texts are cut in the same places, and the first word of a clause is
seen there as it was learned.
"""

from __future__ import annotations

import re

from structron.segments.units import class_of

# A mark between two digits (1,500 and 12:30) is inside a number; accents and joiners go with the mark.
_AFTER = re.compile(r"(?<=[。！？；，：!?;,:])(?!(?<=\d.)\d)(?=.)", re.DOTALL)


def clauses(text: str) -> list[tuple[int, int]]:
    """Where each clause of a text begins and ends; none is empty, and nothing is left out.

    >>> [text[begin:end] for text in ["人在，中国！1,500人"] for begin, end in clauses(text)]
    ['人在，', '中国！', '1,500人']
    """
    cuts = [match.start() for match in _AFTER.finditer(text)]
    cuts = [at for at in cuts if class_of(text[at]) != "rest"]
    return list(zip([0, *cuts], [*cuts, len(text)]))
