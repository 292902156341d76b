"""Collins (2002): plain against averaged weights, feature cut-off, exact search against beams."""

from __future__ import annotations

from record import Run

CORPORA = ("penn", "ewt", "brown", "np")
EPOCHS = {"penn": 20, "ewt": 15, "brown": 10, "np": 20, "synthetic": 6}
SEEDS = {"penn": 3, "ewt": 2, "brown": 1, "np": 3, "synthetic": 2}
# The paper's own choice first; then a beam with its update, then a narrow one with the update made for beams.
SEARCHES = (("exact", "standard"), ("beam:10+merge", "standard"), ("beam:4+merge", "max_violation"))
CUTS = (0, 5)


def search_runs(corpus: str, search: str, update: str, quick: bool = False) -> list[Run]:
    """One search with averaged and plain weights and both cut-offs."""
    epochs = 3 if quick else EPOCHS[corpus]
    seeds = 1 if quick else SEEDS[corpus]
    templates = "noun phrases" if corpus == "np" else "ratnaparkhi"
    return [
        Run(corpus, search, update, seed, epochs, averaged, cut, templates, quick)
        for seed in range(seeds)
        for averaged in (True, False)
        for cut in CUTS
    ]


def affordable(corpus: str, search: str) -> bool:
    """Exact search over all pairs of Brown's tags would take longer than all the rest together."""
    return not (corpus == "brown" and search == "exact")


def runs(quick: bool = False) -> dict[str, list[Run]]:
    """All runs, by the name of the experiment; exact search over many tags is slow and stands apart."""
    plan: dict[str, list[Run]] = {}
    for corpus in CORPORA:
        for search, update in SEARCHES:
            if affordable(corpus, search):
                slow = search == "exact" and corpus != "np"
                plan.setdefault(f"{corpus}-exact" if slow else corpus, []).extend(
                    search_runs(corpus, search, update, quick)
                )
    return dict(sorted(plan.items(), key=lambda item: item[0].endswith("-exact")))
