"""Training on search spaces in plain Python, as `structron.reference.train` does it, in the engine."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from structron import _core
from structron.engine.choices import engine_search
from structron.engine.outside import Chooser
from structron.engine.rows import Rows
from structron.errors import SettingError
from structron.features.keys import named_key
from structron.fit.learning import run
from structron.learners import Learner, parse_learner
from structron.model import refusal
from structron.reference.sequence.training import Example, Shuffler, check_spaces
from structron.search import Search, parse_search
from structron.updates import Update, parse_update


@dataclass(frozen=True)
class OwnEpoch:
    """The counts of one pass over the data, as in `structron.reference.Epoch`, and the weights after it."""

    epoch: int
    examples: int
    errors: int
    updates: int
    invalid: int
    early_stopped: int
    weights: OwnWeights


@dataclass(frozen=True)
class OwnWeights:
    """The engine's weights of a space's features, which search with them."""

    live: _core.Weights
    search: Search
    is_mean: bool = False

    def averaged(self) -> OwnWeights:
        """Return the mean of all weight vectors so far."""
        return OwnWeights(self.live, self.search, True)

    def predict(self, spaces: Sequence[Any], search: str | Search | None = None) -> list[tuple[int, ...]]:
        """Return the actions of the best output of each space."""
        how = engine_search(parse_search(search or self.search))
        try:
            return [tuple(actions) for actions in self._engine().predict([*spaces], how)]
        except ValueError as error:
            raise refusal(error) from None

    def kbest(
        self, spaces: Sequence[Any], k: int, search: str | Search | None = None
    ) -> list[list[tuple[tuple[int, ...], float]]]:
        """Return the k best outputs of each space, with their scores."""
        how = engine_search(parse_search(search or self.search))
        found = self._engine().kbest([*spaces], k, how)
        return [[(tuple(actions), score) for actions, score in best] for best in found]

    def __getitem__(self, name: Any) -> float:
        key = named_key(name if isinstance(name, str) else repr(name))
        rows = self._rows()
        at = np.searchsorted(rows.keys, np.uint64(key))
        found = at < len(rows.keys) and rows.keys[at] == key
        return float(rows.weights[rows.offsets[at]]) if found else 0.0

    def _rows(self) -> Rows:
        return Rows(*self.live.pack(self.is_mean, 0.0))

    def _engine(self) -> _core.Predictor:
        return _core.own_predictor(0, self._rows())


def train(
    examples: Sequence[Example],
    *,
    search: str | Search = "beam:4",
    update: str | Update | Callable[[Any], Any] = "max_violation",
    learner: str | Learner = "perceptron",
    epochs: int = 10,
    rng: Shuffler | None = None,
    skip_correct: bool = False,
    batch: int = 1,
) -> Iterator[OwnEpoch]:
    """Train, and yield after every epoch what happened in it; the results are those of the definition.

    The engine keeps weights, beams and averages, and asks a space once for each state that it meets: for its
    actions, their features and where they lead. See `structron.reference.train` for the parameters.
    """
    how, method, mover = parse_search(search), parse_update(update), parse_learner(learner)
    if how.kind != "beam":
        name = type(how).__name__ if how.kind == "own" else how
        raise SettingError(f"search {name}: a space of one's own is searched by beams; use beam:4 or exact")
    if method.name == "laso" and not how.in_order:
        raise SettingError(f"search {how}: laso does not go on in rows of one's own; use max_violation")
    check_spaces(examples)
    weights = _core.Weights(1)
    corpus = _core.OwnCorpus(weights)
    for space, oracle in examples:
        corpus.add(space, oracle)
    try:
        live = _core.own_trainer(
            corpus, weights, engine_search(how), method.code, skip_correct, mover.engine()
        )
    except ValueError as error:
        raise SettingError(f"learner {mover}: {error}") from None
    if method.own is not None:
        live.choose_with(Chooser(method.own, method.name))
    return _epochs(live, OwnWeights(weights, how), len(examples), epochs, batch, rng)


def _epochs(
    live: _core.Trainer, weights: OwnWeights, examples: int, epochs: int, batch: int, rng: Shuffler | None
) -> Iterator[OwnEpoch]:
    for number in range(1, epochs + 1):
        order = list(range(examples))
        if rng is not None:
            rng.shuffle(order)
        counts = run(live, np.array(order, np.uint32), batch)
        yield OwnEpoch(number, counts[0], *counts[2:], weights)
