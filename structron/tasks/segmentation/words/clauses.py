"""Clauses: the parts of a text that are searched separately if words are built without sentences.

A word hardly depends on the words before a comma. Training examples are clauses, since an example is updated
once, whatever its length. So new texts are cut in the same places, and the first word of a clause is seen as
in training.
"""

from __future__ import annotations

import re
from typing import TypeAlias

from structron import _core
from structron.segments.units import class_of

Text: TypeAlias = "str | _core.Restricted"  # a text, or with the duties of its characters
# A mark between two digits (1,500 and 12:30) is part of a number; accents and joiners belong to the mark.
_AFTER = re.compile(r"(?<=[。！？；，：!?;,:])(?!(?<=\d.)\d)(?=.)", re.DOTALL)


def clauses(text: str) -> list[tuple[int, int]]:
    """Return begin and end of each clause; none is empty, and together they are the whole text.

    >>> [text[begin:end] for text in ["人在，中国！1,500人"] for begin, end in clauses(text)]
    ['人在，', '中国！', '1,500人']
    """
    cuts = [match.start() for match in _AFTER.finditer(text)]
    cuts = [at for at in cuts if class_of(text[at]) != "rest"]
    return list(zip([0, *cuts], [*cuts, len(text)]))


def text_of(x: Text) -> str:
    """Return a text without what is given of it."""
    return x if isinstance(x, str) else x.input
