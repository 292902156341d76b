"""Texts of which only some tokens are known, as users meet them."""

from __future__ import annotations

from pathlib import Path

import pytest

from structron import Segmenter
from structron.errors import DataError, SettingError
from structron.segments.boundaries import SomeTokens
from structron.tasks.segmentation.fitting.sentences_found import learned_from_whole, with_sentences

TEXTS = ["the dog-like cat barks.", "a cat sleeps. the dog runs.", "an e-mail came."] * 3
GOLD = [
    [["the", "dog", "-", "like", "cat", "barks", "."]],
    [["a", "cat", "sleeps", "."], ["the", "dog", "runs", "."]],
    [["an", "e-mail", "came", "."]],
] * 3


def words(segmenter: Segmenter, text: str) -> list[str]:
    return [word for sentence in segmenter.predict(text) for word in sentence.words]


def test_known_tokens_are_learned_and_the_others_stay_as_they_were() -> None:
    text = "she wrote p.m. and left."
    before = Segmenter(epochs=5).fit(TEXTS, GOLD)
    assert "p.m." not in words(before, text)
    after = Segmenter(epochs=5).fit([*TEXTS, *["we met at 3 p.m. there."] * 3], [*GOLD, *[[(12, 16)]] * 3])
    assert words(after, text) == ["she", "wrote", "p.m.", "and", "left", "."]
    assert [words(after, each) for each in TEXTS] == [words(before, each) for each in TEXTS]


def test_sentences_begin_where_a_segmenter_of_the_whole_texts_finds_them() -> None:
    xs, ys = (
        [*TEXTS, "a dog runs. a cat barks."],
        [*([(0, len(x), 1)] for x in TEXTS), SomeTokens([(0, 1, 0)])],
    )
    model = Segmenter(epochs=5).fit(TEXTS, GOLD).model_
    found = with_sentences(model, xs, ys)
    assert found[:-1] == ys[:-1]
    assert isinstance(found[-1], SomeTokens) and found[-1] == ys[-1]
    assert found[-1].sentences == frozenset([0, 12])
    whole = learned_from_whole(Segmenter, Segmenter(epochs=1).recipe, xs[-1:], ys[-1:])
    assert whole is None, "no text is known as a whole"


def test_texts_may_all_be_known_in_part_and_have_paragraphs(tmp_path: Path) -> None:
    texts = ["a b.\n\nc d.", "e f."]
    segmenter = Segmenter(epochs=2).fit(texts, [[(0, 1), (6, 7)], [(0, 1)]])
    assert words(segmenter, "a f.")[0] == "a"
    segmenter.partial_fit(texts[1:], [[(2, 3)]])
    segmenter.save(tmp_path / "m")
    assert words(Segmenter.load(tmp_path / "m"), "a f.") == words(segmenter, "a f.")


def test_what_does_not_fit_is_refused() -> None:
    for spans, said in (
        ([(0, 99)], "ends beyond the text"),
        ([(3, 1)], r"\(3, 1\) is not a token"),
        ([(0, 3), (2, 5)], "overlap"),
        ([(0, 3), ("a", "b")], "is not a token"),
    ):
        with pytest.raises(DataError, match=said):
            Segmenter(epochs=1).fit([*TEXTS, "we left."], [*GOLD, spans])
    with pytest.raises(DataError, match="goes over an empty line"):
        Segmenter(epochs=1).fit(["a\n\nb"], [[(0, 4)]])
    with pytest.raises(SettingError, match="learn from whole texts; use system labels"):
        Segmenter(system="words", epochs=1).fit([*TEXTS, "we left."], [*GOLD, [(0, 2)]])
    with pytest.raises(DataError, match="text 1: not all tokens are known; score on whole texts"):
        Segmenter(epochs=1).fit(TEXTS, GOLD).score(["we left."], [[(0, 2)]])
    with pytest.raises(DataError, match="text 1: not all of the right output is known; give all of it"):
        Segmenter(epochs=1).fit(TEXTS, GOLD).correct(["we left."], [[(0, 2)]])
    with pytest.raises(DataError, match="not all tokens are known"):
        Segmenter(epochs=1).fit(TEXTS, GOLD, dev=(["we left."], [[(0, 2)]]))
