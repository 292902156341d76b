"""The choice of a template set for a treebank, by the content of its columns."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from structron.tasks.parsing.features.column_information import Bits, relation_bits
from structron.tasks.parsing.features.templates import COLUMNS

_EMPTY = "_"
_XPOS, _FEATS, _LEMMA = (COLUMNS[name] for name in "xml")

# FEATS on fewer words count as none, and so do lemmas that differ from the lowercased word on fewer.
_SOME = 0.05
# If fine tags need at most this share of bits less than FEATS, FEATS are chosen. Hundreds of tags that encode
# all of the morphology help less than their bits suggest in templates of two and three words: with the 304
# tags of Czech, FEATS were two points of LAS better, and with the 207 of Arabic, 1.7 points.
_LEVEL, _LEVEL_OF_MANY = 0.02, 0.1
_MANY_TAGS = 120
_CUT, _FAST_CUT, _SMALL = 4, 3, 30_000
_GRAPH_CUT = 2


class ColumnFigures(NamedTuple):
    """The content of a treebank's columns; shares are of all words.

    Attributes
    ----------
    words
        The number of words.
    bits
        Bits of a relation, given UPOS, XPOS or FEATS.
    fine_tags
        The number of values of XPOS.
    features, lemmas, own_lemmas
        The shares of words with FEATS, with a lemma, and with a lemma other than the lowercased word.
    """

    words: int
    bits: Bits
    fine_tags: int = 0
    features: float = 0.0
    lemmas: float = 0.0
    own_lemmas: float = 0.0

    @classmethod
    def of(cls, sentences: Sequence[Sequence[Sequence[str]]], trees: Iterable[Any]) -> ColumnFigures:
        """Measure sentences whose words are tuples in the order of `COLUMNS`."""
        words = filled = lemmas = own = 0
        fine: set[str] = set()
        for tokens in sentences:
            words += len(tokens)
            if tokens and len(tokens[0]) > _XPOS:
                fine.update(token[_XPOS] for token in tokens)
            if tokens and len(tokens[0]) > _FEATS:
                filled += sum(token[_FEATS] != _EMPTY for token in tokens)
            if tokens and len(tokens[0]) > _LEMMA:
                given = [token for token in tokens if token[_LEMMA] != _EMPTY]
                lemmas += len(given)
                own += sum(token[_LEMMA] != token[0].lower() for token in given)
        count = words or 1
        shares = filled / count, lemmas / count, own / count
        return cls(words, relation_bits(sentences, trees), len(fine - {_EMPTY}), *shares)


def suited_preset(figures: ColumnFigures, system: str, family: str = "") -> str:
    """Return the name of the template set that suits such columns best.

    Parameters
    ----------
    family
        The family of sets: ``rich`` and ``fast`` see states, ``graph`` and ``graph_fast`` parts of trees.

    Examples
    --------
    >>> suited_preset(ColumnFigures(200_000, Bits(0.91, 0.78, 0.84), 49, 0.68, 1.0, 0.24), "arc-standard")
    'rich'
    >>> suited_preset(ColumnFigures(20_000, Bits(1.1, 1.1, 1.1)), "graph")
    'graph_tags'
    """
    if system == "arc-eager":
        return "zhang_nivre"
    family = family or ("graph" if system == "graph" else "rich")
    bits, many = figures.bits, figures.fine_tags > _MANY_TAGS
    level = _LEVEL_OF_MANY if many else _LEVEL
    by_case = bits.case < bits.tags and bits.case <= bits.fine * (1 + level)
    if by_case or (figures.features >= _SOME and figures.lemmas and bits.fine >= bits.tags):
        return f"{family}_case" if figures.lemmas else f"{family}_case_forms"
    if bits.fine < bits.tags:
        if figures.lemmas and figures.features >= _SOME:
            return family
        without = "" if family == "fast" else "_lemmas"  # the fast set reads no FEATS
        return f"{family}{without}" if figures.own_lemmas >= _SOME else f"{family}_forms"
    return f"{family}_tags"


def other_presets(figures: ColumnFigures, system: str, family: str) -> list[str]:
    """Return the other sets that read no empty column, those for more columns first, for trials."""
    if system == "arc-eager":
        return []
    fine, case = figures.bits.fine < figures.bits.tags, figures.features >= _SOME
    lemmas = bool(figures.lemmas)
    possible = {
        family: fine and case and lemmas,
        f"{family}_case": case and lemmas,
        f"{family}_case_forms": case and not lemmas,
        f"{family}_forms": fine,
        f"{family}_tags": True,
    }
    suited = suited_preset(figures, system, family)
    return [name for name, reads in possible.items() if reads and name != suited]


def suited_cut(figures: ColumnFigures, system: str, *, fast: bool = False) -> int:
    """Return how often a feature must be seen to be kept.

    With a cut of four, parsing is as accurate as with all features from some 40,000 words on, and needs a
    fraction of the memory. On 14,000 words it lost three points of LAS, on 20,000 half a point. Parts of
    trees are seen less often than states, so features seen twice are kept there. (EWT, dev part, four epochs:
    LAS 88.0 with these, 87.8 with features seen three times and a pruner that kept somewhat less; one run
    each.) The few templates of the fast sets are cut at three.
    """
    if figures.words < _SMALL:
        return 0
    return _GRAPH_CUT if system == "graph" else _FAST_CUT if fast else _CUT
