"""The engine equals the definition on rules with gaps: the table, matches, gold, charts, weights, k best."""

from __future__ import annotations

from typing import Any

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from structron import _core
from structron.alignment.bitext import Links
from structron.alignment.vocabulary import Numbered, Vocabulary
from structron.engine.rows import Rows
from structron.learners import parse_learner
from structron.reference import Perceptron, train
from structron.reference.forest.forest import forest
from structron.reference.forest.forest_kbest import kbest
from structron.reference.learners.weights import Weights
from structron.search import Forest
from structron.tasks.translation.hiero.forced_decoding import HieroGold
from structron.tasks.translation.hiero.rules import Limits, rule_table, rules
from structron.tasks.translation.hiero.space import DENSE, HieroSpace
from structron.tasks.translation.hiero.table import RuleExtractor
from structron.updates import UPDATES
from tests.hieros import Grammar, engine_rules, grammars
from tests.translators import TARGET, sources, words

Cells = dict[Any, float]
WIDTHS = st.sampled_from([None, 1, 2, 5])
METHODS = st.sampled_from(["standard", "skip", "early", "latest", "max_violation", "parallel"])
dense = st.lists(st.integers(-2, 2), min_size=len(DENSE), max_size=len(DENSE))


@st.composite
def linked(draw: st.DrawFn) -> tuple[list[int], list[int], list[tuple[int, int]]]:
    source = draw(st.lists(st.integers(3, 5), min_size=1, max_size=6))
    target = draw(st.lists(st.integers(3, 5), min_size=1, max_size=6))
    links = st.tuples(st.integers(0, len(source) - 1), st.integers(0, len(target) - 1))
    return source, target, sorted(draw(st.sets(links, max_size=6)))


@settings(max_examples=60, deadline=None)
@given(
    st.lists(linked(), min_size=1, max_size=4),
    st.sampled_from([(2, 2), (4, 3), (10, 5)]),
    st.integers(1, 2),
    st.sampled_from([1, 20]),
)
def test_tables_are_the_same(pairs: list[Any], sizes: tuple[int, int], least: int, most: int) -> None:
    vocabulary = Vocabulary(("<unk>", "<s>", "</s>", "a", "b", "c"))
    limits = Limits(*sizes)
    table, different, instances = RuleExtractor(limits, least, most).extract(
        Numbered.of([x for x, _, _ in pairs]),
        Numbered.of([y for _, y, _ in pairs]),
        Links.of([links for _, _, links in pairs]),
        (vocabulary, vocabulary),
    )
    assert list(table.each()) == rule_table(pairs, limits, least, most)
    every = rule_table(pairs, limits, 1, 1_000_000)
    assert different == len(every)
    assert instances == sum(len(list(rules(*pair, limits))) for pair in pairs)


def start(values: list[int]) -> Cells:
    return {(_core.Weights.DENSE, i): float(value) for i, value in enumerate(values)}


def engine_weights(grammar: Grammar, values: Cells) -> _core.Weights:
    weights = _core.Weights(1, grammar.scoring.bits, len(DENSE))
    for (key, column), value in values.items():
        weights.add(key, column, value)
    return weights


def cells_of(weights: _core.Weights) -> Cells:
    key, column, value, _ = weights.state()
    return {(int(k), int(c)): float(v) for k, c, v in zip(key, column, value) if v}


def all_of(space: HieroSpace) -> list[tuple[str, ...]]:
    """What the derivations of a sentence say, up to some hundreds of them."""
    trace = forest(space, Weights(), None)
    return list(dict.fromkeys(space.words_of(tree) for tree in trace.kbest(200)))


@st.composite
def wanted(draw: st.DrawFn, space: HieroSpace) -> list[tuple[str, ...]]:
    """References: what some derivation says, or anything."""
    either = st.one_of(st.sampled_from(all_of(space)), words(TARGET, 0, 5))
    return draw(st.lists(either, min_size=1, max_size=2))


