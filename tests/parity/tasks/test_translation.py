"""The engine equals the definition on translation: options, gold, traces, weights, and the k best."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from structron import _core
from structron.engine.choices import engine_search
from structron.engine.tracing import trace_of
from structron.io.values.ngrams import NGrams
from structron.learners import parse_learner
from structron.reference import Perceptron, decode, train
from structron.reference.learners.mira import Mira
from structron.reference.learners.violations import Violation
from structron.reference.learners.weights import Weights
from structron.reference.sequence.search import beam
from structron.search import Beam, Exact, Greedy, Search
from structron.tasks.translation.decoding.forced_decoding import ForcedDecoding
from structron.tasks.translation.decoding.space import DENSE, Scoring
from structron.tasks.translation.decoding.targets import AIMS, AMONG, Target
from structron.tasks.translation.language_model.word_model import WordModel
from structron.tasks.translation.phrases.options import Option, options_of
from structron.updates import UPDATES
from tests.parity.search.test_graphs import assert_same
from tests.translators import Table, World, engine_phrases, left_out, references, sources, worlds

SEARCHES = st.sampled_from(
    [Greedy(), Beam(2), Beam(3, merge=True), Beam(8), Beam(4, merge=True, within=3), Exact()]
)
LISTED = st.sampled_from([Beam(2, merge=True), Beam(5, merge=True), Beam(3), Exact()])
dense = st.lists(st.integers(-2, 2), min_size=len(DENSE), max_size=len(DENSE))
Cells = dict[Any, float]


def engine_weights(world: World, values: Cells) -> _core.Weights:
    weights = _core.Weights(1, world.scoring.bits, len(DENSE))
    for (key, column), value in values.items():
        weights.add(key, column, value)
    return weights


def cells_of(weights: _core.Weights) -> Cells:
    key, column, value, _ = weights.state()
    return {(int(k), int(c)): float(v) for k, c, v in zip(key, column, value) if v}


def start(values: list[int]) -> Cells:
    return {(_core.Weights.DENSE, i): float(value) for i, value in enumerate(values)}


@settings(max_examples=100, deadline=None)
@given(st.data(), worlds(), sources, st.sampled_from([1, 3, 4096]))
def test_options_and_gold_are_the_same(
    data: st.DataObject, world: World, source: tuple[str, ...], cap: int
) -> None:
    phrases, space = engine_phrases(world), world.space(source)
    entries = [option for phrase in sorted(world.table.phrases) for option in world.table.phrases[phrase]]
    found = [(begin, end, number) for begin, end, number in phrases.options(source)]
    expected = options_of(world.table, source)
    assert [(o.start, o.end) for o in expected] == [(begin, end) for begin, end, _ in found]
    for option, (begin, end, number) in zip(expected, found):
        assert option.is_copy == (number is None)
        assert number is None or entries[number]._replace(start=begin, end=end) == option
    wanted = data.draw(references(space))
    for prefix in (False, True):
        gold = ForcedDecoding(space, wanted, prefix, cap)
        assert phrases.reach(source, wanted, prefix, cap) == (gold.words, gold.reachable)


@settings(max_examples=150, deadline=None)
@given(
    st.data(),
    worlds(),
    SEARCHES,
    st.sampled_from(sorted(UPDATES)),
    st.sampled_from([0, 0, 2]),
    st.booleans(),
    dense,
)
def test_training_gives_the_same_weights(
    data: st.DataObject,
    world: World,
    search: Search,
    update: str,
    margin: int,
    prefix: bool,
    values: list[int],
) -> None:
    pairs = []
    for source in data.draw(st.lists(sources, min_size=1, max_size=3)):
        pairs.append((source, data.draw(references(world.space(source)))))
    golds = [(x, ForcedDecoding(world.space(x), y, prefix)) for x, y in pairs]
    usable = [(gold.space, gold) for _, gold in golds if gold.words or gold.reachable]
    phrases, weights = engine_phrases(world), Weights(start(values))
    live = engine_weights(world, start(values))
    corpus = _core.TranslationCorpus(phrases, live, prefix)
    for source, wanted in pairs:
        corpus.add(source, wanted)
    assert corpus.sentences == len(usable)
    assert corpus.unreachable == sum(not gold.reachable for _, gold in golds)
    assert corpus.prefixes == sum(not gold.reachable and gold.words > 0 for _, gold in golds)
    learner = parse_learner(f"perceptron:margin={margin}").engine()
    how = engine_search(search)
    trainer = _core.translation_trainer(corpus, live, how, UPDATES[update].code, False, learner)
    for epoch in train(
        usable, search=search, update=update, learner=Perceptron(float(margin)), epochs=3, weights=weights
    ):
        counts = trainer.run(np.arange(corpus.sentences, dtype=np.uint32))
        assert tuple(counts[2:]) == (epoch.errors, epoch.updates, epoch.invalid, epoch.early_stopped)
    assert cells_of(live) == dict(weights.items())
    frozen = _core.translation_predictor(phrases, live.pack(False), world.scoring.bits)
    for i, (space, gold) in enumerate(usable):
        expected = decode(space, weights, search, gold, margin=float(margin))
        assert_same(trace_of(trainer.trace(i)), expected)
        expected = decode(space, weights, search, gold)
        found = trace_of(frozen.trace(space.source, gold.references, how, prefix))
        assert_same(found, expected)
        for step in range(len(expected.beams)):
            if expected.gold_beams[step]:
                assert found.gold(step).actions == expected.gold(step).actions
        best = expected.best(expected.final)
        assert frozen.predict([space.source], how) == [list(best.states[-1].output)]
        options = phrases.options(space.source)
        assert frozen.derivations([space.source], how) == [[options[action] for action in best.actions]]


class WatchedMira(Mira):
    """MIRA that remembers its longest step."""

    longest = 0.0

    def alphas(self, violations: Sequence[Violation]) -> list[float]:
        found = super().alphas(violations)
        type(self).longest = max([self.longest, *found])
        return found


@settings(max_examples=60, deadline=None)
@given(
    st.data(),
    worlds(),
    st.sampled_from([Beam(3, merge=True), Beam(4)]),
    st.sampled_from([1, 3]),
    st.sampled_from(AIMS),
    dense,
)
def test_mira_gives_the_same_weights(
    data: st.DataObject, world: World, search: Search, k: int, aim: str, values: list[int]
) -> None:
    source = data.draw(sources)
    wanted = data.draw(references(world.space(source)))
    gold: Any = ForcedDecoding(world.space(source), wanted)
    if aim != "reference":
        gold = Target(gold.space, wanted, aim)
    elif not gold.reachable:
        return
    live, weights = engine_weights(world, start(values)), Weights(start(values))
    corpus = _core.TranslationCorpus(engine_phrases(world), live, aim=AIMS.index(aim), among=AMONG)
    corpus.add(source, wanted)
    learner = parse_learner(f"mira:{k}")
    trainer = _core.translation_trainer(
        corpus, live, engine_search(search), UPDATES["max_violation"].code, False, learner.engine()
    )
    WatchedMira.longest = 0.0
    for _ in train(
        [(gold.space, gold)],
        search=search,
        update="max_violation",
        learner=WatchedMira(k),
        epochs=1,
        weights=weights,
    ):
        trainer.run(np.zeros(1, np.uint32))
    found, expected = cells_of(live), dict(weights.items())
    # Guesses that contradict each other are met by no weights: steps against each other grow until the rounds
    # are out, and the engine's floats hold them to 24 bits only.
    near = max(1e-4, 2.0**-22 * WatchedMira.longest)
    for name in {*found, *expected}:
        assert abs(found.get(name, 0.0) - expected.get(name, 0.0)) < near


@settings(max_examples=40, deadline=None)
@given(st.data(), worlds(), dense, st.integers(2, 3))
def test_threads_change_nothing(data: st.DataObject, world: World, values: list[int], threads: int) -> None:
    pairs = []
    for source in data.draw(st.lists(sources, min_size=2, max_size=5)):
        pairs.append((source, data.draw(references(world.space(source)))))
    results = []
    for n in (1, threads):
        live = engine_weights(world, start(values))
        corpus = _core.TranslationCorpus(engine_phrases(world), live, True)
        for source, wanted in pairs:
            corpus.add(source, wanted)
        trainer = _core.translation_trainer(
            corpus, live, _core.Search(3, True), 4, False, parse_learner("perceptron").engine()
        )
        order = np.arange(corpus.sentences, dtype=np.uint32)
        counts = [trainer.run(order, batch=3, threads=n) for _ in range(2)]
        results.append((counts, cells_of(live)))
    assert results[0] == results[1]


@settings(max_examples=100, deadline=None)
@given(worlds(), sources, dense, LISTED, st.integers(1, 8))
def test_kbest_is_the_same(
    world: World, source: tuple[str, ...], values: list[int], search: Search, k: int
) -> None:
    check_kbest(world, source, values, search, k)


def check_kbest(world: World, source: tuple[str, ...], values: list[int], search: Search, k: int) -> None:
    space, weights = world.space(source), Weights(start(values))
    rows = engine_weights(world, start(values)).pack(False)
    frozen = _core.translation_predictor(engine_phrases(world), rows, world.scoring.bits)
    found = frozen.kbest([source], k, engine_search(search))[0]
    trace = beam(space, weights, search.width, search.merge, arcs=True)

    def output(actions: tuple[int, ...]) -> tuple[str, ...]:
        return tuple(word for action in actions for word in space.options[action].target)

    expected = trace.outputs(k, output)
    assert found == [(list(output(path.actions)), path.score) for path in expected]
    if not (search.merge and search.width):
        return
    words, scores, features = frozen.listed([source], k, engine_search(search))[0]
    assert words == [output for output, _ in found]
    assert scores.tolist() == [score for _, score in found]
    told = features.reshape(len(words), len(DENSE)) @ np.array(values) * world.scoring.scale
    assert told.tolist() == scores.tolist()


def one_option_world(distortion_limit: int) -> World:
    """Return a world that knows one word: ``a`` is ``x``."""
    sizes, words = np.array([6], np.uint64), np.arange(6, dtype=np.uint32)
    logs = np.array([-2, 0, -1, -2, -2, -2], np.float32)
    nothing = np.array([], np.float32)
    first = np.array([6], np.uint32)
    ngrams = NGrams(("<unk>", "<s>", "</s>", "x", "y", "z"), sizes, words, first, logs, nothing)
    option = Option(0, 1, ("x",), (0.0,) * 4, (0.0,) * 6, (), False)
    scoring = Scoring(WordModel(ngrams), (), distortion_limit, 1.0, False, 0, True)
    return World(scoring, Table({("a",): (option,)}), ngrams)


def test_kbest_lists_the_same_of_two_equal_scores_in_exact_search() -> None:
    check_kbest(one_option_world(2), ("a", "b"), [0] * 14 + [1], Exact(), 1)


@settings(max_examples=80, deadline=None)
@given(
    st.data(),
    worlds(),
    st.sampled_from([Beam(2, by_class=True), Beam(4, merge=True, by_class=True)]),
    st.sampled_from(sorted(set(UPDATES) - {"laso", "parallel"})),
    dense,
)
def test_comparing_over_the_same_words_gives_the_same_weights(
    data: st.DataObject, world: World, search: Beam, update: str, values: list[int]
) -> None:
    source = data.draw(sources)
    check_by_class(world, source, data.draw(references(world.space(source))), values, search, update)


@pytest.mark.parametrize("learner", ["perceptron", "mira"])
def test_a_last_class_of_which_no_guess_is_left_is_nothing_to_compare(learner: str) -> None:
    # Gold may begin with any of three equal words, and a beam of two has room for two of these classes.
    values = [0, 0, 0, 0, 0, 0, -1, 0, 0, 0, 0, 0, 0, 0, 0]
    check_by_class(
        one_option_world(6), ("a",) * 3, [("x",)], values, Beam(2, by_class=True), "standard", learner
    )


def check_by_class(
    world: World,
    source: tuple[str, ...],
    wanted: list[tuple[str, ...]],
    values: list[int],
    search: Beam,
    update: str,
    learner: str = "perceptron",
) -> None:
    gold = ForcedDecoding(world.space(source), wanted, True)
    if not gold.words:
        return
    live, weights = engine_weights(world, start(values)), Weights(start(values))
    corpus = _core.TranslationCorpus(engine_phrases(world), live, True)
    corpus.add(source, wanted)
    parsed = parse_learner(learner)
    trainer = _core.coverage_trainer(
        corpus, live, engine_search(search), UPDATES[update].code, False, parsed.engine()
    )
    for epoch in train(
        [(gold.space, gold)],
        search=search,
        update=update,
        learner=parsed.definition(),
        epochs=2,
        weights=weights,
    ):
        counts = trainer.run(np.zeros(1, np.uint32))
        assert tuple(counts[2:]) == (epoch.errors, epoch.updates, epoch.invalid, epoch.early_stopped)
    assert cells_of(live) == dict(weights.items())
    found, expected = trainer.trace(0), decode(gold.space, weights, search, gold)
    for name in ("best_score", "gold_score", "gold_in_beam", "best_is_gold"):
        np.testing.assert_array_equal(found[name], getattr(expected, name))
    for i, path in enumerate(found["gold_paths"]):
        assert tuple(path) == expected.gold(i).actions
        if expected.bins[i].ranks:
            assert tuple(found["best_paths"][i]) == expected.best(i).actions


@settings(max_examples=80, deadline=None)
@given(st.data(), worlds(), sources, dense, st.integers(1, 2))
def test_leaving_one_out_is_the_same(
    data: st.DataObject, world: World, source: tuple[str, ...], values: list[int], least: int
) -> None:
    """Options of a training pair are as if the table had not seen it, in gold and in search."""
    left, arrays = data.draw(left_out(world))
    space = world.space(source, left, least)
    wanted = data.draw(references(space))
    gold = ForcedDecoding(space, wanted, True)
    live, weights = engine_weights(world, start(values)), Weights(start(values))
    corpus = _core.TranslationCorpus(engine_phrases(world), live, True, least=least)
    corpus.add(source, wanted, arrays)
    assert corpus.sentences == bool(gold.words or gold.reachable)
    if not corpus.sentences:
        return
    learner = parse_learner("perceptron").engine()
    trainer = _core.translation_trainer(corpus, live, _core.Search(3, True), 4, False, learner)
    for _ in train(
        [(space, gold)], search=Beam(3, merge=True), update="max_violation", epochs=2, weights=weights
    ):
        trainer.run(np.zeros(1, np.uint32))
    assert cells_of(live) == dict(weights.items())
    assert_same(trace_of(trainer.trace(0)), decode(space, weights, Beam(3, merge=True), gold))


@settings(max_examples=80, deadline=None)
@given(
    st.data(),
    st.lists(worlds(), min_size=1, max_size=2),
    st.sampled_from([Beam(2), Beam(3, merge=True), Beam(4, merge=True, within=3)]),
    st.sampled_from(sorted(UPDATES)),
    st.sampled_from(AIMS[1:]),
    st.integers(1, 5),
    dense,
)
def test_hope_and_local_are_the_same(
    data: st.DataObject,
    drawn: list[World],
    search: Search,
    update: str,
    aim: str,
    among: int,
    values: list[int],
) -> None:
    """Targets that are chosen with the weights at hand; each pair is learned with a table of its own."""
    made = [World(drawn[0].scoring, each.table, drawn[0].ngrams) for each in drawn]
    made[-1] = World(replace(drawn[0].scoring, language_model=WordModel(drawn[-1].ngrams)), *drawn[-1][1:])
    weights, live = Weights(start(values)), engine_weights(made[0], start(values))
    phrases, others = engine_phrases(made[0]), [engine_phrases(each) for each in made[1:]]
    corpus = _core.TranslationCorpus(phrases, live, aim=AIMS.index(aim), among=among, others=others)
    examples = []
    for source in data.draw(st.lists(sources, min_size=1, max_size=3)):
        book = data.draw(st.integers(0, len(made) - 1))
        space = made[book].space(source)
        wanted = data.draw(references(space))
        examples.append((space, Target(space, wanted, aim, among)))
        corpus.add(source, wanted, book=book)
    learner = parse_learner("perceptron").engine()
    trainer = _core.translation_trainer(
        corpus, live, engine_search(search), UPDATES[update].code, False, learner
    )
    for epoch in train(examples, search=search, update=update, epochs=2, weights=weights):
        counts = trainer.run(np.arange(corpus.sentences, dtype=np.uint32))
        assert tuple(counts[2:]) == (epoch.errors, epoch.updates, epoch.invalid, epoch.early_stopped)
    assert cells_of(live) == dict(weights.items())
    for i, (space, oracle) in enumerate(examples):
        oracle.aim(weights, search)
        assert_same(trace_of(trainer.trace(i)), decode(space, weights, search, oracle))
