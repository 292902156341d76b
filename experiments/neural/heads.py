"""Losses over the scores of a batch: softmax, likelihood of whole outputs, and violations of a search."""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import Any

import numpy as np
import torch
from torch import Tensor
from torch.nn import functional as F

from structron.own.scores import structured_loss

Slices = Sequence[Any]  # which part of a padded table is an input's
NEVER = -1e9
spent = {"search": 0.0, "inputs": 0, "violated": 0}


class StructuredLoss(torch.autograd.Function):
    """The sum of the losses of a search: forward searches, backward hands over what it found."""

    @staticmethod
    def forward(ctx: Any, scores: Tensor, after: Tensor | None, gold: Any, slices: Slices, options: Any) -> Tensor:
        table = scores.detach().cpu().numpy()
        started = time.perf_counter()
        parts = [part[at] for part, at in zip(table, slices)]
        more = {} if after is None else {"transitions": after.detach().cpu().numpy()}
        found = structured_loss(parts, gold, **options, **more)
        gradient = np.zeros_like(table)
        for to, at, part in zip(gradient, slices, found.gradient):
            to[at] = part
        spent["search"] += time.perf_counter() - started
        spent["inputs"] += len(gold)
        spent["violated"] += int((found.losses > 0).sum())
        ctx.gradient = torch.from_numpy(gradient).to(scores.device)
        ctx.after = None if after is None else torch.from_numpy(found.transitions).to(scores.device)
        return scores.new_tensor(found.losses.sum())

    @staticmethod
    def backward(ctx: Any, upstream: Tensor) -> tuple[Any, ...]:
        return upstream * ctx.gradient, None if ctx.after is None else upstream * ctx.after, None, None, None


def violations(scores: Tensor, gold: Any, slices: Slices, after: Tensor | None = None, **options: Any) -> Tensor:
    """Return the sum of what each guess scores more than gold, where the update method compares the two."""
    loss: Tensor = StructuredLoss.apply(scores, after, gold, slices, options)
    return loss


def padded(rows: Sequence[Any], width: int, device: Any, fill: int = -100) -> Tensor:
    """Return rows of numbers as one table."""
    table = np.full((len(rows), width), fill, np.int64)
    for to, row in zip(table, rows):
        to[: len(row)] = row
    return torch.from_numpy(table).to(device)


def softmax_tags(scores: Tensor, gold: Tensor) -> Tensor:
    """Return the sum of −log p of each label by itself."""
    return F.cross_entropy(scores.flatten(0, 1), gold.flatten(), reduction="sum")


def chain_likelihood(scores: Tensor, after: Tensor, gold: Tensor) -> Tensor:
    """Return the sum of −log p of each sequence of labels (a linear-chain CRF)."""
    there = gold >= 0
    labels = gold.clamp(min=0)
    before = torch.cat([torch.full_like(labels[:, :1], after.shape[1]), labels[:, :-1]], 1)
    single = scores.gather(2, labels[..., None])[..., 0] + after[before, labels]
    alpha = scores[:, 0] + after[-1]
    for t in range(1, scores.shape[1]):
        onward = torch.logsumexp(alpha[:, :, None] + after[None, :-1], 1) + scores[:, t]
        alpha = torch.where(there[:, t, None], onward, alpha)
    return torch.logsumexp(alpha, 1).sum() - (single * there).sum()


def _without_others(arcs: Tensor, lengths: Sequence[int]) -> Tensor:
    """Return scores of arcs with those from padding, and from a word to itself, made impossible."""
    n, heads, words = arcs.shape
    at = torch.arange(heads, device=arcs.device)
    beyond = at[None] > torch.tensor(lengths, device=arcs.device)[:, None]
    itself = at[:, None] == at[None, 1:]
    return arcs.masked_fill(beyond[:, :, None] | itself[None], NEVER)


def softmax_arcs(arcs: Tensor, lengths: Sequence[int], heads: Tensor) -> Tensor:
    """Return the sum of −log p of each word's head by itself."""
    logs = _without_others(arcs, lengths).transpose(1, 2)
    return F.cross_entropy(logs.flatten(0, 1), heads.flatten(), reduction="sum")


def softmax_relations(relations: Tensor, heads: Tensor, gold: Tensor) -> Tensor:
    """Return the sum of −log p of each relation, given gold heads."""
    at = heads.clamp(min=0)[:, None, :, None].expand(-1, 1, -1, relations.shape[3])
    return F.cross_entropy(relations.gather(1, at)[:, 0].flatten(0, 1), gold.flatten(), reduction="sum")


def tree_likelihood(arcs: Tensor, relations: Tensor, lengths: Sequence[int], heads: Tensor, gold: Tensor) -> Tensor:
    """Return the sum of −log p of each tree with one root (Koo et al. 2007, the matrix-tree theorem)."""
    table = arcs[..., None] + relations
    right = table.gather(1, heads.clamp(min=0)[:, None, :, None].expand(-1, 1, -1, table.shape[3]))[:, 0]
    right = right.gather(2, gold.clamp(min=0)[..., None])[..., 0]
    there = heads >= 0
    logs = _without_others(torch.logsumexp(table, 3), lengths).double()
    most = logs.amax(1, keepdim=True).detach()
    potential = (logs - most).exp() * there[:, None]  # heads by words
    roots, inner = potential[:, 0], potential[:, 1:]
    laplacian = torch.diag_embed(inner.sum(1) + (~there).double()) - inner
    laplacian = torch.cat([roots[:, None], laplacian[:, 1:]], 1)
    total = torch.linalg.slogdet(laplacian)[1] + (most[:, 0] * there).sum(1)
    return total.sum() - (right * there).sum().double()
