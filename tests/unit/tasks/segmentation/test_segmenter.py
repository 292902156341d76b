"""Segmenter: texts from treebanks, nothing lost, and what it refuses."""

from __future__ import annotations

import itertools
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from structron import DataError, Segmenter, SettingError, load
from structron.io import read
from structron.io.formats.raw_text import paragraphs
from structron.segments.passages import passages
from structron.tasks.segmentation import MultiwordRules, SegmentationTask, SegmentedSentence, conllu

FRENCH = """# newdoc id = a
# newpar id = a-1
# text = Il va du lit.
1	Il	_	_	_	_	_	_	_	_
2	va	_	_	_	_	_	_	_	_
3-4	du	_	_	_	_	_	_	_	_
3	de	_	_	_	_	_	_	_	_
4	le	_	_	_	_	_	_	_	_
5	lit	_	_	_	_	_	_	_	SpaceAfter=No
5.1	vide	_	_	_	_	_	_	_	_
6	.	_	_	_	_	_	_	_	_

# text = L'ami va.
1	L'	_	_	_	_	_	_	_	SpaceAfter=No
2	ami	_	_	_	_	_	_	_	_
3	va	_	_	_	_	_	_	_	SpaceAfter=No
4	.	_	_	_	_	_	_	_	_

# newpar
# text = 10 000 amis du roi
1	10 000	_	_	_	_	_	_	_	_
2	amis	_	_	_	_	_	_	_	_
3-4	du	_	_	_	_	_	_	_	_
3	de	_	_	_	_	_	_	_	_
4	le	_	_	_	_	_	_	_	_
5	roi	_	_	_	_	_	_	_	_

"""
CHINESE = "中国 人 在 北京 。\n北京 人 在 中国 。\n人 在 北京 。\n"


@pytest.fixture(scope="module")
def treebank(tmp_path_factory: pytest.TempPathFactory) -> list:
    path = tmp_path_factory.mktemp("data") / "fr.conllu"
    path.write_text(FRENCH)
    return list(read(path))


@pytest.fixture(scope="module")
def french(treebank: list) -> Segmenter:
    return Segmenter(epochs=6, dictionary=1).fit(treebank * 4)


@pytest.fixture(scope="module")
def chinese(tmp_path_factory: pytest.TempPathFactory) -> Segmenter:
    path = tmp_path_factory.mktemp("data") / "zh.txt"
    path.write_text(CHINESE)
    return Segmenter(epochs=6, dictionary=1).fit(read(path, format="text"))


def test_a_treebank_becomes_the_text_it_came_from(treebank: list) -> None:
    found = passages(treebank)
    assert [one.text for one in found] == ["Il va du lit. L'ami va.", "10 000 amis du roi"]
    assert found[0].words == {2: ("de", "le")}
    assert [found[1].text[b:e] for b, e, _ in found[1].tokens] == ["10 000", "amis", "du", "roi"]
    assert [one.text for one in passages(treebank, 1)] == ["Il va du lit.", "L'ami va.", "10 000 amis du roi"]


def test_what_was_learned_is_found_again(french: Segmenter, treebank: list) -> None:
    text = "Il va du lit. L'ami va.\n\n10 000 amis du roi"
    first, second, third = french.predict(text)
    assert [token.words for token in first.tokens] == [("Il",), ("va",), ("de", "le"), ("lit",), (".",)]
    assert first.words == ["Il", "va", "de", "le", "lit", "."]
    assert second.forms == ["L'", "ami", "va", "."] and (second.start, second.end) == (14, 23)
    assert third.forms == ["10 000", "amis", "du", "roi"] and third.paragraph and not second.paragraph
    assert french.score(treebank) == 1.0
    assert french.predict([text, "Il va."])[0] == [first, second, third]
    assert french.predict_kbest([text], 2)[0][0][0] == [first, second, third]


def test_sentences_are_ready_for_conllu(french: Segmenter) -> None:
    text = "Il va\tdu  lit.\r\n\r\n10\n000 amis"
    one, two = conllu(french.predict(text))
    assert one.comments == ["# newdoc", "# newpar", "# sent_id = 1", "# text = Il va du lit."]
    assert [(row[0], row[1], row[9]) for row in one.rows] == [
        ("1", "Il", "TokenRange=0:2"),
        ("2", "va", "SpacesAfter=\\t|TokenRange=3:5"),
        ("3-4", "du", "SpacesAfter=\\s\\s|TokenRange=6:8"),
        ("3", "de", "_"),
        ("4", "le", "_"),
        ("5", "lit", "SpaceAfter=No|TokenRange=10:13"),
        ("6", ".", "SpacesAfter=\\r\\n\\r\\n|TokenRange=13:14"),
    ]
    assert two.words() == ["10 000", "amis"] and two.comments[-1] == "# text = 10 000 amis"
    assert two.rows[-1][9] == "SpaceAfter=No|TokenRange=25:29"


