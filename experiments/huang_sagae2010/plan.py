"""Huang & Sagae (2010): which parsers are trained, and with which beams they are decoded."""

from __future__ import annotations

from huang_sagae2010.decoding import Decoded

KIND = Decoded
CORPUS = "ewt-trees"
WIDTH = 8
EPOCHS = 6


def search_run(corpus: str, quick: bool = False) -> Decoded:
    """Return a parser trained without dynamic programming, decoded with every beam."""
    epochs = 2 if quick else EPOCHS
    return Decoded(corpus, f"beam:{WIDTH}", "max_violation", epochs, searches=True, quick=quick)


def training_runs(corpus: str, quick: bool = False) -> list[Decoded]:
    """Return both beams with the paper's update, and with max-violation: one of the four is decoded above."""
    epochs = 2 if quick else EPOCHS
    made = [
        Decoded(corpus, f"{kind}:{WIDTH}", update, epochs, quick=quick)
        for update in ("early", "max_violation")
        for kind in ("beam", "dp")
    ]
    above = search_run(corpus, quick)
    return [above if (run.search, run.update) == (above.search, above.update) else run for run in made]


def runs(quick: bool = False) -> dict[str, list[Decoded]]:
    """Return all runs, by the name of the experiment."""
    return {
        "search": [search_run(CORPUS, quick)],
        "training": training_runs(CORPUS, quick),
    }
