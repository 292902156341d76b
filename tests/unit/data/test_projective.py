"""Lifting leaves a projective tree and changes nothing else; the labels lead back."""

from hypothesis import given
from hypothesis import strategies as st

from structron.data.projective import LIFTED, lifted, lowered
from structron.data.trees import Tree, find_fault, is_projective


@st.composite
def trees(draw: st.DrawFn) -> Tree:
    """Any tree with one root: each word, in a random order, hangs on one that is already in."""
    order = draw(st.permutations(range(1, draw(st.integers(1, 8)) + 1)))
    heads = [0] * len(order)
    for rank, word in enumerate(order[1:], 1):
        heads[word - 1] = order[draw(st.integers(0, rank - 1))]
    return Tree(heads, [draw(st.sampled_from("abcd")) for _ in heads])


@given(trees())
def test_lifted_trees_are_projective_trees(tree: Tree) -> None:
    assert find_fault(tree.heads) is None
    for encoded in (False, True):
        projective = lifted(tree, encoded=encoded)
        assert is_projective(projective.heads) and find_fault(projective.heads) is None
        moved = [i for i, (a, b) in enumerate(zip(tree.heads, projective.heads)) if a != b]
        marked = [i for i, label in enumerate(projective.labels) if LIFTED in label]
        assert marked == (moved if encoded else [])
        assert is_projective(tree.heads) == (moved == [])
        assert lowered(projective).labels == tree.labels


@given(trees())
def test_what_comes_back_is_always_a_tree(tree: Tree) -> None:
    assert find_fault(lowered(lifted(tree, encoded=True)).heads) is None


@given(trees(), st.data())
def test_labels_that_a_parser_made_up_give_a_tree_too(tree: Tree, data: st.DataObject) -> None:
    strange = [data.draw(st.sampled_from(["a", "b↑a", "c↑b", "↑", "a↑"])) for _ in tree.heads]
    assert find_fault(lowered((tree.heads, strange)).heads) is None


@given(trees())
def test_distinct_relations_always_lead_back(tree: Tree) -> None:
    named = Tree(tree.heads, [f"r{i}" for i in range(len(tree.heads))])
    assert lowered(lifted(named, encoded=True)) == named


def test_nothing_changes_where_nothing_crosses() -> None:
    tree = Tree([2, 0, 2], ["a", "b", "c"])
    assert lifted(tree, encoded=True) == lowered(tree) == tree
