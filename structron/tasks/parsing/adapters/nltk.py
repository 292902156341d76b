"""NLTK: a `Parser` as an `nltk.ParserI`, and trees as its graphs."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, Self

from structron.adapters.nltk_graphs import graph_of_rows
from structron.errors import DataError
from structron.io.values.trees import NO_LABEL, Tree
from structron.tasks.parsing.estimator import Parser

try:
    from nltk.parse.api import ParserI
    from nltk.parse.dependencygraph import DependencyGraph
    from nltk.tag.api import TaggerI
except ImportError as error:
    raise ImportError("structron.adapters.nltk needs NLTK; pip install 'structron[nltk]'") from error


class StructronParser(ParserI):  # type: ignore[misc]
    """A dependency parser with NLTK's methods; a parse is an `nltk.parse.DependencyGraph`.

    Parameters
    ----------
    parser
        A fitted `Parser`. One that was trained with ``tagger="jackknife:5"`` parses plain words.
    tagger
        What tags words for a parser that wants tags: anything with `tag_sents`. Sentences of (word, tag) need
        none.
    kbest
        How many graphs `parse` yields for a sentence, the best first.
    """

    def __init__(self, parser: Parser, tagger: TaggerI | None = None, kbest: int = 1) -> None:
        self.parser, self.tagger, self.kbest = parser, tagger, kbest

    @classmethod
    def train(cls, graphs: Iterable[DependencyGraph], tagger: TaggerI | None = None, **settings: Any) -> Self:
        """Learn from dependency graphs; settings are the parameters of `Parser`."""
        X, y = [], []
        for number, graph in enumerate(graphs, 1):
            tokens, tree = tree_of_graph(graph, f"graph {number}")
            X.append(tokens)
            y.append(tree)
        return cls(Parser(**settings).fit(X, y), tagger)

    @classmethod
    def load(cls, path: str | Path, tagger: TaggerI | None = None) -> Self:
        """Read a parser from a model file."""
        return cls(Parser.load(path), tagger)

    def save(self, path: str | Path) -> None:
        """Write the model to one file; the tagger is not in it."""
        self.parser.save(path)

    def parse(self, sent: Sequence[Any]) -> Iterator[DependencyGraph]:
        """Yield the graphs of a sentence of words, or of (word, tag), the best first."""
        return next(self.parse_sents([sent]))

    def parse_sents(self, sents: Iterable[Sequence[Any]]) -> Iterator[Iterator[DependencyGraph]]:
        """Parse many sentences, which is quicker than one by one."""
        listed = [list(sent) for sent in sents]
        if self.tagger is not None:
            untagged = [i for i, sent in enumerate(listed) if sent and isinstance(sent[0], str)]
            tagged = self.tagger.tag_sents([listed[i] for i in untagged])
            for i, sent in zip(untagged, tagged):
                listed[i] = list(sent)
        if self.kbest == 1:
            found = [[tree] for tree in self.parser.predict(listed)]
        else:
            found = [[tree for tree, _ in best] for best in self.parser.predict_kbest(listed, self.kbest)]
        tokens = self.parser.tokens(listed)
        return iter([iter([graph_of(own, tree) for tree in trees]) for own, trees in zip(tokens, found)])

    def tagged_parse(self, sentence: Sequence[tuple[str, str]]) -> Iterator[DependencyGraph]:
        """Parse a sentence of (word, tag); NLTK's other dependency parsers have this name for it."""
        return self.parse(sentence)

    def parse_tagged_sents(
        self, sentences: Iterable[Sequence[tuple[str, str]]]
    ) -> Iterator[Iterator[DependencyGraph]]:
        """Parse many sentences of (word, tag)."""
        return self.parse_sents(sentences)


def graph_of(tokens: Sequence[Sequence[str]], tree: Tree) -> DependencyGraph:
    """Return a tree as NLTK has it; tokens are tuples that begin with the word and its tag."""
    rows = []
    for at, (token, head, label) in enumerate(zip(tokens, tree.heads, tree.labels), 1):
        tag = token[1] if len(token) > 1 else "_"
        rows.append((at, token[0], token[0], tag, tag, "", head, label))
    return graph_of_rows(rows)


def tree_of_graph(graph: DependencyGraph, place: str = "the graph") -> tuple[list[tuple[str, str]], Tree]:
    """Return the tokens, each a word and its tag, and the tree of one of NLTK's graphs."""
    nodes = [graph.nodes[address] for address in sorted(graph.nodes) if address != 0]
    if [node["address"] for node in nodes] != list(range(1, len(nodes) + 1)):
        raise DataError(f"{place}: its words are not numbered from 1 on; give a graph without gaps")
    tokens = [(str(node["word"]), str(node["tag"])) for node in nodes]
    heads = [node["head"] for node in nodes]
    if any(not isinstance(head, int) for head in heads):
        raise DataError(f"{place}: a word has no head; give it one")
    return tokens, Tree(heads, [node["rel"] or NO_LABEL for node in nodes])
