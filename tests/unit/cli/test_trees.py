"""Drawn trees: arcs that can be followed, at any width, with or without Unicode, and SVG that is XML."""

import xml.etree.ElementTree as ElementTree

import click
import numpy as np
import pytest

from structron.cli.draw.trees import cells, draw_tree, tree_svg
from structron.synthetic import Tree, generate_treebank

WORDS = ["I", "saw", "the", "man", "yesterday", "that", "slept"]
TAGS = ["PRON", "VERB", "DET", "NOUN", "ADV", "PRON", "VERB"]
GUESS = ([2, 0, 4, 2, 2, 7, 4], ["nsubj", "root", "det", "obj", "advmod", "nsubj", "acl:relcl"])
GOLD = ([2, 0, 4, 2, 2, 7, 2], ["nsubj", "root", "det", "obj", "advmod", "obj", "ccomp"])


def lines(*arguments: object, **options: object) -> list[str]:
    return [click.unstyle(line) for line in draw_tree(*arguments, **options)]  # type: ignore[arg-type]


def flat(tree: Tree) -> tuple[list[int], list[str]]:
    """The same words, all of them on the root."""
    root = tree.heads.index(0) + 1
    return [0 if head == 0 else root for head in tree.heads], list(tree.labels)


def test_a_crossing_arc_passes_without_a_joint() -> None:
    assert lines(WORDS, GUESS) == [
        "╭────── I          nsubj",
        "┼────── saw        root",
        "│ ╭──── the        det",
        "├─┼──── man        obj",
        "╰─│──── yesterday  advmod",
        "  │ ╭── that       nsubj",
        "  ╰─┴── slept      acl:relcl",
    ]


def test_what_differs_from_gold_says_so() -> None:
    drawn = lines(WORDS, GUESS, tags=TAGS, gold=GOLD)
    assert drawn[5].endswith("PRON  nsubj  ✗ gold: obj of slept")
    assert drawn[6].endswith("VERB  acl:relcl  ✗ gold: ccomp of saw")
    assert not any("gold" in line for line in drawn[:5])
    assert lines(["Go"], ([0], ["dep"]), gold=([0], ["root"])) == ["─── Go  dep  ✗ gold: root, the root"]


@pytest.mark.parametrize("width", [20, 40, 80])
@pytest.mark.parametrize("plain", [False, True])
def test_no_line_is_longer_than_the_terminal(width: int, plain: bool) -> None:
    for tree in generate_treebank(30, np.random.default_rng(5)):
        options = {"tags": tree.tags, "gold": flat(tree), "width": width, "plain": plain}
        drawn = lines(tree.words, (tree.heads, tree.labels), **options)
        assert len(drawn) == len(tree)
        assert max(map(len, drawn)) <= width
        assert not plain or all(line.isascii() for line in drawn)


def test_arcs_can_be_followed_back_to_the_heads() -> None:
    for tree in generate_treebank(40, np.random.default_rng(8)):
        drawn = lines(tree.words, (tree.heads, tree.labels), width=400)
        assert [_head_in(drawn, word) for word in range(1, len(tree) + 1)] == list(tree.heads)


def _head_in(drawn: list[str], word: int) -> int:
    """Follow the leftmost line of a row up or down to the row whose own line goes through that column."""
    up, down, left = set("╵│╯┤╰├┴┼"), set("╷│╮┤╭├┬┼"), set("╯╮┤╴─┴┬┼")
    row = word - 1
    column = len(drawn[row]) - len(drawn[row].lstrip(" │"))
    start = drawn[row][column]
    if start in "─┼┴┬":  # the line comes from the edge: the root
        return 0
    for step, along in ((-1, up), (1, down)):
        at = row
        while drawn[at][column] in along and 0 <= at + step < len(drawn):
            at += step
            if drawn[at][column] in left:
                return at + 1
    raise AssertionError(f"no head for word {word}")


def test_wide_characters_stay_aligned() -> None:
    drawn = lines(["日本", "は"], ([0, 1], ["root", "case"]))
    assert drawn == ["┬── 日本  root", "╰── は    case"]


def test_svg_is_xml_with_every_word_and_relation() -> None:
    words = ["<b>", "&", '"q"', "a\x00b"]
    drawn = tree_svg(words, ([0, 1, 1, 3], ["root", "a&b", "c<d", "e"]), tags=["<", ">", "&", "x"])
    root = ElementTree.fromstring(drawn)
    texts = [element.text for element in root.iter("{http://www.w3.org/2000/svg}text")]
    assert {"<b>", "&", '"q"', "a\ufffdb", "root", "a&b", "c<d", "e"} <= set(texts)


def test_svg_colours_gold_only_where_it_differs() -> None:
    alike = tree_svg(WORDS, GUESS, gold=GUESS)
    assert "#c62828" not in alike and "#1565c0" not in alike
    apart = tree_svg(WORDS, GUESS, gold=GOLD)
    assert apart.count('stroke="#c62828"') == apart.count('stroke="#1565c0"') == 2
    assert apart.count("stroke-dasharray") == 2


def test_svg_arcs_stay_in_the_picture() -> None:
    for tree in generate_treebank(20, np.random.default_rng(2)):
        root = ElementTree.fromstring(tree_svg(tree.words, (tree.heads, tree.labels)))
        height, width = float(root.attrib["height"]), float(root.attrib["width"])
        for element in root.iter("{http://www.w3.org/2000/svg}text"):
            assert 0 < float(element.attrib["x"]) < width and 5 < float(element.attrib["y"]) < height


def test_spans_are_bracketed_at_the_right_in_one_column_and_lines_stay_within_the_width() -> None:
    words, tree = (
        ["John", "見た人", "saw", "Rome", "."],
        ([3, 1, 0, 3, 3], ["nsubj", "flat", "root", "obj", "punct"]),
    )
    spans = [(0, 2, "PERSON"), (3, 4, "PLACE")]
    for width, plain in ((80, False), (40, False), (40, True)):
        lines = [
            click.unstyle(line) for line in draw_tree(words, tree, spans=spans, width=width, plain=plain)
        ]
        assert all(cells(line) <= width for line in lines)
        first, second, third, fourth, _ = lines
        assert first.endswith("PERSON") and fourth.endswith("PLACE") and third.endswith("root")
        place = cells(first) - len("PERSON") - 2
        assert cells(second) == place + 1 and cells(fourth) - len("PLACE") - 2 == place
    assert list(draw_tree(["a", "dog"], ([], []), tags=["DET", "NOUN"])) == ["a    DET", "dog  NOUN"]
    picture = tree_svg(words, tree, spans=spans)
    assert picture.count(">PERSON<") == picture.count(">PLACE<") == 1
