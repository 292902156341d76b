"""Span F1 equals what conlleval and seqeval count, on legal and illegal labels alike."""

import warnings

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from seqeval.metrics import f1_score
from seqeval.metrics.sequence_labeling import get_entities, precision_recall_fscore_support

from structron.errors import DataError
from structron.metrics import Span, span_f1, spans

LABELS = ["O", "B", "I", "B-A-B", "I-A-B", *(f"{prefix}-{kind}" for prefix in "BIES" for kind in "XY")]
pairs = st.lists(st.tuples(st.sampled_from(LABELS), st.sampled_from(LABELS)), min_size=1, max_size=9)


@settings(deadline=None)
@given(st.lists(st.sampled_from(LABELS), max_size=12))
def test_spans_are_those_of_seqeval(labels: list[str]) -> None:
    assert spans(labels) == [Span(start, end + 1, kind) for kind, start, end in get_entities(labels)]


@settings(deadline=None)
@given(st.lists(pairs, min_size=1, max_size=5))
def test_scores_are_those_of_seqeval(drawn: list[list[tuple[str, str]]]) -> None:
    gold = [[a for a, _ in sentence] for sentence in drawn]
    guess = [[b for _, b in sentence] for sentence in drawn]
    score = span_f1(gold, guess)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        assert score.f1 == pytest.approx(f1_score(gold, guess))
        precision, recall, _, _ = precision_recall_fscore_support(gold, guess, average="micro")
        assert (score.precision, score.recall) == pytest.approx((precision, recall))
        if score.per_type:
            p, r, f, n = precision_recall_fscore_support(gold, guess, average=None)
            mine = [score.per_type[kind] for kind in sorted(score.per_type)]
            assert [x.precision for x in mine] == pytest.approx(list(p))
            assert [x.recall for x in mine] == pytest.approx(list(r))
            assert [x.f1 for x in mine] == pytest.approx(list(f))
            assert [x.gold for x in mine] == list(n)


def test_a_span_is_right_only_with_both_ends_and_type() -> None:
    gold = [["B-X", "I-X", "O", "B-Y"]]
    assert span_f1(gold, gold).f1 == 1
    assert span_f1(gold, [["B-X", "O", "O", "B-Y"]]).right == 1
    assert span_f1(gold, [["B-Y", "I-Y", "O", "B-Y"]]).precision == 0.5
    assert span_f1([["O"]], [["O"]]).f1 == 0


def test_the_table() -> None:
    table = span_f1([["B-X", "I-X", "O", "B-LONG"]], [["B-X", "O", "O", "B-LONG"]]).table()
    assert table.splitlines() == [
        "type precision  recall      F1    gold   guess",
        "LONG    100.00  100.00  100.00       1       1",
        "X         0.00    0.00    0.00       1       1",
        "all      50.00   50.00   50.00       2       2",
    ]


def test_labels_that_mark_no_span_are_refused() -> None:
    with pytest.raises(DataError, match=r"^label 'NN' marks no span; score such labels by accuracy$"):
        span_f1([["NN"]], [["O"]])
    with pytest.raises(DataError, match=r"^sentence 1: 1 gold labels but 2 guessed; they must match$"):
        span_f1([["O"]], [["O", "O"]])
