"""What must hold of translation as the definition has it."""

from __future__ import annotations

from typing import Any

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from structron import _core
from structron.reference import check_oracle, check_space, decode, train
from structron.reference.learners.weights import Weights
from structron.reference.sequence.search import beam
from structron.search import Beam, Exact
from structron.tasks.translation.decoding.forced_decoding import ForcedDecoding
from structron.tasks.translation.decoding.space import DENSE, TranslationSpace
from tests.translators import references, spaces


def all_derivations(space: TranslationSpace) -> list[tuple[tuple[int, ...], Any]]:
    """Every way through, by its actions, with its last state."""
    waiting: list[tuple[tuple[int, ...], Any]] = [((), space.initial())]
    found = []
    while waiting:
        actions, state = waiting.pop()
        if space.is_final(state):
            found.append((actions, state))
            continue
        waiting += [((*actions, a), space.advance(state, a)) for a in space.actions(state)]
    return found


def dense_weights(draw: st.DrawFn) -> Weights:
    values = draw(st.lists(st.integers(-2, 2), min_size=len(DENSE), max_size=len(DENSE)))
    return Weights({(_core.Weights.DENSE, i): float(v) for i, v in enumerate(values)})


some_weights = st.composite(dense_weights)()


@settings(max_examples=60, deadline=None)
@given(spaces())
def test_the_space_is_one(space: TranslationSpace) -> None:
    """No dead ends within the distortion limit, and states that are merged have the same to come."""
    check_space(space, limit=300)


@settings(max_examples=60, deadline=None)
@given(st.data(), spaces())
def test_gold_is_every_derivation_of_a_reference(data: st.DataObject, space: TranslationSpace) -> None:
    if len(space.options) > 12:
        return
    wanted = data.draw(references(space))
    gold = ForcedDecoding(space, wanted)
    every = all_derivations(space)
    right = {actions for actions, state in every if state.output in gold.references}
    assert gold.reachable == bool(right)
    followed = set()
    waiting: list[tuple[tuple[int, ...], Any]] = [((), space.initial())] if right else []
    while waiting:
        actions, state = waiting.pop()
        allowed = [a for a in space.actions(state) if gold.allows(state, a)]
        assert allowed or space.is_final(state)
        waiting += [((*actions, a), space.advance(state, a)) for a in allowed]
        if space.is_final(state):
            followed.add(actions)
    assert followed == right
    taken = {a for actions in right for a in actions}
    assert {a for a in range(len(space.options)) if gold.right(None, a)} == taken  # type: ignore[arg-type]


@settings(max_examples=40, deadline=None)
@given(st.data(), spaces(), some_weights)
def test_best_gold_item_of_each_stack_is_the_best_of_all(
    data: st.DataObject, space: TranslationSpace, weights: Weights
) -> None:
    """Whatever the beam, gold is neither pruned nor merged away."""
    gold = ForcedDecoding(space, data.draw(references(space)))
    if not gold.reachable or len(space.options) > 12 or not space.source:
        return
    best = np.full(len(space.source), np.nan)
    waiting = [(space.initial(), 0.0)]
    while waiting:
        state, score = waiting.pop()
        for action in (a for a in space.actions(state) if gold.allows(state, a)):
            after = space.advance(state, action)
            total = score + weights.score(space.features(state, action))
            step = space.step(after) - 1
            best[step] = np.fmax(best[step], total)
            waiting.append((after, total))
    for search in (Beam(1), Beam(3, merge=True), Exact()):
        assert np.array_equal(decode(space, weights, search, gold).gold_score, best, equal_nan=True)


@settings(max_examples=40, deadline=None)
@given(st.data(), spaces(), some_weights)
def test_exact_search_finds_the_best(data: st.DataObject, space: TranslationSpace, weights: Weights) -> None:
    if len(space.options) > 12:
        return
    scores = [
        sum(weights.score(space.features(s, a)) for s, a in zip(_states(space, actions), actions))
        for actions, _ in all_derivations(space)
    ]
    trace = decode(space, weights, Exact())
    assert trace.best(trace.final).score == max(scores)


@settings(max_examples=60, deadline=None)
@given(st.data(), spaces())
def test_a_prefix_is_gold_where_nothing_whole_is(data: st.DataObject, space: TranslationSpace) -> None:
    wanted = data.draw(references(space))
    whole, part = ForcedDecoding(space, wanted), ForcedDecoding(space, wanted, prefix=True)
    assert whole.reachable == part.reachable and whole.words in (0, len(space.source))
    trace = decode(space, Weights(), Beam(2), part)
    with_gold = np.flatnonzero(~np.isnan(trace.gold_score))
    assert (int(with_gold[-1]) + 1 if with_gold.size else 0) == part.words
    if part.words:
        last = trace.gold(part.words - 1).states[-1]
        assert last.covered == (1 << part.words) - 1
        assert any(r[: len(last.output)] == last.output for r in part.references)
    if whole.reachable:
        check_oracle(space, whole, limit=200)


@settings(max_examples=30, deadline=None)
@given(st.data(), spaces(), some_weights)
def test_frozen_weights_stay(data: st.DataObject, space: TranslationSpace, weights: Weights) -> None:
    gold = ForcedDecoding(space, data.draw(references(space)))
    before = dict(weights.items())
    for _ in train([(space, gold)], search=Beam(2), update="max_violation", epochs=2, weights=weights):
        pass
    if space.scoring.frozen:
        dense = {name: value for name, value in weights.items() if name[0] == _core.Weights.DENSE}  # type: ignore[index]
        assert dense == before


@settings(max_examples=40, deadline=None)
@given(spaces(), some_weights, st.integers(1, 6))
def test_kbest_through_the_stacks_begins_with_the_best(
    space: TranslationSpace, weights: Weights, k: int
) -> None:
    trace = beam(space, weights, 3, True, arcs=True)
    plain = beam(space, weights, 3, True)
    found = trace.outputs(k, lambda actions: _states(space, actions)[-1].output)
    outputs = [path.states[-1].output for path in found]
    assert len(set(outputs)) == len(outputs)
    assert found[0].score == plain.best(plain.final).score
    assert [p.score for p in found] == sorted((p.score for p in found), reverse=True)
    assert len(found) >= len(plain.outputs(k, lambda actions: _states(space, actions)[-1].output))


def _states(space: TranslationSpace, actions: tuple[int, ...]) -> list[Any]:
    states = [space.initial()]
    for action in actions:
        states.append(space.advance(states[-1], action))
    return states


@settings(max_examples=40, deadline=None)
@given(st.data(), spaces(), some_weights)
def test_bins_of_one_class_are_over_the_same_words(
    data: st.DataObject, space: TranslationSpace, weights: Weights
) -> None:
    gold = ForcedDecoding(space, data.draw(references(space)), prefix=True)
    bins = decode(space, weights, Beam(3, merge=True, by_class=True), gold)
    rows = decode(space, weights, Beam(3, merge=True), gold)
    for i, found in enumerate(bins.bins):
        right = bins.gold(i)
        assert all(right.states[-1].covered == path.states[-1].covered for path in bins.kbest(9, i))
        # The best of a class is no better than the best of the row; the best gold item is in some class.
        assert right.score <= rows.gold_score[found.step]
        assert not found.ranks or bins.best(i).score <= rows.best_score[found.step]
    best = {b.step: max(bins.gold_score[i] for i, c in enumerate(bins.bins) if c.step == b.step)
            for b in bins.bins}  # fmt: skip
    for step, score in best.items():
        assert score == rows.gold_score[step]
