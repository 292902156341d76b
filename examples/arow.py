"""A learner of your own: AROW (Crammer et al. 2009), a step for every coordinate. Run: arow.py TRAIN DEV"""

import sys

import numpy as np

from structron import Tagger
from structron.io import read
from structron.reference import Differences

Change = tuple[np.ndarray, np.ndarray]


class AROW:
    """Weights have a variance each; the less is known of one, the farther it moves."""

    averaged, close_calls = False, True  # it looks at outputs where gold is ahead by less than the loss, too

    def __init__(self, r: float = 1.0) -> None:
        self.r, self.variance = r, np.ones(0, np.float32)

    def move(self, found: Differences) -> Change | None:
        """Return coordinates and by how much they change."""
        at, x = found.summed()
        self.variance = found.room(self.variance, fill=1.0)
        hinge = found.loss.sum() + found.excess.sum()  # the loss less what gold is ahead by
        if hinge <= 0:
            return None
        spread = self.variance[at] * x
        beta = 1 / (float(x @ spread) + self.r)
        self.variance[at] -= beta * spread * spread
        return at, hinge * beta * spread


if __name__ == "__main__":
    train, dev = (list(read(file)) for file in sys.argv[1:3])
    for learner in ("mira:1,C=0.1", AROW()):
        tagger = Tagger(search="beam:4", learner=learner, epochs=3).fit(train)
        print(f"{tagger.recipe.learner:24} {tagger.score(dev):.2%}")
