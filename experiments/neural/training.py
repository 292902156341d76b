"""A training, and what it finds: dev after every epoch, and dev and test of the best with every decoder."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import asdict
from functools import cache
from typing import TYPE_CHECKING, Any

import numpy as np
import torch
from record import signature_of
from torch import Tensor

from neural import heads
from neural.data import Batch, Data, Vocabulary, sentences
from neural.encoder import ArcScores, StateScores, TagScores
from structron import DataError
from structron.own.scores import best_outputs, transition_steps

if TYPE_CHECKING:
    from neural.plan import Neural

TOKENS = 2000  # of a batch
SCORERS = {"tags": TagScores, "trees": ArcScores, "transitions": StateScores}
NORMALISED = " of softmax"
DECODERS = {
    "tags": ("exact", "greedy", "beam:4"),
    "trees": ("mst", "forest"),
    "transitions": ("greedy", *(f"beam:{k}{kind}" for k in (2, 8, 32) for kind in ("", NORMALISED))),
}


@cache
def parts(quick: bool) -> tuple[Vocabulary, dict[str, Data]]:
    """Return the three parts as numbers."""
    known = Vocabulary(sentences("train", quick))
    return known, {part: Data(sentences(part, quick), known) for part in ("train", "dev", "test")}


class Learner:
    """A model and the loss of one run."""

    def __init__(self, run: Neural, known: Vocabulary, device: str) -> None:
        self.run, self.known, self.device = run, known, device
        self.model = SCORERS[run.task](known, run.quick).to(device)
        self.local = run.head == "local"

    def inputs(self, batch: Batch) -> tuple[Any, ...]:
        arrays = (batch.words, batch.characters, batch.tags)
        return *(torch.from_numpy(a).to(self.device) for a in arrays), batch.lengths

    def loss(self, batch: Batch) -> Tensor:
        """Return the sum over the batch."""
        return getattr(self, f"_{self.run.task}")(batch)

    def _tags(self, batch: Batch) -> Tensor:
        scores = self.model(*self.inputs(batch))
        gold = heads.padded(batch.gold_tags, scores.shape[1], self.device)
        if self.local:
            return heads.softmax_tags(scores, gold)
        if self.run.head == "crf":
            return heads.chain_likelihood(scores, self.model.after, gold)
        slices = [slice(0, n) for n in batch.lengths]
        return heads.violations(scores, batch.gold_tags, slices, self.model.after, **self.choices())

    def _trees(self, batch: Batch) -> Tensor:
        arcs, relations = self.model(*self.inputs(batch))
        width = arcs.shape[2]
        true = heads.padded(batch.heads, width, self.device)
        names = heads.padded(batch.relations, width, self.device)
        if self.run.head == "crf":
            return heads.tree_likelihood(arcs, relations, batch.lengths, true, names)
        if self.local:
            found = heads.softmax_arcs(arcs, batch.lengths, true)
            return found + heads.softmax_relations(relations, true, names)
        at = batch.heads if self.run.search == "mst" else batch.projective
        slices = [(slice(0, n + 1), slice(0, n)) for n in batch.lengths]
        options = {"task": "trees", **self.choices()}
        if not self.run.apart:
            gold = list(zip(at, batch.relations))
            return heads.violations(arcs[..., None] + relations, gold, slices, **options)
        gold = [(h, np.zeros_like(h)) for h in at]
        found = heads.violations(arcs[..., None], gold, slices, **options)
        return found + heads.softmax_relations(relations, true, names)

    def _transitions(self, batch: Batch) -> Tensor:
        top, front = self.model(*self.inputs(batch))
        gold = list(zip(batch.projective, batch.relations))
        if not self.local:
            slices = [(slice(0, n + 1), slice(0, n + 1)) for n in batch.lengths]
            table = self.model.table(top, front)
            return heads.violations(table, gold, slices, task="transitions", **self.choices())
        steps = transition_steps(gold, len(self.known.relations))
        rows = np.concatenate([np.full(len(s), i) for i, s in enumerate(steps)])
        at = torch.from_numpy(np.concatenate(steps).astype(np.int64)).to(self.device)
        row = torch.from_numpy(rows).to(self.device)
        scores = self.model.actions(top[row, at[:, 0]], front[row, at[:, 1]])
        return torch.nn.functional.cross_entropy(scores, at[:, 2], reduction="sum")

    def choices(self) -> dict[str, Any]:
        return {"search": self.run.search, "update": self.run.update, "margin": self.run.margin}

    @torch.no_grad()
    def outputs(self, data: Data, decoders: tuple[str, ...]) -> dict[str, dict[str, float]]:
        """Return scores of each decoder on a part."""
        self.model.eval()
        right = {each: np.zeros(3) for each in decoders}
        for batch in data.batches(4 * TOKENS):
            for each, guess in self.decoded(batch, decoders):
                right[each] += counts(self.run.task, batch, guess)
        names = ("accuracy",) if self.run.task == "tags" else ("las", "uas")
        return {
            each: {n: round(float(100 * part / found[-1]), 4) for n, part in zip(names, found)}
            for each, found in right.items()
        }

    def decoded(self, batch: Batch, decoders: tuple[str, ...]) -> Iterator[tuple[str, list[Any]]]:
        """Yield the outputs of each decoder."""
        made = self.model(*self.inputs(batch))
        task = {"tags": "labels"}.get(self.run.task, self.run.task)
        if task == "labels":
            tables = [t[:n] for t, n in zip(made.cpu().numpy(), batch.lengths)]
            after = None if self.local else self.model.after.cpu().numpy()
            for each in decoders:
                yield each, best_outputs(tables, search=each, transitions=after)
        elif task == "trees":
            yield from self._trees_of(batch, decoders, *made)
        else:
            table = self.model.table(*made)
            by_kind = {"": table, NORMALISED: table.log_softmax(3)}
            whole = {kind: t.cpu().numpy() for kind, t in by_kind.items() if any(d.endswith(kind) for d in decoders)}
            for each in decoders:
                search, of, kind = each.partition(NORMALISED)
                tables = [t[: n + 1, : n + 1] for t, n in zip(whole[of + kind], batch.lengths)]
                yield each, best_outputs(tables, task=task, search=search)

    def _trees_of(self, batch: Batch, decoders: Any, arcs: Tensor, relations: Tensor) -> Iterator[Any]:
        apart = self.local or self.run.apart
        table = (arcs[..., None] if apart else arcs[..., None] + relations).cpu().numpy()
        best = relations.argmax(3).cpu().numpy() if apart else None
        tables = [t[: n + 1, :n] for t, n in zip(table, batch.lengths)]
        for each in decoders:
            guess = best_outputs(tables, task="trees", search=each)
            if best is not None:
                guess = [(h, names[h, np.arange(len(h))]) for (h, _), names in zip(guess, best)]
            yield each, guess


def counts(task: str, batch: Batch, guess: list[Any]) -> Any:
    """Return how many are right, and of how many."""
    if task == "tags":
        right = sum(int((a == b).sum()) for a, b in zip(guess, batch.gold_tags))
        return np.array([right, 0, batch.tokens])
    found = np.array([0, 0, batch.tokens])
    for (at, names), gold, true in zip(guess, batch.heads, batch.relations):
        found[0] += ((at == gold) & (names == true)).sum()
        found[1] += (at == gold).sum()
    return found


def decoder_of(run: Neural) -> str:
    """Return the decoder by which the best epoch is chosen."""
    first = {"tags": "exact", "trees": "mst", "transitions": "greedy"}
    return run.search or first[run.task]


def measure(run: Neural) -> dict[str, Any]:
    """Train, keep the epoch that is best on the dev part, and score that with every decoder."""
    device = "cuda" if torch.cuda.is_available() else "cpu"
    torch.set_num_threads(1)
    torch.manual_seed(run.seed)
    rng = np.random.default_rng(run.seed)
    known, data = parts(run.quick)
    learner, started = Learner(run, known, device), time.perf_counter()
    heads.spent.update(search=0.0, inputs=0, violated=0)
    epochs: list[dict[str, Any]] = []
    best, kept, chosen_by = -1.0, {}, decoder_of(run)
    optimizer = torch.optim.Adam(learner.model.parameters(), run.rate, betas=(0.9, 0.9))
    steps = run.epochs * sum(1 for _ in data["train"].batches(TOKENS))
    decay = torch.optim.lr_scheduler.LambdaLR(optimizer, lambda step: max(0.05, 1 - step / steps))
    for epoch in range(run.epochs):
        learner.local = run.head == "local" or epoch < run.warm
        try:
            epochs.append(one_epoch(learner, data["train"].batches(TOKENS, rng), optimizer, decay.step))
            # A model that a local loss warmed up is decoded as it will be.
            learner.local = run.head == "local"
            found = learner.outputs(data["dev"], (chosen_by,))[chosen_by]
        except DataError:  # scores are not finite any more
            break
        epochs[-1]["dev"] = next(iter(found.values()))
        if epochs[-1]["dev"] > best and epoch >= run.warm:
            best = epochs[-1]["dev"]
            kept = {k: v.detach().clone() for k, v in learner.model.state_dict().items()}
    learner.model.load_state_dict(kept)
    scores = {part: learner.outputs(data[part], DECODERS[run.task]) for part in ("dev", "test")}
    of_decoders = {part: found[chosen_by] for part, found in scores.items()}
    return {
        "run": asdict(run),
        "signature": signature_of(run.recipe(), run.checksum(), run.seed) | {"device": name_of(device)},
        "best_epoch": 1 + [e.get("dev") for e in epochs].index(best),
        "best_dev": best,
        "test": next(iter(of_decoders["test"].values())),
        "decoders": scores,
        "finished": len(epochs) == run.epochs and "dev" in epochs[-1],
        "seconds": round(time.perf_counter() - started, 1),
        "search_seconds": round(heads.spent["search"], 1),
        **{name: [e.get(name) for e in epochs] for name in ("dev", "loss", "norm", "greatest", "violated", "scale")},
    }


def one_epoch(learner: Learner, batches: Iterator[Batch], optimizer: Any, step: Callable[[], None]) -> dict[str, Any]:
    """Train on all batches; return the loss of a token and what gradients were like."""
    run, total, tokens, norms = learner.run, 0.0, 0, []
    learner.model.train()
    heads.spent.update(inputs=0, violated=0)
    for batch in batches:
        loss = learner.loss(batch)
        optimizer.zero_grad()
        (loss / (batch.tokens if run.per == "token" else len(batch.lengths))).backward()
        norm = torch.nn.utils.clip_grad_norm_(learner.model.parameters(), run.clip or float("inf"))
        optimizer.step()
        step()
        total, tokens = total + loss.item(), tokens + batch.tokens
        norms.append(norm.item())
    return {
        "loss": round(total / tokens, 5),
        "norm": round(float(np.median(norms)), 4),
        "greatest": round(float(max(norms)), 4),
        "violated": round(heads.spent["violated"] / max(1, heads.spent["inputs"]), 4),
        "scale": round(float(torch.stack([p.detach().norm() for p in learner.model.parameters()]).norm()), 3),
    }


def name_of(device: str) -> str:
    return torch.cuda.get_device_name() if device == "cuda" else "CPU"
