"""Texts are cut the same way in Python and in the engine, whatever is in them."""

from __future__ import annotations

import sys
import unicodedata
from itertools import product

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from structron import Segmenter, _core
from structron.search import parse_search
from structron.tasks.segmentation.boundaries import Boundary, tokens_of
from structron.tasks.segmentation.known_tokens import KnownTokens, look_up
from structron.tasks.segmentation.units import CLASSES, Unit, cut, word
from structron.tasks.task import engine_search


def assigned(char: str) -> bool:
    # Characters newer than the engine's table may be unknown to it.
    return unicodedata.category(char) != "Cn"


# Letters of several scripts, digits, marks, blanks of all kinds, accents, joiners, half a surrogate pair.
CHARS = "aB c1.'-\n\t\u00a0\u3000中国ab\u0301\u200d\x00\x1c\ud800שלום٣😀"
texts = st.text(CHARS, max_size=40) | st.text(
    st.characters(exclude_categories=("Cn",)) | st.characters(categories=("Cs",)), max_size=30
)
ways = st.sampled_from(
    [tuple(c for c, on in zip(CLASSES, chosen) if on) for chosen in product([0, 1], repeat=3)]
)


def flags_of(alone: tuple[str, ...]) -> tuple[bool, bool, bool]:
    letters, others, digits = (name in alone for name in CLASSES)
    return letters, others, digits


@given(texts, ways)
def test_units_are_equal(text: str, alone: tuple[str, ...]) -> None:
    found = _core.UnitCutter(flags_of(alone), *KnownTokens.empty()).units(text)
    assert found == [(u.begin, u.end, (word(text, u),)) for u in cut(text, alone)]


def test_every_character_is_of_the_same_class() -> None:
    step = 101  # the first plane whole, and a sample of the others
    codes = [*range(0x10000), *range(0x10000, sys.maxunicode + 1, step)]
    text = "".join(f"a{c}1" for c in map(chr, codes) if assigned(c))
    assert [u[:2] for u in _core.UnitCutter((False, False, False), *KnownTokens.empty()).units(text)] == [
        u[:2] for u in cut(text)
    ]


@given(texts, st.lists(texts, max_size=6), ways)
def test_known_tokens_are_equal(text: str, others: list[str], alone: tuple[str, ...]) -> None:
    pieces = [(each, cut(each, alone)) for each in [*others, text[3:9]]]
    known = KnownTokens.observed(pieces)
    units = cut(text, alone)
    found = _core.UnitCutter(flags_of(alone), *known).units(text)
    if len(known.keys):
        said = look_up(known, text, units)
        assert found == [(u.begin, u.end, (word(text, u), s)) for u, s in zip(units, said)]
    assert np.all(np.diff(np.asarray(known.keys, object)) > 0)


@given(texts, st.lists(texts, max_size=3), ways, st.data())
def test_tokens_of_the_text_itself_count_less_in_both(
    text: str, others: list[str], alone: tuple[str, ...], data: st.DataObject
) -> None:
    units = cut(text, alone)
    lengths = [data.draw(st.integers(0, 4)) for _ in units]
    less = data.draw(st.integers(0, 2))
    own = {(i, length): less for i, length in enumerate(lengths) if length}
    parts = [text[u.begin : v.end] for u, v in zip(units, units[2:])]
    known = KnownTokens.observed([(each, cut(each, alone)) for each in [*others, *parts, *parts[:3]]])
    if len(known.keys):
        said = look_up(known, text, units, own)
        found = _core.UnitCutter(flags_of(alone), *known).units(text, lengths, less)
        assert found == [(u.begin, u.end, (word(text, u), s)) for u, s in zip(units, said)]


X = ["Go on. Don't stop 3pm!", "I cannot. Go 中国人", "Stop 中人."]
Y = [
    [["Go", "on", "."], ["Do", "n't", "stop", "3", "pm", "!"]],
    [["I", "can", "not", "."], ["Go", "中国", "人"]],
    [["Stop", "中", "人", "."]],
]


@given(st.lists(texts, max_size=5), st.sampled_from(["greedy", "beam:3", "exact"]), st.booleans())
def test_predictions_are_those_of_the_tagger_on_units(xs: list[str], search: str, ends: bool) -> None:
    task = MODELS[ends].model_.task
    engine = MODELS[ends].model_.engine
    how = engine_search(parse_search(search))
    for text, (begins, stops, flags) in zip(xs, engine.predict(xs, how)):
        units = task.units(text)
        labels = engine._tagger.predict([[columns for _, _, columns in units]], how)[0]
        pieces = [Unit(begin, end, False) for begin, end, _ in units]
        tokens = tokens_of(pieces, [Boundary.parse(label) for label in labels])
        assert tokens == list(zip(begins.tolist(), stops.tolist(), flags.tolist()))


MODELS = [
    Segmenter(epochs=3, inner=1, dictionary=1, units="runs", ends=ends).fit(X, Y) for ends in ("no", "yes")
]
