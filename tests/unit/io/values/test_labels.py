"""Schemes: found from labels or sequences, and what they allow is what they mean."""

from itertools import pairwise, product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from structron.errors import SettingError
from structron.io.values.labels import allowed_transitions, illegal, is_bio, scheme
from structron.metrics import spans

LABELS = ["O", *(f"{prefix}-{kind}" for prefix in "BIES" for kind in "XY")]


@pytest.mark.parametrize(
    ("labels", "expected"),
    [
        (["O", "B-NP", "I-NP"], "bio"),
        (["O", "I-NP"], "iob1"),
        (["O", "B-NP", "E-NP"], "bioes"),
        (["B", "I"], "bio"),
        (["B", "I", "E", "S"], "bioes"),
        (["B", "S"], None),
        (["O"], None),
        ([], None),
        (["NN", "IN", "B-NP"], None),
        ([["O", "B-NP", "I-NP"], ["B-NP"]], "bio"),
        ([["O", "I-NP", "B-NP"], ["I-NP", "I-VP"]], "iob1"),
        ([["B-NP", "E-NP", "O", "S-NP"]], "bioes"),
        ([["B-NP", "O"], ["I-NP", "O"]], None),
        ([["B-NP", "O", "S-NP"]], None),
    ],
)
def test_the_scheme_is_found(labels: list[str] | list[list[str]], expected: str | None) -> None:
    assert scheme(labels) == expected


def test_is_bio_asks_every_label() -> None:
    assert is_bio(["B-X", "O"]) and not is_bio(["B-X", "BX"])


@pytest.mark.parametrize("name", ["bio", "iob1", "bioes"])
def test_transitions_allow_exactly_the_legal_sequences(name: str) -> None:
    start, after, end = allowed_transitions(LABELS, name)
    used = LABELS if name == "bioes" else LABELS[:5]
    for length in (1, 2, 3):
        for sequence in product(used, repeat=length):
            at = [LABELS.index(label) for label in sequence]
            allowed = start[at[0]] and end[at[-1]] and all(after[a][b] for a, b in pairwise(at))
            assert allowed == (illegal(sequence, name) is None), sequence


@settings(deadline=None)
@given(st.lists(st.sampled_from(LABELS), max_size=8))
def test_legal_bioes_says_what_bio_says(labels: list[str]) -> None:
    if illegal(labels, "bioes") is None:
        bio = [label.replace("E-", "I-").replace("S-", "B-") for label in labels]
        assert illegal(bio, "bio") is None
        assert spans(bio) == spans(labels)


def test_a_label_that_cannot_end_is_allowed_nowhere() -> None:
    labels = ["O", "B-X", "I-X", "S-X"]
    start, after, end = allowed_transitions(labels, "bioes")
    assert start == [True, False, False, True]
    assert len(after) == 4 and not any(any(row[1:3]) for row in after)
    assert end == [True, False, False, True]
    assert allowed_transitions([], "bio") == ([], [], [])


def test_the_place_of_what_is_illegal() -> None:
    assert illegal(["O", "I-X"], "bio") == 1
    assert illegal(["B-X", "I-Y"], "bio") == 1
    assert illegal(["B-X", "I-X"], "bioes") == 2
    assert illegal(["I-X", "B-Y"], "iob1") == 1
    with pytest.raises(SettingError, match="unknown label scheme 'bmes'; choose one of bio, iob1, bioes"):
        illegal(["O"], "bmes")
