"""The aligner as people use it: inventories that cover all, counts of what cannot be aligned, same bytes."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest

from structron.alignment.pairs import Aligner
from structron.errors import SettingError
from structron.reference.text.alignment import MAXIMISE
from structron.settings import settings_of
from structron.synthetic import generate_spellings, pronounce
from structron.tasks.transduction.settings import TransductionRecipe

WORDS = generate_spellings(400, np.random.default_rng(0))
PAIRS = [(pair.source, target.split()) for pair in WORDS for target in pair.targets]


def test_letters_meet_their_sounds() -> None:
    found = Aligner().align(PAIRS)
    inventory = found.inventory()
    assert (("p", "h"), ("F",)) in inventory
    assert (("x",), ("K", "S")) in inventory
    assert max(inventory, key=inventory.__getitem__) == list(inventory)[0]  # noqa: RUF015
    assert sum(inventory.values()) == sum(len(found.pieces(i) or []) for i in range(len(found)))


def test_every_source_symbol_has_a_piece_of_its_own() -> None:
    pairs = [*PAIRS, ("ñq", ["N"]), ("¿", ["A", "B", "C"])]  # ¿ occurs only where nothing can be aligned
    for least in (1, 2, 1000):
        inventory = Aligner().align(pairs).inventory(least)
        alone = {x[0] for x, _ in inventory if len(x) == 1}
        assert alone == set("".join(x for x, _ in pairs))
        assert all(n >= least or len(x) == 1 for (x, _), n in inventory.items())


def test_what_cannot_be_aligned_is_counted() -> None:
    pairs = [
        ("a", ["X", "Y", "Z"]),
        ("", ["X"]),
        ("", []),
        ("ab", []),
        ("c" * 10_000, ["X"] * 10_000),
        ("b", ["X"]),
    ]
    found = Aligner().align(pairs)
    assert (found.impossible, found.too_long) == (2, 1)
    assert [found.pieces(i) is None for i in range(len(pairs))] == [True, True, False, False, True, False]
    assert found.pieces(2) == [] and found.pieces(3) == [(("a",), ()), (("b",), ())]
    assert found.left_out() is not None and "2 pairs have no alignment" in str(found.left_out())
    assert Aligner(deletions=False).align([("ab", ["X"]), ("abc", [])]).impossible == 1


def test_pieces_that_die_out_take_nothing_with_them() -> None:
    found = Aligner(iterations=60, tolerance=0.0).align(
        PAIRS
    )  # weights of unlikely pieces underflow on the way
    likelihoods = found.likelihoods[1:]
    assert len(likelihoods) > 15 and likelihoods[-1] < 0
    assert all(b >= a - 1e-6 for a, b in pairwise(likelihoods))
    assert all(found.pieces(i) for i in range(len(found)))


def test_what_only_one_long_piece_goes_beyond_is_still_a_number() -> None:
    """Six rows that hold less and less were six scales, and their product more than a float can hold."""
    alone = [((letter,), (letter.upper(),)) for letter in "abcdef"]
    pairs = [(tuple("abcdef"), ("X",)), (tuple("abcdefa"), ("X", "A")), *alone]
    found = Aligner(source=6, iterations=40, tolerance=0.0).align(pairs)
    assert np.isfinite(found.likelihoods).all()
    assert found.pieces(0) == [pairs[0]] and found.pieces(1) == [pairs[0], pairs[2]]
    assert set(found.inventory()) == {pairs[0], *alone}


def test_nothing_to_align_is_no_fault() -> None:
    assert Aligner().align([]).inventory() == {}


def test_the_same_pairs_give_the_same_pieces() -> None:
    a, b = Aligner().align(PAIRS), Aligner().align(PAIRS)
    assert a.likelihoods == b.likelihoods and a.inventory() == b.inventory()


@pytest.mark.parametrize("wrong", [{"source": 0}, {"target": 16}, {"maximise": "both"}, {"iterations": 0}])
def test_settings_that_cannot_be_are_said(wrong: dict[str, object]) -> None:
    with pytest.raises(SettingError):
        Aligner(**wrong)  # type: ignore[arg-type]


def test_rules_pronounce() -> None:
    assert pronounce("phone") == ["F OW N"] and pronounce("knead") == ["N EH D", "N IY D"]
    assert pronounce("nation") == ["N AE SH AH N"] and pronounce("cage") == ["K IH JH"]
    with pytest.raises(SettingError, match="'ñ'"):
        pronounce("niño")


def test_invented_words_differ_and_are_drawn_by_the_generator() -> None:
    again = generate_spellings(400, np.random.default_rng(0))
    assert again == WORDS and len({pair.source for pair in WORDS}) == 400
    assert sum(len(pair.targets) > 1 for pair in WORDS) > 5


def test_what_the_definition_maximises_is_what_a_transducer_may_be_told() -> None:
    assert settings_of(TransductionRecipe)["maximise"].about.choices == MAXIMISE
