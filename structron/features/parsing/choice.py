"""Which template set suits a treebank: chosen by what its columns hold."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from structron.features.parsing.templates import COLUMNS

_EMPTY = "_"

# Case on nouns is on a third of all words and more, case on pronouns alone on fewer than one in ten.
_MARKS_CASE = 0.2
# Tags such as those of Czech hold all of the morphology: hundreds, most of them seen a few times.
_TOO_MANY_TAGS = 120
_CUT, _SMALL = 4, 30_000
_GRAPH_CUT = 2


class ColumnFigures(NamedTuple):
    """What the columns of a treebank hold; shares are of all words.

    Attributes
    ----------
    words
        How many there are.
    columns
        How many columns a word has.
    tags, fine_tags
        How many different values UPOS and XPOS have.
    features, case, lemmas
        The share of words that have FEATS, a Case in FEATS, a lemma.
    """

    words: int
    columns: int
    tags: int
    fine_tags: int
    features: float
    case: float
    lemmas: float

    @classmethod
    def of(cls, sentences: Iterable[Sequence[Sequence[str]]]) -> ColumnFigures:
        """Count what sentences hold, whose words are tuples in the order of `COLUMNS`."""
        seen: list[Counter[str]] = [Counter() for _ in COLUMNS]
        columns = 0
        for tokens in sentences:
            if tokens:
                columns = max(columns, len(tokens[0]))
                for counter, column in zip(seen, zip(*tokens)):
                    counter.update(column)
        words = seen[0].total()
        _, tags, fine, features, lemmas, *_ = seen

        def share(count: int) -> float:
            return count / words if words else 0.0

        def filled(counter: Counter[str]) -> float:
            return share(counter.total() - counter[_EMPTY])

        case = sum(n for value, n in features.items() if value.startswith("Case=") or "|Case=" in value)
        return cls(
            words,
            columns,
            len(tags.keys() - {_EMPTY}),
            len(fine.keys() - {_EMPTY}),
            filled(features),
            share(case),
            filled(lemmas),
        )


def suited_preset(figures: ColumnFigures, system: str, *, of_arcs: bool = False) -> str:
    """The name of the template set that is best for such columns, of those that read words, tags and all.

    Examples
    --------
    >>> suited_preset(ColumnFigures(200_000, 5, 17, 49, 0.68, 0.07, 1.0), "arc-standard")
    'rich'
    >>> suited_preset(ColumnFigures(20_000, 2, 17, 0, 0.0, 0.0, 0.0), "graph")
    'graph_tags'
    """
    if system == "arc-eager":
        return "zhang_nivre"
    family = ("graph_fast" if of_arcs else "graph") if system == "graph" else "rich"
    finer = figures.tags < figures.fine_tags <= _TOO_MANY_TAGS
    if figures.lemmas and (figures.case >= _MARKS_CASE or (figures.features and not finer)):
        return f"{family}_case"
    if finer:
        return family if figures.lemmas and figures.features else f"{family}_forms"
    return f"{family}_tags"


def suited_cut(figures: ColumnFigures, system: str) -> int:
    """How often a feature must be seen to be kept.

    Four times: from some 40,000 words on this is as accurate as keeping all, with a fraction of the memory.
    On 14,000 words it cost three points of LAS, on 20,000 half a point. Parts of trees are seen less often
    than states: there features seen twice are kept. (EWT, dev part, four epochs: LAS 88.0 with these, 87.8
    with features seen three times and a pruner that left somewhat less; one run each.)
    """
    if figures.words < _SMALL:
        return 0
    return _GRAPH_CUT if system == "graph" else _CUT
