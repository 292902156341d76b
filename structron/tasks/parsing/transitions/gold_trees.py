"""Gold trees as a transition system builds them: lifted once, however often they are asked for."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence
from typing import NamedTuple

from structron.tasks.parsing.trees.projectivity import MARK, is_projective, lift

Tree = tuple[Sequence[int], Sequence[str]]
AS_IT_IS = ("build", "refuse")  # what is done with crossing arcs, where nothing is lifted
_WORDS_PER_MARK = 20_000


class BuiltTree(NamedTuple):
    """A tree that a system can learn as it is: nothing in it needs lifting any more."""

    heads: Sequence[int]
    labels: Sequence[str]


def projected(tree: Tree, system: str, crossing: str) -> Tree:
    """A tree as a system learns it."""
    if isinstance(tree, BuiltTree) or system == "swap" or crossing in AS_IT_IS or is_projective(tree[0]):
        return tree
    return lift(tree, mark=crossing == "pseudo")


def as_built(
    trees: Sequence[Tree], system: str, crossing: str, crossed: Collection[int] | None = None
) -> list[BuiltTree]:
    """Training trees as a system learns them; of the marks of lifted arcs only those that are usual.

    Parameters
    ----------
    crossed
        Which of them have crossing arcs, if that is known already.
    """
    if crossed is None:
        built = [projected(tree, system, crossing) for tree in trees]
    else:
        lifts = system != "swap" and crossing not in AS_IT_IS
        marks = crossing == "pseudo"
        built = [lift(tree, marks) if lifts and i in crossed else tree for i, tree in enumerate(trees)]
    times = Counter(label for _, labels in built for label in labels)
    # A mark seen a few times in a large treebank is not learned, but makes every score dearer.
    least = times.total() / _WORDS_PER_MARK
    usual = {label for label, n in times.items() if n >= least}
    return [BuiltTree(*without_marks(tree, usual)) for tree in built]


def without_marks(tree: Tree, known: Collection[str]) -> Tree:
    """The tree without the marks of lifted arcs that are not among the known relations."""
    heads, labels = tree
    if all(MARK not in label or label in known for label in labels):
        return tree
    return heads, [label if label in known else label.partition(MARK)[0] for label in labels]
