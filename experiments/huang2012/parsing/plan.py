"""Huang, Fayong & Guo (2012), Section 6.2, incremental parsing: which training runs are made."""

from __future__ import annotations

from record import Run

METHODS = ("standard", "early", "max_violation", "hybrid", "latest")
CORPORA = ("penn-trees", "ewt-trees")
WIDTH = 8
# The share of invalid updates settles within an epoch or two; so does the harm that they do.
OTHER_WIDTHS = (1, 2, 4, 16)
OTHER_EPOCHS = 3
EPOCHS = {"penn-trees": 15, "ewt-trees": 20, "synthetic-trees": 6}
TEMPLATES = "huang_sagae_50"


def beam(width: int) -> str:
    return f"beam:{width}"


def corpus_runs(corpus: str, quick: bool = False) -> list[Run]:
    """Return every method at the paper's width, and standard at others, where its mistakes are counted."""

    def run(method: str, width: int, epochs: int) -> Run:
        return Run(corpus, beam(width), method, 0, epochs, templates=TEMPLATES, quick=quick)

    epochs = 3 if quick else EPOCHS[corpus]
    runs = [run(method, WIDTH, epochs) for method in METHODS]
    widths = OTHER_WIDTHS[:2] if quick else OTHER_WIDTHS
    return runs + [run("standard", width, min(epochs, OTHER_EPOCHS)) for width in widths]


def runs(quick: bool = False) -> dict[str, list[Run]]:
    """Return all runs, by the name of the experiment."""
    return {corpus.removesuffix("-trees"): corpus_runs(corpus, quick) for corpus in CORPORA}
