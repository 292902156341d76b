"""Small data for the tests of estimators."""

from __future__ import annotations

import numpy as np

from structron.synthetic import generate_treebank

Words = list[list[str]]


def treebank(n: int = 60, seed: int = 3) -> tuple[Words, Words]:
    """Words and parts of speech from the generator."""
    trees = generate_treebank(n, np.random.default_rng(seed))
    return [list(tree.words) for tree in trees], [list(tree.tags) for tree in trees]


def runs(tags: Words) -> Words:
    """BIO labels for runs of nouns and verbs."""
    Y = []
    for row in tags:
        labels: list[str] = []
        for i, tag in enumerate(row):
            kind = "NP" if tag.startswith(("N", "D", "J")) else "VP" if tag.startswith("V") else None
            goes_on = kind is not None and i > 0 and labels[-1].endswith(kind)
            labels.append("O" if kind is None else f"{'I' if goes_on else 'B'}-{kind}")
        Y.append(labels)
    return Y


def spans(n: int = 60, seed: int = 3) -> tuple[list[list[tuple[str, str]]], Words]:
    """Words with parts of speech, and BIO labels for runs of nouns and verbs."""
    X, tags = treebank(n, seed)
    return [list(zip(words, row)) for words, row in zip(X, tags)], runs(tags)
