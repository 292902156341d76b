"""Which template set suits a treebank: chosen by what its columns hold."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from structron.tasks.parsing.features.column_information import Told, told
from structron.tasks.parsing.features.templates import COLUMNS

_EMPTY = "_"
_XPOS, _FEATS, _LEMMA = (COLUMNS[name] for name in "xml")

# FEATS on fewer words, or lemmas that differ from the word in lower case on fewer, are as good as none.
_SOME = 0.05
# Where both tell as much to within this share of the bits, FEATS are taken. Tags that hold all of the
# morphology, of which there are hundreds, tell less than they seem to in templates of two and three words: on
# Czech, with 304 of them, FEATS were two points of LAS better, and on Arabic, with 207, 1.7 points.
_LEVEL, _LEVEL_OF_MANY = 0.02, 0.1
_MANY_TAGS = 120
_CUT, _FAST_CUT, _SMALL = 4, 3, 30_000
_GRAPH_CUT = 2


class ColumnFigures(NamedTuple):
    """What the columns of a treebank hold; shares are of all words.

    Attributes
    ----------
    words
        How many there are.
    told
        What UPOS, XPOS and FEATS tell of the relations.
    fine_tags
        How many values XPOS has.
    features, lemmas, own_lemmas
        The share of words that have FEATS, a lemma, and a lemma that is not the word in lower case.
    """

    words: int
    told: Told
    fine_tags: int = 0
    features: float = 0.0
    lemmas: float = 0.0
    own_lemmas: float = 0.0

    @classmethod
    def of(cls, sentences: Sequence[Sequence[Sequence[str]]], trees: Iterable[Any]) -> ColumnFigures:
        """Count what sentences hold, whose words are tuples in the order of `COLUMNS`."""
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
        return cls(words, told(sentences, trees), len(fine - {_EMPTY}), *shares)


def suited_preset(figures: ColumnFigures, system: str, family: str = "") -> str:
    """The name of the template set that is best for such columns, of those that read words, tags and all.

    Parameters
    ----------
    family
        Which sets: ``rich`` and ``fast`` are over states, ``graph`` and ``graph_fast`` over parts of trees.

    Examples
    --------
    >>> suited_preset(ColumnFigures(200_000, Told(0.91, 0.78, 0.84), 49, 0.68, 1.0, 0.24), "arc-standard")
    'rich'
    >>> suited_preset(ColumnFigures(20_000, Told(1.1, 1.1, 1.1)), "graph")
    'graph_tags'
    """
    if system == "arc-eager":
        return "zhang_nivre"
    family = family or ("graph" if system == "graph" else "rich")
    told, many = figures.told, figures.fine_tags > _MANY_TAGS
    level = _LEVEL_OF_MANY if many else _LEVEL
    by_case = told.case < told.tags and told.case <= told.fine * (1 + level)
    if by_case or (figures.features >= _SOME and figures.lemmas and told.fine >= told.tags):
        return f"{family}_case" if figures.lemmas else f"{family}_case_forms"
    if told.fine < told.tags:
        if figures.lemmas and figures.features >= _SOME:
            return family
        without = "" if family == "fast" else "_lemmas"  # which looks at no FEATS
        return f"{family}{without}" if figures.own_lemmas >= _SOME else f"{family}_forms"
    return f"{family}_tags"


def other_presets(figures: ColumnFigures, system: str, family: str) -> list[str]:
    """The other sets that read no empty column, those for more columns first: for trials."""
    if system == "arc-eager":
        return []
    fine, case = figures.told.fine < figures.told.tags, figures.features >= _SOME
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
    """How often a feature must be seen to be kept.

    Four times: from some 40,000 words on this is as accurate as keeping all, with a fraction of the memory.
    On 14,000 words it cost three points of LAS, on 20,000 half a point. Parts of trees are seen less often
    than states: there features seen twice are kept. (EWT, dev part, four epochs: LAS 88.0 with these, 87.8
    with features seen three times and a pruner that left somewhat less; one run each.) The few templates of
    the fast sets are cut at three.
    """
    if figures.words < _SMALL:
        return 0
    return _GRAPH_CUT if system == "graph" else _FAST_CUT if fast else _CUT
