"""The synthetic data: valid trees, the promised ambiguity, and chains that follow their parameters."""

from __future__ import annotations

from collections import Counter, defaultdict
from itertools import pairwise, product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from structron.errors import DataError, SettingError
from structron.synthetic import SETTINGS, HiddenMarkov, Tree, generate_treebank
from structron.synthetic.lexicon import lexicon
from structron.synthetic.treebank import LONGEST, _grammar

TREES = generate_treebank(3000, np.random.default_rng(0))
TAGS = "DT NN NNS NNP PRP PRP$ VB VBP VBZ VBD VBN VBG MD TO IN JJ RB CC WDT , ."
TRAIN, DEV = TREES[:2000], TREES[2000:]


def tokens(trees: list[Tree]) -> list[tuple[str, str]]:
    return [pair for tree in trees for pair in zip(tree.words, tree.tags)]


def tags_by_word(trees: list[Tree]) -> dict[str, Counter[str]]:
    counts: dict[str, Counter[str]] = defaultdict(Counter)
    for word, tag in tokens(trees):
        counts[word][tag] += 1
    return dict(counts)


# ------------------------------------------------------------------------------------------ the treebank


def test_every_tree_has_one_root_no_cycle_and_no_crossing_arcs() -> None:
    for tree in TREES:
        size = len(tree)
        assert size == len(tree.tags) == len(tree.heads) == len(tree.labels) and 2 <= size <= LONGEST
        assert all(0 <= head <= size and head != place for place, head in enumerate(tree.heads, start=1))
        assert tree.heads.count(0) == 1
        assert [label == "root" for label in tree.labels] == [head == 0 for head in tree.heads]
        assert all(tree.labels)
        for place in range(1, size + 1):
            seen = set()
            while place:
                assert place not in seen, tree
                seen.add(place)
                place = tree.heads[place - 1]
        arcs = [(min(arc), max(arc)) for arc in enumerate(tree.heads, start=1)]
        assert not any(a < c < b < d for a, b in arcs for c, d in arcs), tree


def test_the_seed_alone_decides_the_treebank() -> None:
    assert generate_treebank(50, np.random.default_rng(0)) == TREES[:50]
    assert generate_treebank(50, np.random.default_rng(1)) != TREES[:50]
    assert generate_treebank(0, np.random.default_rng(0)) == []


def test_a_second_treebank_is_of_the_same_language() -> None:
    other = generate_treebank(300, np.random.default_rng(99))
    known = {word for word, _ in tokens(TRAIN)}
    assert np.mean([word in known for word, _ in tokens(other)]) > 0.85


def test_the_table_asks_only_for_symbols_and_classes_that_exist() -> None:
    grammar, words = _grammar(), lexicon()
    asked = {child.symbol for rules in grammar.values() for children in rules.children for child in children}
    assert asked <= grammar.keys() | words.keys()
    assert not grammar.keys() & words.keys()
    # Rules with {F} are made for all forms, needed or not; every other symbol must be reached.
    assert all("-V" in symbol for symbol in grammar.keys() - asked - {"TOP"})
    for rules in grammar.values():
        for children in rules.children:
            assert [child.label for child in children].count(None) == 1


def test_tags_are_penn_like_and_about_twenty() -> None:
    found = Counter(tag for _, tag in tokens(TREES))
    assert set(found) == set(TAGS.split())
    assert min(found.values()) > 40


@pytest.mark.parametrize(
    ("word", "tags"),
    [
        ("saw", {"NN", "VB", "VBD"}),
        ("light", {"NN", "JJ", "VB"}),
        ("that", {"DT", "IN", "WDT"}),
        ("can", {"MD", "NN", "VB"}),
        ("her", {"PRP", "PRP$"}),
        ("round", {"NN", "JJ", "IN", "RB", "VB"}),
        ("run", {"NN", "VB", "VBP"}),
        ("flies", {"NNS", "VBZ"}),
        ("like", {"IN", "VB", "VBP"}),
        ("watched", {"VBD", "VBN"}),
    ],
)
def test_ambiguous_words_take_all_their_tags(word: str, tags: set[str]) -> None:
    assert tags <= set(tags_by_word(TREES)[word])


