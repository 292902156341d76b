"""What parts of trees and texts are worth: `python benchmarks/partly_known.py [trees] [texts]`

Trees: 1,500 sentences of English-EWT, all heads and relations known, or half of the heads and half of the
relations, at random. Where not all are known, gold is any derivation that agrees, or a chart completes the
trees first, as `Parser(partial=True)` does. Five epochs; LAS on 400 sentences of dev.

Texts: passages of 3,000 sentences; a tenth of them whole, and of the rest some tokens. Five epochs; mean F1
of tokens and sentences on dev.

One draw each; CPU seconds of training, one thread. The tables are in benchmarks/results/partly_known.md.
"""

from __future__ import annotations

import random
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from unittest.mock import patch

from corpora import folder

from structron import Parser, Segmenter
from structron.io import Sentence, read
from structron.io.files.atomic_write import write_atomically
from structron.segments.boundaries import SENTENCE
from structron.segments.passages import Passage, passages
from structron.tasks.parsing import problem

RESULTS = Path(__file__).parent / "results" / "partly_known.md"
EPOCHS, SEED = 5, 0
PARSERS: dict[str, dict[str, Any]] = {
    "arc-standard, greedy": {"search": "greedy"},
    "arc-standard, the default beam": {},
    "arc-standard, dp:8": {"search": "dp:8"},
    "swap": {"system": "swap"},
    "graph, forest:4": {"system": "graph"},
    "graph, mst": {"system": "graph", "search": "mst"},
}
CANNOT = ("dp:8", "mst")  # searches that learn from whole trees alone
ABOUT = "`python benchmarks/partly_known.py`; what was measured stands at the top of the script."


def treebank(part: str, few: int) -> list[Sentence]:
    """Return the first sentences of a part of English-EWT."""
    (path,) = (folder() / "ud" / "UD_English-EWT").glob(f"*-{part}.conllu.gz")
    return list(read(path))[:few]


def forgotten(sentences: list[Sentence]) -> list[Sentence]:
    """Return the sentences without half of the heads and half of the relations."""
    rng = random.Random(SEED)
    for name in ("head", "deprel"):
        sentences = [
            each.with_column(name, [value if rng.random() < 0.5 else "_" for value in each.column(name)])
            for each in sentences
        ]
    return sentences


def measured(estimator: Any, dev: Any, *data: Any) -> str:
    """Train, and return the score on dev and the seconds of training."""
    began = time.process_time()
    estimator.fit(*data)
    seconds = time.process_time() - began
    return f"{100 * estimator.score(dev):.2f} ({seconds:.0f} s)"


def trees() -> Iterator[str]:
    """Yield the lines of the table of parsers."""
    whole, dev = treebank("train", 1500), treebank("dev", 400)
    partly = forgotten(whole)
    yield "| | all known | any derivation that agrees | completed |"
    yield "|---|---:|---:|---:|"
    for name, settings in PARSERS.items():
        shared = {"epochs": EPOCHS, "trials": 0, "seed": SEED, **settings}
        cells = [measured(Parser(**shared), dev, whole)]
        with patch.object(problem, "_completion_needed", lambda recipe: False):
            able = settings.get("search") not in CANNOT
            cells.append(measured(Parser(partial=True, **shared), dev, partly) if able else "cannot")
        # By itself a chart does not complete trees; the one that completes them has fewer epochs.
        with patch.object(problem, "_completion_needed", lambda recipe: recipe.epochs == EPOCHS):
            cells.append(measured(Parser(partial=True, **shared), dev, partly))
        yield said(f"| {name} | {' | '.join(cells)} |")


def texts() -> Iterator[str]:
    """Yield the lines of the table of segmenters."""
    every, dev = passages(treebank("train", 3000), 8), treebank("dev", 10**6)
    tenth, rest = every[: len(every) // 10], every[len(every) // 10 :]
    yield "| known | mean F1 of tokens and sentences |"
    yield "|---|---:|"
    for name, share in (
        ("a tenth", 0.0),
        ("and a tenth of the other tokens", 0.1),
        ("and half of them", 0.5),
    ):
        rng = random.Random(SEED)
        known = [[span[:2] for span in one.tokens if rng.random() < share] for one in rest]
        some = [(one.text, own) for one, own in zip(rest, known) if own]
        data = [*((one.text, sentences(one)) for one in tenth), *some]
        yield said(f"| {name} | {segmented(data, dev)} |")
    yield said(f"| all | {segmented([(one.text, sentences(one)) for one in every], dev)} |")


def segmented(data: list[Any], dev: list[Sentence]) -> str:
    """Train a segmenter on pairs of a text and its tokens."""
    xs, ys = zip(*data)
    return measured(Segmenter(epochs=EPOCHS, seed=SEED), dev, xs, ys)


def sentences(one: Passage) -> list[list[str]]:
    """Return the sentences of a passage, each a list of tokens."""
    found: list[list[str]] = []
    for begin, end, flags in one.tokens:
        if flags & SENTENCE or not found:
            found.append([])
        found[-1].append(one.text[begin:end])
    return found


def said(line: str) -> str:
    """Print a line as soon as it is known."""
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()
    return line


def main() -> None:
    """Measure what is asked for, or all; the page is written if all was measured."""
    parts = {"trees": trees, "texts": texts}
    asked = sys.argv[1:] or list(parts)
    pages = {name: list(parts[name]()) for name in asked}
    if set(asked) == set(parts):
        lines = ["# What parts of trees and texts are worth", "", ABOUT]
        for title, name in (("LAS of parsers", "trees"), ("Segmenters", "texts")):
            lines += ["", f"## {title}", "", *pages[name]]
        write_atomically(RESULTS, "\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