def test_scripts_without_blanks_are_seen_from_the_data(chinese: Segmenter, french: Segmenter) -> None:
    assert chinese.model_.task.alone == ("other",) and french.model_.task.alone == ()
    assert {"J", "JE", "T", "TE"} <= set(chinese.labels_) and "J" in french.labels_
    (sentence,) = chinese.predict("北京人在中国。")
    assert sentence.forms == ["北京", "人", "在", "中国", "。"]


def whole(text: str, found: list[SegmentedSentence]) -> None:
    """All of the text is in tokens, in order, but for white space."""
    at = 0
    for token in [token for sentence in found for token in sentence.tokens]:
        assert text[at : token.start].isspace() or at == token.start
        assert token.text == text[token.start : token.end] and token.start < token.end and all(token.words)
        at = token.end
    assert not text[at:].strip()
    bounds = [(sentence.start, sentence.end) for sentence in found]
    assert all(a[1] <= b[0] for a, b in itertools.pairwise(bounds))


ODD = "aI l'1.\n\t \r\f\u2029中国\u202e\u05d0\u0301\x00\x1c\ud800\udc00\ufeffdu10"


@given(st.lists(st.text(ODD, max_size=30) | st.text(max_size=20), max_size=4))
def test_nothing_is_lost_or_invented(french: Segmenter, chinese: Segmenter, texts: list[str]) -> None:
    for model in (french, chinese):
        for text, found in zip(texts, model.predict(texts)):
            whole(text, found)
            assert sum(len(one.sentence().rows) for one in found) >= sum(map(len, found))


@pytest.mark.parametrize("text", ["a" * 1_000_000, "中" * 50_000, " " * 1_000_000, "", "\n\n", "\ud800", "x"])
def test_texts_of_any_size_have_an_answer(french: Segmenter, chinese: Segmenter, text: str) -> None:
    for model in (french, chinese):
        whole(text, model.predict(text))


@given(st.text("ab \n\r\f", max_size=60), st.integers(1, 20))
def test_paragraphs_cover_all_but_white_space(text: str, most: int) -> None:
    found = paragraphs(text, most)
    assert all(end - begin <= most for begin, end in found)
    between = [text[a[1] : b[0]] for a, b in zip([(0, 0), *found], [*found, (len(text), len(text))])]
    assert not "".join(between).strip()
    assert all("\n\n" not in text[begin:end] for begin, end in found)


def test_a_model_is_one_file(french: Segmenter, chinese: Segmenter, tmp_path: Path) -> None:
    text = "L'ami du roi va. 10 000!"
    for model in (french, chinese):
        model.save(tmp_path / "m")
        loaded = load(tmp_path / "m")
        assert loaded.predict(text) == model.predict(text) and loaded.labels_ == model.labels_
        loaded.save(tmp_path / "n")
        assert (tmp_path / "n").read_bytes() == (tmp_path / "m").read_bytes()


def test_what_cannot_be_read_is_said(french: Segmenter) -> None:
    for X, y, said in (
        ("text", None, "X is not a list; give a list of sentences of a treebank, or of texts"),
        (["a"], None, "y is missing; give for each text its sentences, each a list of tokens"),
        (["a b"], [[["a", "c"]]], "text 1: token 'c' is not next in 'b'; check both"),
        (["a b"], [[["a"]]], "text 1: ' b' is in no token; give all tokens of a text"),
        (["a b"], [["a", "b"]], "text 1: gold is a list of sentences, each a list of tokens; give it so"),
        (["a\n\nb"], [[["a\n\nb"]]], "text 1: token 'a\\n\\nb' goes over an empty line; split it"),
        ([3], [[["a"]]], "text 1 is of type int; give a str"),
        ([], [], "there is nothing to learn from; give at least one sentence"),
    ):
        with pytest.raises(DataError) as error:
            Segmenter().fit(X, y)
        assert str(error.value) == said
    with pytest.raises(DataError, match="text 2 is of type NoneType; give a str"):
        french.predict(["a", None])
    with pytest.raises(SettingError, match="units = 'words' is not known; use one of auto, runs, characters"):
        Segmenter(units="words").fit(["a"], [[["a"]]])


