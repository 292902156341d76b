"""Zhao, Huang, Mi & Ittycheriah (2014): update methods for rules with gaps, and reachability."""

from __future__ import annotations

from zhao2014.bitexts import Learned

KIND = Learned
METHODS = ("max_violation", "standard", "skip", "early", "latest", "parallel")
WIDTHS = (4, 16)
SEEDS = (0, 1, 2)
SEEDED = METHODS[:2]  # what is made with all seeds
PERCEPTRON, MIRA = "perceptron", "mira:C=0.003"
PAIRS, DEV = 4_000, 600  # the first of the training part and of the dev part, half of which is tuned on
EPOCHS = 3
WHOLE, TEST = 29_000, 1_000  # all of the training part and of the test part
SMALL = 200  # pairs, for a quick run


def updates(quick: bool = False) -> list[Learned]:
    """Return tuned dense weights of both systems, then every update method, in the order of the report."""
    shared = {"pairs": SMALL, "dev": SMALL // 2, "quick": True} if quick else {"pairs": PAIRS, "dev": DEV}
    runs = [Learned("phrases", "beam:30+merge", "none", 0, **shared)]
    widths = WIDTHS[:1] if quick else WIDTHS
    runs += [Learned("hiero", f"forest:{width}", "none", 0, **shared) for width in widths]
    wanted = [(width, method, PERCEPTRON, 0) for width in widths for method in METHODS]
    if not quick:
        wanted += [(WIDTHS[-1], method, MIRA, 0) for method in SEEDED]
        wanted += [
            (width, method, PERCEPTRON, seed) for width in WIDTHS for seed in SEEDS[1:] for method in SEEDED
        ]
    runs += [
        Learned(
            "hiero",
            f"forest:{width}",
            method,
            1 if quick else EPOCHS,
            learner=learner,
            seed=seed,
            **shared,
        )
        for width, method, learner, seed in wanted
    ]
    return runs


def reachability(quick: bool = False) -> list[Learned]:
    """Return how many training pairs can be reached, by system, cut-off and limit."""
    pairs = SMALL if quick else PAIRS
    found = [("phrases", least, 6) for least in (2, 1)]
    found += [("hiero", least, limit) for least in (2, 1) for limit in (10, 15)]
    return [
        Learned(system, "none", "reach", 0, pairs=pairs, least=least, limit=limit, quick=quick)
        for system, least, limit in found
    ]


def whole(quick: bool = False) -> list[Learned]:
    """Return tuned dense weights of both systems on all of the data."""
    pairs, dev, test = (SMALL, SMALL // 2, SMALL // 4) if quick else (WHOLE, DEV, TEST)
    shared = {"pairs": pairs, "dev": dev, "test": test, "quick": quick}
    return [
        Learned("phrases", "beam:30+merge", "none", 0, **shared),
        Learned("hiero", f"forest:{WIDTHS[-1]}", "none", 0, **shared),
    ]


def runs(quick: bool = False) -> dict[str, list[Learned]]:
    """Return all runs, by the name of the experiment."""
    return {"reachability": reachability(quick), "whole": whole(quick), "updates": updates(quick)}
