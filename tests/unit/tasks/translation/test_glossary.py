"""Glossaries: this term becomes that, with phrases and with rules that have gaps."""

from __future__ import annotations

from pathlib import Path

import pytest

from structron import Translator
from structron.errors import DataError
from structron.fit.data.entries import Entries

SOURCES = ["das alte haus", "das buch", "ein haus", "ein altes buch", "das haus ist alt"]
TARGETS = ["the old house", "the book", "a house", "an old book", "the house is old"]


@pytest.fixture(scope="module", params=["phrases", "hiero"])
def translator(request: pytest.FixtureRequest) -> Translator:
    return Translator(system=request.param, tuning=0).fit(SOURCES, TARGETS)


def test_terms_become_what_the_glossary_says(translator: Translator, tmp_path: Path) -> None:
    glossary = tmp_path / "terms.tsv"
    glossary.write_text("haus\tedifice\nein buch\tsome nice volume\n")
    entries = Entries.read(glossary)
    found = translator.predict(["das haus ist alt", "ein buch", "das buch"], given=entries)
    assert "edifice" in found[0].split() and "house" not in found[0]
    assert found[1] == "some nice volume" and found[2] == translator.predict(["das buch"])[0]
    assert all("edifice" in text for text, _ in translator.predict_kbest(["das haus"], 3, given=entries)[0])
    lists = translator.predict([["das", "haus"]], given=[Entries({"das haus": "it"})])
    assert lists == [["it"]]
    assert translator.predict(["das haus"], given=[None]) == translator.predict(["das haus"])


def test_links_of_terms_are_those_of_their_words(translator: Translator) -> None:
    translator.entries = Entries({"altes buch": "worn out tome"})
    try:
        (text,), (links,) = translator.predict_with_alignment(["ein altes buch"])
    finally:
        translator.entries = None
    assert "worn out tome" in text
    assert (1, text.split().index("worn")) in links and all(i in (0, 1) for i, _ in links)


def test_a_term_has_one_translation(translator: Translator) -> None:
    with pytest.raises(DataError, match="glossary term 'haus' has 2 translations; give one"):
        translator.predict(["das haus"], given=Entries({"haus": ["house", "home"]}))
    with pytest.raises(DataError, match="glossary term 'haus' has 0 translations; give one"):
        translator.predict(["das haus"], given=Entries(["haus"]))
