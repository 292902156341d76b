"""Huang, Fayong & Guo (2012), Section 6.1: which training runs are made."""

from __future__ import annotations

from record import Run

WIDTHS = (1, 2, 4, 7, 10)
METHODS = ("standard", "early", "max_violation", "hybrid", "latest")
MAIN = METHODS[:3]
CORPORA = ("penn", "ewt", "brown")
EPOCHS = {"penn": 25, "ewt": 15, "brown": 12, "synthetic": 6}
SEEDS = {"penn": 5, "ewt": 2, "brown": 1, "synthetic": 2}
# Exact search over all pairs of tags: Brown has so many tags that a wide beam must stand in for it.
BASELINE = {"penn": "exact", "ewt": "exact", "brown": "beam:40+merge", "synthetic": "exact"}


def beam(width: int, merge: bool = True) -> str:
    return f"beam:{width}+merge" if merge else f"beam:{width}"


def corpus_runs(corpus: str, quick: bool = False) -> list[Run]:
    """Every method at every width with merging; the main ones without it; standard at more widths."""
    epochs = 3 if quick else EPOCHS[corpus]
    seeds = range(1 if quick else SEEDS[corpus])
    runs = [
        Run(corpus, beam(width), method, seed, epochs, quick=quick)
        for seed in seeds
        for method in METHODS
        for width in WIDTHS
    ]
    few = list(seeds)[:3]
    if corpus != "brown":
        runs += [
            Run(corpus, beam(width, merge=False), method, seed, epochs, quick=quick)
            for seed in few
            for method in MAIN
            for width in WIDTHS
        ]
    wider = (3, 16) if corpus != "brown" else (16,)
    runs += [
        Run(corpus, beam(width), "standard", seed, epochs, quick=quick) for seed in few for width in wider
    ]
    return runs


def baseline_runs(corpus: str, quick: bool = False) -> list[Run]:
    """The standard perceptron with exact search."""
    epochs = 3 if quick else EPOCHS[corpus]
    seeds = range(1 if quick else min(3, SEEDS[corpus]))
    return [Run(corpus, BASELINE[corpus], "standard", seed, epochs, quick=quick) for seed in seeds]


def runs(quick: bool = False) -> dict[str, list[Run]]:
    """All runs, by the name of the experiment."""
    plan = {corpus: corpus_runs(corpus, quick) for corpus in CORPORA}
    return plan | {f"{corpus}-exact": baseline_runs(corpus, quick) for corpus in CORPORA}
