"""A search of your own, by name: a beam that draws outputs without replacement (Kool et al. 2019)."""

import math
import random
from typing import Any

from structron.reference import Bins, beam, predict, train
from structron.search import register_search


class Perturbed:  # a space whose states also carry log-probability and Gumbel noise, by which they compete
    def __init__(self, space: Any, weights: Any, rng: random.Random) -> None:
        self.space, self.weights, self.rng, self.drawn = space, weights, rng, dict[Any, Any]()

    def __getattr__(
        self, name: str
    ) -> Any:  # all else is that of the space: of its states, without the noise
        known = getattr(self.space, name)
        return lambda state, *rest: known(state[0], *rest)

    def initial(self) -> Any:
        return self.space.initial(), 0.0, 0.0

    def advance(self, state: Any, action: int) -> Any:
        if (
            state,
            action,
        ) not in self.drawn:  # all children at once: the greatest has the noise of the parent
            actions = list(self.space.actions(state[0]))
            scores = [self.weights.score(self.space.features(state[0], a)) for a in actions]
            total = math.log(sum(math.exp(s - max(scores)) for s in scores)) + max(scores)
            logs = [state[1] + s - total for s in scores]
            noise = [phi - math.log(-math.log(self.rng.random())) for phi in logs]
            for a, phi, g in zip(actions, logs, noise):
                v = state[2] - g + math.log1p(-math.exp(min(g - max(noise), -1e-12)))
                bound = state[2] - max(0.0, v) - math.log1p(math.exp(-abs(v)))
                self.drawn[state, a] = self.space.advance(state[0], a), phi, bound
        return self.drawn[state, action]

    def future(self, state: Any) -> float:  # what it competes by, in place of its score
        return 1e6 * state[2]


class GumbelBeam:
    kind, merge, rng = "own", False, random.Random(0)

    def __init__(self, width: int | None) -> None:
        self.width = width or 4

    def run(self, space: Any, weights: Any, oracle: Any, margin: float, start: Any) -> Bins:
        noisy = Perturbed(space, weights, self.rng)
        from_space = None if oracle is None else Perturbed(oracle, weights, self.rng)
        return beam(noisy, weights, self.width, False, from_space, margin=margin)  # type: ignore[arg-type]


register_search("gumbel", GumbelBeam)

if __name__ == "__main__":
    from own_task import texts

    data, test = texts(random.Random(1), 30), texts(random.Random(2), 30)
    for search in ("greedy", "gumbel:4"):
        *_, last = train([(t, t) for t in data], search=search, update="max_violation", epochs=5)
        outputs = [predict(t, last.weights.averaged(), "exact") for t in test]
        right = sum(list(o.actions) == list(t.gold.values()) for o, t in zip(outputs, test))
        print(f"{search:9} {right / len(test):4.0%} right")
