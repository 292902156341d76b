"""Completion of partly known trees, so that parsers learn from whole ones.

A chart learns from the arcs that are known: each is a decision of its own. Transitions are not: where heads
are unknown, the best derivation that agrees is whatever the first updates happened to favour, and the more it
is learned, the better it looks. Trained so on half of the heads, they hardly learn to parse. Charts gain from
completed trees, too.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from structron import _core
from structron.engine.texts import pack_sequences, unpack_sequences
from structron.errors import ModelError
from structron.fit.data.examples import Examples
from structron.fit.estimator import AnyEstimator
from structron.fit.schedules.hooks import stage_of
from structron.fit.schedules.schedule import Stage
from structron.io.files.step_cache import CachedStep, cached_step
from structron.io.values.trees import PartialTree, Tree, find_fault
from structron.model import Model
from structron.tasks.parsing.features.sets import GRAPH
from structron.tasks.parsing.problem import ParsingProblem
from structron.tasks.parsing.settings import ParsingRecipe
from structron.tasks.parsing.trees.partial import is_partial, without_crossing
from structron.tasks.parsing.trees.projectivity import MARK

EPOCHS = 3


def completed(
    make: type[AnyEstimator],
    recipe: ParsingRecipe,
    examples: Examples[Any],
    stage: Stage | None = None,
    *,
    one_root: bool,
    labelled: bool,
) -> list[Any]:
    """Return the trees with what a chart finds in place of what is not known.

    What is known stays, crossing arcs too, unless it makes no tree with what was found.

    Parameters
    ----------
    make
        The estimator.
    recipe
        The recipe of the parser that will learn from the trees.
    """
    xs, trees = examples.xs, examples.ys
    shared = {name: getattr(recipe, name) for name in ("seed", "clusters", "text")}
    roots = "one" if one_root else "many"
    kept = cached_step(
        "trees", sorted(map(repr, shared.items())), roots, labelled, list(xs), list(map(tuple, trees))
    )
    holes = [i for i, tree in enumerate(trees) if is_partial(tree)]
    found = _kept_trees(kept, len(holes))
    if found is None:
        parser = _chart(make)(
            system=GRAPH, epochs=EPOCHS, partial=True, roots=roots, labelled=labelled, trials=0, **shared
        )
        parser.fit(xs, trees, progress=stage_of(stage, "completing trees", EPOCHS))
        given = [without_crossing(trees[i]) for i in holes]
        found = parser.predict([xs[i] for i in holes], given=given)
        columns = {"heads": [[*map(str, heads)] for heads, _ in found], "labels": [own for _, own in found]}
        kept.keep(
            {"is": "trees"},
            pack_sequences("heads", columns["heads"]) | pack_sequences("labels", columns["labels"]),
        )
    whole = list(trees)
    for i, tree in zip(holes, found):
        whole[i] = _with_known(tree, trees[i], one_root=one_root)
    return whole


class KnownArcs(ParsingProblem):
    """Sentences with partly known trees, of which a chart learns what is known."""

    completes = False


def _chart(make: type[AnyEstimator]) -> Callable[..., AnyEstimator]:
    """Return the estimator without the step that completes trees."""
    return type("Chart", (make,), {"problem_type": KnownArcs})


def completed_by(model: Model[Any], xs: Sequence[Any], trees: Sequence[Any], *, one_root: bool) -> list[Any]:
    """Return the trees with what a parser finds, for a later batch that it will learn."""
    known = {label.partition(MARK)[0] for label in model.task.labels}
    holes = [i for i, tree in enumerate(trees) if is_partial(tree)]
    given: list[Any] = []
    for i in holes:
        heads, labels = without_crossing(trees[i])
        parts = heads, [label if label in known else None for label in labels]
        given.append(_core.Restricted(xs[i], parts))
    whole = list(trees)
    for i, found in zip(holes, model.predict(given)):
        whole[i] = _with_known(Tree(*found), trees[i], one_root=one_root)
    return whole


def _with_known(found: Tree, known: PartialTree, *, one_root: bool) -> Tree:
    """Return a tree with all that is known, or as it was found if that is no tree."""
    heads = [guess if own is None else own for own, guess in zip(known[0], found.heads)]
    labels = [guess if own is None else own for own, guess in zip(known[1], found.labels)]
    return found if find_fault(heads, one_root=one_root) else Tree(heads, labels)


def _kept_trees(kept: CachedStep, count: int) -> list[Tree] | None:
    """Return the trees of a training that was interrupted later; None if there are none."""
    if not kept.header:
        return None
    try:
        heads, labels = (unpack_sequences(kept.arrays, name) for name in ("heads", "labels"))
        found = [Tree([*map(int, own)], list(named)) for own, named in zip(heads, labels, strict=True)]
    except (KeyError, TypeError, ValueError, ModelError) as error:
        raise kept.refused(error) from None
    if len(found) != count:
        raise kept.refused("there are other trees")
    return found
