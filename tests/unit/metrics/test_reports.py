"""Reports of labels, words, lengths and heads, against scikit-learn's and by hand."""

from __future__ import annotations

import csv
import io

import numpy as np
import pytest
from sklearn.metrics import confusion_matrix, precision_recall_fscore_support

from structron import DataError
from structron.metrics import (
    Judgement,
    difference,
    judge_labels,
    judge_symbols,
    judge_tags,
    judge_tree,
    report,
    score_of,
)


def tagged(seed: int, count: int = 30) -> list[Judgement]:
    rng = np.random.default_rng(seed)
    found = []
    for i in range(count):
        size = int(rng.integers(1, 45))
        gold = rng.choice(list("abcd"), size).tolist()
        guess = [g if rng.random() < 0.7 else str(rng.choice(list("abce"))) for g in gold]
        found.append(judge_tags(f"s{i}", rng.choice(["x", "y"], size).tolist(), gold, guess))
    return found


def test_labels_and_matrix_are_those_of_scikit_learn() -> None:
    judged = tagged(1)
    found = report(judged, known={"x"})
    gold = [label for each in judged for label in each.gold]
    guess = [label for each in judged for label in each.guess]
    labels = sorted({*gold, *guess})
    assert list(found.labels) == labels
    theirs = precision_recall_fscore_support(gold, guess, labels=labels, zero_division=0.0)
    ours = np.array([found.labels[label][:4] for label in labels]).T
    np.testing.assert_allclose(ours, np.array(theirs))
    table = confusion_matrix(gold, guess, labels=labels)
    assert found.cells == {
        (a, b): table[i, j] for i, a in enumerate(labels) for j, b in enumerate(labels) if table[i, j]
    }
    rows = list(csv.DictReader(io.StringIO(found.csv())))
    assert [row["label"] for row in rows] == labels
    assert [int(row["support"]) for row in rows] == table.sum(axis=1).tolist()


def test_slices_share_out_all_that_is_right() -> None:
    judged = tagged(2)
    found = report(judged, known={"x"})
    right, words = sum(sum(each.right) for each in judged), sum(len(each.right) for each in judged)
    assert found.score == right / words
    assert sum(round(each.items * each.score) for each in found.known) == right
    assert sum(each.items for each in found.known) == words
    assert sum(each.items for each in found.lengths) == len(judged)
    assert [each.name for each in found.lengths] == ["1-9", "10-19", "20-29", "30-39", "40+"]
    assert report(judged).known == []


def test_trees_are_right_by_head_and_relation_and_told_by_distance() -> None:
    words = ["a", "b", "c", "d"]
    one = judge_tree(
        "t", words, ([2, 0, 2, 2], ["det", "root", "obj:x", "p"]), ([2, 0, 4, 2], ["det", "root", "obj", "q"])
    )
    assert one.right == (True, True, False, False) and one.measure == "LAS" and score_of([one]) == 0.5
    found = report([one])
    assert found.labels["obj"].support == found.labels["obj"].guessed == 1 and found.labels["obj"].f1 == 0
    assert list(found.distances) == ["root", "1", "2"]
    # Two of three words with a head next to them have it: the third was given one that is just as near.
    assert found.distances["1"].recall == 0.5 and found.distances["1"].support == 2
    assert found.distances["2"].recall == 1.0


def test_symbols_are_held_against_the_nearest_reference() -> None:
    one = judge_symbols("w", "read", [list("ryd"), list("rEd")], list("rEds"))
    assert one.gold == ("r", "E", "d", "") and one.guess == ("r", "E", "d", "s") and one.tally == (0, 1, 1)
    found = report([one])
    assert found.cells["", "s"] == 1 and found.labels["s"].guessed == 1 and "" not in found.labels


def test_several_labels_are_judged_one_by_one() -> None:
    one = judge_labels("d", "a text", ["x", "y"], ["y", "z"])
    assert list(zip(one.gold, one.guess)) == [("x", ""), ("y", "y"), ("", "z")] and one.tally == (1, 2, 2)
    assert judge_labels("d", "a text", ["x"], ["z"]).tally == (0, 1, 1)
    assert judge_labels("d", "a text", [], []).is_right


def test_spans_are_scored_as_spans() -> None:
    one = judge_tags("s", ["a", "b"], ["B-X", "I-X"], ["B-X", "O"], by_span=True)
    assert one.tally == (0, 1, 1) and one.measure == "span F1" and one.right == (True, False)


def test_two_outputs_are_told_from_chance() -> None:
    judged = tagged(3, 60)
    perfect = [judge_tags(each.place, each.words, each.gold, each.gold) for each in judged]
    found = difference(perfect, judged)
    assert found.difference == pytest.approx(1 - score_of(judged)) and found.p < 0.01 and found.low > 0
    assert difference(judged, judged).p == 1.0


def test_what_does_not_fit_is_refused() -> None:
    judged = tagged(4, 2)
    with pytest.raises(DataError, match="2 examples of one output and 1 of the other; compare"):
        difference(judged, judged[:1])
    with pytest.raises(DataError, match="holds other words; compare outputs for the same ones"):
        difference(judged, judged[::-1])
    with pytest.raises(DataError, match="here: 1 words, 2 gold labels and 1 guessed; they must match"):
        judge_tags("here", ["a"], ["x", "y"], ["x"])
    with pytest.raises(DataError, match="there is nothing to report; give at least one example"):
        report([])
    one = judge_tags("s", ["a"], ["O"], ["O"])
    with pytest.raises(
        DataError, match="scored by accuracy and the other by span F1; compare outputs of one"
    ):
        difference([one], [judge_tags("s", ["a"], ["O"], ["O"], by_span=True)])
