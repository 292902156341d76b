"""With constraints no illegal sequence ever comes out, whatever weights, search and dictionary are."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from structron import Beam, DataError, Exact, Greedy, SettingError, Tagger, _core
from structron.engine.rows import Rows
from structron.features.keys import combine_tags
from structron.io.values.labels import SCHEMES, illegal
from structron.model import Model
from structron.search import Search
from structron.tasks.tagging import Dictionary, TaggingTask
from tests.unit.estimators.corpora import spans, treebank

SEARCHES: list[Search] = [Exact(), Greedy(), Beam(2), Beam(3), Beam(2, merge=True), Beam(5, merge=True)]
VOCABULARY = ["a", "b", "c"]
PREFIXES = {"bio": "BI", "iob1": "BI", "bioes": "BIES"}
TEMPLATES = {0: ("bias", "w[0]"), 1: ("w[0]", "t[-1]", "t[-1] w[0]"), 2: ("w[0]", "t[-1]", "t[-2] t[-1]")}


def random_model(
    scheme: str | None, labels: list[str], order: int, seed: int, dictionary: Dictionary | None = None
) -> tuple[Model, Any]:
    """Small whole weights for everything that can fire; and a function that scores a sequence by hand."""
    task = TaggingTask(
        tuple(labels), TEMPLATES[order], scheme=scheme, dictionary=dictionary or Dictionary.empty()
    )
    rng = np.random.default_rng(seed)
    weights = _core.Weights(len(labels))
    known: dict[tuple[int, int], float] = {}
    history = range(len(labels) + 1)
    for template, word, t1, t2 in itertools.product(task.parsed, VOCABULARY, history, history):
        key = combine_tags(template.key([(word,)], 0), template.tags, t1, t2)
        for action in range(len(labels)):
            if (key, action) not in known:
                known[key, action] = float(rng.integers(-9, 10))
                weights.add(key, action, known[key, action])

    def score(words: list[str], tags: tuple[int, ...]) -> float:
        padded = (len(labels), len(labels), *tags)
        return sum(
            known[combine_tags(t.key([(words[i],)], 0), t.tags, padded[i + 1], padded[i]), tags[i]]
            for i in range(len(words))
            for t in task.parsed
        )

    return Model(task, Rows(*weights.pack(False)), Exact()), score


@st.composite
def problems(draw: st.DrawFn) -> tuple[str, list[str], int, int, list[list[str]]]:
    scheme = draw(st.sampled_from(SCHEMES))
    some = [f"{p}-{kind}" for kind in "XY" for p in PREFIXES[scheme]]
    labels = sorted({"O", *draw(st.lists(st.sampled_from(some), min_size=1, max_size=5, unique=True))})
    lengths = st.lists(st.sampled_from(VOCABULARY), min_size=1, max_size=6)
    return (
        scheme,
        labels,
        draw(st.integers(0, 2)),
        draw(st.integers(0, 10**6)),
        draw(st.lists(lengths, min_size=1)),
    )


@given(problem=problems())
@settings(max_examples=60, deadline=None)
def test_no_illegal_sequence_comes_out(problem: Any) -> None:
    scheme, labels, order, seed, X = problem
    model, _ = random_model(scheme, labels, order, seed)
    for search in SEARCHES:
        for words, tags, best in zip(X, model.predict(X, search), model.kbest(X, 4, search)):
            assert len(tags) == len(words)
            assert tags == best[0][0]
            assert all(illegal(each, scheme) is None for each, _ in best), (search, best)


@given(problem=problems(), k=st.integers(1, 12))
@settings(max_examples=40, deadline=None)
def test_exact_search_finds_the_best_legal_sequences(problem: Any, k: int) -> None:
    scheme, labels, order, seed, X = problem
    model, score = random_model(scheme, labels, order, seed)
    words = X[0][:4]
    every = itertools.product(range(len(labels)), repeat=len(words))
    legal = [tags for tags in every if illegal([labels[t] for t in tags], scheme) is None]
    scores = sorted((score(words, tags) for tags in legal), reverse=True)
    (best,) = model.kbest([words], k, Exact())
    assert [s for _, s in best] == scores[:k]
    for tags, found in best:
        assert score(words, tuple(labels.index(tag) for tag in tags)) == found


@given(problem=problems(), tags=st.lists(st.lists(st.integers(0, 5), min_size=1, max_size=2), max_size=3))
@settings(max_examples=60, deadline=None)
def test_the_dictionary_never_leads_into_a_dead_end(problem: Any, tags: list[list[int]]) -> None:
    scheme, labels, order, seed, X = problem
    pairs = [(word, labels[t % len(labels)]) for word, row in zip(VOCABULARY, tags) for t in row]
    dictionary = Dictionary.observed(pairs, labels, 1)
    model, _ = random_model(scheme, labels, order, seed, dictionary)
    for search in SEARCHES:
        for words, best in zip(X, model.kbest(X, 3, search)):
            for found, _ in best:
                assert len(found) == len(words)
                assert illegal(found, scheme) is None


@given(st.integers(0, 10**6), st.integers(0, 2), st.lists(st.sampled_from(VOCABULARY), max_size=6))
@settings(max_examples=60, deadline=None)
def test_known_words_keep_to_their_tags_and_others_are_open(seed: int, order: int, words: list[str]) -> None:
    labels = ["A", "B", "C"]
    dictionary = Dictionary.observed([("a", "A"), ("a", "C"), ("b", "B")], labels, 1)
    model, score = random_model(None, labels, order, seed, dictionary)
    may = {"a": "AC", "b": "B", "c": "ABC"}
    for search in SEARCHES:
        for found, _ in model.kbest([words], 5, search)[0]:
            assert all(tag in may[word] for word, tag in zip(words, found))
    every = itertools.product(*([labels.index(tag) for tag in may[word]] for word in words))
    greatest = max(score(words, tags) for tags in every)
    assert model.kbest([words], 1, Exact())[0][0][1] == greatest


@pytest.mark.parametrize(
    ("labels", "scheme"),
    [
        ([["B-X", "E-X"]], "bioes"),
        ([["B-X", "I-X", "E-X"]], "bioes"),
        ([["B-X", "E-X", "B-Y", "I-Y", "E-Y"]], "bioes"),
        ([["S-X", "S-X"]], "bioes"),
        ([["B-X", "B-X"]], "bio"),
        ([["I-X", "B-X"]], "iob1"),
    ],
)
@pytest.mark.parametrize("search", SEARCHES, ids=str)
def test_labels_that_leave_no_output_for_some_lengths_get_an_o(
    labels: list[list[str]], scheme: str, search: Search
) -> None:
    X = [[f"w{i}" for i in range(len(tags))] for tags in labels]
    tagger = Tagger(epochs=3, search=search).fit(X, labels)
    assert tagger.model_.task.scheme == scheme
    for n in range(1, 7):
        for found, _ in tagger.predict_kbest([["w0"] * n], 3)[0]:
            assert len(found) == n
            assert illegal(found, scheme) is None
    assert tagger.predict(X) == labels


def test_a_task_with_dead_ends_is_refused() -> None:
    with pytest.raises(SettingError, match="no legal bioes output for some sentences; add O"):
        TaggingTask(("B-X", "E-X"), ("w[0]",), scheme="bioes")
    assert TaggingTask(("B-X", "E-X", "S-X"), ("w[0]",), scheme="bioes").rules[0] is not None
    with pytest.raises(SettingError, match="scheme 'bilou' is not known"):
        TaggingTask(("B-X", "O"), ("w[0]",), scheme="bilou")
    with pytest.raises(SettingError, match="given twice"):
        TaggingTask(("O", "O"), ("w[0]",))


@pytest.mark.parametrize(
    ("labels", "scheme"),
    [
        (["B-X", "I-X", "O"], "bio"),
        (["O", "I-X", "B-X"], "iob1"),
        (["I-X", "O"], "iob1"),
        (["S-X", "B-X", "E-X"], "bioes"),
        (["B", "I", "O"], "bio"),
        (["O", "I-X", "I-Y", "B-X"], None),
        (["NN", "IN"], None),
        (["O", "O"], None),
        (["B", "S"], None),
    ],
)
def test_the_scheme_is_found_in_the_labels(labels: list[str], scheme: str | None) -> None:
    tagger = Tagger(epochs=1).fit([[f"w{i}" for i in range(len(labels))]], [labels])
    assert tagger.model_.task.scheme == scheme
    free = Tagger(epochs=1, constraints=None).fit([[f"w{i}" for i in range(len(labels))]], [labels])
    assert free.model_.task.scheme is None


def test_gold_that_breaks_the_rules_is_refused_with_its_place() -> None:
    X, Y = [["a", "b"], ["c", "d"]], [["B-X", "I-X"], ["O", "I-X"]]
    with pytest.raises(DataError, match="sentence 2, token 2: label 'I-X' is out of place in bio"):
        Tagger(constraints="bio").fit(X, Y)
    with pytest.raises(DataError, match="sentence 1, token 2: the end is out of place in bioes"):
        Tagger(constraints="bioes").fit(X, [["O", "B-X"], ["O", "O"]])
    with pytest.raises(DataError, match="label 'IN' marks no span"):
        Tagger(constraints="bio").fit(X, [["NN", "IN"], ["O", "O"]])
    tagger = Tagger().partial_fit(X, [["B-X", "I-X"], ["O", "B-X"]])
    with pytest.raises(DataError, match="sentence 1, token 1: label 'I-X' is out of place in bio"):
        tagger.partial_fit([["a"]], [["I-X"]])


@pytest.mark.parametrize("update", ["standard", "early", "hybrid", "latest", "max_violation", "laso"])
def test_learning_with_rules_and_dictionary(update: str) -> None:
    X, Y = spans(30)
    tagger = Tagger(update=update, dictionary=2, epochs=5).fit(X, Y)
    assert tagger.score(X, Y) > 0.95
    assert all(epoch.invalid == 0 for epoch in tagger.history_) or update == "standard"


def test_an_open_dictionary_is_made_from_the_data() -> None:
    X = [["a", "a", "b"], ["a", "c", "c"]]
    Y = [["A", "B", "B"], ["A", "C", "C"]]
    dictionary = Tagger(epochs=1, dictionary=2).fit(X, Y).model_.task.dictionary
    assert dictionary.tags_of("a") == [0, 1]
    assert dictionary.tags_of("c") == [2]
    assert dictionary.tags_of("b") is None
    assert dictionary.tags_of("z") is None


def test_later_batches_widen_the_dictionary() -> None:
    tagger = Tagger(dictionary=2).partial_fit([["a", "a", "b"]], [["A", "A", "B"]])
    assert tagger.model_.task.dictionary.tags_of("a") == [0]
    for _ in range(5):
        tagger.partial_fit([["a", "b"]], [["B", "A"]])
    assert tagger.model_.task.dictionary.tags_of("a") == [0, 1]
    assert tagger.model_.task.dictionary.tags_of("b") is None
    assert tagger.predict([["a", "b"]]) == [["B", "A"]]


def test_a_dictionary_of_something_else_than_words() -> None:
    with pytest.raises(DataError, match="sentence 1: a token must be a str"):
        Tagger(dictionary=1).fit([["a", 3]], [["A", "B"]])
    with pytest.raises(DataError, match=r"sentence 1: .*surrogate"):
        Tagger(dictionary=1).fit([["a", "\ud800"]], [["A", "B"]])


def test_the_dictionary_helps_where_it_is_right() -> None:
    X, Y = treebank(60)
    tagger = Tagger(dictionary=1, epochs=2).fit(X, Y)
    seen: dict[str, set[str]] = {}
    for words, tags in zip(X, Y):
        for word, tag in zip(words, tags):
            seen.setdefault(word, set()).add(tag)
    new, _ = treebank(30, seed=11)
    for words, tags in zip(new, tagger.predict(new)):
        assert all(tag in seen[word] for word, tag in zip(words, tags) if word in seen)