@settings(max_examples=40, deadline=None)
@given(st.data(), grammars(), sources, st.sampled_from([1, 2, 4096]))
def test_matches_and_gold_are_the_same(
    data: st.DataObject, grammar: Grammar, source: tuple[str, ...], cap: int
) -> None:
    engine, space = engine_rules(grammar), grammar.space(source)
    entries = [rule for each in grammar.table.values() for rule in each]
    sides, matches = engine.matched(source)
    assert [len(side) for side in sides] == [len(options) for options in space.rules.patterns]
    flat = [number for side in sides for number in side]
    for rule, number in zip(space.rules.options, flat, strict=True):
        assert rule.is_copy == (number is None)
        assert number is None or entries[number] == rule
    assert [(b, e, p, tuple(gaps)) for b, e, p, gaps in matches] == [
        (*match.span, match.pattern, match.gaps)
        for span in sorted(space.rules.matches)
        for match in space.rules.matches[span]
    ]
    references = data.draw(wanted(space))
    for prefix in (False, True):
        gold = HieroGold(space, references, prefix, cap)
        assert engine.reach(source, references, prefix, cap) == (gold.words, gold.reachable)


@settings(max_examples=60, deadline=None)
@given(st.data(), grammars(), sources, WIDTHS, dense, st.booleans())
def test_charts_are_the_same(
    data: st.DataObject,
    grammar: Grammar,
    source: tuple[str, ...],
    width: int | None,
    values: list[int],
    prefix: bool,
) -> None:
    space, cells = grammar.space(source), start(values)
    if space.patterns and not grammar.scoring.bits:  # where rows are shared, keys are folded already
        for name, _ in space.features(0, space.edges(0)[0], ()):
            cells.setdefault(name, 1.0)
    weights = Weights(cells)
    references = data.draw(wanted(space))
    gold = HieroGold(space, references, prefix)
    if not (gold.words or gold.reachable):
        return
    expected = forest(space, weights, width, gold)
    rows = Rows(*engine_weights(grammar, cells).pack(False))
    frozen = _core.hiero_predictor(engine_rules(grammar), rows, grammar.scoring.bits)
    search = _core.Search(width or 0, True)
    found = frozen.trace(source, references, search, prefix)
    for name in ("best_score", "gold_score", "gold_in_beam", "best_is_gold"):
        np.testing.assert_array_equal(found[name], getattr(expected, name))
    for side, listed in (("items", expected.items), ("gold_items", expected.gold_items)):
        for ours, theirs in zip(found[side], listed, strict=True):
            assert [(s, g, a, tails, good) for s, g, a, tails, _, good in ours] == [
                (i.score, i.gain, i.edge.action, [(t.node, t.rank) for t in i.tails], i.good) for i in theirs
            ]
    best = list(space.words_of(expected.best(expected.final)))
    assert frozen.predict([source], search) == [best]
    (listed_best,) = frozen.kbest([source], 4, search)
    derivations = kbest(expected.items[expected.final], 20, space.words_of)
    first: dict[tuple[str, ...], float] = {}
    for tree in derivations:
        first.setdefault(space.words_of(tree), tree.score)
    assert [(tuple(output), score) for output, score in listed_best] == list(first.items())[:4]


@settings(max_examples=40, deadline=None)
@given(st.data(), grammars(), WIDTHS, METHODS, st.sampled_from([0, 0, 2]), st.booleans(), dense)
def test_training_gives_the_same_weights(
    data: st.DataObject,
    grammar: Grammar,
    width: int | None,
    update: str,
    margin: int,
    prefix: bool,
    values: list[int],
) -> None:
    pairs = []
    for source in data.draw(st.lists(sources, min_size=1, max_size=3)):
        pairs.append((source, data.draw(wanted(grammar.space(source)))))
    golds = [HieroGold(grammar.space(x), y, prefix) for x, y in pairs]
    usable = [(gold.space, gold) for gold in golds if gold.words or gold.reachable]
    live = engine_weights(grammar, start(values))
    corpus = _core.HieroCorpus(engine_rules(grammar), live, prefix)
    for source, references in pairs:
        corpus.add(source, references)
    assert corpus.sentences == len(usable)
    assert corpus.unreachable == sum(not gold.reachable for gold in golds)
    learner = parse_learner(f"perceptron:margin={margin}")
    search = _core.Search(width or 0, True)
    trainer = _core.hiero_trainer(corpus, live, search, UPDATES[update].code, False, learner.engine())
    weights = Weights(start(values))
    for epoch in train(
        usable,
        search=Forest(width),
        update=update,
        learner=Perceptron(float(margin)),
        epochs=2,
        weights=weights,
    ):
        counts = trainer.run(np.arange(corpus.sentences, dtype=np.uint32))
        assert tuple(counts[2:]) == (epoch.errors, epoch.updates, epoch.invalid, epoch.early_stopped)
    assert cells_of(live) == dict(weights.items())
