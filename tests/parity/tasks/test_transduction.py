"""The engine equals the definition on transducers: traces and weights, all searches and methods."""

from __future__ import annotations

from typing import Any

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from structron import _core
from structron.engine.rows import Rows
from structron.engine.tracing import trace_of
from structron.fit import Learning
from structron.fit.recipe import Recipe
from structron.model import Model
from structron.reference import Perceptron, decode, train
from structron.reference.learners.weights import Weights
from structron.search import Beam, Exact, Greedy, Search
from structron.tasks.transduction import TransductionTask
from structron.tasks.transduction.forced_decoding import ForcedDecoding, nearest_output
from structron.updates import UPDATES
from tests.parity.search.test_graphs import assert_same
from tests.transducers import examples, outputs, references, sources, tasks

SEARCHES = st.sampled_from([Greedy(), Beam(2), Beam(3, merge=True), Beam(8), Beam(4, within=3), Exact()])


def weights_of(learning: Learning) -> dict[tuple[int, int], float]:
    keys, offsets, actions, values, _ = learning.weights.pack(False)
    spread = np.repeat(keys, np.diff(offsets))
    return {(int(k), int(a)): float(v) for k, a, v in zip(spread, actions, values)}


def gold_of(task: TransductionTask, source: str, wanted: list[Any]) -> ForcedDecoding | None:
    """What the corpus should make of a pair."""
    oracle = ForcedDecoding(task.space(source), wanted)
    if oracle.reachable:
        return oracle
    if task.unreachable == "skip":
        return None
    nearest = min((nearest_output(task.space(source), w) for w in wanted), key=lambda found: found[1])
    return ForcedDecoding(task.space(source), [nearest[0]])


@settings(max_examples=60, deadline=None)
@given(
    st.data(), tasks(), SEARCHES, st.sampled_from(sorted(UPDATES)), st.sampled_from([0, 0, 2]), st.booleans()
)
def test_training_gives_the_same_weights(
    data: st.DataObject, task: TransductionTask, search: Search, update: str, margin: int, skip_correct: bool
) -> None:
    pairs = data.draw(st.lists(examples(task), min_size=1, max_size=3))
    recipe = Recipe(
        search=str(search),
        update=update,
        learner=f"perceptron:margin={margin}",
        skip_correct=skip_correct and update != "laso",
    )
    golds = [(task.space(x), gold_of(task, x, y)) for x, y in pairs]
    usable = [(space, gold) for space, gold in golds if gold is not None]
    learning = Learning.start(task, recipe)
    corpus: Any = learning.pack([x for x, _ in pairs], [y for _, y in pairs])
    assert corpus.sentences == len(usable)
    assert corpus.unreachable == sum(not ForcedDecoding(task.space(x), y).reachable for x, y in pairs)
    trainer = learning.learner(corpus)
    weights = Weights()
    for epoch in train(
        usable,
        search=search,
        update=update,
        learner=Perceptron(float(margin)),
        epochs=3,
        weights=weights,
        skip_correct=recipe.skip_correct,
    ):
        counts = trainer.run(np.arange(corpus.sentences, dtype=np.uint32))
        assert tuple(counts[2:]) == (epoch.errors, epoch.updates, epoch.invalid, epoch.early_stopped)
    assert weights_of(learning) == dict(weights.items())
    model = Model(task, Rows(*learning.weights.pack(False)), search)
    for i, (space, gold) in enumerate(usable):
        expected = decode(space, weights, search, gold, margin=float(margin))
        assert_same(trace_of(trainer.trace(i)), expected)
        expected = decode(space, weights, search, gold)
        found = model.trace(space.source, gold.references)
        assert_same(found, expected)
        for step in range(len(expected.beams)):
            if expected.gold_beams[step]:
                assert found.gold(step).actions == expected.gold(step).actions
        best = expected.best(expected.final).actions
        assert model.predict([space.source]) == [task.emitted(best)]


@settings(max_examples=80, deadline=None)
@given(tasks(), sources, references)
def test_the_nearest_output_is_the_same(task: TransductionTask, source: str, wanted: list[str]) -> None:
    for reference in wanted:
        assert task.inventory.nearest(source, reference) == nearest_output(task.space(source), reference)
    assert task.inventory.reaches(source, wanted) == ForcedDecoding(task.space(source), wanted).reachable


@settings(max_examples=100, deadline=None)
@given(st.data(), tasks(), SEARCHES, st.integers(1, 8))
def test_kbest_is_the_same(data: st.DataObject, task: TransductionTask, search: Search, k: int) -> None:
    """All of them: outputs and scores, in their order; of exact search they are the best of all outputs."""
    source, wanted = data.draw(examples(task))
    learning = Learning.start(task, Recipe(search="beam:4"))
    corpus = learning.pack([source], [wanted])
    learning.learner(corpus).run(np.zeros(min(1, corpus.sentences), np.uint32))
    model = Model(task, Rows(*learning.weights.pack(False)), search)
    found = model.kbest([source], k)[0]
    weights = Weights(weights_of(learning))
    trace = decode(task.space(source), weights, search)
    paths = trace.outputs(k, task.emitted)
    assert found == [(task.emitted(path.actions), path.score) for path in paths]
    assert len({tuple(output) for output, _ in found}) == len(found) <= k
    if not search.is_exact:
        row = trace.kbest(search.width or 1)
        assert len(found) == min(k, len({tuple(task.emitted(path.actions)) for path in row}))
        return
    every = outputs(task, source, weights)
    assert [score for _, score in found] == sorted(every.values(), reverse=True)[:k]
    assert all(every[tuple(output)] == score for output, score in found)


def test_kbest_gives_every_output_though_one_of_them_has_most_derivations() -> None:
    """Of 90 derivations, nearly all yield the same: the few others are found all the same."""
    pairs = [*(("a" * n, "x" * n) for n in (1, 2, 3)), ("aaaaaa", "y"), ("a", "xx")]
    task = TransductionTask.of(pairs, ["bias"])
    rows = Rows(*_core.Weights(task.weight_columns).pack(False))
    every = outputs(task, "aaaaaa", Weights())
    for k in (2, 5, len(every), 50):
        found = Model(task, rows, Exact()).kbest(["aaaaaa"], k)[0]
        assert len(found) == min(k, len(every))
        assert {tuple(output) for output, _ in found} <= set(every)


@settings(max_examples=40, deadline=None)
@given(st.data(), tasks(), SEARCHES)
def test_sums_remembered_from_word_to_word_change_no_bit(
    data: st.DataObject, task: TransductionTask, search: Search
) -> None:
    pairs = data.draw(st.lists(examples(task), min_size=1, max_size=3))
    words = data.draw(st.lists(sources, min_size=2, max_size=6))
    learning = Learning.start(task, Recipe(search=str(search)))
    corpus = learning.pack([x for x, _ in pairs], [y for _, y in pairs])
    for _ in range(2):
        learning.learner(corpus).run(np.arange(corpus.sentences, dtype=np.uint32))
    rows = Rows(*learning.weights.pack(True))
    warm = Model(task, rows, search)
    for word in [*words, *words]:
        assert warm.kbest([word], 3) == Model(task, rows, search).kbest([word], 3)
