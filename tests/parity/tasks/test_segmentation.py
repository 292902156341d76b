"""Texts are cut the same way in Python and in the engine, whatever is in them."""

from __future__ import annotations

import sys
import unicodedata
from array import array
from collections.abc import Sequence
from itertools import product
from typing import Any

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from structron import _core
from structron.engine.rows import Rows
from structron.fit import Learning
from structron.fit.recipe import Recipe
from structron.learners import parse_learner
from structron.model import Model
from structron.reference import decode, train
from structron.reference.learners.weights import Weights
from structron.search import Beam, Exact, Greedy, Search
from structron.segments.boundaries import SomeTokens, tokens_of
from structron.segments.units import CLASSES, cut, cut_by, plain_cutter, word
from structron.tasks.segmentation import SegmentationTask, Token
from structron.tasks.segmentation.features import WORDS
from structron.tasks.segmentation.units.habits import Habits, pair_key, word_key
from structron.tasks.segmentation.units.known_tokens import KnownTokens, look_up
from structron.updates import UPDATES
from tests import hidden
from tests.parity.search.test_graphs import assert_same
from tests.parity.tasks.test_transduction import weights_of


def assigned(char: str) -> bool:
    # Characters newer than the engine's table may be unknown to it.
    return unicodedata.category(char) != "Cn"


# Letters of several scripts, digits, marks, blanks of all kinds, accents, joiners, half a surrogate pair.
CHARS = "aB c1.'-\n\t\x0b\x1e\x1f\x85\u2028\u00a0\u3000中国ab\u0301\u200d\x00\x1c\ud800שלום٣😀"
texts = st.text(CHARS, max_size=40) | st.text(
    st.characters(exclude_categories=("Cn",)) | st.characters(categories=("Cs",)), max_size=30
)
ways = st.sampled_from(
    [tuple(c for c, on in zip(CLASSES, chosen) if on) for chosen in product([0, 1], repeat=3)]
)


def knowing(alone: tuple[str, ...], known: KnownTokens) -> _core.UnitCutter:
    """Return a cutter without habits."""
    return _core.UnitCutter(flags_of(alone), *known, array("Q"), b"", 0, 2 if len(known.keys) else 1)


def flags_of(alone: tuple[str, ...]) -> tuple[bool, bool, bool]:
    letters, others, digits = (name in alone for name in CLASSES)
    return letters, others, digits


@given(texts, ways)
def test_units_are_equal(text: str, alone: tuple[str, ...]) -> None:
    cutter = plain_cutter(flags_of(alone))
    assert cutter.units(text) == [(u.begin, u.end, (word(text, u),)) for u in cut(text, alone)]
    assert cut_by(cutter, text) == cut(text, alone)


def test_every_character_is_of_the_same_class() -> None:
    step = 101  # the first plane whole, and a sample of the others
    codes = [*range(0x10000), *range(0x10000, sys.maxunicode + 1, step)]
    text = "".join(f"a{c}1" for c in map(chr, codes) if assigned(c))
    assert [u[:2] for u in plain_cutter((False, False, False)).units(text)] == [u[:2] for u in cut(text)]


@given(texts, st.lists(texts, max_size=6), ways)
def test_known_tokens_are_equal(text: str, others: list[str], alone: tuple[str, ...]) -> None:
    pieces = [(each, cut(each, alone)) for each in [*others, text[3:9]]]
    known = KnownTokens.observed(pieces)
    units = cut(text, alone)
    found = knowing(alone, known).units(text)
    if len(known.keys):
        said = look_up(known, text, units)
        assert found == [(u.begin, u.end, (word(text, u), s)) for u, s in zip(units, said)]
    assert np.all(np.diff(np.asarray(known.keys, object)) > 0)


@given(texts, st.lists(texts, max_size=3), ways, st.data())
def test_tokens_of_the_text_itself_count_less_in_both(
    text: str, others: list[str], alone: tuple[str, ...], data: st.DataObject
) -> None:
    units = cut(text, alone)
    lengths = [data.draw(st.integers(0, 4)) for _ in units]
    less = data.draw(st.integers(0, 2))
    own = {(i, length): less for i, length in enumerate(lengths) if length}
    parts = [text[u.begin : v.end] for u, v in zip(units, units[2:])]
    known = KnownTokens.observed([(each, cut(each, alone)) for each in [*others, *parts, *parts[:3]]])
    if len(known.keys):
        said = look_up(known, text, units, own)
        found = knowing(alone, known).units(text, lengths, less)
        assert found == [(u.begin, u.end, (word(text, u), s)) for u, s in zip(units, said)]


SEARCHES = st.sampled_from([Greedy(), Beam(3), Beam(2, merge=True), Exact()])
LEARNERS = st.sampled_from(["perceptron", "perceptron:margin=2"])
LABELS = [("J", "S", "SM", "T", "T:1", "TM"), ("J", "JE", "S", "SE", "T", "TE", "TE:1")]
short = st.text("ab 1.\n中\u00a0'", max_size=9) | st.sampled_from(
    ["a@b.a 1.1", "#a 1:1:1.", "\U0001f1e6" * 3]
)
HABITS = Habits(
    array("Q", sorted([word_key("a"), word_key("a.b"), pair_key("a", "b")])), bytes([0b10111010, 255, 1])
)


