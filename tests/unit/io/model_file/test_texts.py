"""Lists of texts in arrays of a model file: what comes back is what was given, and nothing is trusted."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from structron import ModelError
from structron.engine.texts import pack_sequences, pack_texts, unpack_sequences, unpack_texts

texts = st.text(st.characters(exclude_categories=["Cs"]), max_size=6)


@given(st.lists(texts))
def test_texts_come_back(given: list[str]) -> None:
    assert unpack_texts(pack_texts("t", given), "t") == given


@given(st.lists(st.lists(texts, max_size=5)))
def test_sequences_come_back(given: list[list[str]]) -> None:
    assert unpack_sequences(pack_sequences("t", given), "t") == [tuple(each) for each in given]


def test_numbers_are_as_narrow_as_they_can_be() -> None:
    def kinds(n: int) -> list[Any]:
        arrays = pack_sequences("t", [[str(i) for i in range(n)], ["0"]])
        return [arrays[f"t.{name}"].dtype for name in ("numbers", "lengths")]

    assert kinds(256) == [np.uint8, np.uint16]
    assert kinds(65_536) == [np.uint16, np.uint32]
    assert kinds(65_537) == [np.uint32, np.uint32]


def test_half_of_a_surrogate_pair_is_refused() -> None:
    with pytest.raises(UnicodeEncodeError):
        pack_texts("t", ["\ud800"])


GOOD = pack_sequences("t", [["ä", "b"], [], ["b"]])


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"t.lengths": np.array([2, 0, 2], np.uint8)}, "the lengths of its t do not fit"),
        ({"t.lengths": np.array([2, 0], np.uint8)}, "the lengths of its t do not fit"),
        ({"t.lengths": np.array([2**32 - 1] * 3, np.uint32)}, "the lengths of its t do not fit"),
        ({"t.lengths": np.array([2.0, 0, 1])}, "its array 't.lengths' is missing or of the wrong kind"),
        ({"t.lengths": np.array([[2, 0, 1]], np.uint8)}, "its array 't.lengths' is missing or of the wrong"),
        ({"t.numbers": np.array([0, 2, 1], np.uint8)}, "its t have texts that are not there"),
        ({"t.numbers": np.array([0, -1, 1], np.int8)}, "its array 't.numbers' is missing or of the wrong"),
        ({"t.texts.lengths": np.array([1, 1], np.uint8)}, r"the lengths of its t\.texts do not fit"),
        ({"t.texts.lengths": np.array([2, 1], np.uint8)}, r"its t\.texts are not UTF-8"),
        ({"t.texts.utf8": np.array([200, 0, 0], np.uint8)}, r"its t\.texts are not UTF-8"),
    ],
)
def test_what_does_not_fit_is_told_in_words(change: dict[str, Any], said: str) -> None:
    with pytest.raises(ModelError, match=said):
        unpack_sequences(GOOD | change, "t")


@pytest.mark.parametrize("name", sorted(GOOD))
def test_an_array_that_is_missing_is_told_in_words(name: str) -> None:
    with pytest.raises(ModelError, match=f"its array '{name}' is missing"):
        unpack_sequences({n: array for n, array in GOOD.items() if n != name}, "t")
