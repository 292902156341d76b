"""Error rates of pronunciation and transliteration, from the record."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from statistics import fmean

from report import Entry, fill, select, table
from words import LANGUAGES


def of(entries: Sequence[Entry], kind: str) -> list[Entry]:
    """Return the entries of one kind of lexicon."""
    return [entry for entry in entries if entry["run"]["corpus"].partition(":")[0] == kind]


def common(entry: Entry) -> list[str]:
    """Return what every table says of a run besides its scores."""
    return [f"{entry['pieces']:,}", f"{entry['unreachable']:,}", f"{sum(entry['cpu']):.0f}"]


HEADS = ["pieces", "unreachable", "CPU s of learning"]


def cmudict(entries: Sequence[Entry]) -> list[str]:
    """Return held-out words and the test part."""
    rows = [["trained on", "words", "scored on", "WER, %", "PER, %", *HEADS, "words/s"]]
    for entry in select(of(entries, "cmudict"), whole=False):
        best = entry["dev_wer"][entry["best_epoch"] - 1]
        rows.append(
            [
                "19 of 20 words",
                f"{entry['train_words']:,}",
                f"held-out words, epoch {entry['best_epoch']}",
                f"{best:.2f}",
                "",
                *common(entry),
                "",
            ]
        )
    for entry in select(of(entries, "cmudict"), whole=True):
        rows.append(
            [
                "all",
                f"{entry['train_words']:,}",
                f"test, epoch {entry['best_epoch']}",
                f"{entry['test_wer']:.2f}",
                f"{entry['test_per']:.2f}",
                *common(entry),
                f"{entry['words_per_second']:,}",
            ]
        )
    return table(rows)


def languages(entries: Sequence[Entry]) -> list[str]:
    """Return one row a language, and the macro average."""
    rows = [["language", "dev WER, %", "test WER, %", "test PER, %", "epoch", *HEADS]]
    found = of(entries, "sigmorphon2020")
    for entry in found:
        name = LANGUAGES[entry["run"]["corpus"].partition(":")[2]]
        rows.append([name, *scores(entry), str(entry["best_epoch"]), *common(entry)])
    if found:
        means = [
            fmean(entry["dev_wer"][entry["best_epoch"] - 1] for entry in found),
            fmean(entry["test_wer"] for entry in found),
            fmean(entry["test_per"] for entry in found),
        ]
        rows.append(["macro average", *(f"{mean:.2f}" for mean in means), "", "", "", ""])
    return table(rows)


def scores(entry: Entry) -> list[str]:
    return [
        f"{entry['dev_wer'][entry['best_epoch'] - 1]:.2f}",
        f"{entry['test_wer']:.2f}",
        f"{entry['test_per']:.2f}",
    ]


def scripts(entries: Sequence[Entry]) -> list[str]:
    """Return one row a script."""
    rows = [
        ["English to", "words", "dev accuracy, %", "test accuracy, %", "character errors, %", "epoch", *HEADS]
    ]
    for entry in of(entries, "transliteration"):
        dev, test, symbols = scores(entry)
        rows.append(
            [
                entry["run"]["corpus"].partition(":")[2].capitalize(),
                f"{entry['train_words']:,}",
                f"{100 - float(dev):.2f}",
                f"{100 - float(test):.2f}",
                symbols,
                str(entry["best_epoch"]),
                *common(entry),
            ]
        )
    return table(rows)


def write(entries: Sequence[Entry], out: Path) -> None:
    """Write the tables of all that was measured into OUT/README.md."""
    tables = {"cmudict": cmudict, "sigmorphon2020": languages, "transliteration": scripts}
    fill(out / "README.md", {kind: made(entries) for kind, made in tables.items() if of(entries, kind)})
