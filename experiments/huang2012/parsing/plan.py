"""Huang, Fayong & Guo (2012), Section 6.2, incremental parsing: which training runs are made."""

from __future__ import annotations

from record import Run

METHODS = ("standard", "early", "max_violation", "hybrid", "latest")
CORPORA = ("penn-trees", "ewt-trees")
WIDTH = 8
# The share of invalid updates settles within an epoch or two; so does the harm that they do.
OTHER_WIDTHS = (1, 2, 4, 16)
OTHER_EPOCHS = 3
EPOCHS = {"penn-trees": 15, "ewt-trees": 20, "synthetic-trees": 6, "penn-predicted-trees": 15}
SEEDS = 3
TEMPLATES = "huang_sagae_50"
# As the paper has it: equivalent states merged by dynamic programming, and tags that a tagger predicted.
PAPER_CORPUS, PAPER_SEARCH, PAPER_METHODS = "penn-predicted-trees", "dp:8", METHODS[:3]


def beam(width: int) -> str:
    return f"beam:{width}"


def corpus_runs(corpus: str, quick: bool = False) -> list[Run]:
    """Return every method at the paper's width, and standard at others, where its mistakes are counted."""

    def run(method: str, width: int, epochs: int, seed: int) -> Run:
        return Run(corpus, beam(width), method, seed, epochs, templates=TEMPLATES, quick=quick)

    epochs = 3 if quick else EPOCHS[corpus]
    widths = OTHER_WIDTHS[:2] if quick else OTHER_WIDTHS
    return [
        each
        for seed in range(1 if quick else SEEDS)
        for each in (
            *(run(method, WIDTH, epochs, seed) for method in METHODS),
            *(run("standard", width, min(epochs, OTHER_EPOCHS), seed) for width in widths),
        )
    ]


def paper_runs(corpus: str = PAPER_CORPUS, quick: bool = False) -> list[Run]:
    """Return the paper's three main methods with its search and with predicted tags."""
    return [
        Run(
            corpus,
            PAPER_SEARCH,
            method,
            seed,
            3 if quick else EPOCHS[corpus],
            templates=TEMPLATES,
            quick=quick,
        )
        for seed in range(1 if quick else SEEDS)
        for method in PAPER_METHODS
    ]


def runs(quick: bool = False) -> dict[str, list[Run]]:
    """Return all runs, by the name of the experiment."""
    made = {corpus.removesuffix("-trees"): corpus_runs(corpus, quick) for corpus in CORPORA}
    return made | {"merging": paper_runs(quick=quick)}
