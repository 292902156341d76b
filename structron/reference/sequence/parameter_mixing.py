"""Iterative parameter mixing (McDonald, Hall & Mann 2010, Figure 3), as written."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from structron.reference.learners.weights import Weights
from structron.reference.sequence.training import Epoch, Example, train


@dataclass(frozen=True)
class Round:
    """One epoch over all shards.

    Attributes
    ----------
    epochs
        The epochs of the shards.
    shares
        µ of the paper: how much each shard counts in the mixture.
    weights
        The mixture, from which the next round starts; take `weights.averaged()` to predict.
    """

    epochs: tuple[Epoch, ...]
    shares: tuple[float, ...]
    weights: Weights


def train_mixed(
    shards: Sequence[Sequence[Example]],
    *,
    rounds: int,
    mixing: str = "uniform",
    weights: Weights | None = None,
    **choices: Any,
) -> Iterator[Round]:
    """Train on every shard for one epoch from the common weights, mix, and go on from the mixture.

    Parameters
    ----------
    mixing
        "uniform" gives every shard the same share; "errors" the share of its updates in all updates.
    choices
        Further arguments of `train`.
    """
    common = Weights() if weights is None else weights
    for _ in range(rounds):
        epochs = []
        for shard in shards:
            (epoch,) = train(shard, epochs=1, weights=common.copy(), **choices)
            epochs.append(epoch)
        updates = [epoch.updates for epoch in epochs]
        if mixing == "errors" and sum(updates) > 0:
            shares = [k / sum(updates) for k in updates]
        else:
            shares = [1.0 / len(shards)] * len(shards)
        common = Weights.mix([epoch.weights for epoch in epochs], shares)
        yield Round(tuple(epochs), tuple(shares), common)
