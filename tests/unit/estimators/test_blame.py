"""Who is to blame: data are told with their place, settings by their name, the engine stands by itself."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from structron import DataError, EngineError, Exact, Parser, SettingError, Tagger
from structron.fit import Learning
from structron.model import Model
from structron.synthetic import generate_treebank
from tests.unit.estimators.corpora import treebank

X, Y = treebank(8)


class Broken:
    """An engine that refuses everything but sentences that are asked for one by one."""

    decode_seconds = 0.0

    def __init__(self, error: Exception) -> None:
        self.error = error

    def predict(self, xs: Any, *more: Any) -> Any:
        if len(xs) > 1:
            raise self.error
        return [[]]

    kbest = predict


@pytest.mark.parametrize("error", [ValueError("rows are out of order"), TypeError("no such thing")])
def test_a_refusal_that_no_sentence_causes_is_the_engines_own(error: Exception) -> None:
    model: Model = Tagger(epochs=1).fit(X, Y).model_
    model._engines["beam"] = Broken(error)  # type: ignore[assignment]
    for go in (lambda: model.predict(X), lambda: model.kbest(X, 2)):
        with pytest.raises(
            EngineError, match=f"the engine refused: {error}; this is a bug in structron, please report it"
        ):
            go()


def test_a_sentence_that_is_to_blame_is_named() -> None:
    tagger = Tagger(epochs=1).fit(X, Y)
    with pytest.raises(DataError, match="sentence 3: a token must be a str"):
        tagger.predict([X[0], X[1], ["a", 7]])


def test_a_search_that_cannot_be_is_a_setting() -> None:
    trees = generate_treebank(6, np.random.default_rng(1))
    pairs, gold = [([*t.words], [*t.tags]) for t in trees], [([*t.heads], [*t.labels]) for t in trees]
    parser = Parser(epochs=1, search="greedy").fit(pairs, gold)
    tokens = parser.tokens(pairs)
    for go in (
        lambda: parser.model_.predict(tokens, Exact()),
        lambda: parser.model_.kbest(tokens, 2, Exact()),
        lambda: parser.trace(pairs[0], None, "exact"),
    ):
        with pytest.raises(
            SettingError, match="exact search would never end in parsing; use greedy or a beam"
        ):
            go()


def test_what_the_engine_says_of_a_learner_is_a_setting_and_nothing_else_is() -> None:
    with pytest.raises(
        SettingError, match=r"learner swvp:all_subsets.*: all_subsets is for outputs of at most"
    ):
        Tagger(learner="swvp:all_subsets", epochs=1).fit([["a"] * 40], [["A"] * 40])
    learning: Learning = Tagger(epochs=1).fit(X, Y).learning_

    class Unfit:
        def live(self, *more: Any) -> Any:
            raise ValueError("the weights do not fit the labels")

    learning.task = Unfit()
    with pytest.raises(EngineError, match="the engine refused: the weights do not fit the labels"):
        learning.learner(None)  # type: ignore[arg-type]
