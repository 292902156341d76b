"""Arrays of model files in the engine: numbers made wide, and bytes that are seen as numbers."""

from __future__ import annotations

import gc
import math
from array import array
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from structron import _core


def test_every_half_is_the_float_that_numpy_makes_of_it() -> None:
    halves = np.arange(2**16, dtype=np.uint16).view(np.float16)
    with np.errstate(invalid="ignore"):  # some of what is not a number
        ours, theirs = np.asarray(_core.widened(halves)), halves.astype(np.float32)
    numbers = ~np.isnan(theirs)
    assert ours.dtype == np.float32 and np.isnan(ours[~numbers]).all()
    assert ours[numbers].tobytes() == theirs[numbers].tobytes(), "the sign of zero, too"


@given(st.sampled_from(["B", "H", "I"]), st.lists(st.integers(0, 255), max_size=20))
def test_whole_numbers_are_widened_added_up_and_compared(kind: str, values: list[int]) -> None:
    held = array(kind, values)
    wide = _core.widened(held)
    assert wide.format == "I" and wide.tolist() == values
    assert _core.offsets_of(held).tolist() == np.cumsum([0, *values]).tolist()
    assert _core.largest(held) == max(values, default=0)
    assert _core.is_increasing(array("Q", values)) == all(a < b for a, b in pairwise(values))


def test_the_largest_float_is_by_magnitude_and_no_number_is_larger_than_all() -> None:
    assert _core.largest(array("f", [0.5, -2.0, 1.0])) == 2.0
    assert _core.largest(np.array([0.5, -2.0], np.float16)) == 2.0
    for bad in (math.nan, math.inf, -math.inf):
        assert _core.largest(np.array([1.0, bad, 2.0], np.float16)) == math.inf
        assert _core.largest(array("f", [1.0, bad, 2.0])) == math.inf
        assert _core.largest(array("d", [1.0, bad, 2.0])) == math.inf


def test_lengths_that_add_up_to_too_much_are_refused() -> None:
    assert _core.offsets_of(array("I", [2**32 - 2, 1])).tolist() == [0, 2**32 - 2, 2**32 - 1]
    for lengths in ([2**32 - 1, 1], [2**32 - 1] * 5):
        with pytest.raises(ValueError, match="the lengths add up to too much"):
            _core.offsets_of(array("I", lengths))


@pytest.mark.parametrize("values", [array("i", [1]), array("Q", [1]), array("d", [1.0]), [1], None])
def test_other_numbers_are_refused(values: Any) -> None:
    for function in (_core.widened, _core.offsets_of):
        with pytest.raises(TypeError):
            function(values)
    if not (isinstance(values, array) and values.typecode == "d"):  # floats of 64 bits are looked at, too
        with pytest.raises(TypeError):
            _core.largest(values)
    with pytest.raises(TypeError):
        _core.offsets_of(array("f", [1.0]))


def test_bytes_are_seen_as_numbers_where_they_are() -> None:
    held = bytearray(np.arange(6, dtype=np.uint16).tobytes())
    seen = _core.seen_as(held, "U16", [2, 3])
    assert (seen.shape, seen.readonly, seen.tolist()) == ((2, 3), True, [[0, 1, 2], [3, 4, 5]])
    held[2] = 9
    assert seen[0, 1] == 9
    assert _core.seen_as(b"", "F64", [0, 5]).shape == (0, 5)
    assert np.asarray(_core.seen_as(np.float16(0.5).tobytes(), "F16", [])).item() == 0.5


def test_what_is_seen_stays_whatever_becomes_of_its_source() -> None:
    source = memoryview(bytearray(range(16)))
    seen = _core.seen_as(source[8:], "U8", [8])
    source.release()
    del source
    gc.collect()
    assert seen.tolist() == list(range(8, 16))


@pytest.mark.parametrize(
    ("data", "kind", "shape", "why"),
    [
        (bytes(8), "U16", [3], "does not fit its bytes"),
        (bytes(8), "U16", [5], "does not fit its bytes"),
        (bytes(8), "U16", [2**62, 2**62], "too many dimensions"),
        (b"", "U16", [0, 2**62, 2**62], "too many dimensions"),
        (bytes(1), "U8", [1] * 33, "too many dimensions"),
        (memoryview(bytes(9))[1:], "U64", [1], "not aligned"),
        (bytes(16), "C128", [1], "no such kind"),
    ],
)
def test_bytes_that_are_no_such_array_are_refused(data: Any, kind: str, shape: list[int], why: str) -> None:
    with pytest.raises(ValueError, match=why):
        _core.seen_as(data, kind, shape)


def test_tokens_of_paragraphs_are_joined() -> None:
    first = (array("I", [0, 3]), array("I", [2, 4]), array("B", [1, 2]))
    second = (array("I", [0]), array("I", [5]), array("B", [3]))
    assert _core.joined([first, second], [0, 10]) == ([0, 3, 10], [2, 4, 15], [0, 2], [1, 2])
    assert _core.joined([], []) == ([], [], [], [])
    with pytest.raises(ValueError, match="each paragraph needs an offset"):
        _core.joined([first], [])
    with pytest.raises(ValueError, match="tokens need as many flags"):
        _core.joined([(*first[:2], array("B"))], [0])
