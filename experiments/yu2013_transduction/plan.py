"""Update methods with latent derivations (Yu et al. 2013), on pronunciation: methods, beams, epochs."""

from __future__ import annotations

from words import WordRun

KIND = WordRun

METHODS = ("standard", "early", "max_violation", "latest")
WIDTHS = (1, 4, 16)
CORPORA = ("cmudict",)
WORDS, DEV_WORDS, EPOCHS, SEEDS = 8_000, 2_000, 8, 3
# As published: the averaged perceptron without a margin, so that nothing but the update differs.
LEARNER = "perceptron"


def corpus_runs(corpus: str, quick: bool = False) -> list[WordRun]:
    """Return every method at every width, from every seed."""
    return [
        WordRun(
            corpus,
            f"beam:{width}",
            method,
            LEARNER,
            2 if quick else EPOCHS,
            seed,
            words=WORDS,
            dev_words=DEV_WORDS,
            test=False,
            quick=quick,
        )
        for seed in range(1 if quick else SEEDS)
        for method in METHODS
        for width in WIDTHS
    ]


def runs(quick: bool = False) -> dict[str, list[WordRun]]:
    """Return all runs, by the name of the experiment."""
    return {corpus.partition(":")[2] or corpus: corpus_runs(corpus, quick) for corpus in CORPORA}