TAGGED = {"中国": "ns", "北京": "ns", "人": "n", "在": "p", "。": "w"}


def tagged_chinese() -> tuple[list[str], list[list[list[tuple[str, str]]]]]:
    lines = [line.split() for line in CHINESE.splitlines()] * 3
    return ["".join(line) for line in lines], [[[(word, TAGGED[word]) for word in line]] for line in lines]


def test_characters_learn_with_the_words_that_other_stretches_have() -> None:
    X = ["中国人在北京", "北京人在上海"]
    y = [[["中国", "人", "在", "北京"]], [["北京", "人", "在", "上海"]]]
    segmenter = Segmenter(units="characters", epochs=2).fit(X, y)
    task = segmenter.model_.task
    assert str(segmenter.model_.search) == "beam:4"
    assert isinstance(task, SegmentationTask) and task.by_text

    def known(text: str, tokens: list[tuple[int, int, int]]) -> list[str]:
        return [columns[1] for _, _, columns in task.learned_units(text, tokens)]

    # 北京 is in the other stretch as well, 中国 is not; where it is no token of the text it is known.
    assert known(X[0], [(0, 2, 0), (2, 3, 0), (3, 4, 0), (4, 6, 0)]) == ["000"] * 4 + ["200", "020"]
    assert known(X[0], [(0, 1, 0), (1, 3, 0), (3, 4, 0), (4, 6, 0)])[:2] == ["200", "020"]
    assert [columns[1] for _, _, columns in task.units(X[0])][:2] == ["200", "020"]
    older = {name: value for name, value in task.header().items() if name != "by_text"}
    assert not SegmentationTask.restore(older, task.arrays()).by_text
    assert SegmentationTask.restore(task.header(), task.arrays()).by_text


def test_runs_are_labelled_greedily_and_their_files_say_no_more_than_before(french: Segmenter) -> None:
    assert str(french.model_.search) == "greedy"
    assert "by_text" not in french.model_.task.header()


def test_words_are_found_by_a_search_over_words() -> None:
    X, y = tagged_chinese()
    forms = [[[form for form, _ in one] for one in text] for text in y]
    segmenter = Segmenter(system="words", epochs=4).fit(X, forms)
    assert segmenter.score(X, forms) == 1.0 and segmenter.labels_ == []
    found = segmenter.predict("在北京。\n\n 中国 人")
    assert [one.words for one in found] == [["在", "北京", "。"], ["中国", "人"]]
    assert [one.tags for one in found] == [[], []] and found[1].start == 7
    assert str(segmenter.model_.search) == "beam:8"


def test_words_and_tags_are_found_together(tmp_path: Path) -> None:
    X, y = tagged_chinese()
    segmenter = Segmenter(system="joint", search="beam:4", epochs=4).fit(X, y)
    segmenter.save(tmp_path / "joint")
    again = load(tmp_path / "joint")
    assert isinstance(again, Segmenter) and again.score(X, y) == 1.0
    (one,) = again.predict("北京人在中国。")
    assert list(zip(one.words, one.tags)) == [(word, TAGGED[word]) for word in one.words]
    assert one.tokens[0].tag == "ns" and one.sentence(1).column("upos") == one.tags
    best = again.predict_kbest(["人在"], 3)[0]
    assert len({str((one[0].words, one[0].tags)) for one, _ in best}) == 3
    assert best[0][1] >= best[1][1] >= best[2][1]
    trace = again.trace("北京人", [[("北京", "ns"), ("人", "n")]])
    assert trace.gold(trace.final).actions[1] == 0, "the second character goes on with the word"


def test_sentences_and_tags_of_a_treebank_are_found_together(tmp_path: Path) -> None:
    rows = FRENCH.replace("\t_\t_\t_\t_\t_\t_\t", "\t_\tX\t_\t_\t_\t_\t")
    (tmp_path / "fr.conllu").write_text(rows)
    treebank = list(read(tmp_path / "fr.conllu"))
    segmenter = Segmenter(system="joint", epochs=8).fit(treebank * 4)
    found = segmenter.predict("Il va du lit. L'ami va.")
    assert [one.forms for one in found] == [["Il", "va", "du", "lit", "."], ["L'", "ami", "va", "."]]
    assert segmenter.labels_ == ["X", "X+X"] and found[0].tags == ["X", "X", "X+X", "X", "X"]


