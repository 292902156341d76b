"""Collins (2002): plain against averaged weights, feature cut-off, exact search against beams."""

from __future__ import annotations

from record import Run

CORPORA = ("penn", "ewt", "brown", "np")
EPOCHS = {"penn": 25, "ewt": 15, "brown": 10, "np": 20, "synthetic": 6}
SEEDS = {"penn": 3, "ewt": 2, "brown": 1, "np": 3, "synthetic": 2}
# The paper's own choice first; then a beam with its update, then a narrow one with the update made for beams.
SEARCHES = (("exact", "standard"), ("beam:10+merge", "standard"), ("beam:4+merge", "max_violation"))
CUTS = (0, 5)
# Exact search over all pairs of many tags is slow: fewer epochs and seeds, and on EWT no cut-off.
EXACT_EPOCHS = 6
EXACT_SEEDS = {"penn": 1, "ewt": 1, "brown": 0, "np": 3, "synthetic": 1}
EXACT_CUTS = {"penn": (0,), "ewt": (0,), "np": (0, 5)}


def search_runs(corpus: str, search: str, update: str, quick: bool = False) -> list[Run]:
    """Return one search with averaged and plain weights and the cut-offs."""
    many = search == "exact" and corpus != "np"
    epochs = EXACT_EPOCHS if many else EPOCHS[corpus]
    seeds = EXACT_SEEDS[corpus] if many else SEEDS[corpus]
    cuts = EXACT_CUTS.get(corpus, CUTS) if many else CUTS
    templates = "noun phrases" if corpus == "np" else "ratnaparkhi"
    return [
        Run(corpus, search, update, seed, 1 if quick else epochs, averaged, cut, templates, quick)
        for seed in range(min(1, seeds) if quick else seeds)
        for averaged in (True, False)
        for cut in cuts
    ]


def runs(quick: bool = False) -> dict[str, list[Run]]:
    """Return all runs, by the name of the experiment; exact search over many tags stands apart and last."""
    plan: dict[str, list[Run]] = {}
    for corpus in CORPORA:
        for search, update in SEARCHES:
            name = f"{corpus}-exact" if search == "exact" and corpus != "np" else corpus
            plan.setdefault(name, []).extend(search_runs(corpus, search, update, quick))
    found = {name: runs for name, runs in plan.items() if runs}
    return dict(sorted(found.items(), key=lambda item: item[0].endswith("-exact")))
