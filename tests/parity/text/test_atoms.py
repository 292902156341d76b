"""What templates see is the same in Python and in the engine, character for character."""

from __future__ import annotations

import unicodedata

from hypothesis import given
from hypothesis import strategies as st

from structron import _core
from structron.features.atoms import AFFIXES, ASPECTS, FEATURE, aspect, feature_name
from structron.features.keys import combine, fold, hash_bytes


def assigned(char: str) -> bool:
    # Characters newer than the engine's table may be unknown to it.
    return unicodedata.category(char) not in ("Cn", "Cs", "Co")


words = st.text(st.characters(exclude_categories=("Cs", "Cn", "Co")), max_size=12) | st.text(
    "aAbB1-.'éÉßǅİ中٣", max_size=10
)


@given(st.binary(max_size=40))
def test_hashes_are_equal(data: bytes) -> None:
    assert _core.hash_bytes(data) == hash_bytes(data)


@given(st.integers(0, 2**64 - 1), st.integers(0, 2**64 - 1))
def test_mixing_is_equal(a: int, b: int) -> None:
    assert _core.combine(a, b) == combine(a, b)


@given(st.integers(0, 2**64 - 1), st.integers(1, 32))
def test_folding_leaves_few_keys(key: int, bits: int) -> None:
    assert fold(key, bits) == fold(key % 2**bits, bits) and fold(key, 0) == key


@given(words, st.sampled_from(sorted(ASPECTS)), st.integers(1, 6))
def test_aspects_are_equal(word: str, what: str, length: int) -> None:
    assert _core.aspect(ASPECTS[what], length, word) == aspect(what, length if what in AFFIXES else 0, word)


@given(st.text("AB=|é_", max_size=12), st.sampled_from(["A", "B", "AB", "é", ""]))
def test_features_are_equal(features: str, name: str) -> None:
    number = feature_name(name)
    found = aspect("feature", number, features)
    assert _core.aspect(FEATURE, number, features) == found
    values = [part.split("=", 1)[1] for part in features.split("|") if part.startswith(f"{name}=")]
    assert found == (hash_bytes(values[0].encode()) if values else 0)


def test_every_character_has_the_same_class_and_lower_case() -> None:
    for code in range(0x30000):
        char = chr(code)
        if assigned(char):
            for what in ("lower", "class", "shape"):
                assert _core.aspect(ASPECTS[what], 0, char) == aspect(what, 0, char), hex(code)
