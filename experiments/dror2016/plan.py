"""Dror & Reichart (2016), synthetic data: which trainings are made."""

from __future__ import annotations

from dror2016.chains import Chains

KIND = Chains
SETTINGS = (1, 2, 3)
DATA_SETS = 10
EPOCHS = 10  # "all models that employ the balanced weighting schemes converged after at most 10 iterations"
BETAS = tuple(n / 2 for n in range(1, 11))
FEW_BETAS = (1.0, 5.0)

# The models of Table 1 in its order, then the ceiling.
PAPER: dict[str, tuple[str, tuple[float, ...]]] = {
    "B-WM": ("swvp:single,wm,balanced,beta={}", BETAS),
    "B-WMR": ("swvp:single,wmr,balanced,beta={}", BETAS),
    "A-WM": ("swvp:single,wm,aggressive,beta={}", BETAS),
    "A-WMR": ("swvp:single,wmr,aggressive,beta={}", BETAS),
    "CSP": ("perceptron", ()),
    "Bayes": ("bayes", ()),
}
# What the paper leaves open: condition (2) kept, other γ, other sub-structures, the choice of γ as a problem
# of its own; and what else the toolkit has.
OURS: dict[str, tuple[str, tuple[float, ...]]] = {
    "perceptron, margin m": ("perceptron:margin={}", (1.0, 5.0, 20.0)),
    "MIRA, cap C, cost-augmented": ("mira:C={},augmented", (0.01, 0.1)),
    "MIRA, cap C": ("mira:C={}", (0.01, 0.1)),
    "single, A-uniform, margin m": ("swvp:single,uniform,aggressive,margin={}", (5.0, 20.0)),
    "single, A-uniform": ("swvp:single,uniform,aggressive", ()),
    "error spans, A-uniform": ("swvp:error_spans,uniform,aggressive", ()),
    "windows of 2, A-uniform": ("swvp:windows=2,uniform,aggressive", ()),
    "prefixes, A-WM": ("swvp:prefixes,wm,aggressive,beta={}", FEW_BETAS),
    "error spans, B-WM": ("swvp:error_spans,wm,balanced,beta={}", FEW_BETAS),
    "error spans, B-optimal": ("swvp:error_spans,optimal,balanced", ()),
    "single, A-optimal": ("swvp:single,optimal,aggressive", ()),
    "single, B-optimal": ("swvp:single,optimal,balanced", ()),
    "single, best": ("swvp:single,best,aggressive", ()),
    "single, B-uniform": ("swvp:single,uniform,balanced", ()),
    "B-WM, condition (2) enforced": ("swvp:single,wm,balanced,enforced,beta={}", FEW_BETAS),
    "B-WMR as printed": ("swvp:single,wmr,balanced,printed,beta={}", FEW_BETAS),
    "all subsets, B-WM": ("swvp:all_subsets,wm,balanced,beta=1", ()),
}


def model_runs(models: dict[str, tuple[str, tuple[float, ...]]], quick: bool = False) -> list[Chains]:
    """Return every model on every data set; `quick`: one small data set per setting, one value per grid."""
    return [
        Chains(setting, number, model, learner, grid[1:2] if quick else grid, 2 if quick else EPOCHS, quick)
        for model, (learner, grid) in models.items()
        for number in range(1, 2 if quick else DATA_SETS + 1)
        for setting in SETTINGS
    ]


def runs(quick: bool = False) -> dict[str, list[Chains]]:
    """Return all runs, by the name of the experiment: the paper's table, and what we add to it."""
    return {"paper": model_runs(PAPER, quick), "ours": model_runs(OURS, quick)}
