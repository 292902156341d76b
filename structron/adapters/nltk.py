"""NLTK: a `Tagger` as an `nltk.TaggerI`, a `Parser` as an `nltk.ParserI`, a `Pipeline` as both from raw text.

They wrap an estimator, which stays what it is (`tagger`, `parser`), and add the methods that NLTK's own have:
whatever takes one of NLTK's takes these.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, Self

from structron.adapters.nltk_perceptron import TaggerMethods
from structron.adapters.nltk_pipeline import StructronPipeline, graph_of_words
from structron.errors import DataError
from structron.io.values.trees import NO_LABEL, Tree
from structron.tasks.parsing import Parser
from structron.tasks.pipeline import Word
from structron.tasks.tagging import Tagger

try:
    from nltk.parse.api import ParserI
    from nltk.parse.dependencygraph import DependencyGraph
    from nltk.tag.api import TaggerI
except ImportError as error:
    raise ImportError("structron.adapters.nltk needs NLTK; pip install 'structron[nltk]'") from error

__all__ = ["StructronParser", "StructronPipeline", "StructronTagger", "graph_of", "tree_of_graph"]


class StructronTagger(TaggerMethods, TaggerI):  # type: ignore[misc]
    """A tagger with NLTK's methods; `accuracy`, `confusion`, `recall` and more are NLTK's own.

    Parameters
    ----------
    tagger
        A fitted `Tagger`.

    Examples
    --------
    >>> sents = [[("dogs", "N"), ("bark", "V")], [("cats", "N"), ("sleep", "V")]]
    >>> StructronTagger.train(sents, epochs=3).tag(["cats", "bark"])
    [('cats', 'N'), ('bark', 'V')]
    """

    @classmethod
    def train(cls, tagged_sents: Iterable[Sequence[tuple[str, str]]], **settings: Any) -> Self:
        """Learn from sentences as NLTK's corpora have them; settings are the parameters of `Tagger`."""
        words, tags = _columns(tagged_sents)
        return cls(Tagger(**settings).fit(words, tags))


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
    words = []
    for at, (token, head, label) in enumerate(zip(tokens, tree.heads, tree.labels), 1):
        tag = token[1] if len(token) > 1 else "_"
        words.append(Word(at, token[0], token[0], tag, tag, "", head, label))
    return graph_of_words(words)


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


def _columns(tagged_sents: Iterable[Sequence[tuple[str, str]]]) -> tuple[list[list[str]], list[list[str]]]:
    words, tags = [], []
    for sent in tagged_sents:
        words.append([word for word, _ in sent])
        tags.append([tag for _, tag in sent])
    return words, tags
