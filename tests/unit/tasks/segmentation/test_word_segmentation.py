"""Words that are built character by character: templates, actions and gold, and what a task refuses."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from structron import DataError, SettingError
from structron.engine.rows import Rows
from structron.fit import Learning
from structron.fit.recipe import Recipe
from structron.model import Model
from structron.reference import check_oracle, check_space
from structron.search import parse_search
from structron.segments.units import CLASSES, cut
from structron.tasks.segmentation import KnownTokens, SegmentationTask, WordTask
from structron.tasks.segmentation.features import WORD_PRESETS
from structron.tasks.segmentation.features.words import parse, parse_all
from structron.tasks.segmentation.words.characters import Characters
from structron.tasks.segmentation.words.clauses import clauses
from structron.tasks.segmentation.words.task import NO_TAG
from tests.parity.tasks.test_word_segmentation import TAGS, gold, tasks, texts


@settings(max_examples=20, deadline=None)
@given(st.data(), tasks(), texts)
def test_every_text_is_a_space_in_which_gold_can_be_reached(
    data: st.DataObject, task: WordTask, text: str
) -> None:
    tokens = data.draw(gold(text))
    check_space(task.space(text), limit=30)
    check_oracle(task.space(text), task.oracle(text, tokens))
    begins, ends, flags, tags = task.spans(text, task.gold(text, tokens))
    found = list(zip(begins.tolist(), ends.tolist()))
    assert found == [token[:2] for token in tokens], "actions say where words are"
    if task.labels:
        assert [task.tags[number] for number in tags.tolist()] == [token[3] for token in tokens]
    if task.sentences and tokens:
        assert flags.tolist() == [1, *(token[2] for token in tokens[1:])]


def test_templates_see_what_they_say() -> None:
    known = KnownTokens.observed([("中国人", cut("中国人", CLASSES)), ("中国", cut("中国", CLASSES))])
    task = WordTask(("n", "v"), tuple(WORD_PRESETS["joint"]), known=known, least=1)
    space = task.space("在中国人人")
    state = space.initial()
    for action in (1, 2, 0):  # 在/n 中国/v
        state = space.advance(state, action)
    seen = space.characters
    values = {
        "w[-1]": seen.word(1, 3), "w[-2]": seen.word(0, 1), "len[-1]": 2, "first[-1]": seen.values[1],
        "last[-2]": seen.values[0], "one[-2]": 1, "one[-1]": 0, "known[-1]": 2, "ahead[-1]": 4, "t[-1]": 2,
        "t[-2]": 1, "c[0]": seen.values[3], "r[-1]": 0, "seen[-1]": seen.word(1, 3),
    }  # fmt: skip
    for text, value in values.items():
        ((name, offset),) = parse(text).atoms
        assert space._value(state, name, offset) == value, text
    longer = space.advance(space.advance(state, 0), 0)  # 中国人人 is not known
    assert [space._value(longer, name, -1) for name in ("seen", "known")] == [1, 1]
    assert space._value(space.advance(state, 1), "r", -1) == 1
    assert seen.word(1, 3) == Characters("中国", known).word(0, 2), "a word is the same wherever it stands"


def test_a_word_is_known_to_its_own_text_only_if_another_stretch_has_it() -> None:
    def observed(times: int) -> KnownTokens:
        return KnownTokens.observed([("中国", cut("中国", CLASSES))] * times)

    def seen(times: int, *tokens: tuple[int, int, int]) -> tuple[int, str]:
        task = WordTask((NO_TAG,), ("bias",), known=observed(times))
        characters = task.space("中国人", tokens or None).characters
        return characters.how_known(0, 2), "known" if characters.longest_known(0) == 3 else "not known"

    as_word, apart = ((0, 2, 0), (2, 3, 0)), ((0, 1, 0), (1, 3, 0))
    assert seen(1, *as_word) == (1, "not known"), "nobody else has it"
    assert seen(1, *apart) == seen(1) == (2, "known"), "it looks like a word, and here it is none"
    assert seen(2, *as_word) == (2, "known") and seen(2) == (4, "known"), "its own stretch does not count"
    assert seen(6, *as_word) == (5, "known")


def test_white_space_inside_a_word_is_part_of_it() -> None:
    seen = Characters("a b ab", KnownTokens.empty())
    assert seen.word(0, 2) != seen.word(2, 4) and seen.word(0, 1) == seen.word(2, 3)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("w[0]", "w goes from -2 to -1; change w[0]"),
        ("c[9]", "c goes from -8 to 8"),
        ("r[1]", "r goes from -8 to -1"),
        ("word[-1]", "cannot read 'word[-1]'"),
        ("c[0] end go", "cannot read 'go'"),
        ("t[0] sentence", "a sentence has no tag; leave t[0] out"),
        (" ", "is not text"),
    ],
)
def test_a_template_that_cannot_be_is_refused(text: str, said: str) -> None:
    with pytest.raises(SettingError) as caught:
        parse(text)
    assert said in str(caught.value)


def test_a_template_given_twice_is_refused() -> None:
    with pytest.raises(SettingError, match="'c\\[0\\] end' is given twice"):
        parse_all(["c[0] end", "c[0]", "c[0]  end"])


def test_a_task_refuses_tags_that_cannot_be() -> None:
    for tags, said in [((), "0 tags"), (("a", "a"), "different"), (("a", ""), "a tag is empty")]:
        with pytest.raises(SettingError, match=said):
            WordTask(tags, ("c[0]",))
    with pytest.raises(SettingError, match="column 'feats' has no tags"):
        WordTask(("a",), ("c[0]",), column="feats")
    task = WordTask(("a",), ("c[0]",))
    with pytest.raises(DataError, match="tag 'b' is not known"):
        task.gold("中", [(0, 1, 1, "b")])
    with pytest.raises(DataError, match="a token has no tag"):
        task.gold("中", [(0, 1, 1)])


def test_a_task_comes_back_from_a_file_as_it_was() -> None:
    known = KnownTokens.observed([("中国", cut("中国", CLASSES))])
    fixed = ("c[0] t[0]", "w[-1]"), True, known, 5, np.arange(3, dtype=np.uint64), 3, "xpos", True
    task = WordTask(TAGS, *fixed)
    again: Any = SegmentationTask.restore(task.header(), task.arrays())
    assert isinstance(again, WordTask) and again.header() == task.header()
    assert all(np.array_equal(again.arrays()[name], values) for name, values in task.arrays().items())


def test_a_model_of_before_there_were_clauses_searches_whole_texts() -> None:
    task = WordTask(TAGS, ("c[0] t[0]",), clauses=True)
    header = {name: value for name, value in task.header().items() if name != "clauses"}
    again: Any = SegmentationTask.restore(header, task.arrays())
    assert task.pieces("人，人") == ["人，", "人"] and again.pieces("人，人") == ["人，人"]


@given(st.text("人，:3３ \u0301\ud800\n", max_size=12))
def test_clauses_leave_nothing_out_and_cut_no_character(text: str) -> None:
    places = clauses(text)
    assert "".join(text[begin:end] for begin, end in places) == text
    pieces = [(begin + b, begin + e) for begin, end in places for b, e, _ in cut(text[begin:end], CLASSES)]
    assert pieces == [(b, e) for b, e, _ in cut(text, CLASSES)]
    assert all(text[end - 1] in "，:" for _, end in places[:-1])


def test_a_mark_between_two_digits_ends_no_clause() -> None:
    found = {text: [text[b:e] for b, e in clauses(text)] for text in ("在1,500", "在12，人", "１：０，")}
    assert list(found.values()) == [["在1,500"], ["在12，", "人"], ["１：０，"]]


def test_exact_search_over_a_long_text_is_refused_in_a_sentence() -> None:
    task = WordTask(TAGS, ("c[0] t[0]",))
    learning = Learning.start(task, Recipe(search="beam:2"))
    model = Model(task, Rows(*learning.weights.pack(False)), parse_search("exact"))
    assert len(model.predict(["中国人"])[0].begins)
    with pytest.raises(Exception, match=r"exact search over the words of 900 characters .* use a beam"):
        model.predict(["中国人" * 300])