def test_a_third_of_the_tokens_are_ambiguous_and_some_are_unknown() -> None:
    known = tags_by_word(TRAIN)
    dev = tokens(DEV)
    assert 0.25 < np.mean([len(known.get(word, ())) > 1 for word, _ in dev]) < 0.5
    assert 0.04 < np.mean([word not in known for word, _ in dev]) < 0.12
    guess = [known[word].most_common(1)[0][0] if word in known else "NN" for word, _ in dev]
    accuracy = np.mean([tag == gold for tag, (_, gold) in zip(guess, dev)])
    assert 0.78 < accuracy < 0.92, "the most frequent tag alone should neither suffice nor be useless"


def test_the_suffix_of_an_unknown_word_tells_much_about_its_tag() -> None:
    known = tags_by_word(TRAIN)
    by_suffix: dict[str, Counter[str]] = defaultdict(Counter)
    for word, tags in known.items():
        by_suffix[word[-2:]].update(tags.keys())
    unknown = [(word, tag) for word, tag in tokens(DEV) if word not in known]
    right = [
        by_suffix[word[-2:]].most_common(1)[0][0] == tag for word, tag in unknown if word[-2:] in by_suffix
    ]
    most_frequent = Counter(tag for _, tag in unknown).most_common(1)[0][1] / len(unknown)
    assert np.mean(right) > most_frequent + 0.1


def test_chains_begin_alike_and_are_told_apart_only_at_their_end() -> None:
    """Both readings of a sentence-initial chain are frequent, so an early choice is often wrong."""
    readings: Counter[str] = Counter()
    for tree in TREES:
        if tree.tags[1] in (",", "CC") and tree.tags[0] in ("NN", "VB"):
            end = tree.tags.index("CC") + 1
            chain = {tag for tag in tree.tags[: end + 1] if tag not in (",", "CC")}
            if len(chain) == 1:
                readings[chain.pop()] += 1
    assert min(readings["NN"], readings["VB"]) > 100
    assert 0.5 < readings["NN"] / readings["VB"] < 2
    participles = sum("VBN" in tree.tags for tree in TREES)
    assert participles > 200, "reduced relatives are the second garden path"


def test_an_article_fits_the_word_after_it() -> None:
    for tree in TREES:
        for word, following in pairwise(tree.words):
            if word in ("a", "an"):
                assert (word == "an") == (following[0] in "aeiou")


# ------------------------------------------------------------------------------------------ hidden Markov


def chain(seed: int, setting: int = 0) -> HiddenMarkov:
    return HiddenMarkov.sample_parameters(SETTINGS[setting], np.random.default_rng(seed))


@pytest.mark.parametrize("number", [0, 1, 2])
def test_parameters_are_permutations_of_the_printed_ones_row_by_row(number: int) -> None:
    model, setting = chain(0, number), SETTINGS[number]
    states, observations = [(3, 5), (3, 5), (7, 20)][number]
    assert model.transition.shape == (states, states) and model.emission.shape == (states, observations)
    for rows, printed in ((model.transition, setting.transition), (model.emission, setting.emission)):
        np.testing.assert_allclose(rows.sum(axis=1), 1)
        for row in rows:
            np.testing.assert_allclose(sorted(row), sorted(np.array(printed) / sum(printed)))
    assert len({tuple(row) for row in model.emission}) > 1, "each row has its own permutation"
    np.testing.assert_allclose(model.initial, 1 / states)


def test_only_the_third_setting_needs_normalising() -> None:
    assert [round(sum(setting.emission), 9) for setting in SETTINGS] == [1, 1, 0.9]
    assert [round(sum(setting.transition), 9) for setting in SETTINGS] == [1, 1, 1]


