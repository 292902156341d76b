"""Raw sentences become words and raw sentences again; words stay words."""

from __future__ import annotations

from pathlib import Path

import pytest

from structron import ModelError, Translator
from structron.metrics.bleu import characters, words_13a
from structron.tasks.translation.measures import cut_of
from structron.tasks.translation.words.tokenisation import AFTER, BEFORE, looks_raw, side_of_apostrophes
from structron.tasks.translation.words.truecasing import Truecaser
from structron.tasks.translation.writing import WORDS, Writing

GERMAN = ["Das Haus ist alt.", "Das Buch ist neu.", "Ein Haus, das neu ist.", "Hier ist das Buch!"] * 5
ENGLISH = ["The house is old.", "The book is new.", "A house, which is new.", "Here is the book!"] * 5
CHINESE = ["房子是旧的。", "这本书是新的。", "一座新的房子。", "书在这里！"] * 5


def words(texts: list[str]) -> list[str]:
    return [text.lower().replace(".", " .").replace(",", " ,").replace("!", " !") for text in texts]


@pytest.fixture(scope="module")
def raw() -> Translator:
    return Translator(tuning=0).fit(GERMAN, ENGLISH)


def test_raw_sentences_come_back_raw(raw: Translator) -> None:
    found = raw.predict(
        ["Das Buch ist alt.", "das Haus", "DAS BUCH IST ALT!", "", ["das", "Buch"], "Xylo Haus"]
    )
    assert found == ["The book is old.", "the house", "The book is old!", "", ["the", "book"], "Xylo house"]
    again = Translator.from_bytes(raw.to_bytes())
    assert again.predict(GERMAN) == raw.predict(GERMAN) == ENGLISH
    assert again.score(GERMAN, ENGLISH) == 1
    outputs, links = again.predict_with_alignment(["Das Haus, das neu ist."])
    assert outputs == ["The house, which is new."] and max(map(max, links[0])) == 4


def test_hiero_does_the_same_and_chinese_has_no_blanks() -> None:
    rules = Translator(system="hiero", tuning=0).fit(GERMAN, ENGLISH)
    assert Translator.from_bytes(rules.to_bytes()).predict(["Das Buch ist alt."]) == ["The book is old."]
    both = Translator(tuning=0).fit(ENGLISH, CHINESE)
    assert both.predict(["The house is old."]) == ["房子是旧的。"]
    assert Translator(tuning=0).fit(CHINESE, ENGLISH).predict(["这本书是新的。"]) == ["The book is new."]


def test_words_stay_words(raw: Translator) -> None:
    asked = Translator(tuning=0, pretokenized=True).fit(words(GERMAN), words(ENGLISH))
    left = Translator(tuning=0).fit(words(GERMAN), words(ENGLISH))
    lists = Translator(tuning=0).fit([x.split() for x in words(GERMAN)], [y.split() for y in words(ENGLISH)])
    found = left.predict(words(GERMAN))
    assert found == asked.predict(words(GERMAN)) == words(ENGLISH)
    assert [" ".join(each) for each in lists.predict([x.split() for x in words(GERMAN)])] == found
    assert "writing" not in left.model_.task.header()
    assert Translator.from_bytes(asked.to_bytes()).pretokenized is True
    forced = Translator(tuning=0, pretokenized=False).fit(["a b", "b a"] * 9, ["x y", "y x"] * 9)
    assert forced.model_.task.writing != WORDS and forced.predict(["a, b"]) == ["x, y"]


def test_dev_data_are_read_as_the_data(tmp_path: Path) -> None:
    made = Translator(tuning=1).fit(
        GERMAN, ENGLISH, dev=(["Das Buch ist alt.", "Das Haus"], ["The book is old.", "The house"])
    )
    assert made.predict(["Ein Buch."]) == ["A book."]


def test_a_broken_header_is_refused() -> None:
    with pytest.raises(ModelError, match="its writing of the source"):
        Writing.restore({"writing": {"source": ["beside", True]}}, {})
    assert Writing.restore({}, {}) == WORDS


def test_what_is_raw_and_where_apostrophes_are_cut() -> None:
    assert looks_raw(GERMAN) and looks_raw(CHINESE) and looks_raw(["他们很早就到了学校"])
    assert (
        not looks_raw(words(GERMAN))
        and not looks_raw(["", "no marks at all"])
        and not looks_raw(["你 好 。"])
    )
    assert side_of_apostrophes(["l'homme l'eau d'or l'an qu'on"]) == AFTER
    assert side_of_apostrophes(["don't can't John's he'll Mary's"]) == BEFORE
    caser = Truecaser.of([["3", "Men"], ["The", "UN"], ["A", "UN", "the", "￭.", "He"]])
    assert caser.forms == ("Men", "UN", "the") and caser.lowered(["Un"]) == ["UN"]


def test_words_that_only_begin_sentences_go_by_their_endings() -> None:
    inside = ["he", "is", "walking", "talking", "running", "singing", "reading", "quickly", "slowly"]
    inside += ["gladly", "badly", "softly", "of", "Jones", "Hughes", "Moses", "James", "Rhodes"]
    caser = Truecaser.of([["A", *inside], ["Jumping", "is"], ["Sadly", "he"], ["Hermes", "is"]])
    assert caser.lowered(["Jumping"]) == ["jumping"] and caser.lowered(["Sadly"]) == ["sadly"]
    assert caser.lowered(["Hermes"]) == ["Hermes"]
    assert caser.lowered(["Unseen"]) == ["Unseen"]  # no sentence of the data begins with it
    # Where words with such an ending have capitals, as nouns do in German, the capital stays.
    caser = Truecaser.of([["A", *map(str.title, inside)], ["Jumping", "is"]])
    assert caser.lowered(["Jumping"]) == ["Jumping"]


def test_bleu_cuts_raw_references_as_sacrebleu_does() -> None:
    sacrebleu = pytest.importorskip("sacrebleu", reason="sacreBLEU is not installed; pip install sacrebleu")
    from sacrebleu.tokenizers.tokenizer_13a import Tokenizer13a

    for text in (
        *ENGLISH,
        'He paid "3.50" - or 1,000 -, 5-6; a.b, &quot;x&amp;',
        "...",
        "",
        "l'eau (a/b) 中文。",
    ):
        assert words_13a(text) == Tokenizer13a()(text).split()
    assert characters("中 文a") == ["中", "文", "a"]
    assert [cut_of([each]) for each in (ENGLISH, words(ENGLISH), CHINESE)] == ["13a", "none", "char"]
    assert sacrebleu.__version__
