"""Statistics of a treebank: the columns to read, their taggers, and the trees with crossing arcs."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING

from structron.errors import warn
from structron.fit.data.examples import Examples
from structron.fit.schedules.schedule import Stage
from structron.io.values.trees import Tree
from structron.registry import estimator_of
from structron.tasks.parsing.features.sets import columns_seen
from structron.tasks.parsing.features.templates import COLUMNS
from structron.tasks.parsing.fitting.jackknife import jackknife
from structron.tasks.parsing.inputs import Sentences
from structron.tasks.parsing.settings import ParsingRecipe, parsing_templates
from structron.tasks.parsing.trees.projectivity import is_projective
from structron.tasks.parsing.view import View

if TYPE_CHECKING:
    from structron.tasks.tagging import Tagger

TAGGER_EPOCHS = 8
_XPOS, _FEATS = COLUMNS["x"], COLUMNS["m"]
_FEW = 0.05  # of all words


def settle_columns(
    recipe: ParsingRecipe, sentences: Sentences, chosen: str, threads: int, stage: Stage | None
) -> tuple[View, Sentences]:
    """Settle which columns are read, and train taggers for them if the recipe asks for it.

    Taggers that have not seen the training data tag them; the taggers for new text stay in the view.

    Parameters
    ----------
    chosen
        The name of the templates, for messages.
    """
    used = columns_seen(parsing_templates(recipe), recipe.system)
    read = max(used, default=0) + 1
    names = sentences.names[:read]
    given = sentences.narrowed(len(names) if not any(sentences.tokens) else read)
    empty = {index for index in used if given.is_empty(index)}
    if empty:
        listed = " and ".join(names[index] for index in sorted(empty))
        warn(
            f"templates {chosen} read {listed}, but that is empty in all training data; "
            "choose others, or auto"
        )
    elif _FEATS in used and _XPOS not in used and (share := given.share(_FEATS)) < _FEW:
        warn(
            f"templates {chosen} read cases from {names[_FEATS]}, which {100 * share:.1f} % of words have; "
            "choose others, or auto"
        )
    if not recipe.folds:
        return View(names), given
    columns, taggers = {}, {}
    for index in sorted(used - empty - {0}):

        def make() -> Tagger:
            tagging: type[Tagger] = estimator_of("tagging")
            return tagging(seed=recipe.seed, epochs=TAGGER_EPOCHS, constraints=None, threads=threads)

        tags, tagger = jackknife(
            make, given.words(), given.column(index), recipe.folds, stage, f"tagger {names[index]}"
        )
        columns[names[index]], taggers[names[index]] = tags, tagger.model_
    return View(names, taggers), given.with_columns(columns, names)


def crossing_trees(trees: Sequence[Tree]) -> set[int]:
    """Return the numbers of the trees with crossing arcs."""
    return {i for i, tree in enumerate(trees) if not is_projective(tree.heads)}


def without_crossing(
    given: Examples[Sentences], seen: Sentences, recipe: ParsingRecipe, crossing: Collection[int]
) -> Examples[Sentences] | None:
    """Return the examples without crossing arcs if the recipe leaves them out, else None."""
    if not crossing or recipe.builds_crossing or recipe.crossing != "leave-out":
        return None
    left = [i for i in range(len(given.ys)) if i not in crossing]
    xs, ys = [seen.tokens[i] for i in left], [given.ys[i] for i in left]
    return Examples(xs, ys, seen, lambda i: seen.place(left[i]))
