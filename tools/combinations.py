"""The page docs/combinations.md: which search, update and learner go together, according to the recipes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from structron.fit.combinations import (
    LEARNERS,
    SEARCHES,
    SUBJECTS,
    learners_of,
    others,
    searches_of,
    updates_of,
)
from structron.updates import UPDATES

PAGE = Path(__file__).resolve().parents[1] / "docs" / "combinations.md"
BEGINNING = """\
# What goes together

A training is a task with a search, an update and a learner. Choices marked `yes` go together. structron
refuses all others in one sentence, before it reads any data.

`python tools/combinations.py` writes this page from the recipes (`structron/fit/combinations.py`). A
test compares the two, and trains with every pair.
"""


def page() -> str:
    """Return the whole page."""
    by_task = {str(subject): searches_of(subject) for subject in SUBJECTS}
    by_search = {f"`{search}`": updates_of(search) for search in SEARCHES}
    by_learner = {str(subject): learners_of(subject) for subject in SUBJECTS}
    parts = {
        "Which search goes with which task": table("task", by_task, SEARCHES),
        "Which update goes with which search": table("search", by_search, tuple(UPDATES)),
        "Which learner goes with which task": table("task", by_learner, LEARNERS),
        "What else is refused": more(),
    }
    return "\n".join([BEGINNING, *(f"## {title}\n\n{text}" for title, text in parts.items())])


def table(name: str, rows: Mapping[str, Sequence[str]], columns: Sequence[str]) -> str:
    """Return a table with a row for each that has some of the columns."""
    lines = [f"| {name} | {' | '.join(f'`{each}`' for each in columns)} |", f"|---|{'---|' * len(columns)}"]
    for row, found in rows.items():
        lines.append(f"| {row} | {' | '.join('yes' if each in found else 'no' for each in columns)} |")
    return "\n".join(lines) + "\n"


def more() -> str:
    """Return what is refused although each two of its choices go together, a line for each reason."""
    tasks: dict[str, dict[str, None]] = {}
    for subject, *_, why in others():
        tasks.setdefault(why, {})[str(subject)] = None
    return "\n".join(_lines(tasks)) + "\n"


def _lines(tasks: Mapping[str, Mapping[str, None]]) -> Iterator[str]:
    for why, named in tasks.items():
        yield f"- {', '.join(named)}: {why}."


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
