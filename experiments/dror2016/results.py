"""Table 1 of Dror & Reichart (2016) beside ours, plain and averaged, from the record."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from statistics import fmean, pstdev

import matplotlib.pyplot as plt
from report import Entry, cell, fill, mean_error, save, select, table

from dror2016.chains import KINDS, chosen
from dror2016.plan import OURS, PAPER, SETTINGS
from structron.synthetic.hmm import SETTINGS as CHAINS

# Table 1: accuracy, deviation, wins out of 10, generalisation out of 10.
TABLE_1: dict[str, tuple[tuple[float, float, int | None, int | None], ...]] = {
    "B-WM": ((75.47, 3.05, 9, 10), (63.18, 1.32, 9, 10), (28.48, 1.9, 5, 10)),
    "B-WMR": ((75.96, 2.42, 8, 10), (63.02, 2.49, 9, 10), (24.31, 5.2, 4, 10)),
    "A-WM": ((74.18, 2.16, 7, 10), (61.65, 2.30, 9, 10), (30.45, 1.0, 6, 10)),
    "A-WMR": ((75.17, 3.07, 7, 10), (61.02, 1.93, 8, 10), (25.8, 3.18, 2, 10)),
    "CSP": ((72.24, 3.45, None, None), (57.89, 2.85, None, None), (25.27, 8.55, None, None)),
}
SWVP = ("B-WM", "B-WMR", "A-WM", "A-WMR")
ENOUGH = 0.5  # so much below the best value on the test part still counts as having generalised


def accuracies(entries: Sequence[Entry], setting: int, model: str, kind: str) -> dict[int, float]:
    """Return the test accuracy on every data set, with the parameter that the dev part chose."""
    found = select(entries, setting=setting, model=model)
    return {entry["run"]["number"]: chosen(entry, kind) for entry in found}


def wins(ours: dict[int, float], csp: dict[int, float]) -> int:
    """Return on how many data sets ours is strictly ahead."""
    return sum(ours[number] > csp[number] for number in ours if number in csp)


def generalised(entries: Sequence[Entry], kind: str) -> int:
    """Return how often the value that dev chose is on the test part the best, or at most 0.5 behind it."""
    return sum(chosen(entry, kind) >= max(entry["test"][kind]) - ENOUGH for entry in entries)


def deceived(entries: Sequence[Entry], setting: int, kind: str) -> int:
    """Count how often a chosen model of the paper is ahead of CSP on the dev part but not on test."""
    count = 0
    csp = {entry["run"]["number"]: entry for entry in select(entries, setting=setting, model="CSP")}
    for model in SWVP:
        for entry in select(entries, setting=setting, model=model):
            other = csp.get(entry["run"]["number"])
            if other is not None and max(entry["dev"][kind]) > max(other["dev"][kind]):
                count += chosen(entry, kind) <= chosen(other, kind)
    return count


def table_1(entries: Sequence[Entry], setting: int, kind: str) -> list[str]:
    """Return one setting: mean, deviation, wins, generalisation, with the paper's, and the Bayes limit."""
    heads = ["acc. (std)", "wins", "gener.", "paper: acc. (std)", "wins", "gener."]
    rows = [["model", *heads]]
    csp = accuracies(entries, setting, "CSP", kind)
    for model in [name for name in PAPER if name != "Bayes"]:
        found = accuracies(entries, setting, model, kind)
        if not found:
            continue
        mean, deviation, won, general = TABLE_1[model][setting - 1]
        row = [model, f"{fmean(found.values()):.2f} ({pstdev(found.values()):.2f})"]
        if model == "CSP":
            row += ["", ""]
        else:
            good = generalised(select(entries, setting=setting, model=model), kind)
            row += [f"{wins(found, csp)}/{len(csp)}", f"{good}/{len(found)}"]
        row += [f"{mean:.2f} ({deviation:.2f})"]
        row += ["" if won is None else f"{won}/10", "" if general is None else f"{general}/10"]
        rows.append(row)
    for name, key in (("Bayes: Viterbi", "viterbi"), ("Bayes: posterior", "posterior")):
        limit = [entry[key] for entry in select(entries, setting=setting, model="Bayes")]
        if limit:
            rows.append([name, f"{fmean(limit):.2f} ({pstdev(limit):.2f})", "", "", "", "", ""])
    return table(rows)


