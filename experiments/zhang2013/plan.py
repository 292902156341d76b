"""Zhang, Huang, Zhao & McDonald (2013): which update methods, with how many items a node."""

from __future__ import annotations

from zhang2013.charts import Chart

KIND = Chart
METHODS = ("standard", "skip", "early", "latest", "max_violation", "parallel")
WIDTHS = (1, 4, 16)
CORPORA = ("english-trees", "hungarian-trees")
EPOCHS = 8
# With 16 items a node a training takes minutes: one seed.
SEEDS = {1: 3, 4: 3, 16: 1}
WORDS = 20_000
DEV_WORDS = 6_000
SMALL = 1_500  # words, for a quick run


def corpus_runs(corpus: str, quick: bool = False) -> list[Chart]:
    """Return every method at every width, the narrow ones first."""
    words, dev_words = (SMALL, SMALL) if quick else (WORDS, DEV_WORDS)
    return [
        Chart(corpus, width, method, 2 if quick else EPOCHS, words, dev_words, seed, quick)
        for width in (WIDTHS[:2] if quick else WIDTHS)
        for seed in range(1 if quick else SEEDS[width])
        for method in METHODS
    ]


def runs(quick: bool = False) -> dict[str, list[Chart]]:
    """Return all runs, by the name of the experiment."""
    return {corpus.removesuffix("-trees"): corpus_runs(corpus, quick) for corpus in CORPORA}
