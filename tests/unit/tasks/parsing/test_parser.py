"""The parser: it learns, takes sentences in every form, and refuses what is not a tree."""

from __future__ import annotations

import pickle
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from structron import Beam, DataError, DPBeam, ModelError, Parser, SettingError, Tagger
from structron.io import Format, Sentence, Tree, with_tree
from structron.io.values.trees import find_fault
from structron.metrics import attachment
from structron.reference import train
from structron.synthetic import generate_treebank

Pairs = list[tuple[list[str], list[str]]]
QUICK: dict[str, Any] = {"epochs": 2, "search": "beam:4"}


def trees(n: int, seed: int = 3) -> tuple[Pairs, list[Tree]]:
    made = generate_treebank(n, np.random.default_rng(seed))
    return [([*t.words], [*t.tags]) for t in made], [Tree([*t.heads], [*t.labels]) for t in made]


def from_files(X: Pairs, y: list[Tree]) -> list[Sentence]:
    return [with_tree(Sentence.of(*x, Format("conllu")), tree) for x, tree in zip(X, y)]


@pytest.fixture(scope="module")
def parser() -> Parser:
    return Parser(**QUICK).fit(*trees(150))


def test_it_learns_and_gives_trees(parser: Parser) -> None:
    X, y = trees(60, seed=4)
    guess = parser.predict(X)
    assert all(isinstance(tree, Tree) and find_fault(tree.heads) is None for tree in guess)
    assert parser.score(X, y) == attachment(y, guess).las > 0.75
    assert parser.labels_ == sorted({label for tree in trees(150)[1] for label in tree.labels})
    assert parser.crossing_ == {"trees": 150, "crossing": 0}


def test_sentences_may_come_in_every_form(parser: Parser) -> None:
    X, y = trees(20, seed=5)
    guess = parser.predict(X)
    assert parser.predict([list(zip(*x)) for x in X]) == guess
    assert parser.predict([(words, tags, tags, tags) for words, tags in X]) == guess
    assert parser.predict(from_files(X, y)) == guess
    assert parser.predict(iter(X)) == guess
    array = np.empty(len(X), dtype=object)
    for i, x in enumerate(X):
        array[i] = x
    assert isinstance(parser.predict(array), np.ndarray) and list(parser.predict(array)) == guess
    assert parser.score(from_files(X, y)) == parser.score(X, y)
    assert parser.predict([]) == [] and parser.predict([[]]) == [Tree([], [])]


def test_trees_of_files_teach_the_same(parser: Parser) -> None:
    X, y = trees(150)
    again = Parser(**QUICK).fit(from_files(X, y))
    assert again.predict(X[:20]) == parser.predict(X[:20])


def test_a_file_brings_all_of_it_back(parser: Parser, tmp_path: Path) -> None:
    X, _ = trees(20, seed=6)
    parser.save(tmp_path / "p.model")
    loaded = Parser.load(tmp_path / "p.model")
    assert loaded.predict(X) == parser.predict(X)
    assert loaded.get_params() == parser.get_params() and loaded.labels_ == parser.labels_
    assert pickle.loads(pickle.dumps(parser)).predict(X) == parser.predict(X)
    with pytest.raises(ModelError, match="a model for parsing, not for tagging"):
        Tagger.load(tmp_path / "p.model")


def test_the_best_epoch_on_the_dev_set_is_kept() -> None:
    X, y = trees(60)
    dev = trees(30, seed=9)
    parser = Parser(epochs=4, search="greedy").fit(X, y, dev=dev)
    best = max(epoch.dev_score or 0.0 for epoch in parser.history_)
    assert parser.score(*dev) == best


def test_kbest_begins_with_the_best(parser: Parser) -> None:
    X, _ = trees(10, seed=7)
    for tree, found in zip(parser.predict(X), parser.predict_kbest(X, 3)):
        assert found[0][0] == tree and 1 <= len(found) <= 3
        scores = [score for _, score in found]
        assert scores == sorted(scores, reverse=True)


