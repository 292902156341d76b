"""Rows of a beam chosen in Python: engine and definition offer the same candidates and keep the same."""

from __future__ import annotations

import runpy
import zlib
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from structron import Parser, SettingError, Tagger, _core, own
from structron.engine.choices import engine_search
from structron.engine.outside import Keeping
from structron.engine.tracing import trace_of
from structron.reference import RowOffers, Weights, beam, decode, train
from structron.reference.sequence.row_keeper import kept_places
from structron.search import parse_search, register_search
from tests.graphs import GraphSpace, graphs, whole_weights, withins
from tests.parity.search.test_graphs import assert_same, engine_graph, engine_weights
from tests.unit.estimators.corpora import treebank

EXAMPLES = Path(__file__).parents[3] / "examples"


@dataclass
class Best:
    """The best few, as a beam keeps them."""

    width: int = 2
    merge: bool = False

    def keep(self, row: RowOffers) -> list[int]:
        return list(range(min(self.width, len(row))))


@dataclass
class Drawn(Best):
    """Some that depend on all that a row says and on the rows before it; remembers what it was offered."""

    seen: list[tuple[Any, ...]] = field(default_factory=list)

    def keep(self, row: RowOffers) -> list[int]:
        said = (row.row, row.score.tolist(), row.parent.tolist(), row.action.tolist())
        before = row.memory.setdefault("before", [])
        before.append(said)
        self.seen.append(said)
        rng = np.random.default_rng(zlib.crc32(repr(before).encode()))
        return rng.permutation(len(row))[: 1 + int(rng.integers(3))].tolist()  # type: ignore[no-any-return]


@settings(max_examples=300, deadline=None)
@given(
    graphs(futures=True),
    whole_weights(),
    st.integers(1, 3),
    st.booleans(),
    st.sampled_from([0.0, 0.0, 2.0]),
    withins(),
)
def test_traces_are_equal(
    graph: GraphSpace, weights: Weights, width: int, merge: bool, margin: float, within: float
) -> None:
    here, there = Drawn(width, merge), Drawn(width, merge)
    expected = beam(graph, weights, width, merge, graph, margin=margin, within=within, keeper=there)
    search = _core.Search(width, merge, within, Keeping(here))
    raw = engine_graph(graph, engine_weights(weights)).trace(search, margin)
    assert_same(trace_of(raw), expected)
    assert here.seen == there.seen
    known = [number for row in there.seen for number in row[2]]
    assert all(0 <= number <= sum(map(len, expected.beams)) for number in known)


@settings(max_examples=150, deadline=None)
@given(graphs(), whole_weights(), st.integers(1, 3), st.booleans())
def test_who_keeps_the_best_few_is_a_beam(
    graph: GraphSpace, weights: Weights, width: int, merge: bool
) -> None:
    expected = beam(graph, weights, width, merge, graph)
    assert_same(decode(graph, weights, Best(width, merge), graph), expected)
    search = _core.Search(width, merge, keep=Keeping(Best(width, merge)))
    assert_same(trace_of(engine_graph(graph, engine_weights(weights)).trace(search, 0.0)), expected)


@settings(max_examples=60, deadline=None)
@given(st.lists(graphs(), min_size=1, max_size=3), st.sampled_from(["early", "max_violation", "standard"]))
def test_training_is_equal(examples: list[GraphSpace], update: str) -> None:
    register_search("drawn", lambda width: Drawn(width or 2))
    pairs = [(each, each) for each in examples]
    *_, there = train(pairs, search="drawn:2", update=update, epochs=3)
    *_, here = own.train(pairs, search="drawn:2", update=update, epochs=3)
    assert [here.errors, here.updates, here.invalid] == [there.errors, there.updates, there.invalid]
    assert here.early_stopped == there.early_stopped
    assert all(here.weights[name] == value for name, value in there.weights.items())


def cells(estimator: Any) -> list[bytes]:
    return [np.asarray(each).tobytes() for each in estimator.model_.rows]


