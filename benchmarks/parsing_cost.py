"""Does the cost of parsing grow linearly with length and beam width? `python benchmarks/parsing_cost.py`

A parser is trained on the beginning of UD English-EWT; then sentences of every length (long ones by joining
several) are parsed at several widths. Written: benchmarks/results/parsing_cost.json, .png and .svg.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import matplotlib
import numpy as np
import report
from corpora import TASKS, DataMissing, check, load
from systems.structron_parser import tree

from structron import Parser

matplotlib.use("Agg")
import matplotlib.pyplot as plt

HERE = Path(__file__).resolve().parent
TRAIN, EPOCHS = 3000, 3
LENGTHS = (5, 10, 20, 40, 80, 160, 320)
WIDTHS = (1, 2, 4, 8, 16, 32)
TOKENS = 6000  # parsed for each measurement
ROUNDS = 3


def sentences(pool: list[Any], length: int) -> list[Any]:
    """Return sentences of one length: the running text, cut."""
    text = [token for sentence in pool for token in sentence]
    return [text[i : i + length] for i in range(0, min(TOKENS, len(text) - length), length)]


def cost(parser: Parser, inputs: list[Any], search: str) -> float:
    """Return microseconds of search per token, by the engine's own clock: the least of a few rounds."""
    from structron.search import parse_search

    model, spent = parser.model_, []
    for _ in range(ROUNDS):
        before = model.decode_seconds
        model.predict(inputs, parse_search(search))
        spent.append(model.decode_seconds - before)
    return 1e6 * min(spent) / sum(map(len, inputs))


def draw(costs: dict[int, dict[int, float]], stem: Path) -> None:
    figure, (left, right) = plt.subplots(1, 2, figsize=(9, 3.4))
    for width, by_length in costs.items():
        left.plot(
            list(by_length), [n * c / 1000 for n, c in by_length.items()], marker="o", label=f"b = {width}"
        )
    left.set_xlabel("words in the sentence")
    left.set_ylabel("ms for the sentence")
    left.set_xscale("log", base=2)
    left.set_yscale("log", base=2)
    left.legend(frameon=False, fontsize=8)
    for length in (20, 80, 320):
        right.plot(WIDTHS, [costs[width][length] for width in WIDTHS], marker="o", label=f"{length} words")
    right.set_xlabel("beam width")
    right.set_ylabel("µs a word")
    right.legend(frameon=False, fontsize=8)
    figure.tight_layout()
    figure.savefig(stem.with_suffix(".png"), dpi=130)
    figure.savefig(stem.with_suffix(".svg"), metadata={"Date": None})


def main() -> int:
    task = TASKS["parsing"]
    try:
        check([task])
    except DataMissing as message:
        print(message, file=sys.stderr)
        return 2
    train, test = load(task, "train", TRAIN), load(task, "test")
    assert train is not None and test is not None
    # Every setting is named, so that these numbers stay as they are when a default changes.
    parser = Parser(
        templates="rich_tags", learner="perceptron:margin=20", cut=0, epochs=EPOCHS, search="beam:4"
    ).fit(train.inputs, [tree(gold) for gold in train.gold])
    tokens = [[token[: parser.model_.task.columns] for token in sentence] for sentence in test.inputs]
    costs = {
        width: {length: cost(parser, sentences(tokens, length), f"beam:{width}") for length in LENGTHS}
        for width in WIDTHS
    }
    stem = HERE / "results" / "parsing_cost"
    draw(costs, stem)
    # The exponent of length and of width: 1 is linear.
    whole = {
        w: float(np.polyfit(np.log(LENGTHS), np.log([n * c[n] for n in LENGTHS]), 1)[0])
        for w, c in costs.items()
    }
    wide = {
        n: float(np.polyfit(np.log(WIDTHS), np.log([costs[w][n] for w in WIDTHS]), 1)[0]) for n in LENGTHS
    }
    found = {
        "machine": report.machine(),
        "microseconds_per_word": costs,
        "exponent_of_length": whole,
        "exponent_of_width": wide,
    }
    stem.with_suffix(".json").write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")
    print(json.dumps({"exponent_of_length": whole, "exponent_of_width": wide}))
    return 0


if __name__ == "__main__":
    sys.exit(main())
