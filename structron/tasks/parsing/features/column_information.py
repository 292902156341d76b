"""The information that the columns of a treebank have about its relations.

Each arc's relation is coded in bits, given what was seen before it (Dawid 1984) and the two words of the arc
as one column shows them. An informative column makes shorter codes. A column with a different value for every
word does not, since no value was seen before.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Sequence
from typing import Any, NamedTuple

Token = Sequence[str]
Look = Callable[[Token], Hashable]

# This many words suffice: with more, the order of columns does not change. Counting takes a second.
ENOUGH = 50_000
_ROOT = ("",)


class Bits(NamedTuple):
    """Bits of a relation, given both words as a column shows them; less is more informative."""

    tags: float  # UPOS alone
    fine: float  # and XPOS
    case: float  # and of FEATS the case and the form of the verb


def _tag(token: Token) -> Hashable:
    return token[1]


def _fine(token: Token) -> Hashable:
    return token[2]


def _case(token: Token) -> Hashable:
    found = [part for part in token[3].split("|") if part.startswith(("Case=", "VerbForm="))]
    return tuple(found)


def relation_bits(sentences: Sequence[Sequence[Token]], trees: Iterable[Any]) -> Bits:
    """Measure each column; trees are pairs of heads and relations, and missing columns say nothing.

    Examples
    --------
    >>> words = [("a", "N", "x"), ("b", "V", "_")], [("a", "N", "y"), ("b", "V", "_")]
    >>> trees = ([2, 0], ["nsubj", "root"]), ([2, 0], ["obj", "root"])
    >>> found = relation_bits(words * 20, trees * 20)
    >>> found.fine < found.tags == found.case
    True
    """
    width = max((len(tokens[0]) for tokens in sentences if tokens), default=0)
    kept = list(zip(sentences, trees))
    tags = _bits(kept, _tag) if width > 1 else 0.0
    return Bits(
        tags,
        _bits(kept, _fine) if width > 2 else tags,
        _bits(kept, _case) if width > 3 else tags,
    )


def _bits(examples: Iterable[tuple[Sequence[Token], Any]], look: Look) -> float:
    """Return bits per relation from five contexts, each backing off to the former (Witten & Bell 1991)."""
    seen: dict[Hashable, Counter[str]] = {}
    kinds: set[str] = set()
    bits, arcs = 0.0, 0
    for tokens, (heads, labels) in examples:
        coarse = [_ROOT, *map(_tag, tokens)]
        values = [_ROOT, *map(look, tokens)]
        for word, (head, label) in enumerate(zip(heads, labels), 1):
            if head is None or label is None:
                continue
            own, other = coarse[word], coarse[head]
            contexts: tuple[Hashable, ...] = (
                (),
                (own,),
                (own, other, head < word),
                (own, other, head < word, values[word]),
                (own, other, head < word, values[word], values[head]),
            )
            share = 1.0 / (len(kinds) + 1)
            for context in contexts:
                counts = seen.get(context)
                if counts is None:
                    seen[context] = Counter((label,))
                    continue
                others = len(counts)
                share = (counts[label] + others * share) / (counts.total() + others)
                counts[label] += 1
            kinds.add(label)
            bits -= math.log2(share)
            arcs += 1
        if arcs >= ENOUGH:
            break
    return bits / arcs if arcs else 0.0
