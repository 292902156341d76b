"""Scores of your own: a torch module trained by the engine's searches. Run: own_scores.py TRAIN DEV"""

import sys
from itertools import chain
from typing import Any

import numpy as np
import torch

from structron.io import read
from structron.own.scores import best_outputs, structured_loss


class StructuredLoss(torch.autograd.Function):
    """The loss of padded scores: forward searches, backward hands over what the search found."""

    @staticmethod
    def forward(ctx: Any, scores: torch.Tensor, gold: list[Any], options: dict[str, Any]) -> torch.Tensor:
        table = scores.detach().numpy()
        found = structured_loss([t[: len(y)] for t, y in zip(table, gold)], gold, **options)
        ctx.gradient = torch.zeros_like(scores)
        for to, part in zip(ctx.gradient, found.gradient):
            to[: len(part)] = torch.from_numpy(part)
        return scores.new_tensor(found.losses.sum())

    @staticmethod
    def backward(ctx: Any, upstream: torch.Tensor) -> tuple[Any, ...]:
        return upstream * ctx.gradient, None, None


class Encoder(torch.nn.Module):
    """A small BiLSTM over words and their endings."""

    def __init__(self, words: int, ends: int, labels: int) -> None:
        super().__init__()
        self.words, self.ends = torch.nn.Embedding(words, 48), torch.nn.Embedding(ends, 16)
        self.lstm = torch.nn.LSTM(64, 48, batch_first=True, bidirectional=True)
        self.out = torch.nn.Linear(96, labels)

    def forward(self, words: torch.Tensor, ends: torch.Tensor) -> torch.Tensor:
        return self.out(self.lstm(torch.cat([self.words(words), self.ends(ends)], -1))[0])


def numbered(values: Any) -> dict[str, int]:
    return {value: i for i, value in enumerate(sorted(set(values)), 1)}


class Data:  # words, endings and labels as numbers; 0 is what training did not have
    def __init__(self, file: str, known: Any = None) -> None:
        sentences = [s for s in read(file) if s.words()]
        words = [[w.lower() for w in s.words()] for s in sentences]
        tags = [list(s.column("upos")) for s in sentences]
        columns = (words, [[w[-3:] for w in row] for row in words], tags)
        self.known = known or [numbered(chain.from_iterable(rows)) for rows in columns]
        self.rows = [
            [np.array([k.get(v, 0) for v in row]) for row in rows] for k, rows in zip(self.known, columns)
        ]

    def batch(self, places: Any) -> tuple[torch.Tensor, torch.Tensor, list[Any]]:
        pad = lambda rows: torch.nn.utils.rnn.pad_sequence([torch.from_numpy(r) for r in rows], True)  # noqa: E731
        words, ends, tags = ([rows[i] for i in places] for rows in self.rows)
        return pad(words), pad(ends), tags


def main(train: str, dev: str, update: str = "max_violation", epochs: int = 3) -> float:
    """Train, and return the accuracy on dev."""
    torch.manual_seed(0), torch.set_num_threads(1)
    data = Data(train)
    held, rng = Data(dev, data.known), np.random.default_rng(0)
    model = Encoder(*(len(k) + 1 for k in data.known))
    optimizer = torch.optim.Adam(model.parameters(), 3e-3)
    for epoch in range(epochs):
        total = 0.0
        for places in np.array_split(rng.permutation(len(data.rows[0])), len(data.rows[0]) // 32 + 1):
            words, ends, gold = data.batch(places)
            loss = StructuredLoss.apply(model(words, ends), gold, {"search": "beam:4", "update": update})
            optimizer.zero_grad()
            (loss / len(places)).backward()
            optimizer.step()
            total += float(loss)
        with torch.no_grad():
            words, ends, gold = held.batch(range(len(held.rows[0])))
            scores = model(words, ends).numpy()
        guess = best_outputs([s[: len(y)] for s, y in zip(scores, gold)])
        right = sum(int((a == b).sum()) for a, b in zip(guess, gold)) / sum(map(len, gold))
        print(f"epoch {epoch + 1}: loss {total:,.0f}, {right:.2%} of the tags right")
    return right


if __name__ == "__main__":
    main(*sys.argv[1:4])