def against_csp(entries: Sequence[Entry]) -> list[str]:
    """Return all models with both kinds of weights in all settings, with the standard error over data sets.

    The difference is to averaged CSP on the same data sets, with its own standard error.
    """
    heads = [f"{kind}, setting {setting}" for setting in SETTINGS for kind in KINDS]
    rows = [["model", *heads, "averaged − averaged CSP, settings 1, 2, 3", "level?"]]
    for model in measured(entries):
        row, gaps = [model], []
        for setting in SETTINGS:
            found = {kind: accuracies(entries, setting, model, kind) for kind in KINDS}
            row += [cell(list(found[kind].values())) for kind in KINDS]
            gaps.append(gap(found["averaged"], accuracies(entries, setting, "CSP", "averaged")))
        said = ", ".join("–" if each is None else f"{each[0]:+.2f} ± {each[1]:.2f}" for each in gaps)
        level = all(each is not None and each[0] >= -each[1] for each in gaps)
        rows.append(
            [*row, "" if model == "CSP" else said, "" if model == "CSP" else "yes" if level else "no"]
        )
    return table(rows)


def measured(entries: Sequence[Entry]) -> list[str]:
    """Return the models measured on every data set of CSP; means over others would not compare."""

    def where(model: str) -> set[tuple[int, int]]:
        return {(e["run"]["setting"], e["run"]["number"]) for e in select(entries, model=model)}

    names = [*(name for name in PAPER if name != "Bayes"), *OURS]
    return [name for name in names if where(name) == where("CSP") and where(name)]


def gap(ours: dict[int, float], csp: dict[int, float]) -> tuple[float, float] | None:
    """Return mean difference on the same data sets, and its standard error."""
    shared = [ours[number] - csp[number] for number in ours if number in csp]
    return mean_error(shared) if shared else None


def counts(entries: Sequence[Entry]) -> list[str]:
    """Return invalid updates of every model, and how often the dev part deceived; and what all of it cost."""
    rows = [["model", *(f"invalid updates, setting {setting}, %" for setting in SETTINGS)]]
    for model in measured(entries):
        row = [model]
        for setting in SETTINGS:
            found = select(entries, setting=setting, model=model)
            made = sum(sum(entry["updates"]) for entry in found)
            invalid = sum(sum(entry["invalid"]) for entry in found)
            row.append(f"{100 * invalid / made:.1f}" if made else "–")
        rows.append(row)
    lines = [*table(rows), ""]
    for kind in KINDS:
        often = [deceived(entries, setting, kind) for setting in SETTINGS]
        lines.append(
            f"Ahead of {kind} CSP on the dev part but not on the test part: {', '.join(map(str, often))} "
            "of 40 comparisons in the three settings (the paper: once in 120)."
        )
    cpu = sum(entry["cpu"] for entry in entries)
    trainings = sum(
        max(1, len(entry["run"]["grid"])) for entry in entries if entry["run"]["model"] != "Bayes"
    )
    lines += ["", f"{trainings} trainings in {cpu / 60:.1f} minutes of CPU time."]
    return lines


def picture(entries: Sequence[Entry], stem: Path) -> None:
    """Draw every data set as a point: models of the paper, plain and averaged, under the Bayes limit."""
    figure, grid = plt.subplots(1, len(SETTINGS), figsize=(11, 3.4), squeeze=False)
    models = [name for name in PAPER if name != "Bayes"]
    looks = {"plain": ("#c1272d", -0.12, "o"), "averaged": ("#0b6e99", 0.12, "s")}
    for axes, setting in zip(grid[0], SETTINGS):
        for kind, (colour, shift, marker) in looks.items():
            for place, model in enumerate(models):
                values = list(accuracies(entries, setting, model, kind).values())
                if values:
                    label = kind if place == 0 else None
                    axes.plot([place + shift] * len(values), values, marker, color=colour, alpha=0.4, ms=3)
                    axes.plot([place + shift], [fmean(values)], "_", color=colour, ms=14, mew=2, label=label)
        limit = [entry["viterbi"] for entry in select(entries, setting=setting, model="Bayes")]
        if limit:
            axes.axhline(fmean(limit), color="#555555", linewidth=1, linestyle="--", label="Bayes limit")
        axes.set_xticks(range(len(models)), models, fontsize=8)
        axes.set_title(f"{setting}: {CHAINS[setting - 1].name}", fontsize=9)
    grid[0][0].set_ylabel("accuracy on the test part, %")
    if grid[0][0].get_legend_handles_labels()[0]:
        grid[0][0].legend(frameon=False, fontsize=7, loc="lower left")
    save(figure, stem)


def write(entries: Sequence[Entry], out: Path) -> None:
    """Write all tables into OUT/README.md and the picture beside it."""
    blocks = {
        f"table1 {kind} {setting}": table_1(entries, setting, kind) for kind in KINDS for setting in SETTINGS
    }
    blocks["all models"] = against_csp(entries)
    blocks["counts"] = counts(entries)
    fill(out / "README.md", blocks)
    picture(entries, out / "table1")
