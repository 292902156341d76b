"""Gold trees as a transition system builds them; each is lifted only once."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence
from typing import NamedTuple

from structron.tasks.parsing.trees.partial import is_partial, without_crossing
from structron.tasks.parsing.trees.projectivity import MARK, is_projective, lift

Tree = tuple[Sequence[int], Sequence[str]]
UNCHANGED = ("build", "refuse")  # the treatments of crossing arcs that lift nothing
_WORDS_PER_MARK = 20_000


class BuiltTree(NamedTuple):
    """A tree that a system can learn unchanged: nothing is left to lift."""

    heads: Sequence[int]
    labels: Sequence[str]


def projected(tree: Tree, system: str, crossing: str) -> Tree:
    """Return the tree that a system learns; of one that is known in part, arcs that cross are forgotten."""
    if is_partial(tree) and not isinstance(tree, BuiltTree):
        return tree if system == "swap" or crossing == "build" else without_crossing(tree)  # type: ignore[return-value]
    if isinstance(tree, BuiltTree) or system == "swap" or crossing in UNCHANGED or is_projective(tree[0]):
        return tree
    return lift(tree, mark=crossing == "pseudo")


def as_built(
    trees: Sequence[Tree], system: str, crossing: str, crossed: Collection[int] | None = None
) -> list[BuiltTree]:
    """Return training trees as a system learns them, with only the frequent marks of lifted arcs.

    Parameters
    ----------
    crossed
        The numbers of the trees with crossing arcs, if they are known already.
    """
    if crossed is None:
        built = [projected(tree, system, crossing) for tree in trees]
    else:
        lifts = system != "swap" and crossing not in UNCHANGED
        marks = crossing == "pseudo"
        lifted = [lifts and i in crossed and not is_partial(tree) for i, tree in enumerate(trees)]
        built = [lift(tree, marks) if up else projected(tree, system, crossing) if is_partial(tree) else tree
                 for tree, up in zip(trees, lifted)]  # fmt: skip
    times = Counter(label for _, labels in built for label in labels if label is not None)
    # A mark that is rare in a large treebank is not learned and only slows down scoring.
    least = times.total() / _WORDS_PER_MARK
    usual = {label for label, n in times.items() if n >= least}
    return [BuiltTree(*without_marks(tree, usual)) for tree in built]


def without_marks(tree: Tree, known: Collection[str]) -> Tree:
    """Remove the marks of lifted arcs that are not among the known relations."""
    heads, labels = tree
    if all(label is None or MARK not in label or label in known for label in labels):
        return tree
    return heads, [label if label is None or label in known else label.partition(MARK)[0] for label in labels]
