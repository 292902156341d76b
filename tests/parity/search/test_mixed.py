"""Mixed assignments where gold is latent or pieces differ in length: engine and definition make the same."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from structron.errors import SettingError
from structron.fit import Learning
from structron.learners import SWVP
from structron.reference import train
from structron.reference.learners.weights import Weights
from structron.search import Beam, Exact, Greedy, Search
from structron.tasks.tagging import TaggingTask
from structron.tasks.tagging.settings import TaggingRecipe
from structron.tasks.transduction import TransductionTask
from structron.tasks.transduction.forced_decoding import ForcedDecoding
from structron.tasks.transduction.settings import TransductionRecipe
from structron.updates import UPDATES
from tests import hidden, transducers

JJ = st.sampled_from(["single", "full", "prefixes", "error_spans", "windows=2", "all_subsets"])
SEARCHES = st.sampled_from([Greedy(), Beam(2), Beam(3, merge=True), Exact()])
UPDATE = st.sampled_from(sorted(UPDATES))
MARGINS = st.sampled_from([0, 0, 2])


def assert_same_change(
    learning: Learning,
    x: Any,
    y: Any,
    oracle: Any,
    weights: Weights,
    search: Search,
    update: str,
    space: Any = None,
) -> None:
    """One pass over one example. LaSO moves within it, and what is rounded may then decide what is a tie."""
    corpus = learning.pack([x], [y])
    trainer = learning.learner(corpus)
    (epoch,) = train(
        [(space or learning.task.space(x), oracle)],
        search=search,
        update=update,
        learner=learning.recipe.learner_choice.definition(),
        epochs=1,
        weights=weights,
    )
    if update == "laso":
        assume(epoch.updates <= 1)
    counts = trainer.run(np.zeros(1, np.uint32))
    assert tuple(counts[2:]) == (epoch.errors, epoch.updates, epoch.invalid, epoch.early_stopped)
    found = hidden.weights_of(learning)
    for name in {*found, *dict(weights.items())}:
        assert abs(found.get(name, 0.0) - weights[name]) <= 1e-5 * max(1.0, abs(weights[name]))


@settings(max_examples=60, deadline=None)
@given(st.data(), hidden.tasks(least=2), SEARCHES, UPDATE, JJ, MARGINS, st.integers(0, 99))
def test_sub_labels(
    data: st.DataObject, task: TaggingTask, search: Search, update: str, jj: str, margin: int, seed: int
) -> None:
    # Every mixed assignment has the same weight, so that no rounding decides which counts.
    learner = SWVP(jj, "uniform", margin=margin)
    recipe = TaggingRecipe(search=str(search), update=update, learner=str(learner))
    x, y = data.draw(hidden.sentences(task))
    learning = Learning.start(task, recipe)
    weights = hidden.shaken(learning, [x], seed)
    assert_same_change(learning, x, y, task.oracle(y), weights, search, update)


@settings(max_examples=80, deadline=None)
@given(st.data(), transducers.tasks(), SEARCHES, UPDATE, JJ, MARGINS, st.booleans())
def test_pieces(
    data: st.DataObject,
    task: TransductionTask,
    search: Search,
    update: str,
    jj: str,
    margin: int,
    aggressive: bool,
) -> None:
    learner = SWVP(jj, "uniform", aggressive=aggressive, margin=margin)
    recipe = TransductionRecipe(search=str(search), update=update, learner=str(learner))
    x, y = data.draw(transducers.examples(task))
    oracle = ForcedDecoding(task.space(x), y)
    assume(oracle.reachable)
    assert_same_change(Learning.start(task, recipe), x, y, oracle, Weights(), search, update)


def test_all_subsets_are_for_short_sources() -> None:
    task = TransductionTask.of([(("a",), ("x",))], ["bias"])
    learning = Learning.start(task, TransductionRecipe(search="beam:2", learner="swvp:all_subsets"))
    corpus = learning.pack(["a" * 12, "a" * 13], [["x" * 12], ["x" * 13]])
    with pytest.raises(SettingError, match="at most 12 parts, and sentence 2 has 13"):
        learning.learner(corpus)


def test_between_two_symbols_at_which_both_stop_everything_is_one_decision() -> None:
    pairs = [("a", "x"), ("b", "y"), ("ab", "z"), ("c", "x"), ("c", "y")]
    task = TransductionTask.of([(tuple(s), tuple(t)) for s, t in pairs], ["bias"])
    recipe = TransductionRecipe(search="exact", update="standard", learner="swvp:single,uniform,balanced")
    learning = Learning.start(task, recipe)
    space, oracle = task.space("abc"), ForcedDecoding(task.space("abc"), ["zy"])
    # Two decisions are wrong, what becomes of ab and what of c: each half of the change is one of them.
    weights = Weights()
    wanted = {"x": 1.0, "y": 1.0}
    for action, pair in enumerate(task.pairs):
        if "".join(pair.target) in wanted and "".join(pair.source) != "c":
            weights.add({name: 4.0 for name, _ in space.features(space.initial(), action)})
    assert weights.norm() > 0
    learning.weights.restore(
        np.array([key for (key, _), _ in weights.items()], np.uint64),  # type: ignore[misc]
        np.array([column for (_, column), _ in weights.items()], np.uint32),  # type: ignore[misc]
        np.array([value for _, value in weights.items()], np.float32),
        np.zeros(len(weights)),
        learning.weights.clock,
    )
    assert_same_change(learning, "abc", ["zy"], oracle, weights, Exact(), "standard")
    assert 0.5 in {abs(value) % 1 for _, value in weights.items()}