@st.composite
def tasks(draw: st.DrawFn) -> SegmentationTask:
    """Labels with ends and without, any units, any white space in tokens, tokens that are known."""
    alone = draw(ways)
    words = draw(st.lists(short, max_size=4))
    known = KnownTokens.observed([(word, cut(word, alone)) for word in words + words[:2]])
    chosen = draw(st.lists(st.sampled_from(WORDS), min_size=1, max_size=12, unique=True))
    habits = draw(st.sampled_from([Habits.empty(), HABITS]))
    templates = tuple(t for t in chosen if len(known.keys) or "p[" not in t)
    templates = tuple(t for t in templates if habits or "col(2)" not in t) or ("w[0]",)
    labels, bits, by_text = (
        draw(st.sampled_from(LABELS)),
        draw(st.sampled_from([0, 0, 6])),
        draw(st.booleans()),
    )
    spaces = draw(st.booleans())
    solid = draw(st.sampled_from([0, 255, 255]))
    return SegmentationTask(
        labels,
        templates,
        alone,
        known,
        bits=bits,
        by_text=by_text,
        spaces=spaces,
        solid=solid,
        habits=habits,
    )


@st.composite
def examples(draw: st.DrawFn) -> list[tuple[str, list[Token]]]:
    """Texts with any tokens, also such as hold white space."""
    found = []
    for text in draw(st.lists(short, min_size=1, max_size=3)):
        tokens: list[Token] = []
        for begin, end, _ in cut(text, CLASSES):
            if tokens and draw(st.booleans()):
                tokens[-1] = (tokens[-1][0], end, tokens[-1][2])
            else:
                tokens.append((begin, end, 1 if not tokens else draw(st.integers(0, 3))))
        if draw(st.integers(0, 2)) == 0:  # of some texts only some tokens are known
            starts = frozenset(begin for begin, _, flags in tokens if flags & 1)
            kept = [(begin, end, 0) for begin, end, _ in tokens if draw(st.booleans())]
            tokens = SomeTokens(kept, draw(st.sampled_from([None, starts])))
        found.append((text, tokens))
    return found


@settings(max_examples=60, deadline=None)
@given(tasks(), examples(), SEARCHES, st.sampled_from(sorted(UPDATES)), LEARNERS, st.integers(1, 3))
def test_training_and_predictions_are_those_of_the_definition(
    task: SegmentationTask,
    pairs: list[tuple[str, list[Token]]],
    search: Search,
    update: str,
    learner: str,
    k: int,
) -> None:
    spaces = [(task.space(x, y), task.oracle(x, y)) for x, y in pairs]
    learning = Learning.start(task, Recipe(search=str(search), update=update, learner=learner))
    corpus: Any = learning.pack([x for x, _ in pairs], [y for _, y in pairs])
    trainer = learning.learner(corpus)
    weights = Weights()
    definition = parse_learner(learner).definition()
    for epoch in train(spaces, search=search, update=update, learner=definition, epochs=2, weights=weights):
        counts = trainer.run(np.arange(len(pairs), dtype=np.uint32), 1)
        assert tuple(counts[2:]) == (epoch.errors, epoch.updates, epoch.invalid, epoch.early_stopped)
    assert weights_of(learning) == dict(weights.items())
    model = Model(task, Rows(*learning.weights.pack(False)), search)
    for x, y in pairs:
        known = None if isinstance(y, SomeTokens) else y
        oracle = None if known is None else task.oracle(x, known)
        after = decode(task.space(x), weights, search, oracle)
        if known is not None:
            assert_same(model.trace(x, known), after)
        found = model.kbest([x], k)[0]
        paths = after.outputs(k, list) if after.final >= 0 else []
        assert [score for _, score in found if x.strip()] == [path.score for path in paths]
        for (spans, _), path in zip(found, paths):
            assert listed(spans) == tokens_by(task, x, path.actions)
        best = tokens_by(task, x, after.best(after.final).actions) if after.final >= 0 else []
        assert listed(model.predict([x])[0]) == best


def listed(spans: Any) -> list[Token]:
    begins, ends, flags = (each.tolist() for each in spans)
    return list(zip(begins, ends, flags))


def tokens_by(task: SegmentationTask, text: str, actions: Sequence[int]) -> list[Token]:
    return tokens_of(cut(text, task.alone), [task.boundaries[action] for action in actions])


@settings(max_examples=100, deadline=None)
@given(tasks(), st.lists(texts, max_size=3), SEARCHES, st.integers(0, 99), st.integers(1, 3))
def test_no_token_holds_white_space_unless_it_may(
    task: SegmentationTask, xs: list[str], search: Search, seed: int, k: int
) -> None:
    """Whatever the weights are, and of the k best as well."""
    rng, cells = np.random.default_rng(seed), {}
    for x in xs:
        space = task.space(x)
        state = space.initial()
        while not space.is_final(state):
            for action in range(len(task.labels)):
                cells |= {key: float(rng.integers(-4, 5)) for key, _ in space.features(state, action)}
            state = space.advance(state, int(rng.choice(list(space.actions(state)))))
    learning = Learning.start(task, Recipe())
    hidden.started(learning, cells)
    model = Model(task, Rows(*learning.weights.pack(False)), search)
    for x, first, best in zip(xs, model.predict(xs), model.kbest(xs, k)):
        for spans in (first, *(spans for spans, _ in best)):
            tokens = listed(spans)
            assert task.spaces or not [x[b:e] for b, e, _ in tokens if any(map(str.isspace, x[b:e]))]
            assert "".join("".join(x[b:e].split()) for b, e, _ in tokens) == "".join(x.split())
