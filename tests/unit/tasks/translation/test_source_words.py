"""Compounds are taken apart, unseen words are met by known forms, and both are in the model file."""

from __future__ import annotations

import itertools
import pickle
from pathlib import Path

import numpy as np
import pytest

from structron.errors import ModelError
from structron.tasks.translation import Translator
from structron.tasks.translation.words.compounds import Compounds, has_compounds
from structron.tasks.translation.words.source_words import UNCHANGED, SourceWords
from structron.tasks.translation.words.word_forms import WordForms

COUNTS = {"haus": 40, "tür": 9, "garten": 8, "schlüssel": 6, "haustürschlüssel": 1, "kind": 7}


@pytest.mark.parametrize(
    ("word", "parts"),
    [
        ("gartenhaus", ("garten", "haus")),
        ("gartenshaus", ("garten", "haus")),
        ("kinderhaus", ("kinderhaus",)),  # er joins nothing
        ("haustürschlüssel", ("haustürschlüssel",)),  # a part has at least four letters
        ("gartenhausschlüssel", ("garten", "haus", "schlüssel")),
        ("haus-kind", ("haus", "kind")),
        ("-haus-", ("-haus-",)),
        ("jean-luc", ("jean-luc",)),  # nothing of it is known
        ("haus", ("haus",)),
        ("", ("",)),
    ],
)
def test_a_compound_is_split_into_what_is_seen_more_often(word: str, parts: tuple[str, ...]) -> None:
    assert Compounds(COUNTS).parts(word) == parts


def test_a_word_stays_whole_if_it_is_seen_more_often_than_its_parts() -> None:
    assert Compounds({"haus": 4, "boot": 2, "hausboot": 3}).parts("hausboot") == ("hausboot",)
    assert Compounds({"haus": 4, "boot": 3, "hausboot": 3}).parts("hausboot") == ("haus", "boot")
    assert Compounds({"haus": 999, "boot": 99, "hausboot": 10}).parts("hausboot") == ("hausboot",)
    # What a part is made of is found too: its whole is in no sentence any more.
    nested = {"fuss": 50, "ball": 50, "fussball": 9, "spiel": 9}
    assert Compounds(nested).parts("fussballspiel") == ("fuss", "ball", "spiel")


def test_whether_data_have_compounds_is_a_matter_of_how_many() -> None:
    simple = {f"{a}{b}{a}{b}": 20 for a, b in itertools.product("abcdef", "ghij")}
    made = {one + other: 1 for one, other in itertools.permutations(simple, 2)}
    others = {
        f"{word}xxx{i}".translate(str.maketrans("0123456789", "klmnopqrst")): 1
        for word in simple
        for i in range(99)
    }
    assert has_compounds(simple | made)
    assert not has_compounds(simple | dict(itertools.islice(made.items(), 50))), "too few to tell"
    assert not has_compounds(simple | dict(itertools.islice(made.items(), 200)) | others), (
        "some are in every language"
    )


def test_endings_are_those_that_many_words_exchange() -> None:
    stems = ("klein", "gross", "laut", "kalt")
    forms = WordForms(
        {f"{stem}{ending}": 2 for stem in stems for ending in ("e", "en", "es")} | {"rote": 9, "bunt": 1}
    )
    assert forms.nearest("roten") == forms.nearest("rotes") == "rote"
    assert forms.nearest("rote") == "rote"
    assert forms.nearest("bunter") is None and forms.nearest("bun") is None
    assert WordForms({}).nearest("rote") is None


def test_words_of_a_file_are_checked() -> None:
    known = SourceWords.of([["gartenhaus", "haus"], ["garten"]], "split", True)
    again = SourceWords.restore(known.header, known.arrays)
    assert again.seen(["gartenhaus"]) == known.seen(["gartenhaus"])
    assert pickle.loads(pickle.dumps(known)).seen(["haus"]) == ("haus",)
    assert SourceWords.restore({}, {}) is UNCHANGED and UNCHANGED.seen(["x", "y"]) == ("x", "y")
    with pytest.raises(ModelError, match="the counts of its source words do not fit"):
        SourceWords(("a", "a"), np.zeros(2, np.uint32), True, True)
    with pytest.raises(ModelError):
        SourceWords.restore({"source_words": {"splits": 1, "forms": True}}, known.arrays)


def test_a_translator_sees_parts_and_tells_of_whole_words(tmp_path: Path) -> None:
    nouns = {"garten": "garden", "haus": "house", "kinder": "children", "regen": "rain", "schirm": "umbrella"}
    pairs = [(f"das {a}", f"the {b}") for a, b in nouns.items()] * 3
    pairs += [(f"das {a}{c}", f"the {b} {d}") for (a, b), (c, d) in itertools.pairwise(nouns.items())]
    sources, targets = [x for x, _ in pairs], [y for _, y in pairs]
    settings = {"tuning": 0, "min_count": 1}
    whole = Translator(**settings, compounds="whole").fit(sources, targets)
    assert whole.predict(["das gartenschirm"]) == ["the gartenschirm"]
    split = Translator(**settings, compounds="split").fit(sources, targets)
    split.save(tmp_path / "m")
    for translator in (split, Translator.load(tmp_path / "m")):
        assert translator.predict(["das gartenschirm"]) == ["the garden umbrella"]
        assert not translator.unseen_
        outputs, links = translator.predict_with_alignment(["das gartenschirm blorp"])
        assert outputs == ["the garden umbrella blorp"] and links == [[(0, 0), (1, 1), (1, 2), (2, 3)]]
        assert translator.score(["das gartenschirm das haus"], ["the garden umbrella the house"]) == 1
    assert whole.model_.task.source_words.splits is False
    assert Translator(**settings).fit(sources, targets).model_.task.source_words.splits is False
