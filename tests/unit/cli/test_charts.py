"""A chart as lines: gold falls out where it does, and no line is wider than it may be."""

from __future__ import annotations

import math

import click
import pytest

from structron import Parser
from structron.cli.draw.trees import cells
from structron.engine.chart_tracing import EngineChart
from structron.io import Tree
from structron.tasks.parsing.charts import Chart
from tests.unit.tasks.parsing.test_parser import trees

WORDS, TAGS = ["dogs", "bark", "loudly", "today"], ["N", "V", "R", "R"]
RIGHT = Tree([2, 0, 2, 2], ["nsubj", "root", "advmod", "advmod"])
WRONG = Tree([2, 0, 2, 3], ["obj", "root", "advmod", "advmod"])


@pytest.fixture(scope="module")
def parser() -> Parser:
    """It knows one tree well, and another relation."""
    X = [(WORDS, TAGS)] * 5 + [(["see", "dogs"], ["V", "N"])]
    y = [RIGHT] * 5 + [Tree([0, 1], ["root", "obj"])]
    templates = ["h.t m.t d", "m.w", "h.w m.w", "h.t s.t m.t", "h.t m.t c.t"]
    return Parser(system="graph", search="forest:3", epochs=3, templates=templates, pruner="none").fit(X, y)


def chart(parser: Parser, gold: Tree | None, words: list[str] = WORDS, width: int = 80) -> Chart:
    trace = parser.trace((words, TAGS), gold)
    assert isinstance(trace, EngineChart)
    labels = parser.model_.task.labels
    return Chart(trace, words, labels, has_gold=gold is not None, top=2, width=width)


def plain(lines: object) -> list[str]:
    return [click.unstyle(line) for line in lines]  # type: ignore[attr-defined]


def test_gold_that_wins_is_best_everywhere(parser: Parser) -> None:
    drawn = chart(parser, RIGHT)
    lines = plain(drawn.overview())[1:]
    assert lines and all(line.rstrip().endswith("gold is best") for line in lines)
    assert [line.split()[-1] for line in plain(drawn.summary())[1:]] == ["none"] * 7
    assert not any("✗" in line for line in plain(drawn.cells()))


def test_gold_falls_out_where_its_arcs_do_and_methods_update_there(parser: Parser) -> None:
    drawn = chart(parser, WRONG)
    lines = plain(drawn.overview())[1:]
    # The relation of the first word is wrong, and so is the head of the last; from there on gold is out.
    fallen = [line.split()[:2] for line in lines if "gold falls out" in line]
    assert ["A<", "1-2"] in fallen and ["C>", "0-4"] not in fallen
    assert "gold is out" in lines[-1] and lines[-1].startswith("C> 0-4")
    early = next(line for line in lines if "◀" in line)
    assert early == next(line for line in lines if "gold falls out" in line) and "early" in early
    methods = {line.split()[0]: line for line in plain(drawn.summary())[1:] if line[:1] != " "}
    assert "A< 1-2" in methods["early"] and "C> 0-4" in methods["standard"]
    assert all("valid" in line and "invalid" not in line for line in methods.values())
    said = "\n".join(plain(drawn.cells()))
    assert (
        "dogs nsubj of bark" in said and "today advmod of bark" in said and "gold falls out: excess +" in said
    )


def test_without_gold_alternatives_are_told_by_what_differs(parser: Parser) -> None:
    lines = plain(chart(parser, None).cells())
    at = next(i for i, line in enumerate(lines) if line.startswith("C> 0-4"))
    assert lines[at + 1].split()[0] == "1" and "bark root of ROOT" in lines[at + 1]
    assert lines[at + 2].split()[0] == "2" and not any("gold" in line for line in lines)


def test_gold_that_was_pruned_is_told() -> None:
    X, y = [(WORDS, TAGS)] * 6, [RIGHT] * 6
    narrow = Parser(system="graph", epochs=1, templates=["h.t m.t d"], pruner="heads:1").fit(X, y)
    labels = sorted({*RIGHT.labels})
    pruned = chart(narrow, Tree([3, 3, 0, 3], labels[:3] + labels[:1]))
    assert math.isnan(pruned.trace.gold_score[-1])
    assert plain(pruned.overview())[-1] == "gold cannot be built: an arc of it was left out before the search"
    assert len(plain(pruned.summary())) == 8


@pytest.mark.parametrize("width", [50, 80, 120])
def test_no_line_is_wider_than_it_may_be(parser: Parser, width: int) -> None:
    long = ["d" * 90, "狗" * 40, "b", "a\u0301" * 30]
    for gold in (None, RIGHT, WRONG):
        drawn = chart(parser, gold, long, width)
        lines = [*plain(drawn.cells()), *(plain(drawn.overview()) if gold else [])]
        assert max(map(cells, lines)) <= width


def test_a_long_sentence_is_drawn_too() -> None:
    X, y = trees(30)
    parser = Parser(system="graph", epochs=1, templates="graph_fast_tags").fit(X, y)
    words, tags = ([each for x in X for each in x[part]][:60] for part in (0, 1))
    trace = parser.trace((words, tags))
    assert isinstance(trace, EngineChart)
    lines = plain(Chart(trace, words, parser.model_.task.labels, has_gold=False).cells())
    assert sum(line.startswith("A") and "-" in line for line in lines) >= 60