@pytest.mark.parametrize("search", ["beam:1", "beam:3", "beam:3+merge"])
def test_a_tagger_with_the_best_few_has_the_bytes_of_a_beam(search: str) -> None:
    like = parse_search(search)
    register_search("best", lambda width: Best(like.width or 0, like.merge))
    X, y = treebank(40)
    ours, copy = (
        Tagger(search=name, update="max_violation", learner="perceptron", epochs=2).fit(X, y)
        for name in (search, "best")
    )
    assert cells(ours) == cells(copy)
    assert ours.predict(X) == copy.predict(X)
    assert ours.model_.kbest(X[:5], 2) == copy.model_.kbest(X[:5], 2) or search == "beam:1"


@pytest.mark.parametrize("system", ["arc-standard", "arc-eager"])
def test_a_parser_with_the_best_few_has_the_bytes_of_a_beam(system: str) -> None:
    register_search("best", lambda width: Best(width or 4))
    X = [(["dogs", "bark"], ["N", "V"]), (["cats", "sleep", "now"], ["N", "V", "R"])] * 3
    y = [([2, 0], ["nsubj", "root"]), ([2, 0, 2], ["nsubj", "root", "adv"])] * 3
    ours, copy = (
        Parser(system=system, search=name, update="max_violation", epochs=3).fit(X, y)
        for name in ("beam:4", "best:4")
    )
    assert cells(ours) == cells(copy)
    assert ours.predict(X) == copy.predict(X)


def test_threads_change_nothing() -> None:
    register_search("drawn", lambda width: Drawn(width or 2))
    X, y = treebank(100)
    one, two = (
        Tagger(search="drawn:3", update="max_violation", epochs=2, batch=80, threads=n).fit(X, y)
        for n in (1, 2)
    )
    assert cells(one) == cells(two)
    assert one.predict(X) == two.predict(X)


def test_a_beam_that_draws_does_so_without_replacement_and_learns() -> None:
    drawn = runpy.run_path(str(EXAMPLES / "own_rows.py"))["GumbelRows"]
    X, y = treebank(80)
    tagger, plain = (
        Tagger(search=search, learner="perceptron", epochs=4).fit(X[:60], y[:60])
        for search in ("gumbel_rows:4", "beam:4")
    )
    assert tagger.score(X[60:], y[60:]) > 0.95 * plain.score(X[60:], y[60:])
    assert str(tagger.model_.search) == "gumbel_rows:4"
    trace = tagger.trace(X[0], y[0])
    rows = [[(item.parent, item.action) for item in row] for row in trace.beams]
    assert all(len(set(row)) == len(row) <= 4 for row in rows) and max(map(len, rows)) == 4
    assert drawn(None).width == 4


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        ([], "at least one place"),
        ([99], "from 0 to "),
        ([-1], "at least one place"),
        (["a"], "whole numbers"),
    ],
)
def test_wrong_places_are_refused_with_a_sentence(answer: list[Any], said: str) -> None:
    class Wrong(Best):
        def keep(self, row: RowOffers) -> list[int]:
            return answer

    register_search("wrong", lambda width: Wrong())
    X, y = treebank(5)
    with pytest.raises(SettingError, match=f"search Wrong: keep returned .*{said}"):
        Tagger(search="wrong").fit(X, y)
    nothing = np.zeros(2)
    places = nothing.astype(np.uint32)
    with pytest.raises(SettingError, match=said):
        kept_places(Wrong(), RowOffers(0, nothing, places, places, {}))


def test_what_does_not_go_together_is_said() -> None:
    register_search("best", lambda width: Best(width or 4))
    X, y = treebank(5)
    with pytest.raises(SettingError, match="have no single order"):
        Tagger(search="best:2", update="laso").fit(X, y)
    with pytest.raises(SettingError, match="laso"):
        own.train([], search="best:2", update="laso")
    with pytest.raises(SettingError, match="beam width 0"):
        register_search("none", lambda width: Best(0))
        parse_search("none")
    assert engine_search(parse_search("best:3")).width == 3
