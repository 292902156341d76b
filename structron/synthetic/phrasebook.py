"""Short German sentences with their English, from a small grammar, for the playground and the tests.

What makes translation a search is in them: words that change places (the participle at the end of a perfect,
the verb before its subject after an adverb), one word for two, and two for one.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

import numpy as np

ChoiceT = TypeVar("ChoiceT")

# Article and noun, as subject and as object, beside the English; adjectives have the ending of their article.
NOUNS = (
    ("der mann", "den mann", "the man"),
    ("der hund", "den hund", "the dog"),
    ("die frau", "die frau", "the woman"),
    ("die katze", "die katze", "the cat"),
    ("das kind", "das kind", "the child"),
    ("das haus", "das haus", "the house"),
    ("das buch", "das buch", "the book"),
    ("der apfel", "den apfel", "the apple"),
)
ADJECTIVES = (("alt", "old"), ("klein", "small"), ("neu", "new"), ("gut", "good"))
PEOPLE = ("ich", "I", "habe", "have"), ("wir", "we", "haben", "have"), ("sie", "they", "haben", "have")
# Infinitive-like present of the third person, participle, and the two in English.
VERBS = (
    ("sieht", "gesehen", "sees", "seen"),
    ("findet", "gefunden", "finds", "found"),
    ("kauft", "gekauft", "buys", "bought"),
    ("sucht", "gesucht", "looks for", "looked for"),
    ("kennt", "gekannt", "knows", "known"),
)
TIMES = (("heute", "today"), ("gestern abend", "last night"), ("am montag", "on monday"))


def generate_pairs(count: int, rng: np.random.Generator) -> list[tuple[str, str]]:
    """Generate sentences with their translations, words between blanks."""
    return [_pair(rng) for _ in range(count)]


def _pair(rng: np.random.Generator) -> tuple[str, str]:
    (doer, doing), (_, seen, thing) = _noun(rng, 0), _one(NOUNS, rng)
    present, participle, sees, past = _one(VERBS, rng)
    time, when = _one(TIMES, rng)
    if rng.random() < 0.4:
        seen, thing = _noun(rng, 1)
    kind = rng.integers(5)
    if kind == 0:
        adjective, like = _one(ADJECTIVES, rng)
        return f"{doer} ist {adjective} .", f"{doing} is {like} ."
    if kind == 1:
        return f"{doer} {present} {seen} .", f"{doing} {sees} {thing} ."
    if kind == 2:
        return f"{time} {present} {doer} {seen} .", f"{when} {doing} {sees} {thing} ."
    if kind == 3:
        who, person, have, has = _one(PEOPLE, rng)
        return f"{who} {have} {seen} {participle} .", f"{person} {has} {past} {thing} ."
    return f"{time} hat {doer} {seen} {participle} .", f"{when} {doing} has {past} {thing} ."


def _noun(rng: np.random.Generator, case: int) -> tuple[str, str]:
    """Return article and noun as subject (0) or object (1), often with an adjective between them."""
    *german, english = _one(NOUNS, rng)
    article, noun = german[case].split()
    the, thing = english.split()
    if rng.random() < 0.5:
        return german[case], english
    adjective, like = _one(ADJECTIVES, rng)
    return f"{article} {adjective}{'en' if article == 'den' else 'e'} {noun}", f"{the} {like} {thing}"


def _one(choices: Sequence[ChoiceT], rng: np.random.Generator) -> ChoiceT:
    return choices[int(rng.integers(len(choices)))]
