"""Pieces that are never cut, what raw text teaches, and line ends: in definition, training and model file."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from structron import DataError, Segmenter
from structron.segments.boundaries import MUST_JOIN, SENTENCE
from structron.segments.solid import ENTITY, HASHTAG, KINDS, solid_duties
from structron.segments.units import cut
from structron.tasks.segmentation.fitting.habits_from_text import habits_from_text
from structron.tasks.segmentation.fitting.lines import with_lines
from structron.tasks.segmentation.units.habits import describe, line_marks, word_key

TEXTS = ["It's late. Go!", "Stop! It's late at the #inn."]
GOLD = [
    [["It's", "late", "."], ["Go", "!"]],
    [["Stop", "!"], ["It's", "late", "at", "the", "#inn", "."]],
]
PIECES = [
    "http://x.com/a_b?c=1&d=(e)",
    "www.example.org",
    "john@x.com",
    "anna.b-smith@mail.example.org",
    "12:45:03",
    "1.2e-5",
    "6.02E23",
    "1,200.50",
    "192.168.0.1",
    "#space",
    "@jane_doe",
    "\U0001f1eb\U0001f1f7",
    "\U0001f468\u200d\U0001f469\u200d\U0001f467",
    "\U0001f44f\U0001f3fd",
    "\u2764\ufe0f",
    "&amp;",
    "&frac12;",
    "&#8217;",
    "&#x27;",
]


def pieces(text: str, kinds: int = 511) -> list[str]:
    """Return the text, cut wherever a piece allows it."""
    found: list[str] = []
    for unit, duty in zip(cut(text), solid_duties(text, cut(text), kinds)):
        if duty & MUST_JOIN:
            found[-1] += text[unit.begin : unit.end]
        else:
            found.append(text[unit.begin : unit.end])
    return found


@pytest.mark.parametrize("piece", PIECES)
def test_pieces_are_found_and_end_where_they_should(piece: str) -> None:
    for before, after in [("", ""), ("(", ")."), ("<", ">,"), ('"', '"!')]:
        assert piece in pieces(f"See {before}{piece}{after} Then go.")


def test_what_only_looks_like_a_piece_is_none() -> None:
    plain = "No. 5 is a@b or a#b, at 5.I, 3:x and http: //y; #1 www. x@y. and A:B."
    assert all(len(piece) == 1 or piece.isalnum() for piece in pieces(plain))
    assert pieces("AT&amp;T caf&eacute;") == ["AT", "&amp;", "T", "caf", "&eacute;"]
    assert pieces("R&D; &; &#; &b; A&Bc;") == [*"R&D;", *"&;", *"&#;", *"&b;", "A", "&", "Bc", ";"]
    assert pieces("\U0001f1eb\U0001f1f7\U0001f1ec") == ["\U0001f1eb\U0001f1f7", "\U0001f1ec"]


@pytest.mark.parametrize("way", [{}, {"ends": "yes"}, {"units": "characters"}])
def test_no_model_cuts_a_piece(way: dict[str, Any], tmp_path: Path) -> None:
    own = Segmenter(epochs=2, **way).fit(TEXTS, GOLD)
    own.save(tmp_path / "m")
    for piece in PIECES:
        if way.get("units") == "characters" and piece.isascii():
            continue  # these pieces are made of runs
        text = f"Stop at {piece} It's late."
        for model in (own, Segmenter.load(tmp_path / "m")):
            ways = [model.predict(text), *(one for one, _ in model.predict_kbest([text], 3)[0])]
            for sentences in ways:
                begins = {token.start for sentence in sentences for token in sentence.tokens}
                assert not begins & set(range(9, 8 + len(piece)))


def test_a_kind_that_gold_cuts_is_left_out() -> None:
    split = [GOLD[0], [["Stop", "!"], ["It's", "late", "at", "the", "#", "inn", "."]]]
    assert Segmenter(epochs=1).fit(TEXTS, GOLD).model_.task.solid == sum(KINDS.values())
    model = Segmenter(epochs=5).fit(TEXTS * 3, split * 3)
    assert model.model_.task.solid == sum(KINDS.values()) - HASHTAG
    assert "#" in model.predict("It's late at the #inn.")[0].words


def test_entities_are_whole_unless_gold_cuts_them_also_for_older_files(tmp_path: Path) -> None:
    own = Segmenter(epochs=2).fit(TEXTS, GOLD)
    header = own.model_.task.header()
    assert "entities" not in header and header["solid"] == sum(KINDS.values()) - ENTITY, "as in older files"
    own.save(tmp_path / "m")
    assert Segmenter.load(tmp_path / "m").model_.task.solid == sum(KINDS.values())
    cut_up = [[["Stop", "!"], ["It's", "late", "&", "amp", ";", "dark", "."]], GOLD[1]]
    other = Segmenter(epochs=2).fit(["Stop! It's late &amp; dark.", TEXTS[1]], cut_up)
    other.save(tmp_path / "m")
    for model in (other, Segmenter.load(tmp_path / "m")):
        assert model.model_.task.solid == sum(KINDS.values()) - ENTITY


RAW = [
    "He met Dr. Smith at the old house. The house was old, etc. and so on.",
    "Then Dr. Jones came by. He saw the man at the house, and the man saw Jones.",
    "She and Smith like tea, milk etc. in the house. The man went home with Smith and Jones.",
]


def test_raw_text_teaches_abbreviations_and_case() -> None:
    habits = habits_from_text(RAW * 30)
    assert habits == habits_from_text(iter(RAW * 30))
    known = dict(zip(habits.keys, habits.values))
    assert known[word_key("etc")] & 3 == 3 and known[word_key("etc")] >> 2 & 3 == 3
    assert known[word_key("dr")] & 3 == 3
    assert known.get(word_key("house"), 0) & 12 == 0
    assert (known[word_key("smith")] >> 5 & 3, known[word_key("house")] >> 5 & 3) == (3, 1)
    text = "Dr. Smith, etc. The house."
    marks = describe(habits, text, cut(text))
    assert marks[1].startswith("a3") and marks[2].startswith("w3") and marks[-1][0] == "a"
    assert describe(habits_from_text([]), text, cut(text))[1] == "a0000"


def test_a_segmenter_learns_from_files_of_raw_text(tmp_path: Path) -> None:
    (tmp_path / "raw.txt").write_text("\n".join(RAW * 30), encoding="utf-8")
    own = Segmenter(epochs=3, text=str(tmp_path / "raw.txt")).fit(TEXTS * 3, GOLD * 3)
    own.save(tmp_path / "m")
    again = Segmenter.load(tmp_path / "m")
    assert again.model_.task.habits == own.model_.task.habits and own.model_.task.habits
    assert again.predict(RAW[0]) == own.predict(RAW[0])
    assert not Segmenter(epochs=1).fit(TEXTS, GOLD).model_.task.habits
    with pytest.raises(DataError, match=r"nowhere\.txt: "):
        Segmenter(text=str(tmp_path / "nowhere.txt")).fit(TEXTS, GOLD)


def test_passages_with_line_ends_have_the_same_words() -> None:
    text = "It is late. Go home, and stay there! I will not. You have to go now."
    tokens = [(u.begin, u.end, 0) for u in cut(text)]
    begins = {0, 12, 37, 49}
    gold = [(begin, end, SENTENCE * (begin in begins)) for begin, end, _ in tokens]
    texts, found = with_lines([text] * 120, [gold] * 120)
    assert texts[:120] == [text] * 120 and 150 < len(texts) < 225
    assert (texts, found) == with_lines([text] * 120, [gold] * 120)
    for written, own in zip(texts, found):
        kept = [written[begin:end] for begin, end, _ in own]
        assert "".join(kept) == "".join(written.split())
        words = [word for word in kept if word.isalpha()]
        assert words == [text[b:e] for b, e, _ in gold if text[b:e].isalpha()]
        assert sum(flags & SENTENCE for _, _, flags in own) == 4
    assert any("\n> " in written for written in texts) and any("\n- " in written for written in texts)


def test_lines_are_short_or_full() -> None:
    text = "Title\nA long line of some words, and of some more\nthat goes on to its end, here. It\nends."
    marks = dict(zip((text[u.begin : u.end] for u in cut(text)), line_marks(text, cut(text))))
    assert (marks["Title"], marks["A"], marks["that"], marks["ends"]) == ("-", "s", "f", "s")
    assert set(line_marks("One line. Only.", cut("One line. Only."))) == {"-"}
    narrow = "Yours,\nDr. Lena Fischer\nAcme Inc."  # nobody wraps text like this
    marks = dict(zip((narrow[u.begin : u.end] for u in cut(narrow)), line_marks(narrow, cut(narrow))))
    assert (marks["Dr"], marks["Acme"]) == ("s", "s")
