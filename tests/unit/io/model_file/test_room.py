"""A predictor keeps what it knows of words while there is room, and loses nothing when it forgets them."""

from __future__ import annotations

import pytest

from structron import Tagger, _core

X = [["the", "old", "man", "the", "boats"], ["old", "boats", "sail"], ["a", "man", "sails", "boats"]] * 4
Y = [["D", "N", "V", "D", "N"], ["A", "N", "V"], ["D", "N", "V", "N"]] * 4
NEW = [[f"new{i}", "boats", f"word{i}", "the", f"sail{i % 7}"] for i in range(300)]

BEAM = _core.Search(4, False)


def engine(tagger: Tagger, room: int) -> _core.Predictor:
    task = tagger.model_.task
    keys, offsets, tags = task.dictionary
    after, end = task.rules
    return _core.tagging_predictor(
        task.program, list(task.labels), task.ready, tagger.model_.rows, after, end, keys, offsets, tags,
        task.bits, room,
    )  # fmt: skip


@pytest.mark.parametrize("room", [0, 1000, 20000])
def test_forgetting_words_changes_no_output(room: int) -> None:
    tagger = Tagger(epochs=3).fit(X, Y)
    roomy, narrow = engine(tagger, 64 << 20), engine(tagger, room)
    for _ in range(2):
        assert narrow.predict(NEW + X, BEAM) == roomy.predict(NEW + X, BEAM)


def test_a_refused_sentence_leaves_nothing_behind() -> None:
    tagger = Tagger(epochs=3).fit(X, Y)
    fresh, shaken = engine(tagger, 64 << 20), engine(tagger, 64 << 20)
    with pytest.raises(TypeError):
        shaken.predict([NEW[0], ["unheard", "of", 3], NEW[1]], BEAM)
    with pytest.raises(UnicodeEncodeError):
        shaken.predict([["unheard", "\ud800"]], BEAM)
    assert shaken.predict([["unheard", "of"], *NEW, *X], BEAM) == fresh.predict(
        [["unheard", "of"], *NEW, *X], BEAM
    )
