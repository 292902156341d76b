"""Reports of outputs that are better or worse: by length, and the worst of them first."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from structron.cli.draw.error_page import MOST, STYLE
from structron.cli.draw.trees import fit
from structron.errors import SettingError
from structron.metrics.reports import LENGTHS, graded_table, group, worst

if TYPE_CHECKING:
    from structron.cli.draw.reports import Wanted
    from structron.metrics.reports import Grade

WORST = 10  # outputs that a report shows


def check_wanted(wanted: Wanted) -> None:
    """Refuse what only labels have."""
    if wanted.plot is not None or wanted.train is not None:
        option = "--plot" if wanted.plot is not None else "--train"
        raise SettingError(f"{option} is about labels, and these have none; use --report, --csv or --errors")


def graded(grades: Sequence[Grade], figures: dict[str, Any], wanted: Wanted) -> dict[str, Any]:
    """Return the requested reports as data and as text; write the page of errors."""
    from structron.io.files.atomic_write import write_atomically

    more: dict[str, Any] = {"page": []}
    if wanted.csv:
        more["csv"] = graded_table(grades)
    if wanted.report:
        more["report"] = {
            "measure": grades[0].measure,
            "lengths": by_length(grades),
            "worst": [{"place": g.place, "score": g.score} for g in worst(grades)[:WORST]],
        }
        more["page"] = report_lines(grades)
    if wanted.errors is not None:
        title = f"Outputs for {Path(str(figures.get('gold', 'gold'))).name}, the worst first"
        write_atomically(wanted.errors, page(grades, title))
    return more


def by_length(grades: Sequence[Grade]) -> list[dict[str, Any]]:
    """Return the mean score of outputs by how long their inputs are."""
    groups: dict[str, list[float]] = {}
    for each in sorted(grades, key=lambda each: each.size):
        groups.setdefault(group(max(1, each.size), LENGTHS), []).append(each.score)
    return [{"name": name, "items": len(own), "score": sum(own) / len(own)} for name, own in groups.items()]


def report_lines(grades: Sequence[Grade], width: int = 80) -> list[str]:
    """Return the report for people, at most 80 columns wide."""
    measure = grades[0].measure
    lines = ["", click.style(f"{'length':10} {'examples':>9}  mean {measure}", bold=True)]
    lines += [
        f"{each['name']:10} {each['items']:9,} {100 * each['score']:8.2f}" for each in by_length(grades)
    ]
    lines += ["", click.style(f"the worst by {measure}", bold=True)]
    for grade in worst(grades)[:WORST]:
        lines.append(f"{100 * grade.score:6.2f}  {grade.place}")
        named = [("source", grade.source), ("output", grade.guess), *(("gold", text) for text in grade.gold)]
        lines += [fit(f"        {name:7} {text}", width) for name, text in named if text or name != "source"]
    return lines


def page(grades: Sequence[Grade], title: str) -> str:
    """Return a page of all outputs, the worst first."""
    items = "\n".join(_item(each) for each in worst(grades)[:MOST])
    left = f", the worst {MOST:,} of them here" if len(grades) > MOST else ""
    return f"""<!doctype html>
<html lang="en"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>{escape(title)}</title><style>{STYLE}</style></head><body>
<h1>{escape(title)}</h1>
<p>{len(grades):,} outputs{left}. <span class="dim">Green is gold.</span></p>
<ol>
{items}
</ol></body></html>
"""


def _item(each: Grade) -> str:
    gold = "<br>".join(f"<ins>{escape(text)}</ins>" for text in each.gold)
    source = f"{escape(each.source)}<br>" if each.source else ""
    head = f"{escape(each.place)}, {each.measure} {100 * each.score:.2f}"
    return f'<li><div class="dim">{head}</div>{source}{escape(each.guess)}<br>{gold}</li>'
