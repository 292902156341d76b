"""Vowels found in words: on a language with known ones, on little, and what templates make of them."""

from __future__ import annotations

import numpy as np
import pytest

from structron import Transducer
from structron.errors import SettingError
from structron.synthetic import generate_spellings
from structron.tasks.transduction import TransductionTask
from structron.tasks.transduction.features import PRESETS, parse
from structron.tasks.transduction.words.vowels import NO_VOWELS, find_vowels

WORDS = generate_spellings(300, np.random.default_rng(0))
NAMES = "barbara katarina veronika helena monika rosalinda fernando leonora gabriela dominik rudolf hugo"


def test_the_vowels_of_names_are_vowels() -> None:
    assert find_vowels(NAMES.split()) == ("a", "e", "i", "o", "u")


@pytest.mark.parametrize(
    ("words", "vowels"), [([], ()), (["a", "b"], ()), (["aa"], ()), (["ab"], ("a",)), (["bab"], ("a",))]
)
def test_of_little_there_is_little_to_say(words: list[str], vowels: tuple[str, ...]) -> None:
    assert find_vowels(words) == vowels


def test_the_order_of_words_does_not_matter() -> None:
    sources = [pair.source for pair in WORDS]
    assert find_vowels(sources) == find_vowels(sources[::-1])


def test_they_are_found_where_templates_ask_for_them() -> None:
    asked = Transducer(templates=["s[0]", "s[0] sv[1]"], epochs=1).fit(WORDS)
    assert asked.model_.task.vowels.source == find_vowels([pair.source for pair in WORDS])
    targets = [target.split() for pair in WORDS for target in pair.targets]
    assert asked.model_.task.vowels.target == find_vowels(targets)
    assert Transducer(templates="joint", epochs=1).fit(WORDS).model_.task.vowels == NO_VOWELS


def test_rich_is_joint_and_more() -> None:
    assert PRESETS["rich"][: len(PRESETS["joint"])] == PRESETS["joint"]
    assert any(parse(text).sees_vowels for text in PRESETS["rich"])


@pytest.mark.parametrize("text", ["sv[33]", "tv[0]", "tv[-8]", "again[1]", "av[-1]"])
def test_looks_that_are_not_possible_are_refused(text: str) -> None:
    with pytest.raises(SettingError, match="template"):
        parse(text)


def test_a_vowel_that_is_no_text_is_refused() -> None:
    with pytest.raises(SettingError, match="a vowel is not text"):
        TransductionTask.of([(("a",), ("x",))], ["s[0]"], vowels=((1,), ()))
