"""Corrections from another domain: `python benchmarks/corrections.py [--tasks upos names parse]`

A model of English-EWT meets sentences of GUM (tags, trees) or of WNUT-17 (names of persons, places and
organisations), and its first 200 mistakes there are corrected: all together, and one after the other, each
time with all of EWT's training part kept, and what was corrected before. Beside it the same sentences in
`partial_fit`: one pass over all, one after the other, and passes until all are right or ten are over.

Told are: how many hold at the end; accuracy (tags), F1 (names) or LAS (trees) on the test parts of EWT and of
the other domain; how many kept sentences that were right are wrong; CPU seconds, one thread. `--dev` measures
on dev parts, where the margin was chosen; `--margin` sets another. `--train N` learns from the first N
sentences and keeps them alone, `--number N` corrects N, `--epochs N` trains for so long. `--folder` holds
models that are there already. Written: benchmarks/results/corrections.json; corrections_spacy.py adds spaCy's
rows.
"""

from __future__ import annotations

import argparse
import gzip
import json
import statistics
import sys
import time
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from corpora import folder

from structron import Parser, Tagger
from structron.io import read
from structron.io.files.atomic_write import write_atomically
from structron.metrics import accuracy, attachment, span_f1

RESULTS = Path(__file__).parent / "results" / "corrections.json"
KINDS = {"person": "PER", "location": "LOC", "corporation": "ORG", "group": "ORG"}
Examples = tuple[list[Any], list[Any]]  # inputs, outputs
PASSES = 10
WAYS = ["before", "together", "one by one", "partial_fit", "partial_fit, one by one"]


@dataclass(frozen=True)
class Domain:
    """A task: its estimator, how outputs are scored, and its data by part; `other` is the new domain."""

    estimator: Callable[[], Any]
    score: Callable[[Sequence[Any], Sequence[Any]], float]
    home: dict[str, Examples]
    other: dict[str, Examples]


def treebank(name: str, part: str) -> list[Any]:
    """Return the sentences of one part of a treebank."""
    (path,) = (folder() / "ud" / name).glob(f"*-{part}.conllu.gz")
    return list(read(path))


def tags(name: str, part: str) -> Examples:
    """Return words with their UPOS."""
    sentences = treebank(name, part)
    return [s.words() for s in sentences], [s.column("upos") for s in sentences]


def trees(name: str, part: str) -> Examples:
    """Return words with gold UPOS, and trees."""
    from structron.io.values.trees import tree_of

    sentences = treebank(name, part)
    tokens = [list(zip(s.words(), s.column("upos"))) for s in sentences]
    return tokens, [(list(t.heads), list(t.labels)) for t in map(tree_of, sentences)]


def named(name: str, word: int, label: int) -> Examples:
    """Return words with names of persons, places and organisations, in BIO; the columns are numbered."""
    xs: list[list[str]] = []
    ys: list[list[str]] = []
    text = gzip.decompress((folder() / "ner" / name).read_bytes()).decode()
    for block in text.replace("\t\n", "\n\n").split("\n\n"):
        rows = [row.split("\t") for row in block.splitlines() if "\t" in row and not row.startswith("# ")]
        marks = [row[label].strip().partition("-")[::2] for row in rows]
        if rows:
            kinds = [KINDS.get(kind, kind) for _, kind in marks]
            xs.append([row[word] for row in rows])
            ys.append([f"{a}-{b}" if b in ("PER", "LOC", "ORG") else "O" for (a, _), b in zip(marks, kinds)])
    return xs, ys


def domains(task: str) -> Domain:
    """Return the data of a task."""
    parts = ("train", "dev", "test")
    if task == "upos":
        both = [{part: tags(name, part) for part in parts} for name in ("UD_English-EWT", "UD_English-GUM")]
        return Domain(Tagger, accuracy, *both)
    if task == "parse":
        both = [{part: trees(name, part) for part in parts} for name in ("UD_English-EWT", "UD_English-GUM")]
        return Domain(Parser, lambda gold, guess: attachment(gold, guess).las, *both)
    if task != "names":
        raise SystemExit(f"task {task!r} is not known; use upos, names or parse")
    xs, ys = named("uner_ewt/en_ewt-ud-dev.iob2.gz", 1, 2)
    cut = 4 * len(xs) // 5
    home = {"train": (xs[:cut], ys[:cut]), "dev": (xs[cut:], ys[cut:])}
    home["test"] = named("uner_ewt/en_ewt-ud-test.iob2.gz", 1, 2)
    files = {"train": "wnut17train.conll.gz", "dev": "emerging.dev.conll.gz"}
    files["test"] = "emerging.test.annotated.gz"
    other = {part: named(f"wnut17/{file}", 0, 1) for part, file in files.items()}
    return Domain(Tagger, lambda gold, guess: span_f1(gold, guess).f1, home, other)


def spoken(text: str) -> None:
    print(text, file=sys.stderr, flush=True)


def reasons(outcomes: Sequence[Any]) -> dict[str, int]:
    """Return why corrections cannot hold, with how many of them."""
    found = Counter(each.detail or each.reason for each in outcomes if each.reason)
    return dict(found.most_common(5))


