"""Violation fixing for translation, as Yu, Huang, Mi & Zhao (2013) do it, from the record."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, fields
from itertools import product
from pathlib import Path
from statistics import fmean

import matplotlib.pyplot as plt
from graphs import share
from report import LOOKS, Entry, cell, fill, save, select, table

from yu2013.plan import (
    AIMS,
    AMOUNTS,
    BATCH_CAPS,
    BATCHES,
    CUTS,
    LIMITS,
    METHODS,
    amounts,
    batches,
    beams,
    drifts,
    settings,
    targets,
)
from yu2013.trials import EPOCHS, LEARNER, SENTENCES, Trial

CUT_NAMES = {
    (1, -1): "all phrase pairs",
    (2, -1): "seen twice, or one word to one word",
    (2, 0): "seen twice, the pair itself left out",
    (2, 5): "seen twice, in the other four fifths",
}


def found(entries: Sequence[Entry], trial: Trial) -> Entry | None:
    """Return the entry of a trial, if it was made."""
    return next((entry for entry in entries if Trial(**entry["run"]) == trial), None)


def table_reach(entries: Sequence[Entry]) -> list[str]:
    """Return per cent of the pairs with a derivation, and with one of a beginning."""
    rows = [["phrase pairs", *(f"limit {limit}" for limit in LIMITS), "in the table"]]
    for least, folds in CUTS:
        made = [select(entries, what="reach", limit=limit, least=least, folds=folds) for limit in LIMITS]
        if not all(made):
            continue
        cells = [f"{each[0]['reachable']:.0f} ({each[0]['with_prefixes']:.0f})" for each in made]
        rows.append([CUT_NAMES[least, folds], *cells, f"{made[0][0]['phrases']:,}"])
    return table(rows) if len(rows) > 1 else ["Not measured yet."]


def invalid_share(entry: Entry) -> float:
    """Return per cent of the updates that fixed no violation."""
    return share(sum(entry["invalid"]), sum(entry["updates"]))


def update_share(entry: Entry) -> float:
    """Return updates for each sentence and epoch."""
    return sum(entry["updates"]) / max(1, entry["examples"]) / len(entry["updates"])


def described(entry: Entry) -> list[str]:
    """Return what came of one trial."""
    difference, low, high, p = entry["difference"]
    return [
        f"{update_share(entry):.2f}",
        f"{invalid_share(entry):.1f} %",
        f"{entry['raw'][-1] - entry['start_tuning']:+.2f}",
        f"{entry['dev'][-1] - entry['start_tuning']:+.2f}",
        f"{difference:+.2f} ({low:+.2f} to {high:+.2f}, p = {p:.2f})",
        f"{entry['notes'][-1]['sparse']:.2f}",
    ]


HEADS = [
    "updates a sentence",
    "invalid",
    "as learned, tuning part",
    "retuned, tuning part",
    "retuned, held out",
    "factor",
]


def table_targets(entries: Sequence[Entry]) -> list[str]:
    """Return every method with every target, means over seeds."""
    rows = [
        [
            "target",
            "method",
            "seeds",
            "updates a sentence",
            "invalid",
            "as learned, tuning part",
            "retuned, held out",
            "95 % of one seed",
        ]
    ]
    plain = select(entries, **_plain(entries))
    for aim in AIMS:
        for update in METHODS:
            made = select(plain, aim=aim, update=update)
            if not made:
                continue
            first = made[0]["difference"]
            rows.append(
                [
                    aim,
                    LOOKS[update]["label"],
                    str(len(made)),
                    f"{fmean(map(update_share, made)):.2f}",
                    f"{fmean(map(invalid_share, made)):.1f} %",
                    cell([e["raw"][-1] - e["start_tuning"] for e in made]),
                    cell([e["difference"][0] for e in made]),
                    f"{first[1]:+.2f} to {first[2]:+.2f}",
                ]
            )
    return table(rows) if len(rows) > 1 else ["Not measured yet."]


def table_of(entries: Sequence[Entry], trials: Sequence[Trial]) -> list[str]:
    """Return trials by what is different in them from the usual one."""
    rows = [["trial", *HEADS]]
    for trial in trials:
        entry = found(entries, trial)
        if entry is not None:
            rows.append([_name(trial), *described(entry)])
    return table(rows) if len(rows) > 1 else ["Not measured yet."]


def table_drifts(entries: Sequence[Entry]) -> list[str]:
    """Return the language model's weight as it is learned, and what that does to BLEU."""
    trials = drifts(_is_quick(entries))
    rows = [
        ["compared", "seeds", "LM weight at the start", "after epoch 1", "after epoch 2", "BLEU as learned"]
    ]
    rows[0] += ["length as retuned", "retuned, held out"]
    for by_class, name in ((False, "stack by stack"), (True, "over the same words")):
        made = [entry for trial in trials if trial.by_class == by_class if (entry := found(entries, trial))]
        if made:
            weights = list(zip(*(entry["language_model"] for entry in made)))
            rows.append(
                [
                    name,
                    str(len(made)),
                    *(cell(list(values)) for values in weights),
                    cell([entry["raw"][-1] - entry["start_tuning"] for entry in made]),
                    cell([entry["notes"][-1]["length ratio"] for entry in made], 3),
                    cell([entry["difference"][0] for entry in made]),
                ]
            )
    return table(rows) if len(rows) > 1 else ["Not measured yet."]


