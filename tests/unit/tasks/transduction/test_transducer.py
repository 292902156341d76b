"""The transducer as people use it: all kinds of input, several references, what cannot be reached, files."""

from __future__ import annotations

import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from sklearn.base import clone

from structron import DataError, ModelError, SettingError, StructronWarning, Tagger, Transducer
from structron.alignment.pairs import Aligner
from structron.io import Pair
from structron.synthetic import generate_spellings

WORDS = generate_spellings(700, np.random.default_rng(1))
TRAIN, TEST = WORDS[:600], WORDS[600:]
X = [pair.source for pair in TRAIN]
Y = [list(pair.targets) for pair in TRAIN]


@pytest.fixture(scope="module")
def transducer() -> Transducer:
    return Transducer(epochs=4, search="beam:4").fit(TRAIN)


def test_it_learns_to_pronounce(transducer: Transducer) -> None:
    assert transducer.score(TEST) > 0.6
    assert transducer.score(TRAIN) > transducer.score(TEST)
    assert transducer.predict(["phone"])[0].startswith("F")  # type: ignore[union-attr]
    assert transducer.unreachable_ == 0 and transducer.pairs_ > 30


def test_texts_lists_and_pairs_are_the_same_data(transducer: Transducer) -> None:
    texts = Transducer(epochs=4, search="beam:4").fit(X, Y)
    lists = Transducer(epochs=4, search="beam:4").fit(
        [list(word) for word in X], [[target.split() for target in targets] for targets in Y]
    )
    words = [pair.source for pair in TEST]
    expected = transducer.predict(words)
    assert texts.predict(words) == expected
    found = lists.predict([list(word) for word in words])
    assert [" ".join(symbols) for symbols in found] == expected
    assert isinstance(found[0], list) and isinstance(expected[0], str)


def test_lines_with_one_source_are_one_example_with_several_references() -> None:
    words = ["read", "red", "read", "lead", "bed"]
    sounds = ["R IY D", "R EH D", "R EH D", "L IY D", "B EH D"]
    found = Transducer(epochs=8).fit(words, sounds)
    assert found.model_.about["trained_on"]["sentences"] == 4
    assert found.predict(["read"])[0] in ("R IY D", "R EH D")
    assert found.score(words, sounds) == 1.0


def test_kbest_are_different_and_in_order(transducer: Transducer) -> None:
    (found,) = transducer.predict_kbest(["knead"], 3)
    outputs, scores = zip(*found)
    assert len(set(outputs)) == len(outputs) == 3
    assert list(scores) == sorted(scores, reverse=True)
    assert transducer.predict(["knead"]) == [outputs[0]]


def test_a_saved_transducer_is_the_same(transducer: Transducer, tmp_path: Path) -> None:
    transducer.save(tmp_path / "m")
    again = Transducer.load(tmp_path / "m")
    words = [pair.source for pair in TEST]
    assert again.predict(words) == transducer.predict(words)
    assert again.get_params() == transducer.get_params() and again.pairs_ == transducer.pairs_
    with pytest.raises(ModelError, match="a model for transduction, not for tagging"):
        Tagger.load(tmp_path / "m")
    Transducer(epochs=4, search="beam:4").fit(TRAIN).save(tmp_path / "n")
    assert (tmp_path / "m").read_bytes() == (tmp_path / "n").read_bytes()


def test_characters_are_targets_where_there_are_no_blanks() -> None:
    names, russian = ["anna", "ivan", "nina", "vanna"], ["анна", "иван", "нина", "ванна"]
    found = Transducer(epochs=5).fit(names, russian)
    assert found.predict(["anna", "nivan"]) == ["анна", "ниван"]
    hangul = Transducer(epochs=5, target_symbols="decomposed").fit(["ka", "ga", "kan"], ["카", "가", "칸"])
    assert hangul.predict(["kan"]) == ["칸"]


def test_unseen_symbols_and_empty_or_long_sources_have_an_output(transducer: Transducer) -> None:
    found = transducer.predict(["ж", "", "bжb", "ab" * 5000])
    assert found[0] == found[1] == "" and len(found[2]) > 0  # type: ignore[arg-type]
    assert len(found[3].split()) > 4000  # type: ignore[union-attr]


def test_unseen_letters_are_read_in_their_other_case_and_without_marks() -> None:
    lower = Transducer(epochs=3, search="greedy").fit(TRAIN)
    plain = ["knead", "bone", "ne"]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert lower.predict(["KNEAD", "Bone", "ne"]) == lower.predict(plain) == lower.predict(plain)
        assert lower.predict([["K", "N", "e"]]) == lower.predict([["k", "n", "e"]])
        assert not lower.unseen_
        assert lower.score(["Bone"], [lower.predict(["bone"])[0]]) == 1
        again = Transducer.from_bytes(lower.to_bytes())
        assert again.predict(["Knead"]) == lower.predict(["knead"])
        upper = Transducer(epochs=3, search="greedy").fit(["AB", "BA", "SSA"], ["x y", "y x", "z x"])
        assert upper.predict(["ab", "ßa"]) == upper.predict(["AB", "SSA"])
        both = Transducer(epochs=3, search="greedy").fit(["aB", "Ab", "ba"], ["x Y", "X y", "y x"])
        assert both.predict(["aB", "Ab"]) == ["x Y", "X y"]
    with pytest.warns(StructronWarning) as told:
        assert lower.predict(["Né", "ne\u0301", "б"])[:2] == [lower.predict(["ne"])[0]] * 2
    assert [str(each.message) for each in told] == [
        "1 symbol of the input was never seen in training and is passed over: 'б' (1); 2 symbols of the "
        "input were never seen in training and are read without marks: 'é' (1), '\u0301' (1); "
        "check the spelling of the input"
    ]
    assert told[0].filename == __file__


