"""Two small quadratic programs, solved coordinate by coordinate until their KKT conditions hold."""

from __future__ import annotations

from collections.abc import Sequence

from structron.reference.sequence.spaces import SparseVector

TOLERANCE = 1e-9
ROUNDS = 10_000

Matrix = Sequence[Sequence[float]]


def gram(deltas: Sequence[SparseVector]) -> list[list[float]]:
    """Return A[i][j] = ΔΦ_i · ΔΦ_j."""
    return [
        [sum(value * other.get(name, 0.0) for name, value in one.items()) for other in deltas]
        for one in deltas
    ]


def hildreth(A: Matrix, b: Sequence[float], cap: float) -> list[float]:
    """Find the α that maximises b · α - α' A α / 2 with 0 ≤ α ≤ cap (Hildreth's method, as in MSTParser).

    This is the dual of: the smallest move Σ α_j ΔΦ_j after which every constraint j, short by b_j before, is
    met; with a cap, as far as it allows. Each round settles the constraint whose KKT condition is violated
    most, of equals the first. Constraints that contradict each other have no solution without a cap; then the
    rounds run out.
    """
    alpha = [0.0] * len(b)
    short = list(b)
    tolerance = TOLERANCE * max(1.0, *(abs(x) for x in b))
    for _ in range(ROUNDS):
        worst, at = tolerance, -1
        for j, x in enumerate(short):
            if A[j][j] <= 0.0:
                continue
            amount = x if alpha[j] <= 0.0 else -x if alpha[j] >= cap else abs(x)
            if amount > worst:
                worst, at = amount, j
        if at < 0:
            break
        step = min(max(short[at] / A[at][at], -alpha[at]), cap - alpha[at])
        alpha[at] += step
        for i in range(len(short)):
            short[i] -= step * A[i][at]
    return alpha


def simplex(A: Matrix, b: Sequence[float]) -> list[float]:
    """Find the γ that maximises b · γ - γ' A γ / 2 with γ ≥ 0 and Σ γ = 1.

    This is the dual of min |w' - w|² / 2 + max_j (short of constraint j after the move): one step along the
    mixture of constraints that leaves the worst one best off. Each round moves weight from the constraint
    that deserves it least to the one that deserves it most, of equals the first, until they are even.
    """
    gamma = [0.0] * len(b)
    first = max(range(len(b)), key=lambda j: b[j] - A[j][j] / 2)
    gamma[first] = 1.0
    slope = [b[j] - A[j][first] for j in range(len(b))]
    tolerance = TOLERANCE * max(1.0, *(abs(x) for x in slope))
    for _ in range(ROUNDS):
        up = max(range(len(b)), key=lambda j: slope[j])
        down = min((j for j in range(len(b)) if gamma[j] > 0.0), key=lambda j: slope[j])
        gain = slope[up] - slope[down]
        if gain <= tolerance:
            break
        bend = A[up][up] + A[down][down] - 2.0 * A[up][down]
        step = min(gain / bend, gamma[down]) if bend > 0.0 else gamma[down]
        gamma[up] += step
        gamma[down] = 0.0 if step == gamma[down] else gamma[down] - step
        for j in range(len(b)):
            slope[j] -= step * (A[j][up] - A[j][down])
    return gamma
