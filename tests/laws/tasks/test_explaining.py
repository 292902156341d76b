"""What is explained is all there is: the engine's score is the sum of the named weights, for every task."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from structron import (
    Classifier,
    DataError,
    Parser,
    Segmenter,
    SemanticParser,
    SettingError,
    Tagger,
    Transducer,
    Translator,
)
from structron._core import Weights
from structron.explaining import Derived, account_of
from structron.synthetic import generate_spellings, generate_treebank

TREES = generate_treebank(14, np.random.default_rng(5))
WORDS = [list(t.words) for t in TREES]
TAGS = [list(t.tags) for t in TREES]
TAGGED = [(list(t.words), list(t.tags)) for t in TREES]
ARCS = [(list(t.heads), list(t.labels)) for t in TREES]
READY = [
    [{"w": w, "n": 1.5, "l": ["a", w[:2]], "d": {"x": w[-1:]}, "f": True, "g": False} for w in s]
    for s in WORDS
]
PAIRS = generate_spellings(25, np.random.default_rng(2))
SOURCES, SOUNDS = [p.source for p in PAIRS], [p.targets[0] for p in PAIRS]
TEXTS = [" ".join(words) for words in WORDS]
LABELS = ["abc"[len(words) % 3] for words in WORDS]
SEVERAL = [[label, "x"][: 1 + i % 2] for i, label in enumerate(LABELS)]
NAMED = [{"first": words[0], "size": 0.5 * len(words)} for words in WORDS]
RAW = ["Go on. Stop!", "Stop! Go."] * 4
CUT = [[["Go", "on", "."], ["Stop", "!"]], [["Stop", "!"], ["Go", "."]]] * 4
TAGGED_CUT = [[[(word, "P" if word in ".!" else "V") for word in one] for one in text] for text in CUT]
LEFT = ["a b c", "b a c d", "c d a", "d b"] * 3
RIGHT = ["x y z", "y x z w", "z w x", "w y"] * 3
QUESTIONS = ["capital of texas", "what is the capital of utah", "states next to texas", "next to utah"] * 2
FORMS = [
    "answer(capital(stateid('texas')))",
    "answer(capital(stateid('utah')))",
    "answer(next_to(stateid('texas')))",
    "answer(next_to(stateid('utah')))",
] * 2
STATES = [
    *["s0.w", "s0.t s1.t", "s1.w s0.t d(s1,s0)", "s0.lc.t s0.vl s0.r", "q0.t q1.suffix(2)"],
    *["s1.sl s0.sr", "s0.h.t q0.class", "bias"],
]
PARTS = [
    *["h.w m.w", "h.t m.t d", "h.t between.t m.t dir", "m[-1].t h[+1].shape"],
    *["h.t s.t m.t", "s.r m.r h.v", "ss.t s.t m.t", "c.t m.t side", "m.v c.r", "bias"],
]

CASES: dict[str, tuple[Any, Any, Any]] = {
    "tagging": (Tagger(), WORDS, TAGS),
    "tagging in few bits": (
        Tagger(bits=8, half=True, hidden=2, order=1, search="exact", min_weight=0.01),
        WORDS,
        TAGS,
    ),
    "ready features": (Tagger(), READY, TAGS),
    "transitions": (Parser(templates=STATES, search="beam:2"), TAGGED, ARCS),
    "arc-eager": (Parser(templates=STATES, system="arc-eager", search="beam:2", half=True), TAGGED, ARCS),
    "dynamic programming": (Parser(templates=STATES[:5], search="dp:2", bits=9), TAGGED, ARCS),
    "graph": (Parser(templates=PARTS, system="graph", search="forest:2", pruner="none"), TAGGED, ARCS),
    "arcs": (Parser(templates=PARTS[:3], system="graph", search="mst", half=False), TAGGED, ARCS),
    "transduction": (Transducer(templates="joint", search="beam:4", combine="none"), SOURCES, SOUNDS),
    "known words": (Transducer(templates="fast_alike", combine="none"), SOURCES, SOUNDS),
    "classification": (Classifier(templates="mixed", weighting="log+idf+l2"), TEXTS, LABELS),
    "two labels": (Classifier(bits=6), TEXTS, ["ab"[len(words) % 2] for words in WORDS]),
    "many labels": (Classifier(multilabel=True), TEXTS, SEVERAL),
    "named numbers": (Classifier(), NAMED, LABELS),
    "segmentation": (Segmenter(), RAW, CUT),
    "words": (Segmenter(system="words", search="beam:4"), RAW, CUT),
    "joint": (Segmenter(system="joint", search="beam:2", bits=9), RAW, TAGGED_CUT),
    "phrases": (Translator(templates="full", search="beam:8"), LEFT, RIGHT),
    "rules with gaps": (Translator(system="hiero", templates="edges", search="forest:8"), LEFT, RIGHT),
    "semantics": (SemanticParser(search="forest:8"), QUESTIONS, FORMS),
}  # fmt: skip


@pytest.fixture(scope="module", params=CASES)
def fitted(request: pytest.FixtureRequest) -> tuple[Any, Any]:
    estimator, X, y = CASES[request.param]
    return estimator.set_params(epochs=1).fit(X, y), X


def test_the_score_is_the_sum_of_the_explained_weights(fitted: tuple[Any, Any]) -> None:
    estimator, X = fitted
    for x in X[:2]:
        found = estimator.explain(x)
        ((best, *_),) = estimator.predict_kbest([x], 1)
        assert found.score == pytest.approx(best[1], rel=1e-5, abs=1e-4)
        assert found.sum == pytest.approx(found.score, rel=1e-5, abs=1e-4)
        for each in found.decisions:
            assert each.score == pytest.approx(sum(f.guess for f in each.features))
            assert each.runner_up_score == pytest.approx(sum(f.runner_up for f in each.features))
            assert each.runner_up != each.guess and "feature " not in str(each.features)
            gaps = [abs(f.difference) for f in each.features]
            assert gaps == sorted(gaps, reverse=True)


def test_names_stand_for_the_features_of_the_definition(fitted: tuple[Any, Any]) -> None:
    """On every state of a random walk: the same keys, columns and values; names differ where keys do."""
    estimator, X = fitted
    model = estimator.model_
    (x,) = estimator.problem.inputs([X[1]], estimator._ready()).xs
    account = account_of(model, x)
    named: dict[str, tuple[int, int]] = {}
    for found in _walked(account, model.task) if isinstance(account, Derived) else [account.features()]:
        for each in found:
            place = (each.key, each.column if each.key == Weights.DENSE else 0)
            assert model.task.bits or named.setdefault(each.name, place) == place
    assert len(named) == len(set(named.values())) and (named or model.task.bits)


def _walked(account: Derived, task: Any) -> Iterator[list[Any]]:
    namer, rng = account.namer, np.random.default_rng(0)
    state = namer.space.initial()
    while actions := list(namer.space.actions(state)):
        action = int(rng.choice(actions))
        found = list(namer.features(state, action))
        if not (task.kind == "tagging" and task.ready):
            assert [((f.key, f.column), f.value) for f in found] == list(namer.space.features(state, action))
        yield found
        state = namer.space.advance(state, action)


def test_the_strongest_features_are_those_of_the_model(fitted: tuple[Any, Any]) -> None:
    estimator, X = fitted
    found = estimator.strongest(X[:4], top=5)
    weights = np.concatenate([estimator.model_.rows.weights, estimator.model_.rows.dense])
    assert found and all(np.isclose(weights, each.weight).any() and each.times for each in found)
    sizes = [abs(each.weight) for each in found]
    assert sizes == sorted(sizes, reverse=True)
    own = estimator.strongest(X[:4], top=3, label=found[0].label)
    assert own[0] == found[0] and {each.label for each in own} == {found[0].label}
    with pytest.raises(SettingError, match="there are no weights for 'no such label'; there are some for"):
        estimator.strongest(X[:1], label="no such label")


def test_names_are_looked_for_until_there_are_enough(
    fitted: tuple[Any, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    estimator, X = fitted
    first, more = estimator.strongest(X[:1]), estimator.strongest(X[:4])
    assert first != more
    # By its name, which a function has taken in the package.
    monkeypatch.setattr(sys.modules["structron.explaining.strongest"], "ENOUGH", 1)
    assert estimator.strongest(X[:4]) == first


def test_names_say_what_a_template_sees() -> None:
    tagger = Tagger(epochs=1, templates=["lower[-1] suffix(2)[0] t[-1]", "class[0]", "shape[1]"]).fit(
        WORDS, TAGS
    )
    named = {f.name for each in tagger.explain(["The", "McDonald's"]).decisions for f in each.features}
    account = account_of(tagger.model_, ["The", "McDonald's"])
    assert isinstance(account, Derived)
    namer = account.namer
    found = [f.name for f in namer.features(namer.space.advance(namer.space.initial(), 0), 0)]
    assert found == [
        f"lower[-1]=the suffix(2)[0]='s t[-1]={tagger.labels_[0]}",
        "class[0]=upper+lower+mark+initial+capitals",
        "shape[1]=<edge>",
    ]
    assert all("=" in name for name in named)


def test_what_cannot_be_explained_is_refused() -> None:
    other = SimpleNamespace(task=SimpleNamespace(kind="pipeline"))
    with pytest.raises(SettingError, match="explain is not for pipeline, whose features have no names"):
        account_of(other, "a b")  # type: ignore[arg-type]
    other = SimpleNamespace(task=SimpleNamespace(kind="painting"))
    with pytest.raises(SettingError, match="there is no task 'painting'; the tasks are tagging"):
        account_of(other, "a b")  # type: ignore[arg-type]
    segmenter = Segmenter(epochs=1).fit(RAW, CUT)
    with pytest.raises(DataError, match="there are 2 parts to explain; give one"):
        segmenter.explain("Go.\n\nStop!")
    tagger = Tagger(epochs=1).fit(WORDS, TAGS)
    assert tagger.explain([]).decisions == ()
    with pytest.raises(DataError, match="half of a surrogate pair"):
        tagger.explain(["\ud800"])
