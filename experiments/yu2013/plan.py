"""Yu, Huang, Mi & Zhao (2013): which update methods, towards which targets, with which beams."""

from __future__ import annotations

from yu2013.trials import Trial

KIND = Trial
METHODS = ("standard", "early", "latest", "max_violation")
AIMS = ("reference", "hope", "local")
WIDTHS = (4, 10, 30)
SEEDS = (0, 1, 2)
LIMITS = (0, 2, 4, 6, 10)
# Which phrase pairs there are: all, those seen twice; and without the pair itself, or without its part.
CUTS = ((1, -1), (2, -1), (1, 0), (2, 0), (2, 5))


def reach(quick: bool = False) -> list[Trial]:
    """Distortion limits and cut-offs."""
    size = 100 if quick else 1_000
    return [
        Trial("reach", limit=limit, least=least, folds=folds, sentences=size, quick=quick)
        for least, folds in CUTS
        for limit in LIMITS
    ]


def targets(quick: bool = False) -> list[Trial]:
    """Every method with every target, three seeds."""
    return [
        Trial(aim=aim, update=update, seed=seed, **_small(quick))
        for seed in (SEEDS[:1] if quick else SEEDS)
        for aim in AIMS
        for update in METHODS
    ]


def beams(quick: bool = False) -> list[Trial]:
    """Narrow and wide beams, with and without the future cost, and long sentences."""
    found = [
        Trial(aim=aim, update=update, width=width, **_small(quick))
        for width in (4, 30)
        for aim in ("reference", "hope")
        for update in ("standard", "max_violation")
    ]
    found += [
        Trial(update=update, width=width, outlook=False, **_small(quick))
        for width in (4, 10)
        for update in ("standard", "max_violation")
    ]
    found += [
        Trial(update=update, width=width, part="longest", **_small(quick))
        for width in (4, 10)
        for update in METHODS
    ]
    return found


def settings(quick: bool = False) -> list[Trial]:
    """What else may decide whether sparse features pay."""
    seeds = SEEDS[:1] if quick else SEEDS
    return [
        trial
        for seed in seeds
        for trial in (
            Trial(frozen=False, seed=seed, **_small(quick)),
            Trial(aim="hope", frozen=False, seed=seed, **_small(quick)),
            Trial(by_class=True, seed=seed, **_small(quick)),
            Trial(folds=0, seed=seed, **_small(quick)),
            Trial(folds=-1, seed=seed, **_small(quick)),
            Trial(templates="rules", seed=seed, **_small(quick)),
        )
    ]


def _small(quick: bool) -> dict[str, int]:
    return {"sentences": 100, "epochs": 1, "quick": True} if quick else {}


def runs(quick: bool = False) -> dict[str, list[Trial]]:
    """All trials, by the name of the experiment."""
    return {
        "reach": reach(quick),
        "targets": targets(quick),
        "settings": settings(quick),
        "beams": beams(quick),
    }
