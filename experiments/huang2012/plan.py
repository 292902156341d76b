"""Huang, Fayong & Guo (2012), Section 6.1: which training runs are made."""

from __future__ import annotations

from record import Run

WIDTHS = (1, 2, 4, 7, 10)
METHODS = ("standard", "early", "max_violation", "hybrid", "latest")
MAIN = METHODS[:3]
CORPORA = ("penn", "ewt", "brown", "chinese")
EPOCHS = {"penn": 25, "ewt": 15, "brown": 10, "chinese": 10, "synthetic": 6}
SEEDS = {"penn": 5, "ewt": 2, "brown": 1, "chinese": 1, "synthetic": 2}
# Of these only the main methods, with merging: enough for what the tutorial says of Chinese.
SHORT = ("brown", "chinese")
# Exact search goes over all pairs of tags: fewer epochs and seeds of it, and none on Brown with its 92 tags.
EXACT_EPOCHS = 6
EXACT_SEEDS = {"penn": 1, "ewt": 1, "brown": 0, "chinese": 0, "synthetic": 1}
WIDE = "beam:40+merge"


def beam(width: int, merge: bool = True) -> str:
    return f"beam:{width}+merge" if merge else f"beam:{width}"


def corpus_runs(corpus: str, quick: bool = False) -> list[Run]:
    """Return every method at every width with merging, the main ones without, standard at more widths."""
    epochs = 3 if quick else EPOCHS[corpus]
    seeds = range(1 if quick else SEEDS[corpus])
    runs = [
        Run(corpus, beam(width), method, seed, epochs, quick=quick)
        for seed in seeds
        for method in (METHODS if corpus not in SHORT else MAIN)
        for width in WIDTHS
    ]
    few = list(seeds)[: 3 if corpus == "penn" else 1]
    if corpus not in SHORT:
        runs += [
            Run(corpus, beam(width, merge=False), method, seed, epochs, quick=quick)
            for seed in few
            for method in MAIN
            for width in WIDTHS
        ]
    if corpus != "chinese":
        runs += [Run(corpus, WIDE, "standard", seed, epochs, quick=quick) for seed in few]
    wider = (3, 16) if corpus not in SHORT else (16,)
    runs += [
        Run(corpus, beam(width), "standard", seed, epochs, quick=quick) for seed in few for width in wider
    ]
    return runs


def exact_runs(corpus: str, quick: bool = False) -> list[Run]:
    """Return the standard perceptron with exact search, the paper's baseline."""
    epochs = 1 if quick else EXACT_EPOCHS
    seeds = range(min(1, EXACT_SEEDS[corpus]) if quick else EXACT_SEEDS[corpus])
    return [Run(corpus, "exact", "standard", seed, epochs, quick=quick) for seed in seeds]


def runs(quick: bool = False) -> dict[str, list[Run]]:
    """Return all runs, by the name of the experiment."""
    plan = {corpus: corpus_runs(corpus, quick) for corpus in CORPORA}
    return plan | {f"{corpus}-exact": exact_runs(corpus, quick) for corpus in CORPORA if EXACT_SEEDS[corpus]}
