"""How many outputs a margin should look at: what k does to confidence, and what it costs.

`python benchmarks/confidence.py [--small]` trains a tagger, a parser and a transducer, and holds margins
among the k best outputs against what is right, on development data: each half is calibrated on the other. It
prints a line of JSON for each task and k: the calibration error and the Brier score of parts and of whole
outputs, the share of pairs of a right and a wrong one that confidence puts in order (`order`, the area under
the ROC curve), and CPU seconds, beside those of `predict`.
"""

from __future__ import annotations

import argparse
import itertools
import json
import os
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from structron import Parser, Tagger, Transducer
from structron.fit.confidence import calibrated, parts_of
from structron.io import read
from structron.io.formats.pairs import read_pairs
from structron.metrics import calibration_error, reliability

KS = (2, 4, 8, 16, 32, 64)


def models(data: Path, share: float) -> Iterator[tuple[str, Any, list[Any], list[Any]]]:
    """Yield estimators with what they learn from, and development data."""
    treebank = data / "ud" / "UD_English-EWT"
    (train,), (dev,) = (sorted(treebank.glob(f"*-{part}.conllu*")) for part in ("train", "dev"))

    def some(place: Path, count: int) -> list[Any]:
        return list(itertools.islice(filter(len, read(place)), int(count * share)))

    yield "tagging", Tagger(epochs=5), some(train, 3000), some(dev, 1000)
    yield "parsing", Parser(epochs=5), some(train, 1500), some(dev, 500)
    pairs = list(itertools.islice(read_pairs(data / "g2p" / "cmudict" / "cmudict.dict.gz"), 100_000))
    order = np.random.default_rng(0).permutation(len(pairs))[: int(6000 * share)]
    chosen = [pairs[i] for i in order]
    cut = len(chosen) // 6
    yield "transduction", Transducer(epochs=5), chosen[cut:], chosen[:cut]


def area(margins: np.ndarray[Any, Any], right: np.ndarray[Any, Any]) -> float:
    """Return how often a right one has the larger margin; of equals half count."""
    values, place = np.unique(margins, return_inverse=True)
    good, bad = np.bincount(place, right, len(values)), np.bincount(place, ~right, len(values))
    below = np.concatenate([[0.0], np.cumsum(bad)[:-1]])
    return float((good * (below + bad / 2)).sum() / max(1.0, good.sum() * bad.sum()))


def measured(estimator: Any, dev: list[Any], k: int) -> dict[str, Any]:
    """Return one row."""
    began = time.process_time()
    margins = estimator.margins(dev, k)
    seconds = time.process_time() - began
    judged = estimator.judge(dev)
    sure: dict[str, list[float]] = {"parts": [], "whole": []}
    right: dict[str, list[bool]] = {"parts": [], "whole": []}
    for own, other in ((slice(0, None, 2), slice(1, None, 2)), (slice(1, None, 2), slice(0, None, 2))):
        found = calibrated(margins[other], judged[other])
        for each, one in zip(margins[own], judged[own]):
            confidence = found.confidence(each)
            sure["parts"] += confidence.parts
            sure["whole"].append(confidence.whole)
            right["parts"] += parts_of([each], [one])[1]
            right["whole"].append(one.is_right)
    row: dict[str, Any] = {"k": k, "seconds": round(seconds, 2)}
    for name in ("parts", "whole"):
        p, good = np.array(sure[name]), np.array(right[name])
        row |= {
            f"{name}_error": round(100 * calibration_error(reliability(sure[name], right[name])), 2),
            f"{name}_brier": round(float(np.mean((p - good) ** 2)), 4),
            f"{name}_order": round(area(p, good), 4),
        }
    return row


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--small", action="store_true", help="a fifth of the data")
    args = parser.parse_args()
    for name, estimator, train, dev in models(Path(os.environ["STRUCTRON_DATA"]), 0.2 if args.small else 1.0):
        estimator.fit(train)
        began = time.process_time()
        estimator.predict(dev)
        alone = round(time.process_time() - began, 2)
        for k in KS:
            print(json.dumps({"task": name, "predict": alone} | measured(estimator, dev, k)), flush=True)


if __name__ == "__main__":
    main()
