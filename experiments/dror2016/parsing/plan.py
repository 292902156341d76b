"""Dror & Reichart (2016), dependency parsing: which trainings are made."""

from __future__ import annotations

from dror2016.parsing.trees import Attached

KIND = Attached
LANGUAGES = ("english", "chinese", "greek", "italian", "turkish", "basque", "hungarian")
BETAS = tuple(n / 2 for n in range(1, 11))
SEEDS = 3
# The treebank of the paper itself came later: one seed, and no β that is far too great for all the others.
LATER, LATER_SEEDS, LATER_BETAS = "basque2007-trees", 1, BETAS[:4]
EPOCHS = 5
# For training and for testing, at most; the paper has all of its treebanks.
WORDS = 15_000
TEST_WORDS = 8_000
SMALL = 1_200  # words, for a quick run


def language_runs(corpus: str, order: int, quick: bool = False) -> list[Attached]:
    """Return CSP and B-WM with every β, from every seed; those of the first seed come first.

    With second order also E-WM with the smallest β: there, most updates of B-WM turn out to be invalid.
    """
    words, test_words = (SMALL, SMALL) if quick else (WORDS, TEST_WORDS)
    values = BETAS[1:4:2] if quick else LATER_BETAS if corpus == LATER else BETAS
    held = [("E-WM", values[0])] if order == 2 else []
    return [
        Attached(corpus, order, model, beta, seed, 2 if quick else EPOCHS, words, test_words, quick)
        for seed in range(1 if quick else LATER_SEEDS if corpus == LATER else SEEDS)
        for model, beta in [("CSP", 0.0), *(("B-WM", beta) for beta in values), *held]
    ]


def runs(quick: bool = False) -> dict[str, list[Attached]]:
    """Return all runs, by the name of the experiment: first order, second order."""
    return {
        name: [
            run
            for corpus in (*(f"{language}-trees" for language in LANGUAGES), LATER)
            for run in language_runs(corpus, order, quick)
        ]
        for name, order in (("first", 1), ("second", 2))
    }
