"""One BiLSTM over words and their characters, and what scores positions, arcs, or states with actions."""

from __future__ import annotations

import torch
from torch import Tensor, nn

from neural.data import Vocabulary

EMBEDDED, CHARACTERS, FILTERS, TAGS = 100, 32, 64, 32
DROPOUT = 0.33


class Encoder(nn.Module):
    """A vector for the root and for each word."""

    def __init__(self, known: Vocabulary, layers: int, hidden: int, reads_tags: bool) -> None:
        super().__init__()
        self.words = nn.Embedding(len(known.words) + 3, EMBEDDED, 0)
        self.characters = nn.Embedding(len(known.characters) + 3, CHARACTERS, 0)
        self.filters = nn.Conv1d(CHARACTERS, FILTERS, 3, padding=1)
        self.tags = nn.Embedding(len(known.tags) + 1, TAGS) if reads_tags else None
        width = EMBEDDED + FILTERS + (TAGS if reads_tags else 0)
        self.drop = nn.Dropout(DROPOUT)
        self.lstm = nn.LSTM(
            width, hidden, layers, batch_first=True, bidirectional=True, dropout=DROPOUT if layers > 1 else 0
        )
        self.width = 2 * hidden

    def forward(self, words: Tensor, characters: Tensor, tags: Tensor, lengths: list[int]) -> Tensor:
        n, width, longest = characters.shape
        spelled = self.characters(characters.view(n * width, longest)).transpose(1, 2)
        spelled = self.filters(spelled).amax(2).relu().view(n, width, FILTERS)
        parts = [self.words(words), spelled] + ([] if self.tags is None else [self.tags(tags)])
        packed = nn.utils.rnn.pack_padded_sequence(
            self.drop(torch.cat(parts, 2)),
            torch.tensor([length + 1 for length in lengths]),
            batch_first=True,
            enforce_sorted=False,
        )
        out, _ = nn.utils.rnn.pad_packed_sequence(self.lstm(packed)[0], batch_first=True, total_length=width)
        return self.drop(out)


def perceptron(width: int, out: int) -> nn.Module:
    return nn.Sequential(nn.Linear(width, out), nn.LeakyReLU(0.1), nn.Dropout(DROPOUT))


class TagScores(nn.Module):
    """A score for each position and label, and for two labels in a row; the last row is the start's."""

    def __init__(self, known: Vocabulary, small: bool) -> None:
        super().__init__()
        self.encoder = Encoder(known, 1 if small else 2, 16 if small else 200, False)
        self.out = nn.Linear(self.encoder.width, len(known.tags))
        self.after = nn.Parameter(torch.zeros(len(known.tags) + 1, len(known.tags)))

    def forward(self, *batch: Tensor) -> Tensor:
        return self.out(self.encoder(*batch)[:, 1:])


class Biaffine(nn.Module):
    """Dozat & Manning (2017): a score for each pair of vectors, in each of `outs` ways."""

    def __init__(self, width: int, outs: int) -> None:
        super().__init__()
        self.weight = nn.Parameter(torch.zeros(outs, width + 1, width + 1))

    def forward(self, heads: Tensor, words: Tensor) -> Tensor:
        left, right = (torch.cat([each, each.new_ones(*each.shape[:2], 1)], 2) for each in (heads, words))
        return torch.einsum("bhi,oij,bwj->bhwo", left, self.weight, right)


class ArcScores(nn.Module):
    """Scores of arcs, heads by words, and of their relations."""

    def __init__(self, known: Vocabulary, small: bool) -> None:
        super().__init__()
        self.encoder = Encoder(known, 1 if small else 3, 16 if small else 300, True)
        wide, narrow = (16, 8) if small else (400, 100)
        at = self.encoder.width
        self.head, self.word = perceptron(at, wide), perceptron(at, wide)
        self.over, self.under = perceptron(at, narrow), perceptron(at, narrow)
        self.arcs, self.relations = Biaffine(wide, 1), Biaffine(narrow, len(known.relations))

    def forward(self, *batch: Tensor) -> tuple[Tensor, Tensor]:
        read = self.encoder(*batch)
        arcs = self.arcs(self.head(read), self.word(read[:, 1:]))[..., 0]
        return arcs, self.relations(self.over(read), self.under(read[:, 1:]))


class StateScores(nn.Module):
    """Scores of actions for the word on top of the stack and the word in front of the buffer."""

    def __init__(self, known: Vocabulary, small: bool) -> None:
        super().__init__()
        self.encoder = Encoder(known, 1 if small else 3, 16 if small else 300, True)
        hidden = 16 if small else 256
        self.top, self.front = nn.Linear(self.encoder.width, hidden), nn.Linear(self.encoder.width, hidden)
        self.drop = nn.Dropout(DROPOUT)
        self.out = nn.Linear(hidden, 1 + 3 * len(known.relations))

    def forward(self, *batch: Tensor) -> tuple[Tensor, Tensor]:
        """Return what top and front add to the hidden layer; the root's vector stands for no word."""
        read = self.encoder(*batch)
        return self.top(read), self.front(read)

    def actions(self, top: Tensor, front: Tensor) -> Tensor:
        return self.out(self.drop(torch.tanh(top + front)))

    def table(self, top: Tensor, front: Tensor) -> Tensor:
        """Return tops by fronts by actions for each sentence."""
        return self.actions(top[:, :, None], front[:, None])
