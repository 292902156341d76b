"""Columns that differ between a development set and the training data, or that it lacks.

Such a column teaches nothing about the words of the development set. In the dev part of UD Vietnamese-VTB,
XPOS are *DET*, in its training part *Det*.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import replace

from structron.errors import warn
from structron.fit.data.examples import Examples
from structron.tasks.parsing.features.choice import ColumnFigures
from structron.tasks.parsing.features.sets import columns_seen
from structron.tasks.parsing.features.templates import COLUMNS
from structron.tasks.parsing.inputs import EMPTY, Sentences
from structron.tasks.parsing.settings import ParsingRecipe, parsing_templates

_TAGS, _XPOS, _FEATS, _LEMMA = (COLUMNS[name] for name in "txml")
_OTHER = 0.2  # a larger share of unseen tags cannot be rare tags: they are written in another way


def without_mismatched(
    recipe: ParsingRecipe, given: Examples[Sentences], held_out: Sentences
) -> Examples[Sentences]:
    """Return the training data, without the columns that ``auto`` would read but that do not match."""
    if recipe.templates != "auto" or recipe.folds:  # with folds, the parser tags both
        return given
    mismatched = _mismatched(given.source, held_out, (_XPOS, _FEATS, _LEMMA))
    if not mismatched:
        return given
    usual = recipe.suited(ColumnFigures.of(given.xs, given.ys))
    read = mismatched.keys() & columns_seen(parsing_templates(usual), usual.system)
    if not read:
        return given
    tokens = [
        [tuple(EMPTY if i in mismatched else value for i, value in enumerate(token)) for token in sentence]
        for sentence in given.source.tokens
    ]
    said = " and ".join(mismatched[index] for index in sorted(read))
    warn(
        f"{said}, so auto does not take templates {usual.templates}, which read it; write both in one way, "
        "or choose templates by name"
    )
    return replace(given, xs=tokens, source=replace(given.source, tokens=tokens))


def warn_of_mismatched(recipe: ParsingRecipe, train: Sentences, held_out: Sentences) -> None:
    """Warn of mismatched columns that the templates of a recipe read."""
    if recipe.folds:
        return
    for said in _mismatched(train, held_out, columns_seen(parsing_templates(recipe), recipe.system)).values():
        warn(f"{said}; write both in one way, or choose templates that do not read them")


def _mismatched(train: Sentences, held_out: Sentences, columns: Iterable[int]) -> dict[int, str]:
    """Return the mismatched columns, with a description of each."""
    width = min(len(train.names), len(held_out.names))
    found = {index: _difference(train, held_out, index) for index in sorted(columns) if 0 < index < width}
    return {index: said for index, said in found.items() if said}


def _difference(train: Sentences, held_out: Sentences, index: int) -> str:
    """Describe how a column differs; return an empty text if it matches."""
    name = train.names[index]
    if held_out.is_empty(index) and train.share(index) > _OTHER:
        return f"{name} is empty in the development set but not in training data"
    if index not in (_TAGS, _XPOS, _FEATS):  # many lemmas are new in any case
        return ""
    known = {part for tags in train.column(index) for tag in set(tags) for part in _parts(tag, index)}
    found = Counter(tag for tags in held_out.column(index) for tag in tags)
    strange = Counter({tag: n for tag, n in found.items() if not known.issuperset(_parts(tag, index))})
    if strange.total() <= _OTHER * found.total():
        return ""
    listed = ", ".join(tag for tag, _ in strange.most_common(3))
    share = 100 * strange.total() / found.total()
    return f"{share:.0f} % of {name} in the development set, such as {listed}, are in no training data"


def _parts(value: str, index: int) -> list[str]:
    """Split FEATS, whose combinations may be new."""
    return value.split("|") if index == _FEATS else [value]
