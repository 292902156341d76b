"""The alignment error rate is Och and Ney's."""

from __future__ import annotations

import pytest

from structron.errors import DataError
from structron.metrics.alignment_error import alignment_error


def test_counts_and_shares() -> None:
    found = alignment_error([[(0, 0), (1, 1), (2, 2)], []], [[(0, 0), (1, 0)], [(0, 0)]], [[(1, 1)], []])
    assert (found.guessed, found.sure, found.right, found.recalled) == (3, 3, 2, 1)
    assert found.precision == pytest.approx(2 / 3) and found.recall == pytest.approx(1 / 3)
    assert found.error_rate == pytest.approx(1 - (1 + 2) / (3 + 3))


def test_sure_links_alone_make_it_one_minus_f() -> None:
    found = alignment_error([[(0, 0), (1, 1)]], [[(0, 0), (2, 2), (3, 3)]])
    f = 2 * found.precision * found.recall / (found.precision + found.recall)
    assert found.error_rate == pytest.approx(1 - f)
    assert alignment_error([[]], [[]]).error_rate == 0


def test_other_numbers_of_pairs_are_refused() -> None:
    with pytest.raises(DataError, match="links of 1 pairs beside gold links of 2; give links for the same"):
        alignment_error([[]], [[], []])
