"""Lemmatizers: known words first, scripts for new ones, and never an empty lemma."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import structron
from structron import DataError, Lemmatizer, ModelError, SettingError
from structron.io import Format, Sentence
from structron.model import Model

NOUNS = ["dog", "cat", "cow", "pig", "hen", "goat"]
X = [[(f"{noun}s", "NOUN", "Number=Plur"), (noun, "NOUN", "Number=Sing")] for noun in NOUNS]
X += [[("saw", "NOUN", "Number=Sing"), ("saw", "VERB", "Tense=Past"), ("geese", "NOUN", "Number=Plur")]] * 2
Y = [[noun, noun] for noun in NOUNS] + [["saw", "see", "goose"]] * 2


@pytest.fixture(scope="module")
def fitted() -> Lemmatizer:
    return Lemmatizer(epochs=5).fit(X, Y)


def test_known_words_have_the_lemma_they_had_with_that_tag(fitted: Lemmatizer) -> None:
    assert fitted.score(X, Y) == 1.0
    new = [[("saw", "VERB", "_"), ("geese", "NOUN", "Case=Nom"), ("ducks", "NOUN", "Number=Plur")]]
    assert fitted.predict(new) == [["see", "goose", "duck"]]


def test_of_several_lemmas_the_most_frequent_is_kept() -> None:
    words = [[("lay", "VERB", "_")]] * 5
    assert Lemmatizer(epochs=1).fit(words, [["lie"], ["lay"], ["lay"], ["lie"], ["lay"]]).predict(
        words[:1]
    ) == [["lay"]]


@given(st.lists(st.tuples(st.text(min_size=1), st.text(), st.text()), max_size=4))
def test_a_lemma_is_never_empty(words: list[tuple[str, str, str]]) -> None:
    own = test_a_lemma_is_never_empty.__dict__.setdefault("own", Lemmatizer(epochs=1).fit(X, Y))
    try:
        (found,) = own.predict([words])
    except DataError:
        assert any("\ud800" <= c <= "\udfff" for word in words for text in word for c in text)
    else:
        assert len(found) == len(words) and all(found)


def test_a_file_gives_the_same(fitted: Lemmatizer, tmp_path) -> None:
    fitted.save(tmp_path / "m")
    for loaded in (Lemmatizer.load(tmp_path / "m"), structron.load(tmp_path / "m")):
        assert loaded.predict(X) == fitted.predict(X) and loaded.get_params() == fitted.get_params()
        loaded.save(tmp_path / "again")
        assert (tmp_path / "again").read_bytes() == (tmp_path / "m").read_bytes()


def test_a_damaged_file_is_refused(fitted: Lemmatizer) -> None:
    header, arrays = fitted.model_.stored()
    for name, wrong in {
        "known.numbers": arrays["known.numbers"][:-1],
        "known.keys": arrays["known.keys"][::-1],
        "known.scripts.utf8": np.zeros(1, np.uint8),
    }.items():
        with pytest.raises(ModelError):
            Model.restored(header, dict(arrays) | {name: wrong})
    with pytest.raises(ModelError, match="least_tags"):
        Model.restored(header | {"least_tags": True}, arrays)


def test_sentences_from_files_bring_their_columns(fitted: Lemmatizer) -> None:
    rows = [["1", "dogs", "dog", "NOUN", "NNS", "Number=Plur", "0", "root", "_", "_"]]
    sentence = Sentence(rows, Format("conllu"))
    assert fitted.predict([sentence]) == [["dog"]] and fitted.score([sentence]) == 1.0
    assert Lemmatizer(epochs=1).fit([sentence] * 2).predict([sentence]) == [["dog"]]


@pytest.mark.parametrize(
    ("x", "y", "said"),
    [
        ([["dogs"]], [["dog"]], "has not 3 texts; give"),
        ([[("a", "X", "_")]], [["a", "b"]], "1 words but 2 lemmas"),
        ([[("a", "X", "_")]], [], "1 sentences but 0 lists"),
        ([[("a", "X", "_")]], [[""]], "a lemma is empty"),
        ([[("", "X", "_")]], [["a"]], "a form is empty"),
        ([[("a", "X", "_")]], None, "y is missing"),
        (["dogs"], [["dog"]], "is of type str"),
        ([], [], "nothing to learn from"),
    ],
)
def test_what_cannot_be_learned_from_is_refused(x, y, said: str) -> None:
    with pytest.raises(DataError, match=said):
        Lemmatizer().fit(x, y)


def test_before_fit_and_with_bad_settings_it_says_so() -> None:
    with pytest.raises(SettingError, match="has learned nothing yet; call fit or load first"):
        Lemmatizer().predict(X)
    with pytest.raises(SettingError, match="min_count = 0 is not possible"):
        Lemmatizer(min_count=0).fit(X, Y)


def test_a_new_word_at_the_start_of_a_sentence_loses_its_capital_if_its_tag_says_so() -> None:
    nouns = ["Dog", "Cat", "Cow", "Pig", "Hen", "Fox", "Rat", "Bat", "Owl", "Elk", "Emu", "Ape"]
    X = [[(f"{noun}s", "NOUN", "_"), ("run", "VERB", "_"), (noun, "PROPN", "_")] for noun in nouns]
    X += [[('"', "PUNCT", "_"), (name, "PROPN", "_")] for name in nouns]
    y = [[noun.lower(), "run", noun] for noun in nouns] + [['"', noun] for noun in nouns]
    lemmas = Lemmatizer().fit(X, y)
    assert lemmas.model_.about["initial"] == ["NOUN"]
    again = Lemmatizer.of_model(lemmas.model_, "x")
    for own in (lemmas, again):
        assert own.predict([[('"', "PUNCT", "_"), ("Yaks", "NOUN", "_")]]) == [['"', "yak"]]
        assert own.folded(["Yaks", "Yaks"], ["PROPN", "NOUN"]) == ["Yaks", "Yaks"]
        assert own.folded(["Dogs", "run"], ["NOUN", "VERB"]) == ["Dogs", "run"]  # known
        assert own.folded(["YAKS", "run"], ["NOUN", "VERB"]) == ["YAKS", "run"]
        assert own.explain([("Yaks", "NOUN", "_")]).output == "yak"