def test_a_word_counts_the_stretches_that_have_it() -> None:
    """Forty lines are twenty stretches of two: a word that comes twice in one of them was seen there only."""
    lines = [["中国"], ["中国", "人民"], *[["和"]] * 37, ["人民"]]
    segmenter = Segmenter(system="words", epochs=1).fit(
        ["".join(line) for line in lines], [[x] for x in lines]
    )
    known = segmenter.model_.task.known
    assert sorted(known.whole) == [0, 0, 1, 2], "beginnings, 中国, 人民"


def test_clauses_are_the_examples_where_no_sentences_are_found() -> None:
    text = "人在，中国！人"
    gold = [[("人", "n"), ("在", "p"), ("，", "w"), ("中国", "ns"), ("！", "w"), ("人", "n")]]
    plan = Segmenter(system="joint").plan([text], [gold])
    assert list(plan.examples.xs) == ["人在，", "中国！", "人"]
    assert plan.examples.ys[1] == [(0, 2, 0, "ns"), (2, 3, 0, "w")]
    whole = Segmenter(system="joint").plan([text], [[gold[0][:5], gold[0][5:]]])
    assert list(whole.examples.xs) == [text] and whole.task.sentences


def test_a_text_is_searched_clause_by_clause() -> None:
    X, y = tagged_chinese()
    segmenter = Segmenter(system="joint", epochs=2).fit(X, y)
    text = "北京人，中国人！人在中国"
    (whole,) = segmenter.predict(text)
    pieces = segmenter.paragraphs(text)
    assert pieces == ["北京人，", "中国人！", "人在中国"]
    assert whole.words == [word for piece in pieces for one in segmenter.predict(piece) for word in one.words]
    found, parts = segmenter.explain(text), [segmenter.explain(piece) for piece in pieces]
    assert found.score == pytest.approx(segmenter.predict_kbest([text], 1)[0][0][1])
    assert [each.guess for each in found.decisions] == [d.guess for part in parts for d in part.decisions]


def test_without_a_dictionary_templates_see_words_themselves() -> None:
    X, y = tagged_chinese()
    known, new = (
        Segmenter(system="joint", epochs=1, dictionary=n).fit(X, y).model_.task.templates for n in (2, 0)
    )
    assert "seen[-1]" in known and "w[-1]" not in known
    assert "w[-1]" in new and not any("seen" in text for text in new) and len(new) == len(known)


def test_what_joint_segmentation_cannot_do_is_said() -> None:
    X, y = tagged_chinese()
    with pytest.raises(DataError, match="text 1: token '中国' has no tag; give each as a pair"):
        Segmenter(system="joint").fit(X, [[[form for form, _ in one] for one in text] for text in y])
    with pytest.raises(SettingError, match="templates 'characters' are not known; use auto, words, joint"):
        Segmenter(system="joint", templates="characters").fit(X, y)
    with pytest.raises(
        SettingError, match="system = 'sentences' is not known; use one of labels, words, joint"
    ):
        Segmenter(system="sentences").fit(X, y)
    learner = Segmenter(system="joint").partial_fit(X[:1], y[:1], labels=["zz"])
    assert "zz" in learner.labels_
    with pytest.raises(DataError, match="tag 'x' is not known"):
        learner.partial_fit(["中"], [[[("中", "x")]]])


@given(st.text(max_size=40))
def test_no_character_is_lost_by_a_search_over_words(text: str) -> None:
    forms = [form for one in JOINT.predict(text) for form in one.forms]
    assert "".join("".join(forms).split()) == "".join(text.split())


JOINT = Segmenter(system="joint", search="beam:2", epochs=2).fit(*tagged_chinese())


def test_a_token_that_always_was_several_words_is_split_whatever_its_label() -> None:
    # One label alone, T, that no token of several words has: what splits them are rules.
    texts = ["I gotta go.", "You gotta go."] * 2
    words = [[["I", "gotta", "go", "."]], [["You", "gotta", "go", "."]]] * 2
    segmenter = Segmenter(epochs=2).fit(texts, words)
    task = segmenter.model_.task
    assert isinstance(task, SegmentationTask)
    rules = MultiwordRules.learned([("gotta", ["got", "ta"])] * 2)
    segmenter.model_.task = replace(task, multiword=rules)
    (sentence,) = segmenter.predict("Gotta go.")
    assert sentence.words == ["Got", "ta", "go", "."]
    assert sentence.forms == ["Gotta", "go", "."]
