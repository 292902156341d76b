"""Jobs640: 500 questions to learn from and 140 to test, with forms in FunQL; the names of its database."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path

from corpora import find

from structron.io import Question, Term, read_questions
from structron.io.files import streams
from structron.tasks.semantics.language.gazetteer import Gazetteer
from structron.tasks.semantics.language.grammar import Grammar
from structron.tasks.semantics.language.productions import parts_of

PARTS = ("train", "test")
LONGEST = 4  # words of a name; what is longer is hardly ever asked for
# What is listed with each job, and what stands in the fact of the job itself.
_LISTED = re.compile(r"^(language|platform|application|area|city|country)\('[^']*', *'([^']*)'\)\.")
_JOB = re.compile(r"^job\('[^']*',\w+,'([^']*)',\s*'([^']*)','([^']*)',\s*[^,]*,[^,]*,'([^']*)','([^']*)'")
_FIELDS = ("TITLE", "COMPANY", "RECRUITER", "DEGREE", "DEGREE")
_TYPES = {"city": "PLACE", "country": "PLACE", "loc": "PLACE", "req_deg": "DEGREE", "des_deg": "DEGREE"}
_TYPES |= {"req_exp": "YEARS", "des_exp": "YEARS"}
# Years of experience, and dollars that may be asked for.
YEARS = range(1, 31)
SALARIES = {
    "year": range(5_000, 200_001, 5_000),
    "month": range(1_000, 10_001, 1_000),
    "hour": range(5, 101, 5),
}


def type_of(relation: str) -> str:
    """Return the type of what a relation gives, ``language`` or ``language_1``."""
    name = relation.removesuffix("_1")
    return _TYPES.get(name, name.upper())


@cache
def load(part: str) -> tuple[Question, ...]:
    """Return the questions of a part, with their forms."""
    return tuple(read_questions(find(f"jobs/job_funql_{part}_fixed.tsv.gz")))


@cache
def database() -> tuple[tuple[str, Term], ...]:
    """Return every name of the database with its type, and numbers.

    Some of the file is no good Prolog: it is read fact by fact, and what cannot be read is left out.
    """
    found: dict[tuple[str, str], None] = {}
    with streams.reading(find("jobs/jobsq.pl.gz"), "latin-1") as lines:
        listed = list(lines)
    for number, line in enumerate(listed):
        if fact := _LISTED.match(line):
            found[type_of(fact[1]), fact[2]] = None
        elif line.startswith("job(") and (job := _JOB.match("".join(listed[number : number + 4]))):
            found |= dict.fromkeys(zip(_FIELDS, job.groups()))
    names = [
        (kind, Term("const", (Term(" ".join(value.split())),)))
        for kind, value in found
        if value.split() and value != "n/a" and len(value.split()) <= LONGEST
    ]
    names += [("YEARS", Term("const", (Term(str(years)),))) for years in YEARS]
    for unit, amounts in SALARIES.items():
        for amount in amounts:
            for function in ("salary_greater_than", "salary_less_than"):
                names.append(("SALARY", Term(function, (Term(str(amount)), Term(unit)))))
    return tuple(dict.fromkeys(names))


def names_of(forms: Iterable[Term]) -> Iterator[tuple[str, Term]]:
    """Yield the constants of forms with their types; the database has not all of them."""
    for form in forms:
        for part in parts_of(form):
            if part.name.startswith("salary_"):
                yield "SALARY", part
            for name in part.arguments:
                if name.name == "const":
                    yield type_of(part.name), name


def typed_grammar(forms: Iterable[Term]) -> Grammar:
    """Return FunQL of Jobs with types, the names of the database, and those of the training forms."""
    path = Path(__file__).with_name("jobs.grammar")
    names = dict.fromkeys((*database(), *names_of(forms)))
    lines = path.read_text(encoding="utf-8").splitlines()
    lines += [f"{kind} -> {constant}" for kind, constant in names]
    return Grammar.parse(lines, path.name).extended(named(constant for _, constant in names))


@cache
def gazetteer() -> Gazetteer:
    """Return the names of the database as questions have them."""
    return named(constant for _, constant in database())


def named(constants: Iterable[Term]) -> Gazetteer:
    """Return constants with their names: of a salary the number alone."""
    return Gazetteer.of(
        (words, constant) for constant in constants for words in spellings(constant.arguments[0].name)
    )


def spellings(value: str) -> list[tuple[str, ...]]:
    """Return how questions may have a name: as it is, with marks in quotes, ``'c++'``, and as a plural."""
    words = tuple(value.split())
    quoted = tuple(word if word.isalpha() or word.isdecimal() else f"'{word}'" for word in words)
    apart = tuple(value.replace("/", " ").split())
    plural = (*words[:-1], f"{words[-1]}s")
    return list(dict.fromkeys((words, quoted, apart, plural)))
