"""A search of your own in the engine: a beam that draws its rows. Run: own_rows.py TRAIN DEV"""

import sys
import zlib

import numpy as np

from structron import Tagger
from structron.io import read
from structron.reference import RowOffers
from structron.search import register_search


class GumbelRows:
    """Draw outputs without replacement, by log-probability and Gumbel noise (Kool et al. 2019)."""

    def __init__(self, width: int | None) -> None:
        self.width = width or 4

    def keep(self, row: RowOffers) -> list[int]:
        known = row.memory  # of each item of this search, by its number; item 0 is the beginning
        if row.row == 0:
            known["random"] = np.random.default_rng(zlib.crc32(row.score.tobytes()))
            known |= {name: np.zeros(1) for name in ("score", "log", "noise")}
        parents, at = np.unique(row.parent, return_inverse=True)
        gain = row.score - known["score"][row.parent]
        most = np.full(len(parents), -np.inf)
        np.maximum.at(most, at, gain)
        total = most + np.log(np.bincount(at, np.exp(gain - most[at])))
        log = known["log"][row.parent] + gain - total[at]
        drawn = log + known["random"].gumbel(size=len(row))
        most = np.full(len(parents), -np.inf)
        np.maximum.at(most, at, drawn)
        with np.errstate(divide="ignore"):  # the greatest of all children has the noise of the parent
            bound = known["noise"][row.parent]
            v = bound - drawn + np.log1p(-np.exp(drawn - most[at]))
            noise = bound - np.maximum(0, v) - np.log1p(np.exp(-np.abs(v)))
        kept = np.sort(np.argsort(-noise, kind="stable")[: self.width])
        for name, new in (("score", row.score), ("log", log), ("noise", noise)):
            known[name] = np.append(known[name], new[kept])
        return kept.tolist()


register_search("gumbel_rows", GumbelRows)

if __name__ == "__main__":
    train, dev = (list(read(file)) for file in sys.argv[1:3])
    for search in ("beam:4", "gumbel_rows:4"):
        tagger = Tagger(search=search, learner="perceptron", epochs=3).fit(train)
        print(f"{search:16} {tagger.score(dev):.2%}")