@pytest.mark.parametrize("number", [0, 1, 2])
def test_frequencies_come_near_the_parameters(number: int) -> None:
    model = chain(1, number)
    observations, states = model.sample(20_000, rng=np.random.default_rng(2))
    assert observations.shape == states.shape == (20_000, 8)
    first = np.bincount(states[:, 0], minlength=len(model.initial)) / len(states)
    np.testing.assert_allclose(first, model.initial, atol=0.02)
    moves = np.zeros_like(model.transition)
    np.add.at(moves, (states[:, :-1].ravel(), states[:, 1:].ravel()), 1)
    np.testing.assert_allclose(moves / moves.sum(axis=1, keepdims=True), model.transition, atol=0.02)
    emitted = np.zeros_like(model.emission)
    np.add.at(emitted, (states.ravel(), observations.ravel()), 1)
    np.testing.assert_allclose(emitted / emitted.sum(axis=1, keepdims=True), model.emission, atol=0.02)
    assert not emitted[model.emission == 0].any() and not moves[model.transition == 0].any()


def test_the_seed_alone_decides_chain_and_items() -> None:
    for left, right in zip(
        chain(3).sample(5, rng=np.random.default_rng(4)), chain(3).sample(5, rng=np.random.default_rng(4))
    ):
        np.testing.assert_array_equal(left, right)
    assert chain(3).sample(0, rng=np.random.default_rng(4))[0].shape == (0, 8)
    with pytest.raises(SettingError, match="-1 items"):
        chain(3).sample(-1, rng=np.random.default_rng(4))


def joint(model: HiddenMarkov, observations: np.ndarray) -> dict[tuple[int, ...], float]:
    """Return P(states, observations) of every state sequence, by the definition."""
    table = {}
    for states in product(range(len(model.initial)), repeat=len(observations)):
        probability = model.initial[states[0]]
        for before, after in pairwise(states):
            probability *= model.transition[before, after]
        for state, observation in zip(states, observations):
            probability *= model.emission[state, observation]
        table[states] = float(probability)
    return table


@settings(max_examples=20, deadline=None)
@given(seed=st.integers(0, 2**32), number=st.integers(0, 2), length=st.integers(1, 5))
def test_decoding_equals_brute_force(seed: int, number: int, length: int) -> None:
    length = min(length, 4) if number == 2 else length
    rng = np.random.default_rng(seed)
    model = HiddenMarkov.sample_parameters(SETTINGS[number], rng)
    observations, _ = model.sample(2, length, rng=rng)
    viterbi, posterior = model.viterbi(observations), model.posterior(observations)
    decoded = model.posterior_decode(observations)
    for item in range(2):
        table = joint(model, observations[item])
        # Ties are frequent with these parameters, so probabilities are compared, not sequences.
        assert table[tuple(viterbi[item])] == pytest.approx(max(table.values()), rel=1e-9)
        total = np.zeros_like(posterior[item])
        for states, probability in table.items():
            total[np.arange(length), states] += probability
        np.testing.assert_allclose(posterior[item], total / sum(table.values()), atol=1e-12)
        chosen = posterior[item][np.arange(length), decoded[item]]
        np.testing.assert_allclose(chosen, posterior[item].max(axis=1))


def test_each_decoder_is_best_for_its_own_loss() -> None:
    model = chain(5, 1)
    observations, states = model.sample(20_000, rng=np.random.default_rng(6))
    by_sequence, by_position = model.viterbi(observations), model.posterior_decode(observations)
    assert (by_sequence == states).all(axis=1).mean() >= (by_position == states).all(axis=1).mean()
    assert (by_position == states).mean() >= (by_sequence == states).mean()


def test_one_item_is_decoded_like_many_and_long_chains_do_not_underflow() -> None:
    model = chain(7)
    observations, _ = model.sample(3, 2000, rng=np.random.default_rng(8))
    for decode in (model.viterbi, model.posterior_decode):
        together = decode(observations)
        np.testing.assert_array_equal(decode(observations[1]), together[1])
        assert decode(observations[:0]).shape == (0, 2000)
    assert np.isfinite(model.posterior(observations)).all()


def test_observations_that_cannot_be_are_refused() -> None:
    model = chain(9, 2)
    for wrong in ([20], [-1, 3], [[0.5]], [], [[[1]]]):
        with pytest.raises(DataError, match=r"observations: .*; "):
            model.viterbi(wrong)
    silent = HiddenMarkov(np.array([1.0, 0.0]), np.eye(2), np.eye(2))
    for decode in (silent.viterbi, silent.posterior):
        with pytest.raises(DataError, match="item 1 has probability 0"):
            decode([[0, 0], [0, 1]])
