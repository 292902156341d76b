"""Yu, Huang, Mi & Zhao (2013): which update methods, towards which targets, with which beams."""

from __future__ import annotations

from typing import Any

from yu2013.trials import Trial

KIND = Trial
METHODS = ("standard", "early", "latest", "max_violation")
AIMS = ("reference", "hope", "local")
WIDTHS = (4, 10, 30)
SEEDS = (0, 1, 2)
AMOUNTS = (3_200, 12_800)
# MIRA on minibatches, which Zhao & Huang (2013) have for tags and trees.
BATCH_CAPS, BATCHES = (0.003, 0.03), (1, 4, 16)
LIMITS = (0, 4, 6, 10)
# Which phrase pairs there are: all, those seen twice; and without the pair itself, or without its part.
CUTS = ((1, -1), (2, -1), (2, 0), (2, 5))


def reach(quick: bool = False) -> list[Trial]:
    """Return distortion limits and cut-offs."""
    size = 100 if quick else 500
    return [
        Trial("reach", limit=limit, least=least, folds=folds, sentences=size, quick=quick)
        for least, folds in CUTS
        for limit in LIMITS
    ]


def targets(quick: bool = False) -> list[Trial]:
    """Return every method with every target; two of the methods with three seeds."""
    found = [Trial(aim=aim, update=update, **_small(quick)) for aim in AIMS for update in METHODS]
    found += [
        Trial(aim=aim, update=update, seed=seed, **_small(quick))
        for seed in ((1,) if quick else SEEDS[1:])
        for aim in ("reference", "hope")
        for update in METHODS
        if update in ("standard", "max_violation")
    ]
    return found


def beams(quick: bool = False) -> list[Trial]:
    """Return narrow and wide beams, with and without the future cost, and long sentences."""
    found = [
        Trial(update=update, width=width, **_small(quick))
        for width in WIDTHS
        for update in ("standard", "max_violation")
    ]
    found += [
        Trial(update=update, width=4, outlook=False, **_small(quick))
        for update in ("standard", "max_violation")
    ]
    found += [Trial(update=update, width=4, part="longest", **_small(quick)) for update in METHODS]
    return found


def settings(quick: bool = False) -> list[Trial]:
    """Return what else may decide whether sparse features pay."""
    return [
        Trial(frozen=False, **_small(quick)),
        Trial(by_class=True, **_small(quick)),
        Trial(folds=0, **_small(quick)),
        Trial(folds=-1, **_small(quick)),
        Trial(templates="edges", **_small(quick)),
        Trial(learner="mira:C=0.003", **_small(quick)),
        Trial(aim="hope", update="standard", learner="mira:C=0.01", **_small(quick)),
    ]


def drifts(quick: bool = False) -> list[Trial]:
    """Return trials that also learn dense weights, compared stack by stack or over the same words."""
    return [
        Trial(frozen=False, by_class=by_class, epochs=2, seed=seed, **_small(quick))
        for seed in (SEEDS[:1] if quick else SEEDS)
        for by_class in (False, True)
    ]


def amounts(quick: bool = False) -> list[Trial]:
    """Return more sentences to learn from."""
    sizes = (120,) if quick else AMOUNTS
    return [Trial(aim=aim, **_small(quick) | {"sentences": size}) for size in sizes for aim in AIMS]


def batches(quick: bool = False) -> list[Trial]:
    """Return MIRA on one pair at a time and on minibatches."""
    return [
        Trial(learner=f"mira:C={cap}", batch=size, seed=seed, **_small(quick))
        for cap in (BATCH_CAPS[:1] if quick else BATCH_CAPS)
        for seed in (SEEDS[:1] if quick else SEEDS)
        for size in (BATCHES[::2] if quick else BATCHES)
    ]


def _small(quick: bool) -> dict[str, Any]:
    return {"sentences": 60, "quick": True} if quick else {}


def runs(quick: bool = False) -> dict[str, list[Trial]]:
    """Return all trials, by the name of the experiment."""
    return {
        "reach": reach(quick),
        "targets": targets(quick),
        "beams": beams(quick),
        "settings": settings(quick),
        "drifts": drifts(quick),
        "amounts": amounts(quick),
        "batches": batches(quick),
    }
