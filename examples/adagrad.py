"""A learner of your own: AdaGrad (Duchi et al. 2011). Run: adagrad.py TRAIN DEV"""

import sys

import numpy as np

from structron import Tagger
from structron.io import read
from structron.reference import Differences

Change = tuple[np.ndarray, np.ndarray]


class AdaGrad:
    """Each coordinate moves by its difference, over the root of the squares it has moved by so far."""

    margin = (
        1.0  # search finds what gold is not ahead of by 1 for each wrong action: the structured hinge loss
    )

    def __init__(self, rate: float = 1.0) -> None:
        self.rate, self.squares = rate, np.zeros(0, np.float32)

    def move(self, found: Differences) -> Change:
        """Return coordinates and by how much they change."""
        at, difference = found.summed()
        self.squares = found.room(self.squares)
        self.squares[at] += difference * difference
        return at, self.rate * difference / np.sqrt(self.squares[at])


if __name__ == "__main__":
    train, dev = (list(read(file)) for file in sys.argv[1:3])
    for learner in ("perceptron", AdaGrad()):
        tagger = Tagger(search="beam:4", learner=learner, epochs=3).fit(train)
        print(f"{tagger.recipe.learner:24} {tagger.score(dev):.2%}")
