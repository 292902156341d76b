"""What comes with the playground: a synthetic treebank, and models that are learned from it in seconds."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from structron.synthetic import Tree, generate_spellings, generate_treebank
from structron.tasks.parsing import Parser
from structron.tasks.tagging import Tagger
from structron.tasks.transduction import Transducer


def trees(count: int, seed: int) -> list[Tree]:
    """Sentences with tags and trees."""
    return generate_treebank(count, np.random.default_rng(seed))


def small_models() -> Iterator[tuple[str, Any]]:
    """A tagger, a parser of plain words, and words to sounds."""
    data = trees(500, 0)
    words = [list(tree.words) for tree in data]
    tags = [list(tree.tags) for tree in data]
    yield "tagger", Tagger(epochs=5, search="beam:4").fit(words, tags)
    few = 300  # trees enough to look at
    gold = [(list(tree.heads), list(tree.labels)) for tree in data[:few]]
    parser = Parser(
        epochs=4, search="beam:8", system="arc-standard", templates="fast_tags", tagger="jackknife:2"
    )
    yield "parser", parser.fit(list(zip(words, tags))[:few], gold)
    pairs = generate_spellings(400, np.random.default_rng(0))
    sounds = Transducer(epochs=4)
    yield "sounds", sounds.fit([pair.source for pair in pairs], [list(pair.targets) for pair in pairs])
