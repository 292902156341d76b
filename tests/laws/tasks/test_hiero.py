"""Laws of translation by rules with gaps: what enumeration says, what gold is, and what Φ adds up to."""

from __future__ import annotations

from itertools import product
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from structron import _core
from structron.reference.checks.forest_checks import check_forest
from structron.reference.forest.forest import forest
from structron.reference.learners.weights import Weights
from structron.tasks.translation.hiero.forced_decoding import HieroGold
from structron.tasks.translation.hiero.space import DENSE, LANGUAGE_MODEL, HieroSpace
from tests.hieros import Grammar, grammars
from tests.translators import SOURCE, words

short = words(SOURCE + "d", 0, 3)
dense = st.lists(st.integers(-2, 2), min_size=len(DENSE), max_size=len(DENSE))
MOST = 400  # derivations


def derivations(space: HieroSpace, node: int | None = None) -> list[tuple[tuple[str, ...], tuple[Any, ...]]]:
    """Every derivation of a node by brute force: what it says, and its rules."""
    node = space.nodes() - 1 if node is None else node
    found = []
    for edge in space.edges(node):
        for tails in product(*(derivations(space, tail) for tail in edge.tails)):
            rules = tuple(rule for _, listed in tails for rule in listed)
            if node < space.patterns:
                found.append(((), (edge.action,)))
            elif space.is_beginning(node):
                found.append((tuple(word for said, _ in tails for word in said), (node, rules)))
            else:
                said: tuple[str, ...] = ()
                for symbol in space.rules.options[tails[0][1][0]].target:
                    said += (symbol,) if isinstance(symbol, str) else tails[1 + symbol][0]
                found.append((said, ((node, rules),)))
    return found


def weights_of(values: list[int]) -> Weights:
    return Weights({(_core.Weights.DENSE, i): float(value) for i, value in enumerate(values)})


@settings(max_examples=40, deadline=None)
@given(grammars(), short, dense)
def test_unlimited_search_finds_all_and_the_best(
    grammar: Grammar, source: tuple[str, ...], values: list[int]
) -> None:
    space = grammar.space(source)
    check_forest(space)
    every = derivations(space)
    if len(every) > MOST:
        return
    exact = forest(space, weights_of(values), None)
    assert exact.derivations() == len(every)
    listed = [space.words_of(tree) for tree in exact.kbest(len(every) + 1)]
    assert sorted(listed) == sorted(said for said, _ in every)
    wide = forest(space, weights_of(values), 10_000)
    assert wide.best(wide.final) == exact.best(exact.final)


@settings(max_examples=40, deadline=None)
@given(st.data(), grammars(), short, dense)
def test_gold_is_what_yields_the_reference(
    data: st.DataObject, grammar: Grammar, source: tuple[str, ...], values: list[int]
) -> None:
    space = grammar.space(source)
    every = derivations(space)
    if len(every) > MOST:
        return
    reference = data.draw(st.sampled_from(sorted({said for said, _ in every})))
    gold = HieroGold(space, [reference])
    assert gold.reachable
    trace = forest(space, weights_of(values), None, gold)
    right = [said for said, _ in every if said == reference]
    ways = _count(trace.gold_items[trace.final])
    assert ways == len(right)
    assert space.words_of(trace.gold(trace.final)) == reference
    assert not HieroGold(space, [(*reference, "w")]).reachable


def _count(items: list[Any]) -> int:
    total = 0
    for item in items:
        for way in item.merged:
            below = 1
            for tail in way.tails:
                below *= _count([tail])
            total += below
    return total


@settings(max_examples=40, deadline=None)
@given(grammars(), short)
def test_the_language_model_is_asked_for_the_whole_sentence(
    grammar: Grammar, source: tuple[str, ...]
) -> None:
    space, model = grammar.space(source), grammar.scoring.language_model
    for tree in forest(space, Weights(), None).kbest(20):
        total = 0.0
        for use in tree.uses:
            for name, value in space.features(*use):
                total += value if name == (_core.Weights.DENSE, LANGUAGE_MODEL) else 0.0
        state, expected = model.begin(), 0.0
        for word in space.words_of(tree):
            gain, state = model.score(state, word)
            expected += gain
        assert total == grammar.scoring.scale * (expected + model.end(state))
