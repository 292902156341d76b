"""GeoQuery: 600 questions to learn from, 280 to test, forms, answers, other languages, and the names."""

from __future__ import annotations

import gzip
import json
import re
import xml.etree.ElementTree as ElementTree
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

from corpora import find

from geoquery.facts import Facts, read_facts
from geoquery.funql import Funql
from structron.io import read_pairs
from structron.io.values.answers import parse_answer
from structron.io.values.terms import ANYTHING, Term, parse_term
from structron.tasks.semantics.language.gazetteer import Gazetteer
from structron.tasks.semantics.language.grammar import Grammar
from structron.tasks.semantics.language.productions import parts_of

PARTS = ("train", "test")
LANGUAGES = ("en", "de", "el", "th", "zh")  # those in which all 880 questions are asked
FOLDER = "geoquery/unimer"


class Example(NamedTuple):
    """A question with its form and its answer."""

    question: str
    form: Term
    answer: object


@cache
def load(part: str, language: str = "en") -> tuple[Example, ...]:
    """Return the examples of a part, with the forms of English; some of the other file are outdated."""
    forms = [(pair.source, pair.targets[0]) for pair in _lines(f"geo_funql_{part}.tsv.gz")]
    answers = [pair.targets[0] for pair in _lines(f"geo_answers_{part}.tsv.gz")]
    if language == "en":
        questions = [question for question, _ in forms]
    else:
        questions = translations(language)[part]
    return tuple(
        Example(question, parse_term(form), parse_answer(answer))
        for question, (_, form), answer in zip(questions, forms, answers, strict=True)
    )


def _lines(name: str) -> Iterator:  # type: ignore[type-arg]
    return read_pairs(find(f"{FOLDER}/{name}"), format="tsv")


@cache
def translations(language: str) -> dict[str, list[str]]:
    """Return the questions of each part in another language, found by the English ones."""
    with gzip.open(find("geoquery/geography-multilingual.xml.gz")) as file:
        examples = ElementTree.parse(file).getroot().findall("example")
    asked: dict[str, list[str]] = {}
    for example in examples:
        if int(example.get("id", "")) >= 880:  # twelve that are in neither part
            continue
        texts = {each.get("lang"): " ".join((each.text or "").split()) for each in example.findall("nl")}
        asked.setdefault(_bare(texts["en"]), []).append(texts[language])
    # Where a question is asked twice, its translations are taken in the order of the file.
    return {
        part: [asked[_bare(pair.source)].pop(0) for pair in _lines(f"geo_funql_{part}.tsv.gz")]
        for part in PARTS
    }


def _bare(question: str) -> str:
    """Return a question without upper case, blanks and punctuation, in which the two files differ."""
    return re.sub("[^a-z0-9]", "", question.lower())


@cache
def facts() -> Facts:
    """Return the facts of the database."""
    return read_facts(find(f"{FOLDER}/geobase.pl.gz"))


def executor() -> Funql:
    """Return what gives a form its answer."""
    return Funql(facts())


def gazetteer(forms: Iterable[Term] = ()) -> Gazetteer:
    """Return the names of the database with their constants, and of cities that only training forms name.

    A city alone stands for any city of its name, ``cityid('austin',_)``, and only with its state behind it,
    by name or abbreviation, for one, ``cityid('austin','tx')``: so it is in the training forms.
    """
    found = dict.fromkeys((*names(facts(), countries()), *cities_of(forms, facts())))
    return Gazetteer.of((words, constant) for name, constant in found for words in _spelled(name))


@cache
def countries() -> tuple[str, ...]:
    """Return what the country is called."""
    with gzip.open(find(f"{FOLDER}/geo_entities.json.gz"), "rt", encoding="utf-8") as file:
        return tuple(entry["value"] for entry in json.load(file) if entry["type"] == "country")


def typed_grammar(forms: Iterable[Term] = ()) -> Grammar:
    """Return FunQL written by hand: the types of its functions, the names of the database and the forms."""
    path = Path(__file__).with_name("funql.grammar")
    return Grammar.parse(path.read_text(encoding="utf-8"), path.name).extended(gazetteer(forms))


def names(facts: Facts, countries: Iterable[str]) -> Iterator[tuple[str, Term]]:
    """Yield each name as it is written in the facts, and what it may stand for."""
    for name in countries:
        yield name, _constant("countryid", "usa")
    cities: dict[tuple[str, str, str], None] = {}
    for state, short, capital, *_, a, b, c, d in facts["state"]:
        yield str(state), _constant("stateid", state)
        cities |= dict.fromkeys((str(city), str(state), str(short)) for city in (capital, a, b, c, d))
    cities |= dict.fromkeys((str(city), str(state), str(short)) for state, short, city, _ in facts["city"])
    for city, state, short in sorted(cities):
        yield city, Term("cityid", (Term(city, (), True), Term(ANYTHING)))
        for behind in (state, short):
            yield f"{city} {behind}", _constant("cityid", city, short)
    for name, *_ in facts["river"]:
        yield str(name), _constant("riverid", name)
    for row in facts["highlow"]:
        for place in (row[2], row[4]):
            yield str(place), _constant("placeid", place)


def cities_of(forms: Iterable[Term], facts: Facts) -> Iterator[tuple[str, Term]]:
    """Yield cities with their states in forms, as questions name them: ``springfield south dakota``."""
    states = {str(short): str(state) for state, short, *_ in facts["state"]}
    for constant in dict.fromkeys(part for form in forms for part in parts_of(form)):
        if constant.name == "cityid" and not any(part.is_anything for part in constant.arguments):
            city, short = (part.name for part in constant.arguments)
            yield f"{city} {short}", constant
            if short in states:
                yield f"{city} {states[short]}", constant


def _constant(kind: str, *values: object) -> Term:
    return Term(kind, tuple(Term(str(value), (), True) for value in values))


def _spelled(name: str) -> list[tuple[str, ...]]:
    """Return a name as words, also without its full stops."""
    return list(dict.fromkeys((tuple(name.split()), tuple(name.replace(".", "").split()))))
