"""Zhao & Huang (2013): which training runs are made."""

from __future__ import annotations

from collections.abc import Sequence

from zhao_huang2013.schedules import Scheduled

KIND = Scheduled
LEARNERS = ("perceptron", "mira:C=0.1")
SIZES = (1, 2, 4, 8, 16, 32, 64)
SHARDS = (2, 4, 8, 12, 24)
EPOCHS = 10
SEEDS = 2
# The paper's first experiment: parsing with MIRA. A training takes ten times that of tags: one seed.
TREES, TREE_LEARNERS = "penn-trees", LEARNERS[1:]
TREE_SIZES, TREE_SEEDS = (1, 4, 16), 1


def sizes(
    corpus: str,
    quick: bool = False,
    of: Sequence[int] = SIZES,
    learners: Sequence[str] = LEARNERS,
    seeds: int = SEEDS,
) -> list[Scheduled]:
    """Return serial minibatches of every size, for each learner."""
    return [
        Scheduled(corpus, learner, batch, 1, "uniform", seed, 2 if quick else EPOCHS, quick=quick)
        for seed in range(1 if quick else seeds)
        for learner in learners
        for batch in (of[::3] if quick else of)
    ]


def mixing(corpus: str, quick: bool = False) -> list[Scheduled]:
    """Return shards, and the times of sentences for the simulated clock."""
    found = [Scheduled(corpus, "perceptron", 1, 1, "uniform", 0, 1, clock=True, quick=quick)]
    return found + [
        Scheduled(corpus, "perceptron", 1, shards, "uniform", seed, 2 if quick else EPOCHS, quick=quick)
        for seed in range(1 if quick else SEEDS)
        for shards in (SHARDS[:1] if quick else SHARDS)
    ]


def runs(quick: bool = False) -> dict[str, list[Scheduled]]:
    """Return all runs, by the name of the experiment."""
    return {
        "sizes": sizes("penn", quick),
        "mixing": mixing("penn", quick),
        "parsing": sizes(TREES, quick, TREE_SIZES, TREE_LEARNERS, TREE_SEEDS),
    }