@pytest.mark.parametrize("update", ["early", "max_violation"])
def test_its_beam_may_have_dynamic_programming(parser: Parser, update: str, tmp_path: Path) -> None:
    X, y = trees(40, seed=4)
    learned = Parser(epochs=2, search="dp:4", update=update, templates="rich_tags").fit(*trees(150))
    assert learned.score(X, y) > 0.75
    learned.save(tmp_path / "dp.model")
    again = Parser.load(tmp_path / "dp.model")
    assert str(again.model_.search) == "dp:4" and again.predict(X) == learned.predict(X)
    assert [best[0][0] for best in again.predict_kbest(X, 1)] == again.predict(X)
    # Weights do not know how they were found.
    scores = [[best[0][1] for best in learned.model_.kbest(X, 1, each)] for each in (DPBeam(64), Beam(2))]
    assert np.mean(scores[0]) >= np.mean(scores[1])
    for x, tree, guess in zip(X[:5], y, learned.predict(X)):
        trace = learned.trace(x, tree)
        assert bool(trace.best_is_gold[-1]) == (guess == tree)
        assert len(trace.best(trace.final).actions) == 2 * len(x[0])
    assert parser.trace(X[0], y[0], "dp:8").final == 2 * len(X[0][0]) - 1


def test_where_there_is_no_dynamic_programming_it_says_so(parser: Parser) -> None:
    X, y = trees(20)
    with pytest.raises(
        SettingError, match="search dp shares the stacks of arc-standard, not of arc-eager; use"
    ):
        Parser(search="dp:8", system="arc-eager").fit(X, y)
    eager = Parser(epochs=1, system="arc-eager").fit(X, y)
    with pytest.raises(SettingError, match="not of arc-eager; use a beam as beam:8"):
        eager.trace(X[0], None, "dp:8")
    with pytest.raises(
        SettingError, match=r"search dp:4 ends with one state.*; ask for k = 1, or use a beam"
    ):
        parser.model_.kbest(parser.tokens(X), 2, DPBeam(4))
    with pytest.raises(
        SettingError, match=r"search dp:8: states of tagging have no stack; use a beam as beam:8"
    ):
        Tagger(search="dp:8").fit(X, [["A"] * len(words) for words, _ in X])
    tagger = Tagger(epochs=1).fit([words for words, _ in X], [tags for _, tags in X])
    with pytest.raises(SettingError, match="search dp:2: states of tagging have no stack"):
        tagger.trace(X[0][0], None, DPBeam(2))


def test_a_trace_knows_where_gold_is(parser: Parser) -> None:
    X, y = trees(10, seed=8)
    for x, tree, guess in zip(X, y, parser.predict(X)):
        trace = parser.trace(x, tree)
        assert len(trace.beams) == len(trace.gold_beams) == 2 * len(x[0])
        assert bool(trace.best_is_gold[-1]) == (guess == tree)


def test_batches_go_on_where_the_last_one_ended() -> None:
    X, y = trees(120)
    labels = sorted({label for tree in y for label in tree.labels})
    parser = Parser(**QUICK)
    for start in range(0, 120, 40):
        parser.partial_fit(X[start : start + 40], y[start : start + 40], labels=labels)
    assert len(parser.history_) == 3
    assert parser.score(X, y) > 0.8


def test_a_relation_of_a_later_batch_may_point_the_other_way() -> None:
    n = len(CROSSED_TREE.heads)
    heads = [0 if head == 0 else n + 1 - head for head in reversed(CROSSED_TREE.heads)]
    mirrored = Tree(heads, list(reversed(CROSSED_TREE.labels)))
    backwards = [list(reversed(column)) for column in CROSSED]
    parser = Parser(**QUICK)
    for _ in range(8):
        parser.partial_fit([tuple(CROSSED)], [CROSSED_TREE]).partial_fit([tuple(backwards)], [mirrored])
    assert parser.predict([tuple(CROSSED), tuple(backwards)]) == [CROSSED_TREE, mirrored]


def test_many_small_batches_are_the_same_with_one_model_at_their_end(tmp_path: Path) -> None:
    X, y = trees(60)
    labels = sorted({label for tree in y for label in tree.labels})
    parser, other = Parser(**QUICK), Parser(**QUICK)
    online = other.online(labels)
    online.publish()  # nothing was learned yet
    assert not hasattr(other, "model_")
    for start in range(0, 60, 20):
        batch = X[start : start + 20], y[start : start + 20]
        parser.partial_fit(*batch, labels=labels)
        assert online.learn(*batch).examples == 20
    online.publish()
    assert other.predict(X) == parser.predict(X)
    np.testing.assert_array_equal(other.model_.rows.weights, parser.model_.rows.weights)
    assert [epoch.examples for epoch in parser.history_] == [20, 20, 20]
    assert [epoch.examples for epoch in other.history_] == [60]
    with pytest.raises(SettingError, match="partial_fit trains no experts"):
        Parser(combine="backward").online(labels)


