"""Search choices: their names, what they promise, and what a search says about a space without an end."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from structron.errors import SettingError, TaskError
from structron.reference import METHODS, decode, exact, greedy, predict, train
from structron.reference.learners.weights import Weights
from structron.search import Beam, DPBeam, Exact, Forest, Greedy, Search, Spanning, parse_search
from tests.graphs import Arc, GraphSpace


@pytest.mark.parametrize(
    "search",
    [
        Exact(),
        Greedy(),
        Beam(8),
        Beam(1),
        Beam(16, merge=True),
        Beam(8, within=2.5),
        Beam(2, True, 3),
        DPBeam(8),
        Forest(),
        Forest(4),
        Forest(4, swaps=True),
        Forest(swaps=True),
        Spanning(),
    ],
    ids=str,
)
def test_names_go_there_and_back(search: Search) -> None:
    assert parse_search(str(search)) == search == parse_search(search)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "beam",
        "beam:",
        "beam:0",
        "beam:-1",
        "beam:2.5",
        "beam:8+",
        "viterbi",
        "exact:3",
        "dp",
        "dp:0",
        "dp:8+merge",
        "beam:8+within",
        "beam:8+within=-1",
        "beam:8+within=nan",
        "beam:8+within=2+merge",
        "dp:8+within=2",
        "mst:8",
        "mst+swaps",
        "forest:0+swaps",
        "forest:8+merge",
        "exact+within=2",
    ],
)
def test_other_names_are_refused_in_one_sentence(text: str) -> None:
    with pytest.raises(
        SettingError,
        match=r"; (use exact, greedy, beam:8, beam:8\+merge, beam:8\+within=20, dp:8, "
        r"forest, forest:4, forest:4\+swaps or mst"
        r"|give a whole number)",
    ):
        parse_search(text)


@pytest.mark.parametrize("width", [0, -3, 2.0, True, "4"])
def test_a_beam_has_a_whole_positive_width(width: object) -> None:
    with pytest.raises(SettingError, match=r"beam width .* is not possible; give a whole number"):
        Beam(width)  # type: ignore[arg-type]
    with pytest.raises(SettingError, match=r"beam width .* is not possible; give a whole number"):
        DPBeam(width)  # type: ignore[arg-type]


@pytest.mark.parametrize("text", ["beam:1000000000", "dp:99999999999", "beam:1000000000+merge"])
def test_a_beam_too_wide_to_count_is_called_too_large(text: str) -> None:
    with pytest.raises(
        SettingError, match=r"^beam width \d+ is too large; use at most 100000, or Exact\(\)$"
    ):
        parse_search(text)


@given(st.floats(min_value=0.0, allow_nan=False))
def test_any_distance_goes_there_and_back(within: float) -> None:
    assert parse_search(str(Beam(2, within=within))) == Beam(2, within=within)


@pytest.mark.parametrize("within", [-1, float("nan"), True, "2"])
def test_a_beam_may_not_keep_less_than_its_best(within: object) -> None:
    with pytest.raises(SettingError, match=r"beam within .* is not possible; give a number of at least 0"):
        Beam(4, within=within)  # type: ignore[arg-type]


def test_only_exact_search_makes_the_standard_update_safe() -> None:
    assert Exact().is_exact and (Exact().width, Exact().merge) == (None, True)
    assert not Greedy().is_exact and (Greedy().width, Greedy().merge) == (1, False)
    assert not Beam(4).is_exact
    assert "every update is valid" in Exact().promises
    for inexact in (Greedy(), Beam(2), Beam(2, merge=True), DPBeam(2)):
        assert "standard update may be invalid" in inexact.promises
    assert "fallen off" in Beam(2, merge=True).promises


def test_the_reference_takes_names_and_objects_alike() -> None:
    graph = GraphSpace((0, 1, 1), (0, 0, 1), ((Arc(0, 1, ((0, 1.0),), False), Arc(1, 2, (), True)), (), ()))
    weights = Weights({0: 1.0})
    for name, choice in (("exact", Exact()), ("greedy", Greedy()), (("beam", 2, True), Beam(2, merge=True))):
        assert decode(graph, weights, name).beams == decode(graph, weights, choice).beams  # type: ignore[arg-type]
    for wrong in ("beam:8", ("beam", 0, False), ("ray", 1, True)):
        with pytest.raises(SettingError, match="is not known; use 'exact', 'greedy'"):
            decode(graph, weights, wrong)  # type: ignore[arg-type]
    with pytest.raises(SettingError, match="update 'late' is not known; use one of standard, skip, early"):
        train([], search="exact", update="late")
    with pytest.raises(SettingError, match="schedule 'lazy' is not known"):
        train([], search="exact", update="early", schedule="lazy")
    assert train([], search="exact", update="max-violation")


def test_an_empty_input_has_an_empty_output() -> None:
    empty = GraphSpace((0,), (0,), ((),))
    trace = exact(empty, Weights(), empty)
    assert trace.final == -1 and trace.kbest(3) == [predict(empty, Weights(), "greedy")] == [((), 0.0, (0,))]
    assert all(find(trace) is None for find in METHODS.values())
    for update in (*METHODS, "laso"):
        (epoch,) = train([(empty, empty)], search="exact", update=update, epochs=1)
        assert (epoch.examples, epoch.errors, epoch.updates) == (1, 0, 0)


def test_an_input_whose_gold_cannot_be_reached_is_an_error_without_update() -> None:
    graph = GraphSpace((0, 1), (0, 0), ((Arc(0, 1, (), False),), ()))
    for update in (*METHODS, "laso"):
        (epoch,) = train([(graph, graph)], search="greedy", update=update, epochs=1)
        assert (epoch.errors, epoch.updates) == (1, 0)


class Broken(GraphSpace):
    def is_final(self, state: int) -> bool:
        return state == 3


def test_a_search_that_cannot_end_says_so() -> None:
    step_back = GraphSpace((0, 1, 1), (0, 0, 0), ((Arc(0, 1, (), True),), (Arc(0, 2, (), True),), ()))
    with pytest.raises(TaskError, match="from step 1 to 1; every action must lead to a later step"):
        greedy(step_back, Weights())
    dead_end = Broken((0, 1), (0, 0), ((Arc(0, 1, (), True),), ()))
    with pytest.raises(TaskError, match="row 0 is the last but not all of it is final"):
        greedy(dead_end, Weights())
    with pytest.raises(TaskError, match="the initial state is not final but has no actions"):
        greedy(Broken((0,), (0,), ((),)), Weights())
    two_ends = GraphSpace((0, 1, 2), (0, 0, 0), ((Arc(0, 1, (), True), Arc(1, 2, (), True)), (), ()))
    with pytest.raises(TaskError, match="final states on rows 0 and 1; give all final states the same step"):
        exact(two_ends, Weights())


def test_a_dead_end_beside_the_way_does_no_harm() -> None:
    arcs = ((Arc(0, 1, ((0, 1.0),), False), Arc(1, 2, (), True)), (), (Arc(0, 3, (), True),), ())
    graph = Broken((0, 1, 1, 2), (0, 0, 1, 0), arcs)
    assert exact(graph, Weights({0: 5.0})).best(1).actions == (1, 0)
