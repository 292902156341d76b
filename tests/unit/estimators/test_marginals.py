"""CRFs for users: probabilities, likelihoods, and what is refused."""

from __future__ import annotations

import math
from pathlib import Path

import pytest

from structron import DataError, Parser, SettingError, Tagger
from structron.reference import lattice, shortfall
from structron.reference.learners.weights import Weights
from tests.unit.estimators.corpora import treebank


@pytest.fixture(scope="module")
def fitted() -> Tagger:
    X, y = treebank(40)
    return Tagger(learner="crf:c2=0.1", epochs=3).fit(X, y)


def definition_of(tagger: Tagger) -> Weights:
    key, column, weight = tagger.model_.rows.cells()
    return Weights({(int(k), int(c)): float(w) for k, c, w in zip(key, column, weight)})


def test_marginals_are_those_of_the_definition(fitted: Tagger) -> None:
    X, y = treebank(44)
    task, weights = fitted.model_.task, definition_of(fitted)
    for x, gold, tokens in zip(X[40:], y[40:], fitted.predict_marginals(X[40:])):
        wanted = [dict.fromkeys(task.labels, 0.0) for _ in x]
        for arc, probability in lattice(task.space(x), weights).marginals():
            wanted[arc.begin[0]][task.labels[arc.action]] += probability
        for token, expected in zip(tokens, wanted, strict=True):
            assert token == pytest.approx(expected, abs=1e-5)
            assert sum(token.values()) == pytest.approx(1.0, abs=1e-5)
        (pair,) = shortfall(task.space(x), task.oracle(gold), weights)
        assert fitted.log_likelihood([x], [gold]) == pytest.approx(-pair.loss, abs=1e-4)


def test_a_model_that_is_loaded_gives_the_same(fitted: Tagger, tmp_path: Path) -> None:
    X, _ = treebank(44)
    fitted.save(tmp_path / "model")
    again = Tagger.load(tmp_path / "model")
    assert again.predict_marginals(X) == fitted.predict_marginals(X)
    assert again.learner == "crf:c2=0.1"


def test_threads_and_batches_learn_the_same() -> None:
    X, y = treebank(30)
    one, two = (Tagger(learner="crf", epochs=2, batch=8, threads=n).fit(X, y) for n in (1, 2))
    assert one.model_.to_bytes() == two.model_.to_bytes()
    serial = Tagger(learner="crf", epochs=2).fit(X, y)
    assert serial.model_.to_bytes() != one.model_.to_bytes()


def test_a_training_that_was_stopped_goes_on_to_the_same_bytes(tmp_path: Path) -> None:
    X, y = treebank(30)
    for learner in ("crf", "ssvm"):
        whole = Tagger(learner=learner, epochs=3).fit(X, y)
        held = Tagger(learner=learner, epochs=3)

        def stop(*_: object) -> None:
            raise KeyboardInterrupt

        with pytest.raises(KeyboardInterrupt):
            held.fit(X, y, checkpoint=tmp_path / learner, on_epoch=stop)
        again = Tagger(learner=learner, epochs=3).fit(X, y, checkpoint=tmp_path / learner, resume=True)
        assert again.model_.to_bytes() == whole.model_.to_bytes()


def test_labels_that_are_not_known_are_impossible(fitted: Tagger) -> None:
    assert fitted.log_likelihood([["the"]], [["nothing of the kind"]]) == -math.inf
    with pytest.raises(DataError, match="differ in length; give each token one label"):
        fitted.log_likelihood([["the"]], [["D", "D"]])


def test_latent_labels_and_rules_have_sums_too() -> None:
    X, y = treebank(20)
    latent = Tagger(learner="crf", hidden=2, epochs=2).fit(X, y)
    assert sum(latent.predict_marginals(X[:1])[0][0].values()) == pytest.approx(1.0, abs=1e-5)
    spans = [["B-X" if i % 2 == 0 else "O" for i, _ in enumerate(x)] for x in X]
    ruled = Tagger(learner="crf", constraints="bio", epochs=1).fit(X, spans)
    assert ruled.log_likelihood(X, spans) > -math.inf


def test_labels_that_are_partly_known_are_summed_over() -> None:
    """Half of the labels are left out, and learned all the same, as gold is whatever agrees with the rest."""
    X, y = treebank(60)
    partly = [
        [None if (i + n) % 2 else label for i, label in enumerate(labels)] for n, labels in enumerate(y)
    ]
    tagger = Tagger(learner="crf:c2=0.1", epochs=6, partial=True).fit(X, partly)
    assert tagger.score(X, y) > 0.8
    assert sum(each.updates for each in tagger.history_) == 6 * len(X)


def test_what_does_not_go_with_sums_is_refused_in_one_sentence() -> None:
    X, y = treebank(6)
    for settings, why in (
        ({"learner": "crf", "search": "beam:4"}, "goes with one search; use search exact"),
        ({"learner": "crf", "update": "early"}, "never from prefixes; leave update out"),
        ({"learner": "crf", "shards": 2}, "leave shards out, or use perceptron"),
        ({"learner": "ssvm", "skip_correct": True}, "leave skip_correct out, or use perceptron"),
        ({"learner": "crf:c2=-1"}, "give a number from 0 to a million"),
        ({"learner": "ssvm:step=0"}, "give a number from 1e-6 to a million"),
        ({"learner": "crf:margin=3"}, "there is no option 'margin=3'; use all, c2=1, step=0.1 or plain"),
    ):
        with pytest.raises(SettingError, match=why):
            Tagger(**settings).fit(X, y)  # type: ignore[arg-type]
    with pytest.raises(SettingError, match="are not known; use ssvm, or the perceptron"):
        Parser(learner="crf").fit([["a"]], [([0], ["root"])])
    with pytest.raises(SettingError, match="use c2=0, or fit"):
        Tagger(learner="crf").partial_fit(X, y)
    Tagger(learner="crf:c2=0").partial_fit(X, y)
    with pytest.raises(SettingError, match="scores are no probabilities; use learner crf"):
        Tagger(epochs=1).fit(X, y).predict_marginals(X)


def test_a_parser_without_siblings_may_be_a_crf() -> None:
    X = [(["dogs", "bark"], ["N", "V"]), (["cats", "sleep", "now"], ["N", "V", "R"])] * 3
    y = [([2, 0], ["nsubj", "root"]), ([2, 0, 2], ["nsubj", "root", "adv"])] * 3
    parser = Parser(learner="crf:c2=0.01", system="graph", epochs=8).fit(X, y)
    assert parser.search == "auto" and str(parser.model_.search) == "mst"
    assert parser.predict(X[:2]) == y[:2]
