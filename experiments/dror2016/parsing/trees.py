"""Dependency parsing as Dror & Reichart (2016, Sec. 6) have it: one training on one treebank."""

from __future__ import annotations

import time
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
from graphs import PRUNER, Trees, checksum_of_parts, chosen, part, templates_of
from record import signature_of

from structron.engine.rows import Rows
from structron.fit import Learning, Serial, epochs
from structron.io import Tree
from structron.model import Model
from structron.tasks.parsing.fitting.pruner import learn_pruner
from structron.tasks.parsing.graph.task import GraphParsingTask
from structron.tasks.parsing.settings import ParsingRecipe

KINDS = ("plain", "averaged")
HELD = 1000  # sentences for choosing β; of fewer than three times as many a tenth
# E-WM holds B-WM to the paper's condition (2), that an update fixes a violation.
MODELS = {
    "CSP": "perceptron",
    "B-WM": "swvp:single,wm,balanced,beta={}",
    "E-WM": "swvp:single,wm,balanced,enforced,beta={}",
}
# Arcs alone are searched exactly, as chart and standard update are written. With siblings and grandchildren
# the chart is pruned, and the standard update would often be invalid.
SEARCHES = {1: ("forest", "standard"), 2: ("forest:2", "max_violation")}


@dataclass(frozen=True)
class Attached:
    """One training; plain and averaged weights are two readings of it.

    Parameters
    ----------
    model, beta
        CSP learns from all of the data. The others leave out the sentences by which β is chosen.
    seed
        Shuffles the data, and draws the sentences that are held out.
    words, test_words
        How many words of the training part and of the test part are used, at most; from their beginning.
    """

    corpus: str
    order: int
    model: str
    beta: float
    seed: int
    epochs: int
    words: int
    test_words: int
    quick: bool = False

    def sizes(self) -> dict[str, int]:
        return {"train": self.words, "test": self.test_words}

    def checksum(self) -> str:
        return checksum_of_parts(self.corpus, self.sizes(), self.quick)

    def recipe(self) -> ParsingRecipe:
        """Return it with every setting named, so that these numbers stay when a default changes."""
        search, update = SEARCHES[self.order]
        return ParsingRecipe(
            templates=templates_of(self.corpus, self.order),
            system="graph",
            search=search,
            update=update,
            learner=MODELS[self.model].format(f"{self.beta:g}"),
            epochs=self.epochs,
            seed=self.seed,
            shuffle=True,
            labelled=False,
            crossing="lift",
            pruner="none" if self.order == 1 else PRUNER,
            tagger="none",
            cut=0,
            min_weight=0.0,
            half=False,
            skip_correct=False,
        )

    def measure(self) -> dict[str, Any]:
        """Return `test` and, for all but CSP, `dev` have the UAS of plain and of averaged weights."""
        full, test = (part(self.corpus, name, words, self.quick) for name, words in self.sizes().items())
        left, held = split(len(full[0]), self.seed)
        parts = {"dev": chosen(full, held), "test": test} if self.model != "CSP" else {"test": test}
        train = without_relations(full if self.model == "CSP" else chosen(full, left))
        started = time.process_time()
        recipe = self.recipe()
        task = GraphParsingTask.of_trees(
            train[1],
            templates_of(self.corpus, self.order),
            crossing="lift",
            pruner=learn_pruner(recipe, *train),
        )
        learning = Learning.start(task, recipe)
        history = [epoch for epoch, _ in epochs(learning, Serial(learning, learning.pack(*train)))]
        found: dict[str, dict[str, float]] = {name: {} for name in parts}
        for kind in KINDS:
            rows = Rows(*learning.weights.pack(kind == "averaged", 0.0))
            model = Model(task, rows, recipe.search_choice)
            for name, (xs, ys) in parts.items():
                found[name][kind] = round(100 * uas(ys, model.predict(xs)), 4)
        return {
            "run": asdict(self),
            "signature": signature_of(recipe.hash(), self.checksum(), self.seed),
            **found,
            "errors": [epoch.errors for epoch in history],
            "updates": sum(epoch.updates for epoch in history),
            "invalid": sum(epoch.invalid for epoch in history),
            "cpu": round(time.process_time() - started, 3),
        }

    def line(self, entry: dict[str, Any]) -> str:
        name = f"{self.model}{f' β {self.beta:g}' if self.beta else ''}"
        said = ", ".join(f"{kind} {entry['test'][kind]:.2f}" for kind in KINDS)
        return f"{self.corpus} order {self.order} {name} seed {self.seed}: {said}, {entry['cpu']:.1f} CPU s"


def split(sentences: int, seed: int) -> tuple[list[int], list[int]]:
    """Return places of the sentences that are left for training, and of those that are held out."""
    size = HELD if sentences >= 3 * HELD else sentences // 10
    held = np.random.default_rng([2016, seed]).choice(sentences, size, replace=False).tolist()
    return sorted({*range(sentences)} - {*held}), sorted(held)


def without_relations(trees: Trees) -> Trees:
    return trees[0], [Tree(list(heads), ["_"] * len(heads)) for heads, _ in trees[1]]


def uas(gold: list[Tree], guess: list[Any]) -> float:
    """Return the share of words with the right head; punctuation counts."""
    pairs = [pair for ours, theirs in zip(gold, guess, strict=True) for pair in zip(ours[0], theirs[0])]
    return sum(a == b for a, b in pairs) / len(pairs)
