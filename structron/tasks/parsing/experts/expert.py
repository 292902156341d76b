"""Experts of a parser: other parsers, trained on the same trees.

Scores of whole trees are added, each multiplied by the expert's weight, and the best candidate wins. So every
expert must be able to score a tree that another parser has found: a graph parser adds up the tree's parts, a
transition parser follows its static oracle (`structron.tasks.parsing.transitions.scoring` is the definition).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from structron.engine.experts import Expert, Part, parse_parts
from structron.search import Search
from structron.tasks.parsing.trees.task import TreeTask

BACKWARD, EAGER = "backward", "eager"
BY_TRANSITIONS = (EAGER, BACKWARD)
# Chosen on the dev set of EWT, see decision 25.
WEIGHTS = {"graph": 1.1, "arcs": 0.8, EAGER: 0.7, BACKWARD: 0.7}
# On the same set the eight best trees of a graph parser gave 0.05 to 0.1 LAS more than one. Those of a
# backward parser gained nothing.
OF_A_GRAPH = 8


def parse_combination(text: object) -> tuple[Part, ...]:
    """Read ``none``, ``graph+backward`` or ``arcs:0.5+backward:0.2``.

    >>> parse_combination("graph+backward:0.2")
    (Part(name='graph', weight=1.1), Part(name='backward', weight=0.2))
    """
    return parse_parts(
        text,
        WEIGHTS,
        f"one or more of {', '.join(WEIGHTS)} as in graph+backward, with weights as in "
        "graph:0.9+backward:0.7",
    )


class ParsingExpert(Expert[TreeTask]):
    """A finished parser with the same relations as the parser that it belongs to.

    Its name is ``graph``, ``arcs`` (a first-order graph parser), ``eager`` (by arc-eager transitions) or
    ``backward`` (which reads sentences from their ends).
    """

    @property
    def is_backward(self) -> bool:
        """Return True if it reads sentences and trees from their ends."""
        return self.name == BACKWARD

    @property
    def candidates(self) -> int:
        """Return how many of its best trees become candidates."""
        return 1 if self.name in BY_TRANSITIONS else OF_A_GRAPH

    def with_labels(self, labels: Sequence[str]) -> ParsingExpert:
        """Return the parser with more relations, of which it knows nothing."""
        from structron.engine.changes import moved, with_labels

        task, columns = with_labels(self.task, list(labels))
        return replace(self, task=task, rows=moved(self.rows, columns))

    @classmethod
    def fits(cls, name: str, search: Search, task: Mapping[str, Any]) -> bool:
        """Check that system and search are those of the expert's name."""
        if name in BY_TRANSITIONS:
            return search.kind == "beam" and not search.is_exact and task.get("system") != "graph"
        return name in WEIGHTS and search.kind == "forest" and task.get("system") == "graph"
