"""The engine finds words as the definition does: traces and weights, all searches, methods and learners."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, ClassVar

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from structron._core import Restricted
from structron.engine.rows import Rows
from structron.engine.tracing import trace_of
from structron.fit import Learning
from structron.fit.recipe import Recipe
from structron.learners import SWVP, parse_learner
from structron.model import Model
from structron.reference import decode, train
from structron.reference.learners.mira import Mira
from structron.reference.learners.violations import Violation
from structron.reference.learners.weights import Weights
from structron.search import Beam, Exact, Greedy, Search
from structron.segments.units import CLASSES, cut
from structron.tasks.segmentation import SENTENCE, KnownTokens
from structron.tasks.segmentation.features import WORD_PRESETS
from structron.tasks.segmentation.settings import SegmentationRecipe
from structron.tasks.segmentation.words.characters import Characters
from structron.tasks.segmentation.words.clauses import clauses, text_of
from structron.tasks.segmentation.words.given import duties_of
from structron.tasks.segmentation.words.task import NO_TAG, WordTask
from structron.updates import UPDATES
from tests import hidden
from tests.parity.search.test_graphs import assert_same
from tests.parity.search.test_mixed import JJ, MARGINS, UPDATE, assert_same_change
from tests.parity.tasks.test_transduction import weights_of

SEARCHES = st.sampled_from([Greedy(), Beam(2), Beam(3, merge=True), Beam(8), Beam(4, within=3), Exact()])
LEARNERS = st.sampled_from(["perceptron", "perceptron:margin=2"])
CHARS = "中国人年一二3a。, b\u0301\ud800"
texts = st.text(CHARS, max_size=7)
TAGS = ("n", "v", "w")


@st.composite
def gold(draw: st.DrawFn, text: str) -> list[tuple[int, int, int, str]]:
    """Any words of a text, with any tags; some begin a sentence."""
    tokens: list[tuple[int, int, int, str]] = []
    for begin, end, _ in cut(text, CLASSES):
        if tokens and draw(st.booleans()):
            tokens[-1] = (tokens[-1][0], end, *tokens[-1][2:])
        else:
            tokens.append((begin, end, SENTENCE * draw(st.booleans()), draw(st.sampled_from(TAGS))))
    return tokens


@st.composite
def tasks(draw: st.DrawFn) -> WordTask:
    """Joint or not, with sentences or not; words that are known; features that share rows."""
    joint = draw(st.booleans())
    words = draw(st.lists(texts, max_size=5))
    known = KnownTokens.observed((word, cut(word, CLASSES)) for word in words + words[:2])
    any_template = st.sampled_from([*WORD_PRESETS["joint"], "seen[-1] seen[-2]"])
    templates = draw(st.lists(any_template, min_size=1, max_size=12, unique=True))
    if draw(st.booleans()):
        templates = WORD_PRESETS["joint" if joint else "words"]
    tags = TAGS if joint else (NO_TAG,)
    return WordTask(tags, tuple(templates), draw(st.booleans()), known, draw(st.sampled_from([0, 0, 6])))


@st.composite
def examples(draw: st.DrawFn) -> list[tuple[str, Any]]:
    return [(text, draw(gold(text))) for text in draw(st.lists(texts, min_size=1, max_size=3))]


@settings(max_examples=30, deadline=None)
@given(tasks(), examples(), SEARCHES, st.sampled_from(sorted(UPDATES)), LEARNERS, st.integers(1, 2))
def test_training_gives_the_same_weights(
    task: WordTask, pairs: list[tuple[str, Any]], search: Search, update: str, learner: str, batch: int
) -> None:
    assert_trained_the_same(task, pairs, search, update, learner, batch)


@settings(max_examples=40, deadline=None)
@given(
    tasks(), examples(), SEARCHES, st.sampled_from(sorted(UPDATES)), st.sampled_from(["perceptron:margin=2"])
)
def test_words_without_white_space_are_the_same(
    task: WordTask, pairs: list[tuple[str, Any]], search: Search, update: str, learner: str
) -> None:
    spaced = [(" ".join(x), [(2 * b, 2 * e - 1, f, t) for b, e, f, t in y]) for x, y in pairs]
    for given_ in (pairs, spaced):
        own = replace(task, spaces=False)
        assert_trained_the_same(own, given_, search, update, learner, 1)
        for x, y in given_:
            begins, ends, _, _ = own.spans(x, own.gold(x, y))
            words = [x[begin:end] for begin, end in zip(begins.tolist(), ends.tolist())]
            assert "".join(words) == "".join(x.split())
            assert task.spans(x, task.gold(x, y)).begins.tolist() == [token[0] for token in y]


def assert_trained_the_same(
    task: WordTask, pairs: list[tuple[str, Any]], search: Search, update: str, learner: str, batch: int
) -> None:
    batch = 1 if update == "laso" else batch
    recipe = Recipe(search=str(search), update=update, learner=learner, batch=batch)
    spaces = [(task.space(x, y), task.oracle(x, y)) for x, y in pairs]
    learning = Learning.start(task, recipe)
    corpus: Any = learning.pack([x for x, _ in pairs], [y for _, y in pairs])
    trainer = learning.learner(corpus)
    weights = Weights()
    definition = parse_learner(learner).definition()
    for epoch in train(
        spaces, search=search, update=update, learner=definition, epochs=2, weights=weights, batch=batch
    ):
        counts = trainer.run(np.arange(len(pairs), dtype=np.uint32), batch)
        assert tuple(counts[2:]) == (epoch.errors, epoch.updates, epoch.invalid, epoch.early_stopped)
    assert weights_of(learning) == dict(weights.items())
    margin = float(getattr(definition, "margin", 0.0))
    model = Model(task, Rows(*learning.weights.pack(False)), search)
    for i, (x, y) in enumerate(pairs):
        assert_same(trace_of(trainer.trace(i)), decode(*_swapped(spaces[i], weights, search), margin=margin))
        # What is known is more once nothing is learned.
        space = task.space(x)
        after = decode(space, weights, search, spaces[i][1])
        assert_same(model.trace(x, y), after)
        best = after.best(after.final).actions[:-1] if after.final >= 0 else ()
        assert _same_spans(model.predict([x])[0], task.spans(x, best))


@settings(max_examples=40, deadline=None)
@given(tasks(), examples(), SEARCHES, st.data())
def test_words_that_are_given_stay(
    task: WordTask, pairs: list[tuple[str, Any]], search: Search, data: st.DataObject
) -> None:
    task = replace(task, clauses=data.draw(st.booleans()), spaces=data.draw(st.booleans()))
    learning = Learning.start(task, Recipe(search=str(search)))
    corpus: Any = learning.pack([x for x, _ in pairs], [y for _, y in pairs])
    learning.learner(corpus).run(np.arange(len(pairs), dtype=np.uint32), 1)
    weights = Weights(weights_of(learning))
    model = Model(task, Rows(*learning.weights.pack(False)), search)
    for text, _ in pairs:
        tokens = [token[:2] for token in data.draw(gold(text)) if data.draw(st.booleans())]
        spans = [(a, b) for a, b in tokens if task.spaces or " " not in text[a:b]]
        x = Restricted(text, duties_of(task.cutter, text, spans, task.spaces))
        (found,) = model.predict([x])
        made = [*zip(found.begins.tolist(), found.ends.tolist())]
        assert all(span in made for span in spans)
        for best, _ in model.kbest([x], 3)[0]:
            assert {*spans} <= {*zip(best.begins.tolist(), best.ends.tolist())}
        trace, expected = model.trace(x), decode(task.space(x), weights, search)
        np.testing.assert_array_equal(trace.best_score, expected.best_score)
        for a, b in zip(trace.beams, expected.beams, strict=True):
            assert [(i.score, i.action, i.parent) for i in a] == [(i.score, i.action, i.parent) for i in b]
        has_characters = bool(task.units(text))
        assert (
            all(a.input and a.parts for a in task.pieces(x) if not isinstance(a, str)) or not has_characters
        )
        assert "".join(text_of(piece) for piece in task.pieces(x)) == text


def test_white_space_alone_is_one_piece_whatever_is_given() -> None:
    task = WordTask(("",), ("bias",), clauses=True)
    x = Restricted(" \n", duties_of(task.cutter, " \n", [], True))
    assert task.pieces(x) == [x] and task.pieces(" \n") == [" \n"]


# Weights that the engine's floats hold exactly, and so their sums. After a step of MIRA, which may be any
# number, outputs of equal score may differ in the engine's last digit, and the next step may go either way.
FINE = 2.0**-10
# So small a cap binds every constraint that is short: each change is this times a sum of ΔΦ, which floats
# hold too. One that is met, and only broken by the step of another, is met again by a part of that step.
CAP = 2.0**-20


class WatchedMira(Mira):
    """MIRA that remembers its steps."""

    steps: ClassVar[set[float]] = set()

    def alphas(self, violations: Sequence[Violation]) -> list[float]:
        found = super().alphas(violations)
        self.steps.update(found)
        return found


@settings(max_examples=30, deadline=None)
@given(
    tasks(),
    examples(),
    SEARCHES,
    st.sampled_from(sorted(UPDATES)),
    st.sampled_from(["mira", "mira:2"]),
    st.integers(1, 2),
)
def test_every_step_of_mira_is_the_same(
    task: WordTask, pairs: list[tuple[str, Any]], search: Search, update: str, learner: str, batch: int
) -> None:
    batch = 1 if update == "laso" else batch
    assume(
        not (search.is_exact and update == "laso" and learner == "mira:2")
    )  # refused: no k best from one item
    capped = f"{learner}{',' if ':' in learner else ':'}C={CAP}"
    cells: dict[Any, float] = {}
    for _ in range(2):
        for begin in range(0, len(pairs), batch):
            some = pairs[begin : begin + batch]
            found, wanted, updates = _after_a_step(task, some, cells, search, update, capped)
            if WatchedMira.steps <= {0.0, CAP}:
                assert found == wanted, "not the same violations"
            else:
                assert found == pytest.approx(wanted, rel=2.0**-22), "not the same violations"
            # LaSO makes several steps on one text: the first of them alone is from such weights.
            if updates <= 1 or update != "laso":
                found, wanted, _ = _after_a_step(task, some, cells, search, update, learner)
                for name in found.keys() | wanted.keys():
                    assert found.get(name, 0.0) == pytest.approx(wanted.get(name, 0.0), rel=1e-5, abs=1e-6)
            cells = {name: near for name, value in wanted.items() if (near := FINE * round(value / FINE))}


def _after_a_step(
    task: WordTask,
    pairs: list[tuple[str, Any]],
    cells: dict[Any, float],
    search: Search,
    update: str,
    learner: str,
) -> tuple[dict[Any, float], dict[Any, float], int]:
    """The weights of the engine and of the definition after one batch, and how many updates there were."""
    recipe = Recipe(search=str(search), update=update, learner=learner, batch=len(pairs))
    learning = Learning.start(task, recipe)
    learning._take(
        np.array([key for key, _ in cells], np.uint64),
        np.array([column for _, column in cells], np.uint32),
        np.array(list(cells.values()), np.float32),
    )
    trainer = learning.learner(learning.pack([x for x, _ in pairs], [y for _, y in pairs]))
    weights = Weights(cells)
    definition = parse_learner(learner).definition()
    assert isinstance(definition, Mira)
    WatchedMira.steps.clear()
    (epoch,) = train(
        [(task.space(x, y), task.oracle(x, y)) for x, y in pairs],
        search=search,
        update=update,
        learner=WatchedMira(definition.k, definition.C),
        epochs=1,
        weights=weights,
        batch=len(pairs),
    )
    counts = trainer.run(np.arange(len(pairs), dtype=np.uint32), len(pairs))
    assert tuple(counts[2:]) == (epoch.errors, epoch.updates, epoch.invalid, epoch.early_stopped)
    found = {name: value for name, value in weights_of(learning).items() if value}
    return found, {name: value for name, value in weights.items() if value}, epoch.updates


def _swapped(pair: Any, weights: Weights, search: Search) -> tuple[Any, ...]:
    space, oracle = pair
    return space, weights, search, oracle


def _same_spans(found: Any, expected: Any) -> bool:
    return all(np.array_equal(a, b) for a, b in zip(found, expected))


@settings(max_examples=20, deadline=None)
@given(tasks(), examples(), SEARCHES, st.integers(1, 4))
def test_clauses_are_searched_by_themselves(
    task: WordTask, pairs: list[tuple[str, Any]], search: Search, k: int
) -> None:
    learning = Learning.start(task, Recipe(search="beam:4"))
    corpus = learning.pack([x for x, _ in pairs], [y for _, y in pairs])
    learning.learner(corpus).run(np.arange(len(pairs), dtype=np.uint32))
    model = Model(replace(task, clauses=True), Rows(*learning.weights.pack(False)), search)
    weights = Weights(weights_of(learning))
    text = "".join(x for x, _ in pairs)
    actions, score = [], 0.0
    for begin, end in clauses(text):
        trace = decode(task.space(text[begin:end]), weights, search)
        if trace.final >= 0:
            actions += trace.best(trace.final).actions[:-1]
            score += trace.best(trace.final).score
    assert _same_spans(model.predict([text])[0], task.spans(text, actions))
    best = model.kbest([text], k)[0]
    assert _same_spans(best[0][0], task.spans(text, actions)) and best[0][1] == pytest.approx(score)
    assert [each for _, each in best] == sorted((each for _, each in best), reverse=True)


@settings(max_examples=30, deadline=None)
@given(st.data(), tasks(), texts, SEARCHES, UPDATE, JJ, MARGINS, st.integers(0, 99))
def test_mixed_assignments_are_the_same(
    data: st.DataObject,
    task: WordTask,
    text: str,
    search: Search,
    update: str,
    jj: str,
    margin: int,
    seed: int,
) -> None:
    learner = SWVP(jj, "uniform", margin=margin)
    recipe = SegmentationRecipe(search=str(search), update=update, learner=str(learner), system="words")
    tokens = data.draw(gold(text))
    learning = Learning.start(task, recipe)
    space, oracle = task.space(text, tokens), task.oracle(text, tokens)
    # What gold could have done otherwise has weights of any size.
    rng, state, cells = np.random.default_rng(seed), space.initial(), {}
    while not space.is_final(state):
        names = [name for action in space.actions(state) for name, _ in space.features(state, action)]
        cells |= {name: float(rng.integers(-4, 5)) for name in names}
        state = space.advance(state, oracle.actions[state.position])
    weights = hidden.started(learning, cells)
    assert_same_change(learning, text, tokens, oracle, weights, search, update, space)


@settings(max_examples=20, deadline=None)
@given(tasks(), examples(), SEARCHES, st.integers(1, 6))
def test_kbest_is_the_same(task: WordTask, pairs: list[tuple[str, Any]], search: Search, k: int) -> None:
    learning = Learning.start(task, Recipe(search="beam:4"))
    corpus = learning.pack([x for x, _ in pairs], [y for _, y in pairs])
    learning.learner(corpus).run(np.arange(len(pairs), dtype=np.uint32))
    model = Model(task, Rows(*learning.weights.pack(False)), search)
    weights = Weights(weights_of(learning))
    for text, _ in pairs:
        found = model.kbest([text], k)[0]
        trace = decode(task.space(text), weights, search)
        paths = trace.outputs(k, lambda actions: list(actions[:-1]))
        assert [score for _, score in found] == [path.score for path in paths]
        for (spans, _), path in zip(found, paths):
            assert _same_spans(spans, task.spans(text, path.actions[:-1]))


@settings(max_examples=30, deadline=None)
@given(st.text(CHARS, max_size=30), st.lists(texts, max_size=6))
def test_what_is_seen_of_a_text_is_the_same_for_every_atom(text: str, words: list[str]) -> None:
    """A model that has learned one atom of every kind tells apart what the definition tells apart."""
    known = KnownTokens.observed((word, cut(word, CLASSES)) for word in [*words, text[2:6]])
    characters = Characters(text, known)
    assert len(characters) == len(cut(text, CLASSES))
    atoms = [f"{name}[{i}]" for name in "ckd" for i in (-2, 0, 1)]
    atoms += ["r[-1]", "r[-2]", "ahead[-1]", "known[-1]", "seen[-1]"]
    task = WordTask((NO_TAG,), tuple(atoms), False, known, least=1)
    tokens = [(begin, end, 0) for begin, end, _ in characters.units]
    learning = Learning.start(task, Recipe(search="greedy", update="standard"))
    learning.learner(learning.pack([text], [tokens])).run(np.zeros(1, np.uint32))
    weights = Weights()
    pair = (task.space(text, tokens), task.oracle(text, tokens))
    list(train([pair], search=Greedy(), update="standard", epochs=1, weights=weights))
    assert weights_of(learning) == dict(weights.items())