def test_what_has_no_derivation_is_counted() -> None:
    words, sounds = [*X, "b", "", "c" * 2000], [*Y, "P Q R S T", "P", " ".join("Q" * 2000)]
    found = Transducer(epochs=1, search="greedy").fit(words, sounds)
    assert found.unreachable_ == 3 and found.unaligned_ == 3
    nearest = Transducer(epochs=1, search="greedy", unreachable="nearest").fit(words, sounds)
    assert nearest.unreachable_ == 3
    assert nearest.model_.about["unreachable"] == 3
    with pytest.raises(DataError, match="none of 1 sources has a derivation"):
        Transducer().fit(["b"], ["P Q R S T"])


def test_batches_share_an_inventory() -> None:
    aligned = Aligner().align([(x, target.split()) for x, targets in zip(X, Y) for target in targets])
    found = Transducer(search="greedy")
    for first in range(0, 600, 200):
        found.partial_fit(X[first : first + 200], Y[first : first + 200], pairs=aligned.inventory())
    assert len(found.history_) == 3 and found.score(TEST) > 0.2
    alone = Transducer(search="greedy").partial_fit(X[:20], Y[:20]).partial_fit(X[20:200], Y[20:200])
    assert alone.pairs_ < found.pairs_ and alone.unreachable_ > 0


def test_the_trace_tells_where_gold_falls(transducer: Transducer) -> None:
    trace = transducer.trace("knead", "N IY D")
    assert transducer.model_.task.emitted(trace.gold(trace.final).actions) == ["N", "IY", "D"]
    both = transducer.trace("knead", ["N EH D", "N IY D"])
    assert both.gold_score[-1] >= trace.gold_score[-1]


def test_the_best_epoch_on_dev_is_kept() -> None:
    found = Transducer(epochs=3, search="greedy").fit(TRAIN, dev=TEST)
    scores = [epoch.dev_score for epoch in found.history_]
    assert found.score(TEST) == max(scores)  # type: ignore[type-var]


def test_scikit_learn_can_copy_it(transducer: Transducer) -> None:
    assert clone(transducer).get_params() == transducer.get_params()


@pytest.mark.parametrize(
    ("x", "y", "message"),
    [
        ("word", ["W"], "X is a single string"),
        (["word"], "W", "y is a single string"),
        (["word"], None, "y is missing"),
        (["word"], [], "1 sources but 0 targets"),
        ([3], ["W"], "source 1 is of type int"),
        ([b"word"], ["W"], "source 1 is bytes"),
        ([["w", 3]], ["W"], "source 1: symbol 3 is not text"),
        ([["w", ""]], ["W"], "source 1: symbol '' is not text"),
        (["\ud800"], ["W"], "source 1: .* half of a surrogate pair"),
        (["w"], [[["W"], 3]], "y of source 1 is of type int"),
        ([Pair("w", ())], None, "there is no target"),
        ([Pair("w", ("W",)), "w"], None, "X mixes pairs"),
        ([], [], "there is nothing to learn from"),
        ([""], ["W"], "there is nothing to learn from"),
    ],
)
def test_what_is_wrong_is_said(x: object, y: object, message: str) -> None:
    with pytest.raises(DataError, match=message):
        Transducer().fit(x, y)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "wrong",
    [
        {"min_count": 0},
        {"longest_source": 9},
        {"unreachable": "drop"},
        {"source_symbols": "letters"},
        {"templates": "pos"},
    ],
)
def test_settings_that_cannot_be_are_said(wrong: dict[str, object]) -> None:
    with pytest.raises(SettingError):
        Transducer(**wrong).fit(["a"], ["b"])  # type: ignore[arg-type]


def test_predicting_needs_learning() -> None:
    with pytest.raises(SettingError, match="has learned nothing yet"):
        Transducer().predict(["a"])


ONE = [("l", "R L"), ("r", "R L"), ("a", "A E")]  # two references of one symbol each


@pytest.mark.parametrize("kind", [list, tuple, np.array])
def test_references_of_one_symbol_are_several_where_targets_are_texts(kind: Any) -> None:
    words = [*(source for source, _ in ONE), "la"]
    several = [kind(targets.split()) for _, targets in ONE]
    found = Transducer(epochs=3).fit(words, [*several, "L A"], dev=([words[0]], [several[0]]))
    assert all(len(symbol) == 1 for symbol in found.predict(words[:3]))
    assert found.score(words[:3], several) == 1.0 == found.history_[-1].dev_score
    blank = Transducer(epochs=3).fit(words, [*several, kind(["L A", "R E"])])
    assert blank.score(words[:3], several) == 1.0
    assert found.trace("l", kind(["R", "L"])).gold(0).actions != ()
    # Where nothing is a text, a list is one target, symbol by symbol.
    symbols = Transducer(epochs=3).fit(words, [kind(each) for each in (["R", "L"], ["R"], ["A"], ["L", "A"])])
    assert symbols.predict(["l"]) == [["R", "L"]]
    assert symbols.score(["l"], [kind(["R", "L"])]) == 1.0 and symbols.score(["l"], [[["R"], ["L"]]]) == 0.0


def test_what_is_read_after_training_is_written_alike() -> None:
    found = Transducer(epochs=3).fit(["ab", "ba"], ["AH B", "B AH"], dev=(["a"], ["AH"]))
    assert found.history_[-1].dev_score == 1.0 and found.score(["a"], ["AH"]) == 1.0
