"""structron in NLTK's interfaces, used by NLTK itself."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from structron import DataError, SettingError
from structron.io import Tree
from structron.synthetic import generate_treebank
from tests.unit.estimators.corpora import treebank

nltk = pytest.importorskip("nltk", reason="NLTK is not installed; pip install nltk")

from nltk.parse import DependencyEvaluator, DependencyGraph, ParserI  # noqa: E402
from nltk.tag import RegexpTagger, TaggerI  # noqa: E402
from nltk.tokenize.api import TokenizerI  # noqa: E402

from structron.adapters.nltk import (  # noqa: E402  # noqa: E402
    StructronParser,
    StructronPipeline,
    StructronTagger,
    graph_of,
    tree_of_graph,
)

SENTS = [list(zip(words, tags)) for words, tags in zip(*treebank(60))]


def graphs(n: int) -> list[DependencyGraph]:
    made = []
    for tree in generate_treebank(n, np.random.default_rng(7)):
        lines = zip(tree.words, tree.tags, tree.heads, tree.labels)
        text = "\n".join("\t".join(map(str, line)) for line in lines)
        made.append(DependencyGraph(text, top_relation_label="root"))
    return made


def test_a_tagger_is_measured_by_nltk(tmp_path: Path) -> None:
    tagger = StructronTagger.train(SENTS[:40], epochs=3)
    assert isinstance(tagger, TaggerI)
    gold = SENTS[40:]
    words = [[word for word, _ in sent] for sent in gold]
    tagged = tagger.tag_sents(words)
    assert tagged == [tagger.tag(sent) for sent in words]
    assert tagger.accuracy(gold) == pytest.approx(
        tagger.tagger.score(words, [[t for _, t in s] for s in gold])
    )
    assert tagger.accuracy(gold) > 0.7
    assert tagger.confusion(gold)["NN", "NN"] > 0
    assert "NN" in tagger.evaluate_per_tag(gold)
    assert tagger.tag([]) == []
    tagger.save(tmp_path / "m")
    assert StructronTagger.load(tmp_path / "m").tag_sents(words) == tagged


def test_a_parser_gives_graphs_that_nltk_scores(tmp_path: Path) -> None:
    gold = graphs(60)
    parser = StructronParser.train(gold[:45], epochs=4, search="beam:4")
    assert isinstance(parser, ParserI)
    tokens = [tree_of_graph(graph)[0] for graph in gold[45:]]
    parsed = [next(found) for found in parser.parse_sents(tokens)]
    las, _ = DependencyEvaluator(parsed, gold[45:]).eval()
    assert las > 0.6
    assert all(graph.contains_address(graph.root["address"]) and graph.tree() for graph in parsed)
    assert [tree_of_graph(g)[1] for g in parsed] == parser.parser.predict(tokens)
    assert tree_of_graph(parser.parse_one(tokens[0])) == tree_of_graph(parsed[0])
    assert tree_of_graph(next(parser.tagged_parse(tokens[0]))) == tree_of_graph(parsed[0])
    assert len(list(parser.parse_tagged_sents(tokens[:2]))) == 2
    parser.save(tmp_path / "m")
    loaded = StructronParser.load(tmp_path / "m")
    loaded.kbest = 3
    best = loaded.parse_all(tokens[0])
    assert 1 < len(best) <= 3 and tree_of_graph(best[0]) == tree_of_graph(parsed[0])


def test_a_tagger_of_nltk_stands_before_the_parser() -> None:
    gold = graphs(30)
    words = [[word for word, _ in tree_of_graph(graph)[0]] for graph in gold]
    tagger = RegexpTagger([("s$", "NNS"), (".", "NN")])
    parser = StructronParser.train(gold, tagger, epochs=2)
    (graph,) = parser.parse(words[0])
    tokens, tree = tree_of_graph(graph)
    assert tokens == tagger.tag(words[0])
    assert tree == parser.parser.predict([tokens])[0]


def test_graphs_and_trees_are_the_same_there_and_back() -> None:
    for graph in graphs(5):
        tokens, tree = tree_of_graph(graph)
        made = graph_of(tokens, tree)
        assert tree_of_graph(made) == (tokens, tree)
        assert made.tree() == graph.tree()
        assert list(made.triples()) == list(graph.triples())
    with pytest.raises(DataError, match="graph 1: a word has no head; give it one"):
        broken = graph_of([("a", "A")], Tree([0], ["root"]))
        broken.nodes[1]["head"] = None
        StructronParser.train([broken])
    with pytest.raises(DataError, match="not numbered from 1"):
        broken = graph_of([("a", "A"), ("b", "B")], Tree([2, 0], ["x", "root"]))
        broken.remove_by_address(1)
        tree_of_graph(broken)


def test_a_pipeline_is_tokenizer_tagger_and_parser() -> None:
    nlp = StructronPipeline("en")
    assert isinstance(nlp, ParserI) and isinstance(nlp, TaggerI) and isinstance(nlp, TokenizerI)
    text = "I don't know.  They saw\nit."
    assert nlp.sent_tokenize(text) == ["I don't know.", "They saw\nit."]
    words = nlp.word_tokenize(text)
    assert words == ["I", "do", "n't", "know", ".", "They", "saw", "it", "."]
    assert [text[start:end] for start, end in nlp.span_tokenize(text)] == words
    assert nlp.tokenize_sents(["It flew.", ""]) == [["It", "flew", "."], []]
    tagged = nlp.tag_sents([words[:5], [], words[5:]])
    assert tagged == [*(nlp.tag(each) for each in (words[:5], [], words[5:]))]
    assert [tagged[0], tagged[2]] == next(nlp.raw_tag_sents([text]))
    assert tagged[0][0] == ("I", "PRP") and nlp.accuracy([tagged[2]]) == 1
    assert StructronPipeline(nlp.pipeline, "universal").tag(["It", "flew"]) == [
        ("It", "PRON"),
        ("flew", "VERB"),
    ]
    (graph,) = nlp.raw_parse("Birds flew.")
    assert isinstance(graph, DependencyGraph) and not graph.contains_cycle()
    assert graph.nodes == nlp.parse_one(["Birds", "flew", "."]).nodes and graph.root["word"] == "flew"
    assert next(iter(graph.triples())) == (("flew", "VERB"), "nsubj", ("Birds", "NOUN"))
    rows = [line.split("\t") for line in nlp.pipeline("Birds flew.").to_conllu().split("\n") if "\t" in line]
    assert [line.split("\t")[:8] for line in graph.to_conll(10).splitlines()] == [row[:8] for row in rows]
    assert [len(list(graphs)) for graphs in nlp.raw_parse_sents([text, "", "Yes."])] == [2, 0, 1]
    assert [len(list(graphs)) for graphs in nlp.parse_sents([["a"], []])] == [1, 0]
    with pytest.raises(SettingError, match="tagset 'brown' is not possible"):
        StructronPipeline("en", "brown")
