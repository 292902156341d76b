"""The task of graph-based parsing by itself: what it is made from, and what brings it back."""

from __future__ import annotations

import pickle
from typing import Any

import pytest

from structron.errors import ModelError, SettingError
from structron.reference import check_forest
from structron.registry import task_of
from structron.tasks.parsing import GraphParsingTask, ParsingTask

CROSSED = ([2, 4, 4, 0, 6, 2], ["det", "nsubj", "aux", "root", "case", "nmod"])
PLAIN = ([2, 0], ["nsubj", "root"])
TEMPLATES = ("h.w m.t d", "h.t s.t m.t")


def made(**choices: Any) -> GraphParsingTask:
    return GraphParsingTask.of_trees([CROSSED, PLAIN], TEMPLATES, **choices)


@pytest.mark.parametrize(("crossing", "mark"), [("pseudo", True), ("lift", False), ("refuse", False)])
def test_relations_are_those_of_lifted_trees(crossing: str, mark: bool) -> None:
    task = made(crossing=crossing)
    assert ("nmod|nsubj" in task.labels) == mark and task.weight_columns == len(task.labels) + 1
    heads = task.projected(CROSSED)[0]
    assert (list(heads) == CROSSED[0]) == (crossing == "refuse")
    assert task.projected(PLAIN) is PLAIN


def test_one_root_if_no_tree_has_more() -> None:
    assert made().single_root and not made(single_root=False).single_root
    assert not GraphParsingTask.of_trees([([0, 0], ["r", "r"])], TEMPLATES).single_root


def test_a_header_brings_it_back_by_way_of_its_kind() -> None:
    task = made(bits=9, single_root=False)
    again = task_of("parsing").restore(task.header(), task.arrays())
    assert again == task and isinstance(again, GraphParsingTask)
    by_transitions = ParsingTask.of_trees([PLAIN], ["s0.w"])
    assert task_of("parsing").restore(by_transitions.header(), {}) == by_transitions
    with pytest.raises(ModelError, match="its bits should be of type int"):
        task_of("parsing").restore(task.header() | {"bits": "9"}, {})
    with pytest.raises(KeyError, match="crossing"):
        task_of("parsing").restore({k: v for k, v in task.header().items() if k != "crossing"}, {})


def test_it_travels_without_what_the_engine_made() -> None:
    task = made()
    assert task.program.columns == task.columns == 2
    assert pickle.loads(pickle.dumps(task)) == task
    assert "program" not in vars(pickle.loads(pickle.dumps(task)))


def test_what_it_cannot_be_is_refused() -> None:
    for choices, said in (
        ({"crossing": "cut"}, "crossing 'cut' is not known"),
        ({"bits": 33}, "bits = 33 is not possible"),
    ):
        with pytest.raises(SettingError, match=said):
            made(**choices)
    with pytest.raises(SettingError, match="there are 0 relations"):
        GraphParsingTask((), TEMPLATES)


@pytest.mark.parametrize("single_root", [True, False])
def test_space_and_oracle_fit_together(single_root: bool) -> None:
    task = made(single_root=single_root)
    tokens = [("a", "X"), ("b", "Y"), ("c", "X")]
    space = task.space(tokens)
    check_forest(space, task.oracle(([2, 0, 2], ["nsubj", "root", "det"])))
    # The same gold over a chart from which some arcs were left out.
    fewer = task.space(tokens, {(2, 1), (0, 2), (2, 3), (1, 3)})
    assert fewer.nodes() < space.nodes()
    check_forest(fewer, task.oracle(([2, 0, 2], ["nsubj", "root", "det"]), fewer))
