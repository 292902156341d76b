"""An audit as a table and as sentences."""

from __future__ import annotations

import math

from structron.theory.audit import MIXED, Audit, Measured


def table(audit: Audit) -> list[list[str]]:
    """Return rows of cells, headings first: the values and bounds of each set of pairs."""
    heads = ["", *(each.name for each in audit.sets)]
    size = ["pairs", *(str(len(each.differences)) if each.differences else "–" for each in audit.sets)]
    return [
        heads,
        size,
        ["radius", *(number(each.radius) for each in audit.sets)],
        ["margin of the weights learned", *(number(each.margin) for each in audit.sets)],
        ["maximal margin", *(_maximal(each) for each in audit.sets)],
        ["bound on updates", *(number(audit.promised(each)) for each in audit.sets)],
        ["updates made", *([str(len(audit.updates))] * len(audit.sets))],
        ["bound on the first pass", *(_first_pass(audit, each) for each in audit.sets)],
        ["updates in the first pass", *([str(audit.first_pass)] * len(audit.sets))],
    ]


def findings(audit: Audit) -> list[str]:
    """Return the findings, one sentence each."""
    last = "no update" if audit.converged else _counted(audit.epochs[-1].updates, "update")
    said = [
        f"{_counted(len(audit.updates), 'update')} in {_counted(len(audit.epochs), 'pass', 'passes')} over "
        f"{_counted(audit.examples, 'example')}, {last} in the last."
    ]
    if audit.invalid:
        share = 100 * len(audit.invalid) / len(audit.updates)
        said.append(
            f"{_counted(len(audit.invalid), 'update')} ({share:.0f} %) fixed no violation, the first of them "
            f"number {audit.invalid[0]}: condition (2) fails and no bound is promised."
        )
    else:
        said.append("Every update fixed a violation: condition (2) holds.")
    if audit.without_shares:
        said.append(
            f"In {_counted(len(audit.without_shares), 'update')} the weights of the pairs do not "
            "sum to 1, or one is negative: "
            "condition (1) fails, and the bounds do not speak of this learner."
        )
    if audit.set_of(MIXED) is not None:
        said.append(f"{_counted(audit.backed_off, 'update')} fell back to the plain pair of gold and guess.")
    said += [
        f"There are too many {each.name} to list; give shorter examples or a higher limit."
        for each in audit.sets
        if each.differences is None
    ]
    if any(each.maximal is not None and not each.maximal.separable for each in audit.sets[:1]):
        said.append("Nothing separates these data, so updates need not come to an end.")
    elif audit.kept is not None:
        said.append(
            "The bounds are kept."
            if audit.kept
            else "A BOUND IS BROKEN, which contradicts the theorem: please report it."
        )
    return said


def _counted(count: int, one: str, many: str | None = None) -> str:
    return f"{count} {one if count == 1 else many or one + 's'}"


def number(value: float) -> str:
    """Format a number with four digits and without trailing zeros; unknown values are a dash.

    >>> number(1234.5), number(0.25), number(math.inf), number(math.nan)
    ('1234', '0.25', 'none', '–')
    """
    if math.isnan(value):
        return "–"
    if math.isinf(value):
        return "none"
    return f"{value:.0f}" if abs(value) >= 1000 else f"{value:.4g}"


def _maximal(each: Measured) -> str:
    if each.maximal is None:
        return "–"
    return number(each.maximal.margin) if each.maximal.separable else "not separable"


def _first_pass(audit: Audit, each: Measured) -> str:
    if each.first_pass is None or math.isnan(audit.promised(each)) or each.slack:
        return "–"
    return number(each.first_pass.bound)
