"""The neural baseline of SIGMORPHON 2020, made anew: `python experiments/g2p/encoder_decoder.py FOLDER`.

The task's repository tells how its LSTM encoder-decoder was trained, not how well it did: one bidirectional
layer to encode, one with attention and input feeding to decode, Adam, smoothed labels, 4,000 updates, the
checkpoint and the settings by the dev part, a beam of five. This is the same model in PyTorch, which it
needs, with an accelerator. FOLDER holds LANGUAGE_PART.tsv.gz; a line of JSON is printed for each model.
"""

from __future__ import annotations

import argparse
import gzip
import json
import time
import unicodedata
from pathlib import Path

import torch
from torch import Tensor, nn
from torch.nn import functional as F

PAD, END, UNKNOWN = 0, 1, 2
EMBEDDED, HIDDEN = 128, 512  # the smaller of the task's two sizes, on both sides
UPDATES, BATCH, RATE, SMOOTHING, CLIP = 4000, 256, 1e-3, 0.1, 1.0
LOOKS = 10  # how often the dev part is looked at
BEAM = 5

Pairs = list[tuple[list[str], list[str]]]


def read(path: Path, decomposed: bool) -> Pairs:
    """Return letters and sounds."""
    pairs = []
    with gzip.open(path, "rt", encoding="utf-8") as file:
        for line in file:
            word, sounds = line.rstrip("\n").split("\t")
            pairs.append((list(unicodedata.normalize("NFD", word) if decomposed else word), sounds.split()))
    return pairs


class Symbols:
    """Numbers of symbols."""

    def __init__(self, sequences: list[list[str]]) -> None:
        self.texts = ["", "", "", *sorted({s for sequence in sequences for s in sequence})]
        self.numbers = {text: i for i, text in enumerate(self.texts) if text}

    def pack(self, sequences: list[list[str]], length: int, device: str) -> Tensor:
        """Return a row for each, with its end, padded."""
        rows = [[self.numbers.get(s, UNKNOWN) for s in sequence] + [END] for sequence in sequences]
        return torch.tensor([row + [PAD] * (length - len(row)) for row in rows], device=device)


