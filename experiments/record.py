"""Training runs as data, and the file of record: one JSON line a run, signed, never measured twice."""

from __future__ import annotations

import hashlib
import json
import os
import platform
import subprocess
import time
from collections.abc import Callable, Iterable
from dataclasses import asdict, dataclass
from functools import cache
from importlib.metadata import version
from pathlib import Path
from typing import Any, Protocol

from corpora import PARSING, PARTS, load

from structron import Parser, Tagger

RATNAPARKHI = (
    "col(1)[0]",
    *(f"prefix({n})[0]" for n in (1, 2, 3, 4)),
    *(f"suffix({n})[0]" for n in (1, 2, 3, 4)),
    "class[0]",
    *(f"col(1)[{i}]" for i in (-2, -1, 1, 2)),
    "t[-1]",
    "t[-2] t[-1]",
)
# Words and tags in a window of two on each side, alone, in pairs, and the tags in threes.
NOUN_PHRASES = (
    *(f"w[{i}]" for i in (-2, -1, 0, 1, 2)),
    *(f"w[{i}] w[{i + 1}]" for i in (-2, -1, 0, 1)),
    *(f"p[{i}]" for i in (-2, -1, 0, 1, 2)),
    *(f"p[{i}] p[{i + 1}]" for i in (-2, -1, 0, 1)),
    *(f"p[{i}] p[{i + 1}] p[{i + 2}]" for i in (-2, -1, 0)),
    "t[-1]",
    "t[-2] t[-1]",
)
TEMPLATES = {"ratnaparkhi": RATNAPARKHI, "noun phrases": NOUN_PHRASES}


class Planned(Protocol):
    """What the record asks of a run, a frozen dataclass of plain values: each paper may have its own kind."""

    def checksum(self) -> str:
        """Return twelve hex digits of the data; `DataMissing` when they are not there."""
        ...

    def measure(self) -> dict[str, Any]:
        """Measure; the entry has the run's settings under `run` and `signature_of` it under `signature`."""
        ...

    def line(self, entry: dict[str, Any]) -> str:
        """Return the run and its result in short."""
        ...


@dataclass(frozen=True)
class Run:
    """One training run: everything that decides its numbers, but for the data themselves."""

    corpus: str
    search: str
    update: str
    seed: int
    epochs: int
    averaged: bool = True
    cut: int = 0
    templates: str = "ratnaparkhi"
    quick: bool = False

    def estimator(self) -> Tagger | Parser:
        """Return it with every setting named, so that these numbers stay when a default changes."""
        return self._parser() if self.corpus in PARSING else self._tagger()

    def _parser(self) -> Parser:
        return Parser(
            templates=self.templates,
            system="arc-standard",
            oracle="static",
            search=self.search,
            update=self.update,
            learner="perceptron" if self.averaged else "perceptron:plain",
            epochs=self.epochs,
            seed=self.seed,
            shuffle=True,
            labelled=False,
            crossing="lift",
            tagger="none",
            cut=self.cut,
            min_weight=0.0,
            skip_correct=False,
        )

    def _tagger(self) -> Tagger:
        return Tagger(
            templates=list(TEMPLATES[self.templates]),
            order=2,
            search=self.search,
            update=self.update,
            learner="perceptron" if self.averaged else "perceptron:plain",
            epochs=self.epochs,
            seed=self.seed,
            shuffle=True,
            constraints=None,
            dictionary=None,
            cut=self.cut,
            min_weight=0.0,
            skip_correct=False,
        )

    def checksum(self) -> str:
        return checksum(self.corpus, self.quick)

    def measure(self) -> dict[str, Any]:
        return measure(self)

    def line(self, entry: dict[str, Any]) -> str:
        kind = ("" if self.averaged else " plain") + (f" cut {self.cut}" if self.cut else "")
        return (
            f"{self.update} {self.search}{kind} seed {self.seed}: dev {entry['best_dev']:.2f} "
            f"(epoch {entry['best_epoch']}), test {entry['test']:.2f}, {entry['cpu_with_dev']:.1f} CPU s"
        )


@cache
def checksum(corpus: str, quick: bool) -> str:
    """Return twelve hex digits of all parts of a corpus, as taggers and parsers see it."""
    made = load(corpus, quick)
    return checksum_of(made.part(part) for part in PARTS)


