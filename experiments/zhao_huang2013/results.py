"""Accuracy and time against batch size, and the simulated clock, from the record."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from report import Entry, fill, select, table

from zhao_huang2013.plan import LEARNERS, SHARDS, SIZES
from zhao_huang2013.schedules import WORKERS, simulated_batches, simulated_mixing


def best(entry: Entry) -> int:
    return int(entry["dev"].index(max(entry["dev"])))


def batch_sizes(entries: Sequence[Entry]) -> list[str]:
    """One row a size: the best epoch on dev, its scores, and the CPU time of learning."""
    head = ["batch"]
    for learner in LEARNERS:
        head += [f"{learner}: dev", "(epoch)", "test", "s an epoch", "s to the best"]
    rows = [head]
    for size in SIZES:
        row = [str(size)]
        for learner in LEARNERS:
            found = select(entries, learner=learner, batch=size, shards=1, clock=False)
            if not found:
                row += ["–"] * 5
                continue
            at = best(found[0])
            row += [
                f"{found[0]['dev'][at]:.2f}",
                f"({at + 1})",
                f"{found[0]['test']:.2f}",
                f"{sum(found[0]['cpu']) / len(found[0]['cpu']):.2f}",
                f"{sum(found[0]['cpu'][: at + 1]):.1f}",
            ]
        rows.append(row)
    return table(rows)


def mixed(entries: Sequence[Entry]) -> list[str]:
    """One row a number of shards; one shard is serial training."""
    rows = [["shards", "dev", "(epoch)", "test", "dev after epoch 1", "after 3", "after 10"]]
    for shards in (1, *SHARDS):
        found = select(entries, learner="perceptron", batch=1, shards=shards, clock=False)
        if found:
            dev, at = found[0]["dev"], best(found[0])
            after = [f"{dev[n - 1]:.2f}" if len(dev) >= n else "–" for n in (1, 3, 10)]
            rows.append([str(shards), f"{dev[at]:.2f}", f"({at + 1})", f"{found[0]['test']:.2f}", *after])
    return table(rows)


def simulated(entries: Sequence[Entry]) -> list[str]:
    """Speed-up of an epoch over serial training: all of it simulated."""
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


def equal_workers(entries: Sequence[Entry]) -> list[str]:
    """Minibatch against mixing: simulated seconds until a dev score is reached."""
    clocks = select(entries, clock=True)
    serial = select(entries, learner="perceptron", batch=1, shards=1, clock=False)
    if not clocks or not serial:
        return ["–"]
    goal = max(serial[0]["dev"]) - 0.1
    rows = [["workers", "batch", "epochs", "seconds", "shards", "epochs", "seconds"]]
    for workers, size in ((4, 16), (8, 16), (12, 32), (24, 64)):
        row = [str(workers)]
        for found, each in (
            (select(entries, learner="perceptron", batch=size, shards=1, clock=False),
             simulated_batches(clocks[0], size, workers, balanced=True)),
            (select(entries, learner="perceptron", batch=1, shards=workers, clock=False),
             simulated_mixing(clocks[0], workers)),
        ):  # fmt: skip
            reached = [n for n, score in enumerate(found[0]["dev"], 1) if score >= goal] if found else []
            row += [str(size) if not row[1:] else str(workers)]
            row += [str(reached[0]), f"{reached[0] * each:.2f}"] if reached else ["–", "–"]
        rows.append(row)
    return table(rows)


def write(entries: Sequence[Entry], out: Path) -> None:
    """All tables into OUT/README.md."""
    fill(
        out / "README.md",
        {
            "sizes": batch_sizes(entries),
            "mixing": mixed(entries),
            "simulated": simulated(entries),
            "equal": equal_workers(entries),
        },
    )
