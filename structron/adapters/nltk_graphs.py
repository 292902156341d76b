"""NLTK: its dependency graphs, from the words of a sentence."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

try:
    from nltk.parse.dependencygraph import DependencyGraph
except ImportError as error:
    raise ImportError("structron.adapters.nltk needs NLTK; pip install 'structron[nltk]'") from error

FIELDS = ("address", "word", "lemma", "ctag", "tag", "feats", "head", "rel")


def graph_of_rows(rows: Iterable[Sequence[Any]]) -> DependencyGraph:
    """Return the graph of a sentence; a row has the values of `FIELDS` for one word."""
    graph = DependencyGraph()
    for row in rows:
        node = dict(zip(FIELDS, row))
        graph.nodes[node["address"]].update(node)
        graph.nodes[node["head"] or 0]["deps"][node["rel"]].append(node["address"])
        if not node["head"] and graph.root is None:
            graph.root = graph.nodes[node["address"]]
    return graph
