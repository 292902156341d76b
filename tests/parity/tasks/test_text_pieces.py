"""Pieces that are never cut, habits of words, and lines: the engine finds what the definition says."""

from __future__ import annotations

from array import array

from hypothesis import given
from hypothesis import strategies as st

from structron import _core
from structron.segments.boundaries import duties
from structron.segments.solid import solid_duties
from structron.segments.units import cut
from structron.tasks.segmentation.units.habits import Habits, describe, line_marks, pair_key, word_key
from tests.parity.tasks.test_segmentation import texts

PARTS = (
    *(
        "http",
        "HTTPS",
        "://",
        "www",
        ".",
        ",",
        ":",
        "@",
        "#",
        "_",
        "-",
        "/",
        "(",
        ")",
        "<",
        ">",
        '"',
        "'",
        "&",
    ),
    *(";", "amp", "lt", "eacute", "x"),
    *("a", "Bc", "com", "e", "E", "+", "1", "23", " ", " ", "\n", "é", "中", "\u0301", "\u200d", "\ufe0f"),
    *("\U0001f1e6", "\U0001f1e7", "\U0001f3fb", "\U0001f468", "\u2764", "\u2212", "\u2019", "\x00", "\ud800"),
)
made = st.lists(st.sampled_from(PARTS), max_size=24).map("".join)


@given(made | texts, st.integers(0, 511), st.booleans())
def test_duties_are_equal(text: str, kinds: int, spaces: bool) -> None:
    units = cut(text)
    cutter = _core.UnitCutter((False, False, False), array("Q"), b"", array("Q"), b"", kinds, 1)
    own = bytes(len(units)) if spaces else duties(units)
    expected = bytes(a | b for a, b in zip(own, solid_duties(text, units, kinds)))
    assert cutter.duties(text, spaces) == expected


@given(made | texts, st.lists(st.text("aB.c1é", min_size=1, max_size=4), max_size=5), st.data())
def test_habits_and_lines_are_equal(text: str, words: list[str], data: st.DataObject) -> None:
    keys = {word_key(word.lower()) for word in ["a", "bc", *words]} | {pair_key("a", "bc")}
    order = sorted(keys)
    values = bytes(data.draw(st.integers(0, 255)) for _ in order)
    habits = Habits(array("Q", order), values)
    cutter = _core.UnitCutter((False, False, False), array("Q"), b"", array("Q", order), values, 0, 4)
    units = cut(text)
    found = [columns[2:] for _, _, columns in cutter.units(text)]
    assert found == [*zip(describe(habits, text, units), line_marks(text, units))]