class Trial:
    """Measures what becomes of a model when its mistakes are corrected in one way or another."""

    def __init__(self, task: str, data: Domain, model: bytes, number: int, part: str) -> None:
        self.task, self.data, self.model, self.part = task, data, model, part
        self.kept = data.home["train"]
        own = self.fresh()
        xs, ys = data.other["train"]
        found = own.predict(xs[: 20 * number])
        wrong = [i for i, (y, each) in enumerate(zip(ys, found)) if not self.same(y, each)][:number]
        self.xs, self.ys = [xs[i] for i in wrong], [ys[i] for i in wrong]

    def fresh(self) -> Any:
        return type(self.data.estimator()).from_bytes(self.model)

    def same(self, gold: Any, found: Any) -> bool:
        return (
            [*map(list, gold)] == [*map(list, found)] if self.task == "parse" else list(gold) == list(found)
        )

    def row(self, name: str, own: Any, seconds: list[float], **more: Any) -> dict[str, Any]:
        """Return the figures of a model."""
        hold = sum(map(self.same, self.ys, own.predict(self.xs)))
        kept = self.kept
        before, after = self.before, own.predict(kept[0])
        broken = sum(self.same(y, a) and not self.same(y, b) for y, a, b in zip(kept[1], before, after))
        found = {
            "task": self.task, "way": name, "corrections": len(self.xs), "hold": hold,
            "home": self.measured(own, self.data.home), "other": self.measured(own, self.data.other),
            "broken": broken, "kept": len(kept[0]), "seconds": round(sum(seconds), 2),
            "seconds_each": round(statistics.median(seconds), 3) if seconds else 0.0,
        }  # fmt: skip
        found |= more
        spoken(json.dumps(found))
        return found

    @cached_property
    def before(self) -> list[Any]:
        """What the model as it was predicts for what is kept."""
        found: list[Any] = self.fresh().predict(self.kept[0])
        return found

    def measured(self, own: Any, parts: dict[str, Examples]) -> float:
        xs, ys = parts[self.part]
        return round(100 * self.data.score(ys, own.predict(xs)), 2)

    def rows(self, margin: float | None, ways: Sequence[str]) -> list[dict[str, Any]]:
        """Return the figures of all ways."""
        found = [self.row("before", self.fresh(), [])] if "before" in ways else []
        if "together" in ways:
            own = self.fresh()
            keep = own.keeping(*self.kept)
            began = time.process_time()
            said = own.correct(self.xs, self.ys, keep, margin=margin)
            found.append(
                self.row(
                    "together",
                    own,
                    [time.process_time() - began],
                    size=round(said.size, 1),
                    margin=said.margin,
                    reasons=reasons(said.outcomes),
                )
            )
        if "one by one" in ways:
            own, seconds, held, moved = self.fresh(), [], 0, 0
            outcomes: list[Any] = []
            keep = own.keeping(*self.kept)
            for x, y in zip(self.xs, self.ys):
                began = time.process_time()
                said = own.correct([x], [y], keep, margin=margin)
                seconds.append(time.process_time() - began)
                held += said.hold
                moved += len(said.moved)
                outcomes += said.outcomes
            more = {"held_at_once": held, "moved": moved, "reasons": reasons(outcomes)}
            found.append(self.row("one by one", own, seconds, **more))
        if "partial_fit" in ways:
            own = self.fresh()
            began = time.process_time()
            own.partial_fit(self.xs, self.ys)
            found.append(self.row("partial_fit, one pass", own, [time.process_time() - began]))
            own, began, passes = self.fresh(), time.process_time(), 0
            while passes < PASSES and not all(map(self.same, self.ys, own.predict(self.xs))):
                own.partial_fit(self.xs, self.ys)
                passes += 1
            seconds = [time.process_time() - began]
            found.append(self.row("partial_fit, until right", own, seconds, passes=passes))
        if "partial_fit, one by one" in ways:
            own, seconds = self.fresh(), []
            for x, y in zip(self.xs, self.ys):
                began = time.process_time()
                own.partial_fit([x], [y])
                seconds.append(time.process_time() - began)
            found.append(self.row("partial_fit, one by one", own, seconds))
        return found


def put(rows: Sequence[dict[str, Any]]) -> None:
    """Write rows in place of those of the same task and way."""
    old = json.loads(RESULTS.read_text()) if RESULTS.exists() else []
    new = {(row["task"], row["way"]) for row in rows}
    all_of = [row for row in old if (row["task"], row["way"]) not in new] + [*rows]
    write_atomically(RESULTS, "[\n" + ",\n".join(map(json.dumps, all_of)) + "\n]\n")


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    arguments.add_argument("--tasks", nargs="+", default=["upos", "names", "parse"])
    arguments.add_argument("--number", type=int, default=200)
    arguments.add_argument("--margin", type=float)
    arguments.add_argument("--train", type=int)
    arguments.add_argument("--epochs", type=int)
    arguments.add_argument("--dev", action="store_true")
    arguments.add_argument("--folder", type=Path)
    arguments.add_argument("--ways", nargs="+", default=WAYS)
    asked = arguments.parse_args()
    rows: list[dict[str, Any]] = []
    for task in asked.tasks:
        data = domains(task)
        data.home["train"] = (data.home["train"][0][: asked.train], data.home["train"][1][: asked.train])
        file = None if asked.folder is None else asked.folder / f"corrections-{task}.model"
        if file is not None and file.exists():
            model = file.read_bytes()
        else:
            spoken(f"{task}: training")
            own = data.estimator()
            if asked.epochs is not None:
                own.epochs = asked.epochs
            own.fit(*data.home["train"], dev=data.home["dev"])
            model = own.to_bytes()
            if file is not None:
                file.write_bytes(model)
        trial = Trial(task, data, model, asked.number, "dev" if asked.dev else "test")
        rows += trial.rows(asked.margin, asked.ways)
    if not asked.dev:
        put(rows)


if __name__ == "__main__":
    main()
