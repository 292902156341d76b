"""Gazetteers: the longest entry counts, engine and definition mark alike, and models keep the names."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from structron import DataError, ModelError, SettingError, Tagger, load
from structron.engine.word_lists import engine_gazetteers
from structron.features.gazetteers import Gazetteers

PLACES = Gazetteers(("places", "more"), (("New York", "New York City", "york", "Rio"), ("City",)))
words = st.lists(st.sampled_from(["New", "new", "York", "YORK", "City", "Rio", "É", "x"]), max_size=9)


def test_the_longest_entry_counts() -> None:
    sentence = ["In", "New", "York", "City", "or", "YORK", ",", "New", "Rio"]
    first, second = zip(*PLACES.marks(sentence))
    assert first == ("", "B", "I", "E", "", "S", "", "", "S")
    assert second == ("", "", "", "S", "", "", "", "", "")


@settings(max_examples=30)
@given(words, st.lists(words, min_size=1, max_size=6))
def test_the_engine_marks_alike(sentence: list[str], entries: list[list[str]]) -> None:
    lists = Gazetteers(("a", "b"), (tuple(" ".join(entry) for entry in entries), ("É É", "x")))
    assert [list(column) for column in zip(*lists.marks(sentence))] == (
        engine_gazetteers(lists).mark(sentence) if sentence else []
    )


@pytest.fixture
def cities(tmp_path: Path) -> Path:
    (tmp_path / "cities.txt").write_text("New  York\nrio\n\nLos Angeles\n")
    return tmp_path / "cities.txt"


def test_a_tagger_keeps_its_gazetteers(cities: Path, tmp_path: Path) -> None:
    X = [["in", "New", "York"], ["in", "Rio"], ["in", "time"], ["New", "year"]]
    y = [["O", "B-P", "I-P"], ["O", "B-P"], ["O", "O"], ["O", "O"]]
    templates = ["in(cities)[0]", "bias"]
    tagger = Tagger(templates=templates, gazetteers=[cities], epochs=9, learner="perceptron:plain").fit(X, y)
    cities.unlink()
    new = [["in", "Los", "Angeles"], ["in", "Los", "Alamos"]]
    assert tagger.predict(new) == [["O", "B-P", "I-P"], ["O", "O", "O"]]
    tagger.save(tmp_path / "model")
    again = load(tmp_path / "model")
    assert again.predict(new) == tagger.predict(new)
    task = again.model_.task
    assert task.gazetteers == tagger.model_.task.gazetteers and task.columns == 1
    space = task.space(new[0])
    assert space.tokens == [("in", ""), ("Los", "B"), ("Angeles", "E")]
    arrays = task.arrays()
    with pytest.raises(ModelError, match="its gazetteer 'cities' is missing"):
        Gazetteers.restore(["cities"], {})
    assert Gazetteers.restore(["cities"], arrays) == task.gazetteers


def test_ready_sets_get_templates_of_gazetteers(cities: Path) -> None:
    task = Tagger(gazetteers=str(cities)).plan([[("Rio", "N")]], [["B-P"]]).task
    assert {"in(cities)[0]", "t[-1] in(cities)[0]"} <= set(task.templates) and task.columns == 2
    assert {a.column for t in task.parsed for a in t.atoms if a.gazetteer} == {2}


def test_gazetteers_that_cannot_be_are_told(cities: Path, tmp_path: Path) -> None:
    (tmp_path / "empty.txt").write_text("\n")
    for given_files, templates, kind, said in (
        (None, ["in(cities)[0]"], SettingError, "there is no gazetteer 'cities'; give gazetteers"),
        (str(cities), ["in(towns)[0]"], SettingError, "no gazetteer 'towns'; there are cities"),
        (str(cities), ["in[0]"], SettingError, "in needs the name of a gazetteer"),
        ([cities, cities], "auto", SettingError, "gazetteer 'cities' cannot be called by its file"),
        (str(tmp_path / "empty.txt"), "auto", DataError, "there are no names in this gazetteer"),
    ):
        with pytest.raises(kind, match=said):
            Tagger(gazetteers=given_files, templates=templates).fit([["a"]], [["x"]])
