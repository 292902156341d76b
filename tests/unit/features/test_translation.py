"""Templates of translation are read as they are written, and refused in one sentence."""

from __future__ import annotations

import pytest

from structron.errors import SettingError
from structron.features.keys import BOUNDARY, combine
from structron.tasks.translation.features import PRESETS, PhraseWords, parse, parse_all

PHRASE = PhraseWords((11, 12), (21, 22), ((0, 1), (1, 0)), BOUNDARY, 13)


@pytest.mark.parametrize("name", PRESETS)
def test_presets_can_be_read(name: str) -> None:
    assert [t.text for t in parse_all(PRESETS[name])] == PRESETS[name]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "template '' is not text; write it like 's.first t.first'"),
        ("s.middle", "template 's.middle': cannot read 's.middle'; use t[-1], link, ngram(2) or one of"),
        ("t[-4]", "template 't[-4]': t[-4] is too far; t goes from -1 back to -3"),
        ("ngram(5)", "template 'ngram(5)': ngram(5) is not possible; give 1 to 4 words"),
        ("link s.first", "template 'link s.first': link and ngram stand alone; take the other atoms out"),
    ],
)
def test_bad_templates_are_refused(text: str, message: str) -> None:
    with pytest.raises(SettingError) as error:
        parse(text)
    assert str(error.value).startswith(message)


def test_the_same_template_twice_is_refused() -> None:
    with pytest.raises(SettingError, match=r"template 'rule' is given twice; leave one out"):
        parse_all(["rule", " rule "])


def test_links_are_pairs_of_words() -> None:
    link = parse("link")
    expected = [combine(combine(link.base, s), t) for s, t in ((11, 22), (12, 21))]
    assert list(link.keys(PHRASE, (), False)) == expected


def test_ngrams_reach_into_the_past_and_over_the_ends() -> None:
    bigram, trigram = parse("ngram(2)"), parse("ngram(3)")

    def keys(base: int, *ngrams: tuple[int, ...]) -> list[int]:
        found = []
        for ngram in ngrams:
            key = base
            for word in ngram:
                key = combine(key, word)
            found.append(key)
        return found

    b = BOUNDARY
    assert list(bigram.keys(PHRASE, (), False)) == keys(bigram.base, (b, 21), (21, 22))
    assert list(bigram.keys(PHRASE, (7, 8), True)) == keys(bigram.base, (8, 21), (21, 22), (22, b))
    # The first word of a sentence has no trigram: there is one boundary before it.
    assert list(trigram.keys(PHRASE, (), False)) == keys(trigram.base, (b, 21, 22))


def test_a_template_that_looks_beyond_the_boundary_is_silent() -> None:
    assert len(list(parse("t[-1]").keys(PHRASE, (), False))) == 1
    assert list(parse("t[-2]").keys(PHRASE, (), False)) == []
