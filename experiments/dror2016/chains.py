"""The synthetic study of Dror & Reichart (2016, Sec. 6): hidden Markov chains, and a run on one data set."""

from __future__ import annotations

import hashlib
import time
from dataclasses import asdict, dataclass
from functools import cache
from typing import Any

import numpy as np
from record import signature_of

from structron.engine.rows import Rows
from structron.fit import Learning, Serial, epochs
from structron.metrics import accuracy
from structron.model import Model
from structron.synthetic.hmm import SETTINGS, HiddenMarkov
from structron.tasks.tagging import TaggingTask
from structron.tasks.tagging.settings import TaggingRecipe

SIZES = {"train": 7000, "dev": 2000, "test": 1000}
QUICK_SIZES = {"train": 150, "dev": 60, "test": 60}
KINDS = ("plain", "averaged")

# The six indicators {x, y, y', (x, y), (y, y'), (x, y, y')}; every template goes with the tag y. Of a token's
# two columns the second is x. x alone is the same for gold and guess and can be left out. y' alone, the tag
# before, is the tag of every position but the last: the first column is longer than one letter just there.
TEMPLATES = ("bias", "prefix(1)[0]", "col(1)[0]", "t[-1]", "col(1)[0] t[-1]")
INNER, LAST = "..", "."

Tokens = list[list[tuple[str, str]]]
Tags = list[list[str]]


@dataclass(frozen=True)
class DataSet:
    """Three parts drawn from one chain, and what the chain itself would say of the test part, in per cent."""

    parts: dict[str, tuple[Tokens, Tags]]
    labels: tuple[str, ...]
    viterbi: float
    posterior: float
    checksum: str


@cache
def draw(setting: int, number: int, quick: bool) -> DataSet:
    """Draw data set `number` (from 1) of `setting` (1 to 3); one generator gives parameters and items."""
    sizes = QUICK_SIZES if quick else SIZES
    rng = np.random.default_rng([2016, setting, number])
    chain = HiddenMarkov.sample_parameters(SETTINGS[setting - 1], rng)
    observed, hidden = chain.sample(sum(sizes.values()), rng=rng)
    xs = [[(INNER, f"x{x}") for x in row[:-1]] + [(LAST, f"x{row[-1]}")] for row in observed.tolist()]
    ys = [[f"y{y}" for y in row] for row in hidden.tolist()]
    parts, first = {}, 0
    for part, size in sizes.items():
        parts[part] = xs[first : first + size], ys[first : first + size]
        first += size
    test = slice(len(xs) - sizes["test"], None)
    digest = hashlib.sha256(observed.tobytes() + hidden.tobytes()).hexdigest()[:12]
    labels = tuple(f"y{y}" for y in range(len(SETTINGS[setting - 1].transition)))
    right = [
        float((guess == hidden[test]).mean())
        for guess in (chain.viterbi(observed[test]), chain.posterior_decode(observed[test]))
    ]
    return DataSet(parts, labels, 100 * right[0], 100 * right[1], digest)


@dataclass(frozen=True)
class Chains:
    """One model on one data set: a training for every value of its parameter.

    Plain and averaged weights are two readings of the same training.

    Parameters
    ----------
    learner
        The learner, with ``{}`` where the value goes; ``bayes`` is the chain itself.
    grid
        The values, of which the dev part chooses; empty for a model without one.
    """

    setting: int
    number: int
    model: str
    learner: str
    grid: tuple[float, ...] = ()
    epochs: int = 10
    quick: bool = False

    def __post_init__(self) -> None:
        object.__setattr__(self, "grid", tuple(self.grid))

    def checksum(self) -> str:
        return draw(self.setting, self.number, self.quick).checksum

    def measure(self) -> dict[str, Any]:
        """Return accuracies on `dev` and `test`, plain and averaged, for each value of the grid."""
        data = draw(self.setting, self.number, self.quick)
        started = time.process_time()
        if self.learner == "bayes":
            found: dict[str, Any] = {"viterbi": round(data.viterbi, 4), "posterior": round(data.posterior, 4)}
            recipe = "bayes"
        else:
            found = {part: {kind: [] for kind in KINDS} for part in ("dev", "test")}
            found |= {"updates": [], "invalid": []}
            for value in self.grid or (0.0,):
                recipe = self._train(data, self.learner.format(f"{value:g}"), found)
        return {
            "run": asdict(self),
            "signature": signature_of(recipe, data.checksum, self.number),
            **found,
            "cpu": round(time.process_time() - started, 3),
        }

    def _train(self, data: DataSet, learner: str, found: dict[str, Any]) -> str:
        """Return one training; its figures are added to `found`, and its recipe's hash is given back."""
        recipe = TaggingRecipe(
            templates=TEMPLATES,
            order=1,
            search="exact",
            update="standard",
            learner=learner,
            epochs=self.epochs,
            shuffle=False,  # Algorithms 1 and 2 go through the data in order
            constraints="none",
        )
        learning = Learning.start(TaggingTask(data.labels, TEMPLATES), recipe)
        history = [
            epoch for epoch, _ in epochs(learning, Serial(learning, learning.pack(*data.parts["train"])))
        ]
        for kind in KINDS:
            rows = Rows(*learning.weights.pack(kind == "averaged", 0.0))
            model = Model(learning.task, rows, recipe.search_choice)
            for part in ("dev", "test"):
                xs, ys = data.parts[part]
                found[part][kind].append(round(100 * accuracy(ys, model.predict(xs)), 4))
        found["updates"].append(sum(epoch.updates for epoch in history))
        found["invalid"].append(sum(epoch.invalid for epoch in history))
        return recipe.hash()

    def line(self, entry: dict[str, Any]) -> str:
        if self.learner == "bayes":
            said = f"{entry['viterbi']:.2f}"
        else:
            said = ", ".join(f"{kind} {chosen(entry, kind):.2f}" for kind in KINDS)
        return (
            f"setting {self.setting}, data set {self.number}, {self.model}: {said}, {entry['cpu']:.1f} CPU s"
        )


def chosen(entry: dict[str, Any], kind: str) -> float:
    """Return the test accuracy with the value that is best on the dev part, of equals the smallest."""
    dev = entry["dev"][kind]
    return float(entry["test"][kind][dev.index(max(dev))])
