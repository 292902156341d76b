"""An update method of your own: all bins that are violated, as one. Run: all_violations.py TRAIN DEV"""

import sys

import numpy as np

from structron import Tagger
from structron.io import read
from structron.reference import Bins, is_violation


def all_violations(trace: Bins) -> tuple[int, ...]:
    """Choose every bin whose best guess is wrong and scores at least as much as gold."""
    return tuple(np.flatnonzero(is_violation(trace)).tolist())


if __name__ == "__main__":
    train, dev = (list(read(file)) for file in sys.argv[1:3])
    for update in ("max_violation", all_violations):
        tagger = Tagger(search="beam:4", update=update, learner="perceptron", epochs=3).fit(train)
        print(f"{update if isinstance(update, str) else update.__name__:16} {tagger.score(dev):.2%}")
