"""What a piece in Python costs: an update, a learner, scores and a task, beside what the engine has itself.

``python benchmarks/own_pieces.py`` measures on UD English-EWT, in CPU seconds, each kind in turn, and prints
a table of medians.
"""

from __future__ import annotations

import random
import runpy
import statistics
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from structron import Tagger, own, reference
from structron.io import read
from structron.own.scores import best_outputs
from structron.reference import Differences, excess, is_violation

ROUNDS = 3
HERE = Path(__file__).resolve().parent
EWT = "ud/UD_English-EWT/en_ewt-ud-train.conllu.gz"


def worst(trace: Any) -> int | None:
    """Choose the greatest violation."""
    rows = np.flatnonzero(is_violation(trace))
    return int(rows[np.argmax(excess(trace)[rows])]) if rows.size else None


class Plain:
    """The perceptron."""

    margin = 20.0

    def move(self, found: Differences) -> Any:
        """Return the difference as it is."""
        return found.summed()


def medians(kinds: dict[str, Callable[[], float]]) -> dict[str, float]:
    """Return the median of what each kind measures, in turn."""
    found: dict[str, list[float]] = {name: [] for name in kinds}
    for _ in range(ROUNDS):
        for name, run in kinds.items():
            found[name].append(run())
    return {name: statistics.median(each) for name, each in found.items()}


def trained(sentences: list[Any], **choices: Any) -> float:
    """Return tokens a second of a training of two epochs, by CPU time."""
    tagger = Tagger(epochs=2, templates="pos", **choices).fit(sentences)
    return sum(e.tokens for e in tagger.history_) / sum(e.cpu_seconds for e in tagger.history_)


def decoded(labels: int = 17, tokens: int = 200_000) -> float:
    """Return tokens a second of exact search with given scores and transitions."""
    rng = np.random.default_rng(0)
    scores = [rng.normal(size=(20, labels)).astype(np.float32) for _ in range(tokens // 20)]
    after = rng.normal(size=(labels + 1, labels)).astype(np.float32)
    began = time.process_time()
    best_outputs(scores, transitions=after)
    return tokens / (time.process_time() - began)


def grid(where: Any, epochs: int = 10) -> float:
    """Return cells a second of training on the grid."""
    pictures = runpy.run_path(str(HERE.parent / "examples" / "own_grid.py"))["pictures"](random.Random(1), 30)
    search = "beam:8" if where is own else ("beam", 8, False)
    began = time.process_time()
    list(where.train([(p, p) for p in pictures], search=search, update="max_violation", epochs=epochs))
    return 30 * 64 * epochs / (time.process_time() - began)


def main() -> None:
    """Measure, and print the table."""
    sys.path.insert(0, str(HERE.parent / "experiments"))
    from corpora import find

    sentences = list(read(find(EWT)))
    found = medians(
        {
            "engine": lambda: trained(sentences),
            "own update": lambda: trained(sentences, update=worst),
            "own learner": lambda: trained(sentences, learner=Plain()),
            "given scores": decoded,
            "grid, engine": lambda: grid(own),
            "grid, definition": lambda: grid(reference),
        }
    )
    for name, speed in found.items():
        base = found["grid, definition" if name.startswith("grid") else "engine"]
        print(f"| {name:16} | {speed:12,.0f} | {speed / base:8.1%} |")


if __name__ == "__main__":
    main()
