"""What parts of trees and texts are worth: `python benchmarks/partly_known.py [trees] [texts]`

Trees: 1,500 sentences of English-EWT, all heads and relations known, or half of the heads and half of the
relations, at random. Where not all are known, gold is any derivation that agrees, or a chart completes the
trees first, as `Parser(partial=True)` does. Five epochs; LAS on 400 sentences of dev.

Texts: passages of 3,000 sentences; a tenth of them whole, and of the rest some tokens. Five epochs; F1 of
tokens and of sentences on dev.

Of trees one draw, of texts five: the mean, and the least and the most. CPU seconds of training, one thread.
Tables: benchmarks/results/partly_known_trees.md, partly_known_texts.md.
"""

from __future__ import annotations

import random
import statistics
import sys
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any
from unittest.mock import patch

from corpora import folder

from structron import Parser, Segmenter
from structron.io import Sentence, read
from structron.io.files.atomic_write import write_atomically
from structron.segments.boundaries import SENTENCE
from structron.segments.passages import Passage, passages
from structron.tasks.parsing.problem import ParsingProblem
from structron.tasks.segmentation.fitting.task_from_data import scores

RESULTS = Path(__file__).parent / "results"
EPOCHS, SEED, DRAWS = 5, 0, 5
PARSERS: dict[str, dict[str, Any]] = {
    "arc-standard, greedy": {"search": "greedy"},
    "arc-standard, the default beam": {},
    "arc-standard, dp:8": {"search": "dp:8"},
    "swap": {"system": "swap"},
    "graph, forest:4": {"system": "graph"},
    "graph, mst": {"system": "graph", "search": "mst"},
}
CANNOT = ("dp:8", "mst")  # searches that learn from whole trees alone
TITLES = {"trees": "LAS of parsers", "texts": "Tokens and sentences of segmenters"}
ABOUT = "`python benchmarks/partly_known.py {}`; what was measured stands at the top of the script."


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
        with patch.object(ParsingProblem, "completes", False):
            able = settings.get("search") not in CANNOT
            cells.append(measured(Parser(partial=True, **shared), dev, partly) if able else "cannot")
        cells.append(measured(Parser(partial=True, **shared), dev, partly))
        yield said(f"| {name} | {' | '.join(cells)} |")


def texts() -> Iterator[str]:
    """Yield the lines of the table of segmenters."""
    every, dev = passages(treebank("train", 3000), 8), treebank("dev", 10**6)
    tenth, rest = every[: len(every) // 10], every[len(every) // 10 :]
    yield "| known | F1 of tokens | F1 of sentences |"
    yield "|---|---:|---:|"
    for name, share in (("a tenth", 0.0), ("and a tenth of the others", 0.1), ("and half of them", 0.5)):
        found = []
        for draw in range(DRAWS if share else 1):
            rng = random.Random(draw)
            known = [[span[:2] for span in one.tokens if rng.random() < share] for one in rest]
            some = [(one.text, own) for one, own in zip(rest, known) if own]
            found.append(segmented([*((one.text, sentences(one)) for one in tenth), *some], dev))
        yield said(f"| {name} | {' | '.join(map(spread, zip(*found)))} |")
    whole = segmented([(one.text, sentences(one)) for one in every], dev)
    yield said(f"| all | {' | '.join(spread([each]) for each in whole)} |")


def segmented(data: list[Any], dev: list[Sentence]) -> tuple[float, float]:
    """Return the scores of a segmenter that has learned from pairs of a text and its tokens."""
    xs, ys = zip(*data)
    segmenter = Segmenter(epochs=EPOCHS, seed=SEED).fit(xs, ys)
    given = segmenter.problem.read(dev, None)
    tokens, begun = scores(given.ys, segmenter.model_.predict(given.xs))
    return 100 * tokens.f1, 100 * begun.f1


def spread(values: Sequence[float]) -> str:
    """Return the mean, and between what the values lie."""
    between = f" ({min(values):.2f} to {max(values):.2f})" if len(values) > 1 else ""
    return f"{statistics.mean(values):.2f}{between}"


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
    """Measure what is asked for, or all."""
    parts = {"trees": trees, "texts": texts}
    for name in sys.argv[1:] or parts:
        lines = [f"# {TITLES[name]} that know only parts", "", ABOUT.format(name), "", *parts[name]()]
        write_atomically(RESULTS / f"partly_known_{name}.md", "\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
