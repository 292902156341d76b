"""Scores of your own in numpy: a table moved by the gradient of a search. Run: own_table.py TRAIN DEV"""

import sys
from typing import Any

import numpy as np

from structron.io import read
from structron.own.scores import best_outputs, structured_loss

RATE, BATCH = 0.1, 16


class Table:
    """A weight for each label of what is seen of a word: itself, its neighbours and its ending."""

    def __init__(self, sentences: list[Any]) -> None:
        self.labels = sorted({label for s in sentences for label in s.column("upos")})
        self.names: dict[tuple[str, str], int] = {("", ""): 0}  # row 0 is what training did not have
        self.seen = [self.rows(s, learn=True) for s in sentences]
        self.gold = [[self.labels.index(label) for label in s.column("upos")] for s in sentences]
        self.weights = np.zeros((len(self.names), len(self.labels)), np.float32)

    def rows(self, sentence: Any, learn: bool = False) -> np.ndarray:
        words = ["<", *sentence.words(), ">"]
        every = [
            (("w", w), ("end", w[-3:]), ("-1", b), ("+1", a)) for b, w, a in zip(words, words[1:], words[2:])
        ]
        if learn:
            return np.array([[self.names.setdefault(n, len(self.names)) for n in names] for names in every])
        return np.array([[self.names.get(name, 0) for name in names] for names in every])

    def scores(self, rows: np.ndarray) -> np.ndarray:
        return np.asarray(self.weights[rows].sum(1))

    def learn(self, places: np.ndarray, **options: Any) -> float:
        """Move the weights of a batch against the gradient, and return its loss."""
        found = structured_loss(
            [self.scores(self.seen[i]) for i in places], [self.gold[i] for i in places], **options
        )
        for i, gradient in zip(places, found.gradient):
            np.subtract.at(self.weights, self.seen[i], RATE * gradient[:, None, :])
        return float(found.losses.sum())


if __name__ == "__main__":
    train, dev = ([s for s in read(file) if s.words()] for file in sys.argv[1:3])
    table, rng = Table(train), np.random.default_rng(0)
    for epoch in range(3):
        batches = np.array_split(rng.permutation(len(train)), len(train) // BATCH + 1)
        loss = sum(table.learn(b, search="beam:4", update="max_violation", margin=1.0) for b in batches)
        outputs = best_outputs([table.scores(table.rows(s)) for s in dev])
        pairs = [p for s, output in zip(dev, outputs) for p in zip(s.column("upos"), output)]
        right = sum(gold == table.labels[guess] for gold, guess in pairs) / len(pairs)
        print(f"epoch {epoch + 1}: loss {loss:,.0f}, {right:.2%} of the tags right")
