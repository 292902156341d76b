"""Every learner through the estimator: it trains, predicts, is saved, and refuses what cannot be."""

from __future__ import annotations

from pathlib import Path

import pytest

from structron import Parser, SettingError, Tagger
from structron.learners import SWVP, Mira
from tests.unit.estimators.corpora import spans, treebank
from tests.unit.tasks.parsing.test_parser import trees

NAMES = [
    "mira",
    "mira:5",
    "mira:5,C=0.1,plain,augmented",
    "pa:C=0.05",
    "swvp",
    "swvp:full,uniform,plain",
    "swvp:prefixes,wmr,aggressive,beta=2",
    "swvp:error_spans,optimal",
    "swvp:windows=3,best,enforced,margin=2",
]


@pytest.mark.parametrize("learner", NAMES)
def test_it_learns_and_its_model_remembers_how(learner: str, tmp_path: Path) -> None:
    X, y = treebank(120)
    tagger = Tagger(learner=learner, epochs=6).fit(X, y)
    assert tagger.score(X, y) > 0.9
    tagger.save(tmp_path / "m")
    twin = Tagger.load(tmp_path / "m")
    assert twin.predict(X) == tagger.predict(X)
    assert twin.recipe.learner == tagger.recipe.learner


@pytest.mark.parametrize("learner", ["mira:3", "swvp:error_spans,wm"])
@pytest.mark.parametrize("search", ["exact", "greedy", "beam:3+merge"])
@pytest.mark.parametrize("update", ["standard", "early", "hybrid", "latest", "max_violation", "laso"])
def test_it_goes_with_every_search_and_update(learner: str, search: str, update: str) -> None:
    X, y = spans(25)
    if (learner, search, update) == ("mira:3", "exact", "laso"):
        with pytest.raises(SettingError, match="use a beam, or mira"):
            Tagger(learner=learner, search=search, update=update).fit(X, y)
        return
    tagger = Tagger(learner=learner, search=search, update=update, epochs=4, order=1).fit(X, y)
    assert tagger.score(X, y) > 0.6


def test_the_whole_guess_alone_gives_the_perceptrons_model_byte_for_byte(tmp_path: Path) -> None:
    X, y = treebank(60)
    rows = []
    for learner in ("perceptron", "swvp:full", "swvp:full,uniform,aggressive"):
        rows.append(Tagger(learner=learner, epochs=3).fit(X, y).model_.rows)
    for other in rows[1:]:
        for a, b in zip(rows[0], other):
            assert a.tobytes() == b.tobytes()


def test_learners_may_be_given_as_objects_and_batches_may_come_one_by_one() -> None:
    X, y = treebank(60)
    labels = sorted({tag for tags in y for tag in tags})
    for learner in (Mira(2, C=0.1), SWVP("error_spans")):
        tagger = Tagger(learner=learner)
        for at in (0, 30):
            tagger.partial_fit(X[at : at + 30], y[at : at + 30], labels=labels)
        assert tagger.score(X, y) > 0.8


def test_all_subsets_wants_short_outputs() -> None:
    long = [["w"] * 13], [["T"] * 12 + ["U"]]
    with pytest.raises(SettingError, match="at most 12 parts, and sentence 1 has 13; use other"):
        Tagger(learner="swvp:all_subsets").fit(*long)
    short = [["a", "b", "c"]] * 3, [["T", "U", "T"]] * 3
    assert Tagger(learner="swvp:all_subsets", epochs=3).fit(*short).predict(short[0][:1]) == [["T", "U", "T"]]


@pytest.mark.parametrize("system", ["arc-standard", "arc-eager"])
@pytest.mark.parametrize("learner", ["mira", "mira:3,C=0.1,augmented"])
def test_parsers_have_the_learners_that_mix_nothing(system: str, learner: str) -> None:
    oracle = "dynamic" if system == "arc-eager" else "static"
    X, y = trees(100)
    parser = Parser(system=system, oracle=oracle, learner=learner, search="beam:4", epochs=3).fit(X, y)
    assert parser.score(X, y) > 0.8
    with pytest.raises(SettingError, match="outputs of parsing cannot be mixed; use perceptron or mira"):
        Parser(learner="swvp").fit(X, y)
