"""The learners side by side, from the record."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from statistics import fmean

from report import Entry, cell, fill, mean_error, select, table

from learners.comparison import CORPORA
from learners.plan import BASELINE, FAMILIES


def dev_of(entry: Entry) -> float:
    return float(max(entry["dev"]))


def at(entries: Sequence[Entry], corpus: str, learner: str) -> list[Entry]:
    return select(entries, corpus=corpus, learner=learner)


def chosen(entries: Sequence[Entry], corpus: str, family: str) -> str | None:
    """Return the learner of a family with the best mean dev score, of equals the first."""
    known = [learner for learner in FAMILIES[family] if at(entries, corpus, learner)]
    return max(known, key=lambda one: fmean(map(dev_of, at(entries, corpus, one))), default=None)


def gap(ours: Sequence[Entry], base: Sequence[Entry]) -> str:
    """Return mean difference on the test part over the same seeds, and its standard error."""
    other = {entry["run"]["seed"]: entry["test"] for entry in base}
    found = [e["test"] - other[e["run"]["seed"]] for e in ours if e["run"]["seed"] in other]
    if not found:
        return "–"
    mean, error = mean_error(found)
    return f"{mean:+.2f}" + (f" ± {error:.2f}" if len(found) > 1 else "")


def families(entries: Sequence[Entry], corpus: str) -> list[str]:
    """Return one row a family, with the learner that the dev part chose."""
    what = CORPORA[corpus].score if corpus in CORPORA else "accuracy"
    rows = [["family", "chosen on dev", f"dev {what}", f"test {what}", "test − averaged perceptron"]]
    base = at(entries, corpus, FAMILIES[BASELINE][0])
    for family in FAMILIES:
        learner = chosen(entries, corpus, family)
        if learner is not None:
            found = at(entries, corpus, learner)
            scores = [cell([dev_of(e) for e in found]), cell([e["test"] for e in found])]
            rows.append([family, f"`{learner}`", *scores, "" if family == BASELINE else gap(found, base)])
    return table(rows)


def learners(entries: Sequence[Entry], corpora: Sequence[str]) -> list[str]:
    """Return every learner that was tried, with the time of an epoch relative to the perceptron's."""
    rows = [["corpus", "learner", "it", "dev", "test", "invalid %", "epoch's cost"]]
    for corpus in corpora:
        base = [fmean(entry["cpu"]) for entry in at(entries, corpus, FAMILIES[BASELINE][0])]
        for learner in [learner for family in FAMILIES.values() for learner in family]:
            found = at(entries, corpus, learner)
            if not found:
                continue
            made = sum(sum(entry["updates"]) for entry in found)
            invalid = 100 * sum(sum(entry["invalid"]) for entry in found) / max(1, made)
            cost = fmean(fmean(entry["cpu"]) for entry in found) / fmean(base) if base else float("nan")
            rows.append(
                [
                    corpus,
                    f"`{learner}`",
                    f"{fmean(entry['best_epoch'] for entry in found):.1f}",
                    cell([dev_of(entry) for entry in found]),
                    cell([entry["test"] for entry in found]),
                    f"{invalid:.1f}",
                    f"{cost:.2f}",
                ]
            )
    return table(rows)


def write(entries: Sequence[Entry], out: Path, corpora: Sequence[str] = tuple(CORPORA)) -> None:
    """Write all tables into OUT/README.md."""
    blocks = {f"families {corpus}": families(entries, corpus) for corpus in corpora}
    fill(out / "README.md", blocks | {"learners": learners(entries, corpora)})
