"""What templates see is the same in Python and in the engine, character for character."""

from __future__ import annotations

import unicodedata

from hypothesis import given
from hypothesis import strategies as st

from structron import _core
from structron.features.atoms import AFFIXES, FEATURE, LOOKS, feature_name, look
from structron.features.keys import fold, hash_bytes, mix


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
    assert _core.mix(a, b) == mix(a, b)


@given(st.integers(0, 2**64 - 1), st.integers(1, 32))
def test_folding_leaves_few_keys(key: int, bits: int) -> None:
    assert fold(key, bits) == fold(key % 2**bits, bits) and fold(key, 0) == key


@given(words, st.sampled_from(sorted(LOOKS)), st.integers(1, 6))
def test_looks_are_equal(word: str, what: str, length: int) -> None:
    assert _core.look(LOOKS[what], length, word) == look(what, length if what in AFFIXES else 0, word)


@given(st.text("AB=|é_", max_size=12), st.sampled_from(["A", "B", "AB", "é", ""]))
def test_features_are_equal(features: str, name: str) -> None:
    number = feature_name(name)
    found = look("feature", number, features)
    assert _core.look(FEATURE, number, features) == found
    values = [part.split("=", 1)[1] for part in features.split("|") if part.startswith(f"{name}=")]
    assert found == (hash_bytes(values[0].encode()) if values else 0)


def test_every_character_has_the_same_class_and_lower_case() -> None:
    for code in range(0x30000):
        char = chr(code)
        if assigned(char):
            for what in ("lower", "class", "shape"):
                assert _core.look(LOOKS[what], 0, char) == look(what, 0, char), hex(code)
