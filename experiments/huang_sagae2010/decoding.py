"""A parser trained with one beam, and decoded with every width, with dynamic programming and without."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from statistics import fmean, median
from typing import Any

from corpora import load
from record import checksum, signature_of

from structron import Beam, DPBeam, Parser
from structron.engine.choices import engine_search

WIDTHS = (1, 2, 4, 8, 16, 32, 64)
REPEATS = 3  # of each timing; the least counts
KINDS = {"beam": Beam, "dp": DPBeam}


@dataclass(frozen=True)
class Decoded:
    """One training run; with `searches`, what every search makes of the dev part with its weights."""

    corpus: str
    search: str
    update: str
    epochs: int
    seed: int = 0
    labelled: bool = False
    templates: str = "huang_sagae"
    searches: bool = False
    quick: bool = False

    def estimator(self) -> Parser:
        """Return it with every setting named, so that these numbers stay when a default changes."""
        return Parser(
            templates=self.templates,
            system="arc-standard",
            oracle="static",
            search=self.search,
            update=self.update,
            learner="perceptron",
            epochs=self.epochs,
            seed=self.seed,
            shuffle=True,
            labelled=self.labelled,
            crossing="lift",
            tagger="none",
            cut=0,
            min_weight=0.0,
            half=False,
            skip_correct=False,
        )

    def checksum(self) -> str:
        return checksum(self.corpus, self.quick)

    def measure(self) -> dict[str, Any]:
        corpus = load(self.corpus, self.quick)
        parser = self.estimator()
        parser.fit(*corpus.train, dev=corpus.dev)
        history = parser.history_
        dev = [round(100 * (epoch.dev_score or 0.0), 4) for epoch in history]
        return {
            "run": asdict(self),
            "signature": signature_of(parser.recipe.hash(), self.checksum(), self.seed),
            "best_epoch": dev.index(max(dev)) + 1,
            "best_dev": max(dev),
            "test": round(100 * parser.score(*corpus.test), 4),
            "dev": dev,
            "updates": [epoch.updates for epoch in history],
            "prefixes": [epoch.early_stopped for epoch in history],
            "invalid": [epoch.invalid for epoch in history],
            "cpu": [round(epoch.cpu_seconds, 3) for epoch in history],
            "decoded": self.decoded(parser, *corpus.dev) if self.searches else {},
        }

    def line(self, entry: dict[str, Any]) -> str:
        return (
            f"{self.update} {self.search}{' labelled' if self.labelled else ''}: dev {entry['best_dev']:.2f} "
            f"(epoch {entry['best_epoch']}), test {entry['test']:.2f}, {sum(entry['cpu']):.1f} CPU s"
        )

    def decoded(self, parser: Parser, X: Sequence[Any], Y: Sequence[Any]) -> dict[str, Any]:
        """Return, for every width, scores, accuracy and time of both beams, and which has found more."""
        widths = WIDTHS[:3] if self.quick else WIDTHS
        xs, model = parser.tokens(X), parser.model_
        engine = model.task.frozen(model.rows, "dp")
        found: dict[str, Any] = {}
        for width in widths:
            scores: dict[str, list[float]] = {}
            for kind, search in KINDS.items():
                best = [each[0] for each in model.kbest(xs, 1, search(width))]
                scores[kind] = [score for _, score in best]
                right = sum(h == g for (tree, _), y in zip(best, Y) for h, g in zip(tree[0], y[0]))
                found[f"{kind}:{width}"] = {
                    "score": round(fmean(scores[kind]), 4),
                    "uas": round(100 * right / sum(map(len, xs)), 4),
                    "ms": math.inf,
                }
            found[f"dp:{width}"] |= compared(scores["dp"], scores["beam"])
            derivations = [engine.derivations(x, engine_search(DPBeam(width))) for x in xs]
            found[f"dp:{width}"] |= {"derivations": median(derivations), "forest": by_length(xs, derivations)}
        for _ in range(REPEATS):  # in turns, so that what else the machine does meets all alike
            for name, timed in found.items():
                kind, _, width = name.partition(":")
                before = model.decode_seconds
                model.predict(xs, KINDS[kind](int(width)))
                spent = 1000 * (model.decode_seconds - before) / len(xs)
                timed["ms"] = round(min(timed["ms"], spent), 4)
        return found


def by_length(xs: Sequence[Any], derivations: Sequence[float]) -> list[tuple[int, int, float]]:
    """Return, for each length, the number of sentences and the mean logarithm of their derivations."""
    logs: dict[int, list[float]] = {}
    for x, each in zip(xs, derivations):
        logs.setdefault(len(x), []).append(math.log10(each))
    return [(words, len(found), round(fmean(found), 3)) for words, found in sorted(logs.items())]


def compared(scores: Sequence[float], others: Sequence[float]) -> dict[str, float]:
    """Return the per cent of sentences where the one has a better score than the other, or a worse one."""
    # Weights are single floats, and greedy search sums them in another order: that much is no difference.
    apart = [
        a - b if not math.isclose(a, b, rel_tol=1e-6, abs_tol=1e-3) else 0.0 for a, b in zip(scores, others)
    ]
    return {
        "better": round(100 * fmean(a > 0 for a in apart), 2),
        "worse": round(100 * fmean(a < 0 for a in apart), 2),
    }