class EncoderDecoder(nn.Module):
    """Bahdanau's idea in Luong's form: the decoder attends to the encoder and is fed what it saw last."""

    def __init__(self, sources: int, targets: int, dropout: float) -> None:
        super().__init__()
        self.dropout = dropout
        self.source = nn.Embedding(sources, EMBEDDED, PAD)
        self.target = nn.Embedding(targets, EMBEDDED, PAD)
        self.forwards = nn.LSTM(EMBEDDED, HIDDEN, batch_first=True)
        self.backwards = nn.LSTM(EMBEDDED, HIDDEN, batch_first=True)
        self.first_hidden, self.first_cell = nn.Linear(2 * HIDDEN, HIDDEN), nn.Linear(2 * HIDDEN, HIDDEN)
        self.cell = nn.LSTMCell(EMBEDDED + HIDDEN, HIDDEN)
        self.query = nn.Linear(HIDDEN, 2 * HIDDEN, bias=False)
        self.mixed = nn.Linear(3 * HIDDEN, HIDDEN, bias=False)
        self.narrow = nn.Linear(HIDDEN, EMBEDDED)
        for weights in self.parameters():
            nn.init.uniform_(weights, -0.1, 0.1)
        with torch.no_grad():
            self.source.weight[PAD] = self.target.weight[PAD] = 0

    def drop(self, x: Tensor) -> Tensor:
        return F.dropout(x, self.dropout, self.training)

    def encode(self, source: Tensor) -> tuple[Tensor, Tensor, tuple[Tensor, Tensor, Tensor]]:
        """Return what was read at each place, the places there are, and the decoder's first state."""
        there = source != PAD
        lengths = there.sum(1, keepdim=True)
        # Each row turned around within its own length, so that nothing is read before its end.
        places = torch.arange(source.shape[1], device=source.device)[None]
        turned = torch.where(there, lengths - 1 - places, places)
        x = self.drop(self.source(source))
        there_x = turned[:, :, None].expand_as(x)
        onward, _ = self.forwards(x)
        backward, _ = self.backwards(x.gather(1, there_x))
        last = (lengths - 1)[:, :, None].expand(-1, 1, HIDDEN)
        final = torch.cat([onward.gather(1, last), backward.gather(1, last)], 2)[:, 0]
        read = torch.cat([onward, backward.gather(1, turned[:, :, None].expand_as(backward))], 2)
        state = self.first_hidden(final), self.first_cell(final)
        return self.drop(read), there, (*state, torch.zeros_like(state[0]))

    def step(
        self, before: Tensor, state: tuple[Tensor, ...], read: Tensor, there: Tensor
    ) -> tuple[Tensor, ...]:
        """Return one symbol further."""
        hidden, cell, fed = state
        hidden, cell = self.cell(torch.cat([self.drop(self.target(before)), fed], 1), (hidden, cell))
        weights = torch.bmm(read, self.query(hidden)[:, :, None])[:, :, 0].masked_fill(~there, -1e9)
        seen = torch.bmm(weights.softmax(1)[:, None], read)[:, 0]
        return hidden, cell, self.drop(torch.tanh(self.mixed(torch.cat([seen, hidden], 1))))

    def scores(self, out: Tensor) -> Tensor:
        return F.log_softmax(self.drop(self.narrow(out)) @ self.target.weight.T, -1)

    def loss(self, source: Tensor, target: Tensor) -> Tensor:
        """Return smoothed cross-entropy for each symbol of the target."""
        read, there, state = self.encode(source)
        outs = []
        before = torch.full_like(target[:, 0], END)
        for t in range(target.shape[1]):
            state = self.step(before, state, read, there)  # type: ignore[assignment]
            outs.append(state[2])
            before = target[:, t]
        logs = self.scores(torch.stack(outs, 1))
        counts = (target != PAD).float()
        right = -logs.gather(2, target[:, :, None])[:, :, 0]
        spread = -logs.mean(2)
        return (((1 - SMOOTHING) * right + SMOOTHING * spread) * counts).sum() / counts.sum()

    @torch.no_grad()
    def decode(self, source: Tensor, longest: int, beam: int) -> list[list[int]]:
        """Return the best of a beam by score for each symbol."""
        self.eval()
        words = source.shape[0]
        read, there, state = self.encode(source)
        read, there = read.repeat_interleave(beam, 0), there.repeat_interleave(beam, 0)
        state = tuple(s.repeat_interleave(beam, 0) for s in state)  # type: ignore[assignment]
        totals = torch.full((words, beam), -1e9, device=source.device)
        totals[:, 0] = 0
        rows = torch.arange(words, device=source.device)[:, None] * beam
        before = torch.full((words * beam,), END, device=source.device)
        history = torch.zeros((words, beam, 0), dtype=torch.long, device=source.device)
        best: list[tuple[float, list[int]]] = [(-1e9, [])] * words
        for t in range(1, longest + 1):
            state = self.step(before, state, read, there)  # type: ignore[assignment]
            logs = self.scores(state[2]).view(words, beam, -1)
            logs[:, :, [PAD, UNKNOWN]] = -1e9
            ended = (totals + logs[:, :, END]) / t
            for w, (score, which) in enumerate(zip(*(x.tolist() for x in ended.max(1)))):
                if score > best[w][0]:
                    best[w] = score, history[w, which].tolist()
            logs[:, :, END] = -1e9
            totals, chosen = (totals[:, :, None] + logs).flatten(1).topk(beam, 1)
            parent, symbol = chosen // logs.shape[2], chosen % logs.shape[2]
            history = torch.cat(
                [history.gather(1, parent[:, :, None].expand(-1, -1, t - 1)), symbol[:, :, None]], 2
            )
            state = tuple(s[(rows + parent).flatten()] for s in state)  # type: ignore[assignment]
            before = symbol.flatten()
        self.train()
        return [symbols for _, symbols in best]


