"""Update methods with latent derivations of forms: which, with how many productions of a span."""

from __future__ import annotations

from geoquery.updates import Learned

KIND = Learned
METHODS = ("standard", "skip", "early", "latest", "max_violation", "parallel")
PRUNED, EXACT = "forest:4", "forest"
LEARNERS = ("perceptron", "mira")
SEEDS = 3
EPOCHS = 5
QUESTIONS, DEV_QUESTIONS = 200, 100
SMALL = 40  # questions, for a quick run

# With the perceptron, so that nothing but the update differs; the learners beside it in two methods.
CHOICES = (
    *((PRUNED, method, "perceptron") for method in METHODS),
    *((PRUNED, method, "mira") for method in ("standard", "max_violation")),
    *((EXACT, "standard", learner) for learner in LEARNERS),
)


def runs(quick: bool = False) -> dict[str, list[Learned]]:
    """Return all runs, by the name of the experiment; those of the first seed come first."""
    size = (1, SMALL, SMALL) if quick else (EPOCHS, QUESTIONS, DEV_QUESTIONS)
    return {
        "updates": [
            Learned(search, method, learner, seed, *size, quick=quick)
            for seed in range(1 if quick else SEEDS)
            for search, method, learner in CHOICES
        ]
    }
