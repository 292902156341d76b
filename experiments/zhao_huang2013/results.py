"""Accuracy and time against batch size, and the simulated clock, from the record."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from statistics import fmean

from corpora import PARSING
from report import Entry, cell, fill, select, table

from zhao_huang2013.plan import LEARNERS, SHARDS, SIZES
from zhao_huang2013.schedules import WORKERS, simulated_batches, simulated_mixing


def best(entry: Entry) -> int:
    return int(entry["dev"].index(max(entry["dev"])))


def scores(found: Sequence[Entry]) -> list[str]:
    """Return dev and test of the best epoch on dev, and which that is."""
    return [
        cell([max(entry["dev"]) for entry in found]),
        cell([best(entry) + 1.0 for entry in found], 1),
        cell([entry["test"] for entry in found]),
    ]


def batch_sizes(entries: Sequence[Entry]) -> list[str]:
    """Return one row a size: the best epoch on dev, its scores, and the CPU time of learning."""
    rows = [["learner", "batch", "dev", "best epoch", "test", "s an epoch", "s to the best"]]
    for learner in LEARNERS:
        for size in SIZES:
            found = select(entries, learner=learner, batch=size, shards=1, clock=False)
            if not found:
                continue
            costs = [
                cell([fmean(entry["cpu"]) for entry in found]),
                cell([sum(entry["cpu"][: best(entry) + 1]) for entry in found], 1),
            ]
            rows.append([learner, str(size), *scores(found), *costs])
    return table(rows)


def mixed(entries: Sequence[Entry]) -> list[str]:
    """Return one row a number of shards; one shard is serial training."""
    rows = [["shards", "dev", "best epoch", "test", "dev after epoch 1", "after 3", "after 10"]]
    for shards in (1, *SHARDS):
        found = select(entries, learner="perceptron", batch=1, shards=shards, clock=False)
        if found:
            after = [cell([e["dev"][n - 1] for e in found if len(e["dev"]) >= n]) for n in (1, 3, 10)]
            rows.append([str(shards), *scores(found), *after])
    return table(rows)


def simulated(entries: Sequence[Entry]) -> list[str]:
    """Return speed-up of an epoch over serial training: all of it simulated."""
    clocks = select(entries, clock=True)
    if not clocks:
        return ["–"]
    clock = clocks[0]
    serial = simulated_batches(clock, 1, 1, balanced=True)
    rows = [["workers", *(f"batch {size}" for size in (8, 16, 24, 48)), "mixing, as many shards"]]
    for workers in WORKERS:
        cells = []
        for size in (8, 16, 24, 48):
            both = [serial / simulated_batches(clock, size, workers, balanced) for balanced in (False, True)]
            cells.append(f"{both[0]:.1f} / {both[1]:.1f}")
        rows.append([str(workers), *cells, f"{serial / simulated_mixing(clock, workers):.1f}"])
    return table(rows)


def reached(found: Sequence[Entry], goal: float) -> float | None:
    """Return after how many epochs the mean dev score of all seeds is that good."""
    curve = [fmean(scores) for scores in zip(*(entry["dev"] for entry in found))]
    return next((n for n, score in enumerate(curve, 1) if score >= goal), None)


def equal_workers(entries: Sequence[Entry]) -> list[str]:
    """Return minibatch against mixing: simulated seconds until a dev score is reached."""
    clocks = select(entries, clock=True)
    serial = select(entries, learner="perceptron", batch=1, shards=1, clock=False)
    if not clocks or not serial:
        return ["–"]
    goal = max(fmean(scores) for scores in zip(*(entry["dev"] for entry in serial))) - 0.1
    rows = [["workers", "batch", "epochs", "seconds", "shards", "epochs", "seconds"]]
    for workers, size in ((1, 1), (4, 16), (8, 16), (12, 32), (24, 64)):
        batched = select(entries, learner="perceptron", batch=size, shards=1, clock=False)
        mixing = select(entries, learner="perceptron", batch=1, shards=workers, clock=False)
        row = [str(workers)]
        for found, parts, each in (
            (batched, size, simulated_batches(clocks[0], size, workers, balanced=True)),
            (mixing, workers, simulated_mixing(clocks[0], workers)),
        ):
            epochs = reached(found, goal) if found else None
            row += [str(parts)] + (["–", "–"] if epochs is None else [str(epochs), f"{epochs * each:.2f}"])
        rows.append(row)
    return table(rows)


def write(entries: Sequence[Entry], out: Path) -> None:
    """Write all tables into OUT/README.md."""
    trees = [entry for entry in entries if entry["run"]["corpus"] in PARSING]
    tags = [entry for entry in entries if entry["run"]["corpus"] not in PARSING]
    blocks = {
        "sizes": batch_sizes(tags),
        "mixing": mixed(tags),
        "simulated": simulated(tags),
        "equal": equal_workers(tags),
    }
    if trees:
        blocks["parsing"] = batch_sizes(trees)
    fill(out / "README.md", blocks)
