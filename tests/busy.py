"""Calls that keep the engine busy for minutes, one for each kind of work: for tests that interrupt them.

Each function makes what it needs in a moment and returns a call that does not come back soon. It asks for
one input, or one step, that takes long by itself: loops in Python hear signals anyway.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any

import numpy as np

Call = Callable[[], object]

AGAIN = 50  # so often is the same input given: each takes long, and all are read before the first is searched


def _trees() -> tuple[list[Any], list[Any]]:
    from structron.synthetic import generate_treebank

    trees = generate_treebank(20, np.random.default_rng(0))
    return [(list(t.words), list(t.tags)) for t in trees], [(list(t.heads), list(t.labels)) for t in trees]


def tagging() -> Call:
    """A long sentence with a wide beam."""
    from structron import Tagger

    tagger = Tagger(epochs=1, search="beam:1000").fit([["a", "b", "c"]] * 3, [["X", "Y", "Z"]] * 3)
    return lambda: tagger.predict([["a", "b"] * 2500] * AGAIN)


def learning_tags() -> Call:
    """The first of many examples, in the first epoch."""
    from structron import Tagger

    tagger = Tagger(epochs=1, search="beam:1000", update="laso")
    return lambda: tagger.fit([["a", "b"] * 2500] * 200, [["X", "Y"] * 2500] * 200)


def batches() -> Call:
    """A batch that several threads decode."""
    from structron import Tagger

    tagger = Tagger(epochs=1, search="beam:500", batch=64, threads=2)
    return lambda: tagger.fit([["a", "b"] * 2500] * 200, [["X", "Y"] * 2500] * 200)


def shards() -> Call:
    """Shards, which learn in threads of Python."""
    from structron import Tagger

    tagger = Tagger(epochs=1, search="beam:500", shards=2, threads=2)
    return lambda: tagger.fit([["a", "b"] * 2500] * 200, [["X", "Y"] * 2500] * 200)


def segmentation() -> Call:
    """Text without end."""
    from structron import Segmenter

    segmenter = Segmenter(epochs=1, search="beam:200").fit(
        ["Go on. Stop!"] * 3, [[["Go", "on", "."], ["Stop", "!"]]] * 3
    )
    return lambda: segmenter.predict(["Go on. Stop! " * 3000] * AGAIN)


def word_segmentation() -> Call:
    """Words without spaces between them, and their tags."""
    from structron import Segmenter

    segmenter = Segmenter(system="joint", epochs=1, search="beam:100")
    segmenter.fit(
        ["Goon.Stop!"] * 3, [[[("Go", "G"), ("on", "o"), (".", ".")], [("Stop", "S"), ("!", "!")]]] * 3
    )
    return lambda: segmenter.predict(["Goon.Stop!" * 200] * AGAIN)


def _parsing(length: int, **settings: Any) -> Call:
    from structron import Parser

    parser = Parser(epochs=1, **settings).fit(*_trees())
    words, tags = _trees()[0][0]
    x = (words * length)[:length], (tags * length)[:length]
    return lambda: parser.predict([x] * AGAIN)


def parsing() -> Call:
    """Transitions, with a wide beam."""
    return _parsing(400, search="beam:500")


def parsing_dp() -> Call:
    """Transitions, with a beam that merges."""
    return _parsing(400, search="dp:200")


def graph_parsing() -> Call:
    """All trees of a long sentence."""
    return _parsing(250, system="graph", search="forest:8")


def climbing() -> Call:
    """All trees, and then change after change."""
    return _parsing(250, system="graph", search="forest:8+swaps")


def transduction() -> Call:
    """A long word, and all ways to rewrite it."""
    from structron import Transducer

    transducer = Transducer(epochs=1, search="beam:200").fit(
        ["ab", "ba", "aab"] * 2, ["x y", "y x", "x x y"] * 2
    )
    return lambda: transducer.predict(["ab" * 5000] * 400)


def aligning_letters() -> Call:
    """Iterations over pairs of long words."""
    from structron.alignment.pairs import Aligner

    rng = np.random.default_rng(0)
    pairs = [(list(rng.choice([*"abcdef"], 500)), list(rng.choice([*"uvwxyz"], 500))) for _ in range(12)]
    return lambda: Aligner(iterations=10_000, tolerance=-1e9).align(pairs)


def _numbered(pairs: int, length: int, words: int) -> Any:
    from structron.alignment.vocabulary import Numbered

    flat = np.random.default_rng(0).integers(5, words, pairs * length, dtype=np.uint32)
    return Numbered(flat, np.arange(0, pairs * length + 1, length, dtype=np.uint64))


def aligning_words() -> Call:
    """Iterations over pairs of long sentences."""
    from structron.alignment.bitext import BitextAligner

    text = _numbered(60, 400, 2000)
    return lambda: BitextAligner(model1=0, hmm=1000).align_numbered(text, text, (2000, 2000))


def _linked(pairs: int, length: int) -> tuple[Any, ...]:
    text = _numbered(pairs, length, 5000)
    places = np.tile(np.arange(length, dtype=np.uint32), pairs)
    return text.words, text.offsets, text.words, text.offsets, text.offsets, places, places, 5000, 5000


def phrases() -> Call:
    """The phrases of much text."""
    from structron import _core

    return lambda: _core.phrase_table(*_linked(20_000, 100), 15, 1, 1000)


def rules() -> Call:
    """Rules with gaps."""
    from structron import _core

    return lambda: _core.rule_table(*_linked(20_000, 100), 15, 5, 1, 1000)


def _translation(**settings: Any) -> Call:
    from structron import Translator

    sources = ["a b c", "b a", "a a b", "c a b"] * 3
    translator = Translator(epochs=1, **settings).fit(sources, [each.upper() for each in sources])
    return lambda: translator.predict(["a b c " * 25] * 5000)


def translation() -> Call:
    """A long sentence, phrase by phrase."""
    return _translation(search="beam:1000+merge")


def hiero() -> Call:
    """A long sentence, by rules with gaps."""
    return _translation(system="hiero", search="forest:400")


def semantics() -> Call:
    """A long question."""
    from structron import SemanticParser

    grammar = "Q -> show(T)\nQ -> count(T)\nT -> big(T)\nT -> both(T, T)\nT -> s\nT -> t"
    parser = SemanticParser(epochs=1, grammar=grammar, search="forest")
    parser.fit(["show s", "count t", "show big s"] * 2, ["show(s)", "count(t)", "show(big(s))"] * 2)
    return lambda: parser.predict(["show big s t " * 60] * AGAIN)


def classification() -> Call:
    """Very many texts."""
    from structron import Classifier

    classifier = Classifier(epochs=1).fit(["a b", "b a", "c"] * 2, ["x", "x", "y"] * 2)
    return lambda: classifier.predict([" ".join(map(str, range(20_000)))] * 20_000)


def lemmatisation() -> Call:
    """Words that are all new."""
    from structron import Lemmatizer

    words = [[("dogs", "N", "_"), ("ran", "V", "_"), ("cats", "N", "_")]] * 5
    lemmatizer = Lemmatizer(epochs=1).fit(words, [["dog", "run", "cat"]] * 5)
    return lambda: lemmatizer.lemmas([[(f"{'ab' * 20}{i}", "N", "_") for i in range(400_000)]])


def clustering() -> Call:
    """Many classes of many words."""
    from structron.fit.clustering.clustering import brown_clusters

    rng = np.random.default_rng(0)
    text = [[f"w{i}" for i in rng.integers(0, 8000, 40)] for _ in range(8000)]
    return lambda: brown_clusters(text, 1500, least=1)


def explicit() -> Call:
    """A space that is given as a graph: two states a step, each of which can follow each."""
    from structron import _core

    steps = [0, *(1 + i // 2 for i in range(4000))]  # the first state, and 2000 pairs
    first = {step: steps.index(step) for step in set(steps)}
    arcs = [
        (state, action, first[step + 1] + action, True, [(7 * state + action, 1.0)])
        for state, step in enumerate(steps)
        for action in (0, 1)
        if step + 1 in first
    ]
    graph = _core.Graph(_core.Weights(1), steps, list(range(len(steps))), arcs, 2)
    return lambda: graph.kbest(1, _core.Search(20_000, False))


def restoring() -> Call:
    """The weights of very many features."""
    from structron import _core

    keys = np.sort(np.random.default_rng(0).integers(1, 1 << 63, 3_000_000, dtype=np.uint64))
    columns, weights, past = (
        np.zeros(len(keys), np.uint32),
        np.ones(len(keys), np.float32),
        np.ones(len(keys)),
    )

    def call() -> None:
        while True:
            _core.Weights(4).restore(keys, columns, weights, past, 2)

    return call


def main() -> None:
    """Start one of them, say so, and end as the command does."""
    from structron.cli.terminal.standard import catch_signals

    call = globals()[sys.argv[1]]()
    catch_signals()
    print("busy", flush=True)
    try:
        call()
    except KeyboardInterrupt:
        sys.exit(130)


if __name__ == "__main__":
    main()