def test_unlabelled_parsing_needs_heads_alone() -> None:
    X, y = trees(100)
    parser = Parser(labelled=False, **QUICK).fit(X, [tree.heads for tree in y])
    assert parser.labels_ == ["_"]
    assert attachment(y, parser.predict(X)).uas > 0.85
    same = Parser(labelled=False, **QUICK).fit(X, y)
    assert same.predict(X[:10]) == parser.predict(X[:10])


@pytest.mark.parametrize("system", ["arc-standard", "arc_eager", "arc-hybrid", "swap"])
def test_every_system_learns(system: str) -> None:
    X, y = trees(80)
    assert Parser(system=system, epochs=3, search="beam:2").fit(X, y).score(X, y) > 0.85


CROSSED = [["a", "hearing", "is", "scheduled", "on", "it"], ["D", "N", "V", "V", "P", "N"]]
CROSSED_TREE = Tree([2, 4, 4, 0, 6, 2], ["det", "nsubj", "aux", "root", "case", "nmod"])


@pytest.mark.parametrize(
    ("options", "back"),
    [({"system": "swap"}, True), ({"crossing": "pseudo"}, True), ({"crossing": "lift"}, False)],
)
def test_crossing_arcs_are_lifted_or_built(options: dict[str, str], back: bool) -> None:
    X, y = trees(10)
    parser = Parser(epochs=10, search="greedy", **options).fit([*X, tuple(CROSSED)], [*y, CROSSED_TREE])
    assert parser.crossing_ == {"trees": 11, "crossing": 1}
    assert (parser.predict([tuple(CROSSED)])[0] == CROSSED_TREE) == back


def test_crossing_arcs_are_left_out_or_refused() -> None:
    X, y = trees(10)
    left = Parser(crossing="leave-out", **QUICK).fit([tuple(CROSSED), *X], [CROSSED_TREE, *y])
    assert left.predict(X) == Parser(**QUICK).fit(X, y).predict(X)
    assert left.crossing_["crossing"] == 1
    with pytest.raises(DataError, match=r"sentence 1: .*cross"):
        Parser(crossing="refuse", **QUICK).fit([tuple(CROSSED), *X], [CROSSED_TREE, *y])


def test_a_tagger_of_its_own_makes_it_parse_plain_words(tmp_path: Path) -> None:
    X, y = trees(150)
    parser = Parser(tagger="jackknife:3", **QUICK).fit(X, y, dev=trees(20, seed=4))
    words = [x[0] for x in trees(30, seed=5)[0]]
    found, tags = parser.predict_with_tags(words)
    assert list(tags) == ["tag"] and [len(t) for t in tags["tag"]] == [len(w) for w in words]
    assert parser.predict([(w, ["?"] * len(w)) for w in words]) == found
    parser.save(tmp_path / "both.model")
    assert Parser.load(tmp_path / "both.model").predict(words) == found
    assert parser.score(*trees(30, seed=5)) > 0.6


@pytest.mark.parametrize(
    ("X", "y", "said"),
    [
        ("dogs bark", [], "X is a single string"),
        (["dogs"], [([0], ["root"])], "sentence 1 is of type str"),
        ([(["a"], ["X", "Y"])], [([0], ["root"])], "sentence 1: columns of 1 and 2 values; give one tag"),
        (
            [[("a", "X"), ("b",)]],
            [([0, 1], ["r", "d"])],
            "sentence 1, word 2: 1 columns where the first has 2",
        ),
        ([[("a", "X"), 7]], [([0, 1], ["r", "d"])], "sentence 1, word 2: 7 is no"),
        ([["a"]], [([0], ["root"])], "the templates read 2 columns of each word but there is 1"),
        ([(["a"], ["X"])], None, "y is missing"),
        ([(["a"], ["X"])], [], "1 sentences but 0 trees"),
        ([(["a"], ["X"])], [([0, 1], ["r", "d"])], "sentence 1: 1 words but 2 heads and 2 relations"),
        ([(["a"], ["X"])], [([1], ["r"])], "sentence 1, word 1: word 1 is its own head"),
        ([(["a"], ["X"])], [([3], ["r"])], "word 1 has head 3 but the sentence has 1 word"),
        ([(["a", "b"], ["X", "X"])], [([2, 1], ["r", "d"])], "sentence 1: no word has head 0"),
        ([(["a", "b"], ["X", "X"])], [([0, 0], ["r", "d"])], "sentence 1, word 2: .*a tree has one root"),
        ([(["a"], ["X"])], [(["0"], ["r"])], "sentence 1, word 1: head '0' is not an int"),
        ([(["a"], ["X"])], [([0], [None])], "sentence 1, word 1: relation None is not text"),
        ([(["a"], ["X"])], [7], "sentence 1: its tree is of type int"),
        ([(["a"], ["X"])], [("x", "y")], "sentence 1: its tree is not a pair of lists"),
        ([], [], "there is nothing to learn from"),
    ],
)
def test_what_cannot_be_is_told_in_one_sentence(X: Any, y: Any, said: str) -> None:
    with pytest.raises(DataError, match=said):
        Parser(**QUICK).fit(X, y)


