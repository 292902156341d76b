"""Perceptron, MIRA and SWVP on real data: which trainings are made."""

from __future__ import annotations

from learners.comparison import CORPORA, Comparison

KIND = Comparison
SEEDS = 3
EPOCHS = 10
BASELINE = "averaged perceptron"

# Of a family the dev part chooses one learner for each corpus.
FAMILIES: dict[str, tuple[str, ...]] = {
    BASELINE: ("perceptron",),
    "perceptron with a margin": ("perceptron:margin=5", "perceptron:margin=20"),
    "MIRA": ("mira:C=0.1", "mira:C=0.1,augmented"),
    "SWVP of the paper": ("swvp:single,wm,balanced,beta=1", "swvp:single,wm,aggressive,beta=1"),
    "SWVP, ours": ("swvp:error_spans,uniform,aggressive,margin=20",),
}


def corpus_runs(corpus: str, quick: bool = False) -> list[Comparison]:
    """Return every learner from every seed; those of the first seed come first."""
    return [
        Comparison(corpus, family, learner, seed, 1 if quick else EPOCHS, quick)
        for seed in range(1 if quick else SEEDS)
        for family, learners in FAMILIES.items()
        for learner in learners
    ]


def runs(quick: bool = False) -> dict[str, list[Comparison]]:
    """Return all runs, by the name of the experiment."""
    return {corpus: corpus_runs(corpus, quick) for corpus in reversed(CORPORA)}  # the quickest first
