"""Zhao, Huang, Mi & Ittycheriah (2014): update methods for rules with gaps, and reachability."""

from __future__ import annotations

from zhao2014.bitexts import Learned

KIND = Learned
METHODS = ("max_violation", "standard", "skip", "early", "latest", "parallel")
WIDTHS = (4, 16)
SEEDS = (0, 1, 2)
PAIRS, DEV = 3_000, 300  # the first of the training part and of the dev part
EPOCHS = 4
SMALL = 200  # pairs, for a quick run


def updates(quick: bool = False) -> list[Learned]:
    """Tuned dense weights of both systems, then every update method; seed by seed, the narrow ones first."""
    pairs, dev = (SMALL, SMALL // 4) if quick else (PAIRS, DEV)
    shared = {"pairs": pairs, "dev": dev, "quick": quick}
    runs = [Learned("phrases", "beam:30+merge", "none", 0, **shared)]
    for seed in SEEDS[:1] if quick else SEEDS:
        for width in WIDTHS[:1] if quick else WIDTHS:
            search = f"forest:{width}"
            if seed == 0:
                runs.append(Learned("hiero", search, "none", 0, **shared))
            runs += [
                Learned("hiero", search, method, 1 if quick else EPOCHS, seed=seed, **shared)
                for method in METHODS
            ]
    return runs


def reachability(quick: bool = False) -> list[Learned]:
    """How many training pairs can be reached, by system, cut-off and limit."""
    pairs = SMALL if quick else PAIRS
    found = [("phrases", least, limit) for least in (1, 2) for limit in (6,)]
    found += [("hiero", least, limit) for least in (1, 2) for limit in (10, 15)]
    return [
        Learned(system, "none", "reach", 0, pairs=pairs, least=least, limit=limit, quick=quick)
        for system, least, limit in found
    ]


def runs(quick: bool = False) -> dict[str, list[Learned]]:
    """All runs, by the name of the experiment."""
    return {"reachability": reachability(quick), "updates": updates(quick)}