class Training:
    """Updates on batches of one shape; on an accelerator the whole update is recorded once and replayed."""

    def __init__(self, model: EncoderDecoder, source: Tensor, target: Tensor) -> None:
        self.model, self.source, self.target = model, source, target
        on_gpu = source.is_cuda
        self.optimizer = torch.optim.Adam(model.parameters(), RATE, capturable=on_gpu)
        self.x, self.y = source[:BATCH].clone(), target[:BATCH].clone()
        self.order = torch.zeros(0, dtype=torch.long)
        self.graph = None
        if on_gpu:
            side = torch.cuda.Stream()
            side.wait_stream(torch.cuda.current_stream())
            with torch.cuda.stream(side):
                for _ in range(3):
                    self.update()
            torch.cuda.current_stream().wait_stream(side)
            self.graph = torch.cuda.CUDAGraph()
            with torch.cuda.graph(self.graph):
                self.update()

    def update(self) -> None:
        self.optimizer.zero_grad(set_to_none=True)
        self.model.loss(self.x, self.y).backward()
        nn.utils.clip_grad_norm_(self.model.parameters(), CLIP)
        self.optimizer.step()

    def run(self, updates: int) -> None:
        for _ in range(updates):
            if len(self.order) < BATCH:
                self.order = torch.cat([self.order, torch.randperm(len(self.source))])
            batch, self.order = self.order[:BATCH], self.order[BATCH:]
            batch = batch.to(self.source.device)
            self.x.copy_(self.source[batch])
            self.y.copy_(self.target[batch])
            if self.graph is None:
                self.update()
            else:
                self.graph.replay()


def learn(folder: Path, language: str, dropout: float, updates: int, device: str) -> dict[str, object]:
    """Train on one language; the best checkpoint by dev, its errors on dev and test."""
    torch.manual_seed(1917)
    began = time.time()
    parts = {p: read(folder / f"{language}_{p}.tsv.gz", language == "kor") for p in ("train", "dev", "test")}
    letters = Symbols([x for x, _ in parts["train"]])
    sounds = Symbols([y for _, y in parts["train"]])
    width = 1 + max(len(x) for pairs in parts.values() for x, _ in pairs)
    longest = 1 + max(len(y) for _, y in parts["train"])
    sources = {p: letters.pack([x for x, _ in pairs], width, device) for p, pairs in parts.items()}
    target = sounds.pack([y for _, y in parts["train"]], longest, device)
    model = EncoderDecoder(len(letters.texts), len(sounds.texts), dropout).to(device)

    def wrong(part: str, beam: int) -> float:
        guesses = model.decode(sources[part], longest + 5, beam)
        pairs = zip(parts[part], guesses)
        return 100 * sum(y != [sounds.texts[s] for s in g] for (_, y), g in pairs) / len(guesses)

    training = Training(model, sources["train"], target)
    best, kept, at = 101.0, {}, 0
    for look in range(1, LOOKS + 1):
        training.run(updates // LOOKS)
        if (now := wrong("dev", BEAM)) < best:
            best, at = now, look * (updates // LOOKS)
            kept = {name: weights.clone() for name, weights in model.state_dict().items()}
    model.load_state_dict(kept)
    return {
        "language": language,
        "dropout": dropout,
        "updates": at,
        "dev_wer": round(best, 2),
        "test_wer": round(wrong("test", BEAM), 2),
        "seconds": round(time.time() - began),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description="An LSTM encoder-decoder on SIGMORPHON 2020.")
    parser.add_argument("folder", type=Path, help="with LANGUAGE_PART.tsv.gz")
    parser.add_argument("--languages", nargs="+", help="some of them (default: all there are)")
    parser.add_argument("--dropouts", nargs="+", type=float, default=[0.1, 0.2, 0.3])
    parser.add_argument("--updates", type=int, default=UPDATES)
    args = parser.parse_args()
    device = "cuda" if torch.cuda.is_available() else "cpu"
    languages = args.languages or sorted(p.name[:3] for p in args.folder.glob("*_train.tsv.gz"))
    for dropout in args.dropouts:
        for language in languages:
            print(json.dumps(learn(args.folder, language, dropout, args.updates, device)), flush=True)


if __name__ == "__main__":
    main()