@cache
def machine() -> str:
    """Return processor, cores and system, without the name of the host."""
    model = platform.processor() or platform.machine()
    try:
        # On ARM only lscpu knows the processor by its name.
        listing = subprocess.run(["lscpu"], capture_output=True, text=True, check=True).stdout
        model = next(line.split(":", 1)[1].strip() for line in listing.splitlines() if "Model name" in line)
    except (OSError, StopIteration, subprocess.SubprocessError):
        pass
    return f"{model}, {os.cpu_count()} cores, {platform.system()} {platform.machine()}"


def checksum_of(parts: Iterable[tuple[Iterable[Any], Iterable[Any]]]) -> str:
    """Return twelve hex digits of all inputs with their outputs."""
    digest = hashlib.sha256()
    for xs, ys in parts:
        for pair in zip(xs, ys):
            digest.update(repr(pair).encode("utf-8", "surrogatepass"))
    return digest.hexdigest()[:12]


def signature_of(recipe: str, data: str, seed: int) -> dict[str, Any]:
    """Return what every number carries: hash of the recipe, checksum of the data, seed, version, machine."""
    return {
        "recipe": recipe,
        "data": data,
        "seed": seed,
        "version": version("structron"),
        "machine": machine(),
    }


def measure(run: Run) -> dict[str, Any]:
    """Train, keep the epoch that is best on the dev part, and score that on the test part.

    `dev`, `updates`, `invalid`, `errors` and `cpu` have one entry an epoch; `cpu` is learning alone.
    """
    corpus = load(run.corpus, run.quick)
    estimator = run.estimator()
    started = time.process_time()
    estimator.fit(*corpus.train, dev=corpus.dev)
    spent = time.process_time() - started
    history = estimator.history_
    dev = [round(100 * (epoch.dev_score or 0.0), 4) for epoch in history]
    best = dev.index(max(dev))
    return {
        "run": asdict(run),
        "signature": signature_of(estimator.recipe.hash(), run.checksum(), run.seed),
        "best_epoch": best + 1,
        "best_dev": dev[best],
        "test": round(100 * estimator.score(*corpus.test), 4),
        "cpu_to_best": round(sum(epoch.cpu_seconds for epoch in history[: best + 1]), 3),
        "cpu_with_dev": round(spent, 3),
        "dev": dev,
        "errors": [epoch.errors for epoch in history],
        "updates": [epoch.updates for epoch in history],
        "invalid": [epoch.invalid for epoch in history],
        "cpu": [round(epoch.cpu_seconds, 3) for epoch in history],
    }


class Record:
    """The file of record of one paper; a run measured again replaces what was there."""

    def __init__(self, path: Path, kind: Callable[..., Planned] = Run) -> None:
        self.path, self.kind = path, kind
        self.entries: dict[Planned, dict[str, Any]] = {}
        self.reload()

    def reload(self) -> None:
        """Read the file; of two lines for the same run the later one counts."""
        if self.path.is_file():
            for line in self.path.read_text(encoding="utf-8").splitlines():
                entry = json.loads(line)
                self.entries[self.kind(**entry["run"])] = entry

    def has(self, run: Planned) -> bool:
        """Return whether this very run was measured on the data as they are now."""
        entry = self.entries.get(run)
        return entry is not None and entry["signature"]["data"] == run.checksum()

    def add(self, entry: dict[str, Any]) -> None:
        """Append at once, so that a run broken off keeps what it had."""
        self.entries[self.kind(**entry["run"])] = entry
        self.path.parent.mkdir(parents=True, exist_ok=True)
        with self.path.open("a", encoding="utf-8") as lines:
            lines.write(json.dumps(entry) + "\n")

    def compact(self) -> None:
        """Drop lines that a later one replaced, and order the rest."""
        self.reload()  # somebody else may have appended
        lines = sorted(json.dumps(entry) for entry in self.entries.values())
        if lines:
            beside = self.path.with_suffix(".new")
            beside.write_text("\n".join(lines) + "\n", encoding="utf-8")
            beside.replace(self.path)

    def of(self, runs: Iterable[Planned]) -> list[dict[str, Any]]:
        """Return the entries of those of `runs` that were measured, in the order of `runs`."""
        return [self.entries[run] for run in runs if run in self.entries]