def test_several_roots_only_where_they_are_allowed() -> None:
    X, y = [(["a", "b"], ["X", "Y"])] * 3, [([0, 0], ["r", "d"])] * 3
    assert Parser(roots="many", epochs=5).fit(X, y).predict(X[:1]) == [Tree([0, 0], ["r", "d"])]
    with pytest.raises(SettingError, match="roots 'two' is not possible"):
        Parser(roots="two").fit(X, y)


def test_batches_train_no_tagger() -> None:
    with pytest.raises(SettingError, match="partial_fit trains no tagger"):
        Parser(tagger="jackknife").partial_fit(*trees(10))


def test_it_has_scikit_learns_manners() -> None:
    from sklearn.base import clone
    from sklearn.model_selection import cross_val_score

    parser = Parser(system="arc-eager", epochs=2, search="beam:2")
    assert clone(parser).get_params() == parser.get_params()
    assert repr(parser) == "Parser(search='beam:2', epochs=2, system='arc-eager')"
    X, y = trees(30)
    tokens = np.empty(len(X), dtype=object)
    for i, (words, tags) in enumerate(X):
        tokens[i] = list(zip(words, tags))
    assert len(cross_val_score(parser, tokens, y, cv=2)) == 2


def test_an_unfitted_parser_gives_its_examples_to_the_theory() -> None:
    spaces = Parser(templates="huang_sagae").spaces(*trees(6))
    errors = [e.errors for e in train(spaces, search=("beam", 2, False), update="max_violation", epochs=8)]
    assert errors[0] > 0 and errors[-1] == 0


def test_a_fit_finds_nothing_of_an_earlier_one(tmp_path: Path) -> None:
    X, y = trees(40)
    parser = Parser(tagger="jackknife:2", **QUICK).fit(X, y)
    parser.set_params(tagger=None).fit(X, y).save(tmp_path / "again")
    fresh = Parser(tagger=None, **QUICK).fit(X, y)
    fresh.save(tmp_path / "fresh")
    assert not parser.model_.parts and parser.predict_with_tags(X)[1] == {}
    assert (tmp_path / "again").read_bytes() == (tmp_path / "fresh").read_bytes()
    assert vars(parser).keys() == vars(fresh).keys()


def test_a_gold_tree_is_checked_once_and_lifted_once(monkeypatch: pytest.MonkeyPatch) -> None:
    from structron.tasks.parsing import inputs as reading
    from structron.tasks.parsing.fitting import treebank_stats as own
    from structron.tasks.parsing.transitions import gold_trees as building

    calls: list[str] = []

    def counted(module: Any, name: str) -> None:
        real = getattr(module, name)

        def call(*given: Any, **more: Any) -> Any:
            calls.append(name)
            return real(*given, **more)

        monkeypatch.setattr(module, name, call)

    counted(own, "is_projective")
    counted(building, "is_projective")
    counted(building, "lift")
    counted(reading, "find_fault")
    X, y = trees(10)
    parser = Parser(epochs=2, search="greedy").fit([*X, tuple(CROSSED)], [*y, CROSSED_TREE])
    assert {name: calls.count(name) for name in set(calls)} == {
        "is_projective": 11,
        "find_fault": 11,
        "lift": 1,
    }
    assert "nmod|nsubj" in parser.model_.task.labels