def table_batches(entries: Sequence[Entry]) -> list[str]:
    """Return MIRA by the size of its batches, means over seeds."""
    trials = batches(_is_quick(entries))
    rows = [
        ["C", "batch", "seeds", "updates", "as learned, tuning part", "retuned, held out", "learning, CPU s"]
    ]
    for cap, size in product(BATCH_CAPS, BATCHES):
        alike = [trial for trial in trials if (trial.learner, trial.batch) == (f"mira:C={cap}", size)]
        made = [entry for trial in alike if (entry := found(entries, trial))]
        if made:
            rows.append(
                [
                    str(cap),
                    str(size),
                    str(len(made)),
                    f"{fmean(sum(entry['updates']) for entry in made):.0f}",
                    cell([entry["raw"][-1] - entry["start_tuning"] for entry in made]),
                    cell([entry["difference"][0] for entry in made]),
                    cell([sum(entry["learning_cpu"]) for entry in made], 1),
                ]
            )
    return table(rows) if len(rows) > 1 else ["Not measured yet."]


def _plain(entries: Sequence[Entry]) -> dict[str, object]:
    """Return the settings of the trials that differ in method and target alone."""
    usual = targets(_is_quick(entries))[0]
    free = ("aim", "update", "seed", "quick")
    return {each.name: getattr(usual, each.name) for each in fields(usual) if each.name not in free}


def _name(trial: Trial) -> str:
    usual = Trial()
    parts = [trial.aim, LOOKS[trial.update]["label"], f"beam {trial.width}"]
    parts += [] if trial.outlook else ["no future cost"]
    parts += ["longest fifth"] if trial.part == "longest" else []
    parts += [] if trial.frozen else ["dense weights free"]
    parts += ["same words"] if trial.by_class else []
    if trial.folds != usual.folds:
        parts += ["leave one out, LM has seen all"] if trial.folds == 0 else ["tables have seen all"]
    parts += [trial.templates] if trial.templates != usual.templates else []
    parts += [f"{trial.sentences:,} sentences"] if trial.sentences in AMOUNTS else []
    parts += [trial.learner] if trial.learner != usual.learner else []
    return ", ".join(parts)


def table_cost(entries: Sequence[Entry]) -> list[str]:
    """Return what all of it took."""
    spent = sum(entry["cpu"] for entry in entries)
    trained = select(entries, what="train")
    lines = [
        f"{len(trained)} trainings and {len(entries) - len(trained)} counts in {spent / 60:.1f} minutes of "
        f"CPU time; where nothing else is said, {SENTENCES} sentences, {EPOCHS} epoch, `{LEARNER}`."
    ]
    if trained:
        lines.append(f"Dense weights alone have BLEU {trained[0]['start']:.2f} on the part held out.")
    return lines


def picture(entries: Sequence[Entry], stem: Path) -> None:
    """Draw BLEU against the dense start, held out, for each target and method."""
    figure, axes = plt.subplots(figsize=(6.4, 3.2))
    plain = select(entries, **_plain(entries))
    for place, update in enumerate(METHODS):
        look = {name: value for name, value in LOOKS[update].items() if name != "label"}
        for number, aim in enumerate(AIMS):
            made = [e["difference"][0] for e in select(plain, aim=aim, update=update)]
            axes.plot(
                [number + 0.15 * (place - 1.5)] * len(made),
                made,
                linestyle="none",
                label=LOOKS[update]["label"] if number == 0 else None,
                **look,
            )
    axes.axhline(0, color="#999999", linewidth=0.8)
    axes.set_xticks(range(len(AIMS)), AIMS)
    axes.set_ylabel("BLEU more than dense alone")
    if axes.get_legend_handles_labels()[0]:
        axes.legend(frameon=False, fontsize=7)
    save(figure, stem)


def _is_quick(entries: Sequence[Entry]) -> bool:
    return bool(entries) and bool(entries[0]["run"]["quick"])


def write(entries: Sequence[Entry], out: Path) -> None:
    """Write all tables into OUT/README.md and the picture beside it."""
    quick = _is_quick(entries)
    made = {Trial(**entry["run"]): entry for entry in entries}  # some are in two lists
    entries = [entry | {"run": asdict(trial)} for trial, entry in made.items()]  # of older ones, all settings
    fill(
        out / "README.md",
        {
            "reach": table_reach(entries),
            "targets": table_targets(entries),
            "beams": table_of(entries, beams(quick)),
            "settings": table_of(entries, settings(quick)),
            "drifts": table_drifts(entries),
            "amounts": table_of(entries, amounts(quick)),
            "batches": table_batches(entries),
            "cost": table_cost(entries),
        },
    )
    picture(entries, out / "targets")
