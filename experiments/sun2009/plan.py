"""Sun, Matsuzaki, Okanohara & Tsujii (2009): which trainings are made."""

from __future__ import annotations

from sun2009.labels import CORPORA, Hidden

KIND = Hidden
HIDDEN = (1, 2, 3)
SEEDS = {"cycles": 10, "chunks": 2, "ewt": 2}
EPOCHS = {"cycles": 40, "chunks": 8, "ewt": 8}


def corpus_runs(corpus: str, quick: bool = False) -> list[Hidden]:
    """Return every number of sub-labels from every seed; those of the first seed come first."""
    return [
        Hidden(corpus, hidden, seed, 2 if quick else EPOCHS[corpus], quick)
        for seed in range(2 if quick else SEEDS[corpus])
        for hidden in HIDDEN
    ]


def runs(quick: bool = False) -> dict[str, list[Hidden]]:
    """Return all runs, by the name of the experiment."""
    return {corpus: corpus_runs(corpus, quick) for corpus in CORPORA}
