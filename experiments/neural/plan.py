"""Scores of a neural network: which trainings are made."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from importlib.util import find_spec
from itertools import product
from typing import Any

from corpora import DataMissing

NEEDS = "torch"
SEEDS = (0, 1, 2)
EPOCHS = {"tags": 12, "trees": 25, "transitions": 25}


@dataclass(frozen=True)
class Neural:
    """One training: everything that decides its numbers, but for the data themselves.

    Attributes
    ----------
    task
        ``tags``, ``trees`` (a score for each arc) or ``transitions`` (one for each state and action).
    head
        ``local`` (softmax), ``crf`` (likelihood of the whole output) or ``violations``.
    search, update, margin
        How a violation is found.
    per
        What the loss of a batch is divided by: ``token`` or ``sentence``.
    warm
        For so many of the epochs the loss is the local one.
    apart
        Relations are learned by a softmax; only arcs are searched.
    """

    task: str
    head: str
    seed: int
    epochs: int
    search: str = ""
    update: str = ""
    margin: float = 1.0
    per: str = "token"
    warm: int = 0
    apart: bool = False
    rate: float = 2e-3
    clip: float = 5.0
    quick: bool = False

    def checksum(self) -> str:
        if find_spec(NEEDS) is None:
            raise DataMissing("experiments: neural needs PyTorch; pip install torch, or name other experiments")
        from neural.data import checksum

        return checksum(self.quick)

    def recipe(self) -> str:
        """Return twelve hex digits of all that was chosen."""
        return hashlib.sha256(repr(self).encode()).hexdigest()[:12]

    def measure(self) -> dict[str, Any]:
        from neural.training import measure

        return measure(self)

    def line(self, entry: dict[str, Any]) -> str:
        changed = {k: v for k, v in asdict(self).items() if v not in ("", False, 0) and k != "task"}
        said = " ".join(f"{k}={v}" for k, v in changed.items())
        return f"{self.task} {said}: dev {entry['best_dev']:.2f}, test {entry['test']:.2f}, {entry['seconds']:.0f} s"


KIND = Neural


def tags(seed: int, epochs: int, quick: bool) -> Iterator[Neural]:
    made = {"task": "tags", "seed": seed, "epochs": epochs, "quick": quick}
    yield Neural(head="local", **made)
    yield Neural(head="crf", **made)
    yield Neural(head="violations", search="exact", update="standard", **made)
    for search, update in product(("greedy", "beam:4"), ("standard", "early", "max_violation")):
        yield Neural(head="violations", search=search, update=update, **made)


def trees(seed: int, epochs: int, quick: bool) -> Iterator[Neural]:
    made: dict[str, Any] = {"task": "trees", "seed": seed, "epochs": epochs, "quick": quick}
    yield Neural(head="local", **made)
    yield Neural(head="crf", **made)
    hinge = made | {"head": "violations", "search": "forest", "update": "standard"}
    yield Neural(**hinge)
    yield Neural(**hinge | {"warm": epochs // 3})
    yield Neural(**hinge | {"apart": True})
    yield Neural(**hinge | {"apart": True, "warm": epochs // 3})


def mending(seed: int, epochs: int, quick: bool) -> Iterator[Neural]:
    """Yield the exact hinge for trees as first tried, and with one thing changed."""
    hinge: dict[str, Any] = {
        **{"task": "trees", "head": "violations", "search": "forest", "update": "standard"},
        **{"seed": seed, "epochs": epochs, "quick": quick, "per": "sentence", "clip": 0.0},
    }
    yield Neural(**hinge)
    for change in (
        {"clip": 5.0},
        {"per": "token"},
        {"rate": 5e-4},
        {"margin": 0.1},
        {"margin": 5.0},
        {"apart": True},
        {"warm": epochs // 3},
        {"search": "mst"},
        {"per": "token", "clip": 5.0, "rate": 5e-4},
    ):
        yield Neural(**hinge | change)


def transitions(seed: int, epochs: int, quick: bool) -> Iterator[Neural]:
    made: dict[str, Any] = {"task": "transitions", "seed": seed, "epochs": epochs, "quick": quick}
    yield Neural(head="local", **made)
    for update, warm in product(("standard", "early", "max_violation"), (0, epochs // 3)):
        yield Neural(head="violations", search="beam:8", update=update, warm=warm, **made)
    yield Neural(head="violations", search="greedy", update="max_violation", **made)


def runs(quick: bool = False) -> dict[str, list[Neural]]:
    """Return all runs, by the name of the experiment."""
    seeds = SEEDS[:1] if quick else SEEDS
    made = {}
    for name, some in (("tags", tags), ("trees", trees), ("transitions", transitions)):
        made[name] = [run for seed in seeds for run in some(seed, 2 if quick else EPOCHS[name], quick)]
    made["mending"] = [*mending(0, 2 if quick else EPOCHS["trees"], quick)]
    return made
