"""Accuracy over words, sentences, known and unknown words, and what was taken for what."""

import pytest

from structron.errors import DataError
from structron.metrics import accuracy, confusions, known_accuracy, sentence_accuracy

GOLD = [["D", "N", "V"], ["N"], ["N", "V"]]
GUESS = [["D", "V", "V"], ["N"], ["V", "N"]]
WORDS = [["the", "dog", "barks"], ["dogs"], ["dog", "barks"]]


def test_shares() -> None:
    assert accuracy(GOLD, GUESS) == 3 / 6
    assert sentence_accuracy(GOLD, GUESS) == 1 / 3
    assert accuracy(GOLD, GOLD) == 1


def test_known_and_unknown_words_are_counted_apart() -> None:
    assert known_accuracy(WORDS, GOLD, GUESS, {"the", "dog"}) == (1 / 3, 2 / 3, 3, 3)
    assert known_accuracy(WORDS, GOLD, GUESS, set()) == (None, 0.5, 0, 6)


def test_confusions_most_frequent_first() -> None:
    assert confusions(GOLD, GUESS) == [("N", "V", 2), ("V", "N", 1)]


def test_unequal_or_empty_input_is_told() -> None:
    with pytest.raises(DataError, match=r"^3 gold sentences but 1 guessed; score the same sentences$"):
        accuracy(GOLD, [["D"]])
    with pytest.raises(DataError, match=r"^sentence 2: 1 gold labels but 2 guessed; they must match$"):
        accuracy(GOLD[:2], [["D", "N", "V"], ["N", "N"]])
    with pytest.raises(DataError, match=r"^there is nothing to score; check that the file has sentences$"):
        accuracy([], [])
