"""Jobs640: 500 questions to learn from and 140 to test, with forms in FunQL; names of its database."""

from __future__ import annotations

import re
from functools import cache

from corpora import find

from structron.data import Question, Term, files, read_questions
from structron.tasks.semantics.gazetteer import Gazetteer

PARTS = ("train", "test")
# What is listed with each job; of the job itself title, company, recruiter and degrees are names.
_LISTED = re.compile(r"^(?:language|platform|application|area|city|country)\('[^']*', *'([^']*)'\)\.")
_JOB = re.compile(r"^job\('[^']*',\w+,(.*)$")
_VALUE = re.compile(r"'([^']*)'")
LONGEST = 4  # words; what is longer is hardly ever asked for


@cache
def load(part: str) -> tuple[Question, ...]:
    """The questions of a part, with their forms."""
    return tuple(read_questions(find(f"jobs/job_funql_{part}_fixed.tsv.gz")))


@cache
def gazetteer() -> Gazetteer:
    """Every name of the database as a constant, ``const('windows nt')``.

    Some of the file is no good Prolog: it is read line by line, and what cannot be read is left out.
    """
    values: dict[str, None] = {}
    with files.reading(find("jobs/jobsq.pl.gz"), "latin-1") as lines:
        inside = False
        for line in lines:
            listed, job = _LISTED.match(line), _JOB.match(line)
            inside = bool(job) or (inside and not line.startswith(("age(", "file_loc(")))
            found = [listed[1]] if listed else _VALUE.findall(job[1] if job else line) if inside else []
            values |= dict.fromkeys(" ".join(value.split()) for value in found)
    return Gazetteer.of(
        (words, Term("const", (Term(value),)))
        for value in sorted(values)
        if value not in ("", "n/a") and len(value.split()) <= LONGEST
        for words in (value.split(), spoken(value))
    )


def spoken(name: str) -> list[str]:
    """A name as the questions have it, where marks are in quotes: ``'c++'``."""
    return [word if re.fullmatch(r"[\w./-]+", word) else f"'{word}'" for word in name.split()]
