"""A small treebank with all columns, for tests of pipelines."""

from __future__ import annotations

import numpy as np

from structron.io import Format, Sentence
from structron.synthetic.treebank import generate_treebank


def treebank(count: int, seed: int = 1) -> list[Sentence]:
    """Sentences of a made-up grammar; every third has a multiword token, every fourth an empty node."""
    found = []
    for number, tree in enumerate(generate_treebank(count, np.random.default_rng(seed))):
        rows = []
        for i, (word, tag) in enumerate(zip(tree.words, tree.tags), 1):
            plural = word.endswith("s")
            lemma = word[:-1] if plural and len(word) > 1 else word
            feats = "Number=Plur" if plural else "_"
            arc = [str(tree.heads[i - 1]), tree.labels[i - 1]]
            rows.append([str(i), word, lemma.lower(), tag, tag.lower(), feats, *arc, "_", "_"])
        text = " ".join(tree.words)
        if number % 3 == 0 and len(rows) > 1:
            text = text.replace(" ", "", 1)
            rows.insert(0, ["1-2", rows[0][1] + rows[1][1], *["_"] * 8])
        if number % 4 == 0:
            rows.append([f"{len(tree.words)}.1", "nothing", *["_"] * 8])
        found.append(Sentence(rows, Format("conllu"), comments=[f"# text = {text}"]))
    return found
