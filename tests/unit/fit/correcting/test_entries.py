"""Entries of a dictionary that have a weight: they win unless the best output is ahead by more."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from structron import Segmenter, Tagger, Translator
from structron.errors import DataError, ModelError, SettingError
from structron.fit.data.entries import Entries

X = [["the", "dog", "barks"], ["the", "cats", "bark"], ["a", "dog", "runs"]]
Y = [["DT", "NN", "VBZ"], ["DT", "NNS", "VBP"], ["DT", "NN", "VBZ"]]


@pytest.fixture(scope="module")
def tagger() -> Tagger:
    return Tagger(epochs=5, search="exact").fit(X, Y)


def best(tagger: Tagger, given: Any = None) -> float:
    return tagger.predict_kbest(X[:1], 1, given=given)[0][0][1]


def test_an_entry_wins_if_it_costs_no_more_than_its_weight(tagger: Tagger) -> None:
    free = tagger.predict(X)
    cost = best(tagger) - best(tagger, [[None, "VBP", None]])
    assert cost > 1 and free[0][1] == "NN"
    for weight, label in ((cost + 0.01, "VBP"), (cost - 0.01, "NN"), (0, "NN")):
        entries = Entries({"dog": "VBP"}, weight=weight)
        found = tagger.predict(X[:1], given=entries)
        assert found[0][1] == label
        assert found == (free[:1] if label == "NN" else tagger.predict(X[:1], given=Entries({"dog": "VBP"})))
        assert tagger.predict_kbest(X[:1], 2, given=entries)[0][0][0] == found[0]
    # What agrees with the model costs nothing.
    assert tagger.predict(X, given=Entries({"dog": "NN"}, weight=0)) == free


def test_entries_are_weighed_one_by_one_from_the_left(tagger: Tagger) -> None:
    first = best(tagger) - best(tagger, [["NN", None, None]])
    both = best(tagger, [["NN", None, None]]) - best(tagger, [["NN", "VBP", None]])
    weight = {"the": first + 0.01, "dog": both + 0.01}
    entries = Entries({"the": "NN", "dog": "VBP", "barks": "DT"}, weight | {"barks": 0})
    assert tagger.predict(X[:1], given=entries) == tagger.predict(X[:1], given=[["NN", "VBP", None]])
    entries = Entries({"the": "NN", "dog": "VBP"}, weight | {"dog": both - 0.01})
    assert tagger.predict(X[:1], given=entries) == tagger.predict(X[:1], given=[["NN", None, None]])
    # An entry without a weight wins always, whatever the others do.
    entries = Entries({"the": "NN", "dog": "VBP"}, {"dog": 0})
    assert tagger.predict(X, given=entries)[2][:2] == ["DT", "NN"]
    assert tagger.predict(X, given=entries)[0][0] == "NN"


def test_names_and_tokens_have_weights(tmp_path: Path) -> None:
    towns = [["New", "York", "is", "big"], ["in", "old", "Paris", "now"]]
    namer = Tagger(epochs=4).fit(towns, [["B-LOC", "I-LOC", "O", "O"], ["O", "O", "B-LOC", "O"]])
    words = [["in", "Big", "Apple", "now"]]
    assert namer.predict(words, given=Entries({"Big Apple": "LOC"}, 1000))[0][1:3] == ["B-LOC", "I-LOC"]
    assert namer.predict(words, given=Entries({"Big Apple": "LOC"}, 0)) == namer.predict(words)
    texts = ["the dog-like cat barks.", "an e-mail came."]
    gold = [[["the", "dog", "-", "like", "cat", "barks", "."]], [["an", "e-mail", "came", "."]]]
    own = Segmenter(epochs=3).fit(texts, gold)
    text = "a dog-like dog runs.\n\na dog-like cat."
    free = own.predict(text)
    path = tmp_path / "tokens.tsv"
    for weight, joined in (("0", 0), ("100000", 2)):
        path.write_text(f"dog-like\tweight={weight}\n")
        found = own.predict(text, given=Entries.read(path))
        assert sum(list(s.words).count("dog-like") for s in found) == joined
        assert joined or [s.words for s in found] == [s.words for s in free]


def test_wrong_weights_are_one_sentence(tagger: Tagger, tmp_path: Path) -> None:
    for weight, said in (
        (-1, "weight -1 of an entry is not possible; give a number from 0"),
        (float("nan"), "is not possible"),
        (True, "is not possible"),
        ({"cow": 1}, "weight of 'cow': the dictionary has no such entry"),
    ):
        with pytest.raises(DataError, match=said):
            Entries({"dog": "NN"}, weight=weight)
    path = tmp_path / "a.tsv"
    for line, said in (
        (
            "dog\tNN\tweight=x",
            "a.tsv:1: 'weight=x' is not a weight; write a number from 0, such as weight=2.5",
        ),
        ("dog\tNN\tweight=-1", "is not a weight"),
        ("dog\tNN\tweight=1e9", "is not a weight"),
    ):
        path.write_text(line + "\n")
        with pytest.raises(DataError, match=said):
            Entries.read(path)
    path.write_text("dog\tNN\tVBP\tweight=2.5\n")
    entries = Entries.read(path)
    assert entries.labels == {("dog",): ("NN", "VBP")} and entries.weights == {("dog",): 2.5}
    translator = Translator(tuning=0).fit(["das alte haus", "das buch"], ["the old house", "the book"])
    with pytest.raises(SettingError, match="win always; leave their weights out"):
        translator.predict(["das haus"], given=Entries({"haus": "home"}, weight=1))


def test_a_model_that_was_trained_with_a_dictionary_keeps_to_it(tmp_path: Path) -> None:
    path = tmp_path / "words.tsv"
    path.write_text("dog\tNNS\nbark\tVBP\tVBZ\ncow\tNN\na\tNN\tweight=0\n")
    with pytest.warns(match="2 labels of the training data are otherwise in the dictionary, which wins"):
        own = Tagger(epochs=5, dictionary_file=path).fit(X, Y)
    path.unlink()  # the model has the entries
    assert own.predict([*X, ["a", "dog"]])[3] == ["DT", "NNS"]
    assert [labels[1] for labels in own.predict(X)] == ["NNS", "NNS", "NNS"]
    again = Tagger.from_bytes(own.to_bytes())
    assert again.to_bytes() == own.to_bytes() and again.predict(X) == own.predict(X)
    assert again.score(X, Y) == pytest.approx(7 / 9) and again.judge(X, Y)[0].guess[1] == "NNS"
    assert all(best[1] == "NNS" for best, _ in again.predict_kbest(X[:1], 3)[0])
    again.partial_fit(X, Y)
    assert again.predict([["dog", "dog"]]) == [["NNS", "NNS"]]
    again.entries = Entries({"dog": "VBZ"})  # the user's own comes first
    assert again.predict([["dog"]]) == [["VBZ"]]
    for line, said in (("dog\tNNX\n", "label 'NNX' is not one of the model's"), ("dog\n", "has no label")):
        path.write_text(line)
        with pytest.raises(DataError, match=said):
            Tagger(epochs=1, dictionary_file=path).fit(X, Y)
    with pytest.raises(DataError, match="no-such-file: no such file"):
        Tagger(dictionary_file=tmp_path / "no-such-file").fit(X, Y)
    own.model_.about["entries"] = [["x"]]
    with pytest.raises(ModelError, match="dictionary is not as structron writes it"):
        Tagger.from_bytes(own.to_bytes()).predict(X)


def test_names_and_tokens_win_over_gold(tmp_path: Path) -> None:
    path = tmp_path / "names.tsv"
    path.write_text("New York\tLOC\nold Paris\tLOC\n")
    words = [["New", "York", "City", "big"], ["in", "old", "Paris", "now"]]
    gold = [["B-ORG", "I-ORG", "I-ORG", "O"], ["O", "O", "B-LOC", "O"]]
    with pytest.warns(match="5 labels of the training data"):
        own = Tagger(epochs=4, dictionary_file=path).fit(words, gold)
    found = own.predict([*words, ["now", "New", "York"]])
    assert [labels[:2] for labels in found[:2]] == [["B-LOC", "I-LOC"], ["O", "B-LOC"]]
    assert found[2] == ["O", "B-LOC", "I-LOC"] and "I-ORG" not in found[0]
    path.write_text("dog-like\n")
    texts = ["the dog-like cat barks.", "an e-mail came."]
    tokens = [[["the", "dog", "-", "like", "cat", "barks", "."]], [["an", "e-mail", "came", "."]]]
    with pytest.warns(match="1 token of the training data is otherwise"):
        cutter = Segmenter(epochs=4, dictionary_file=path).fit(texts, tokens)
    again = Segmenter.from_bytes(cutter.to_bytes())
    assert "dog-like" in [word for s in again.predict("a dog-like dog.") for word in s.words]
    assert again.score(texts, tokens) == cutter.score(texts, tokens) < 1
    path.write_text("们在\n")
    with pytest.warns(match="1 token of the training data is otherwise"):
        builder = Segmenter(system="words", epochs=4, dictionary_file=path).fit(
            ["我们在，他们"], [[["我", "们", "在", "，", "他们"]]]
        )
    assert "们在" in Segmenter.from_bytes(builder.to_bytes()).predict("你们在")[0].words
