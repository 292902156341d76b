"""Error rates: any reference counts, edits go to the nearest one."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from structron.errors import DataError
from structron.metrics import edit_distance, edits, error_rate, oracle_error_rate, symbol_confusions

words = st.text("abc", max_size=6)


def distance(a: str, b: str) -> int:
    """Levenshtein's recursion, as written."""
    if not a or not b:
        return len(a) + len(b)
    return min(distance(a[1:], b) + 1, distance(a, b[1:]) + 1, distance(a[1:], b[1:]) + (a[0] != b[0]))


@settings(deadline=None)
@given(words, words)
def test_distance_is_the_recursion(a: str, b: str) -> None:
    assert edit_distance(a, b) == distance(a, b)


def test_any_reference_counts_and_the_nearest_is_edited() -> None:
    gold = [[["R", "IY", "D"], ["R", "EH", "D"]], [["K", "AE", "T"]], [["AH"], ["EY", "AH", "B"]]]
    found = error_rate(gold, [["R", "EH", "D"], ["K", "AH", "T", "S"], ["EY", "B"]])
    assert (found.words, found.wrong, found.edits, found.symbols) == (3, 2, 0 + 2 + 1, 3 + 3 + 3)
    assert found.word_accuracy == pytest.approx(1 / 3)
    assert found.symbol_error_rate == pytest.approx(3 / 9)


@settings(deadline=None)
@given(words, words)
def test_edits_are_as_many_as_the_distance(a: str, b: str) -> None:
    found = edits(a, b)
    assert "".join(x for x, _ in found) == a and "".join(y for _, y in found) == b
    assert sum(x != y for x, y in found) == edit_distance(a, b)


def test_what_was_taken_for_what() -> None:
    found = symbol_confusions([["cat"], ["hat", "bat"], ["so"]], ["bat", "mat", "s"])
    assert found == [("c", "b", 1), ("h", "m", 1), ("o", "", 1)]


def test_tuples_and_lists_are_equal() -> None:
    assert error_rate([[("A",)]], [["A"]]).wrong == 0


def test_oracle_takes_the_best_of_k() -> None:
    gold = [["A"], ["B"]]
    assert oracle_error_rate(gold, [["X", "A"], ["Y", "Z"]]).wrong == 1
    assert oracle_error_rate(gold, [[], ["B"]]).edits == 1  # no guess is an empty one


def test_an_empty_guess_is_all_wrong() -> None:
    assert error_rate([["AB"]], [""]).symbol_error_rate == 1.0


def test_long_outputs_are_compared() -> None:
    assert edit_distance("ab" * 2000, "ba" * 2000) == 2


def test_what_cannot_be_scored_is_said() -> None:
    with pytest.raises(DataError, match="1 gold words but 0 guessed"):
        error_rate([["A"]], [])
    with pytest.raises(DataError, match="nothing to score"):
        error_rate([], [])
    with pytest.raises(DataError, match="word 1 has no reference"):
        error_rate([[]], ["A"])
