"""How fast words are pronounced: `python benchmarks/words.py`, or `make bench`.

A transducer learns CMUdict and pronounces its test words, the model fresh from its file each time; medians
of several rounds, CPU time, one thread. There is no peer: sequitur-g2p, the joint n-gram tool on PyPI,
neither builds nor runs with today's SWIG and numpy as it is.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from statistics import median
from typing import Any

import report
from corpora import folder

from structron import DataError, Transducer
from structron.io import gather, read_pairs
from structron.search import parse_search

HERE = Path(__file__).resolve().parent
# `within` below, and what `fast` leaves out, were chosen on every twelfth word of the training set, held out.
OWN = "its own"  # the search that the model has in its file
SEARCHES = (OWN, "greedy", "beam:4", "beam:8", "beam:8+within=24", "beam:16")
SPLIT = "g2p/cmudict_g014b2b/{}.tsv.gz".format
# Rare pieces are left out: on held-out words nothing is lost by that, and fewer are weighed. `fast` leaves
# out rare features and small weights, too: what is not there needs no look at the memory.
SETTINGS: dict[str, dict[str, Any]] = {
    "bare": {},
    "alone": {"combine": "none", "templates": "rich"},
    "accuracy": {"prefer": "accuracy"},
    "joint": {
        "templates": "joint",
        "learner": "perceptron",
        "epochs": 5,
        "min_count": 4,
        "direction": "forward",
    },
    "fast": {
        "templates": "fast",
        "learner": "perceptron:margin=20",
        "epochs": 10,
        "min_count": 10,
        "cut": 3,
        "min_weight": 1.5,
        "direction": "forward",
    },
}
GOAL, WER = 20_000, 22.0  # words a second, str to str, and the share of words that may be wrong, in percent


def measure(repeats: int, quick: bool, names: Sequence[str], kept: Path | None) -> dict[str, Any]:
    """Train each once, then pronounce round after round with every beam."""
    few = 2000 if quick else None
    train, test = (gather(read_pairs(folder() / SPLIT(part)))[:few] for part in ("train", "test"))
    words = [pair.source for pair in test]
    with tempfile.TemporaryDirectory(prefix="structron-bench-") as scratch:
        paths = {name: (kept or Path(scratch)) / name for name in names}
        found = {name: learn(name, train, path) for name, path in paths.items()}
        speeds: dict[tuple[str, str], list[tuple[float, float]]] = {
            (name, search): [] for name in names for search in SEARCHES
        }
        for _ in range(repeats):  # in turns, so that what else the machine does meets all alike
            for (name, search), one in speeds.items():
                fresh = Transducer.load(paths[name])
                if search != OWN:
                    fresh.model_.search = parse_search(search)
                began = time.process_time()
                fresh.predict(words)
                spent = time.process_time() - began
                one.append((len(words) / spent, len(words) / fresh.model_.decode_seconds))
                if len(one) == 1:
                    found[name]["searches"][search] = {"wer": 100 * (1 - fresh.score(test))}
    for (name, search), one in speeds.items():
        str_to_str, decode_only = (median(each) for each in zip(*one))
        found[name]["searches"][search] |= {"str_to_str": str_to_str, "decode_only": decode_only}
    about = report.about(repeats, quick)
    for one in found.values():
        one["date"] = about["date"]
    return {
        "about": about,
        "train_words": len(train),
        "test_words": len(test),
        "settings": found,
    }


def learn(name: str, train: Any, path: Path) -> dict[str, Any]:
    """Train and save; what is there is not trained again."""
    about = path.with_suffix(".json")
    if not (path.exists() and about.exists()):
        transducer = Transducer(**SETTINGS[name])
        began = time.process_time()
        transducer.fit(train)
        trained = time.process_time() - began
        transducer.save(path)
        epoch = median(epoch.cpu_seconds for epoch in transducer.history_)
        about.write_text(json.dumps({"train_s": trained, "epoch_s": epoch}))
    return json.loads(about.read_text()) | {"model_bytes": path.stat().st_size, "searches": {}}


def markdown(found: dict[str, Any]) -> str:
    """Return the figures for people."""
    about = found["about"]
    lines = [
        "# How fast words are pronounced",
        "",
        f"{about['machine']} · CPU time, one thread, medians of interleaved rounds",
        "",
        f"CMUdict: trained on {found['train_words']:,} words, {found['test_words']:,} words pronounced.",
    ]
    for name, one in found["settings"].items():
        options = ", ".join(f"{option}={value!r}" for option, value in SETTINGS[name].items())
        lines += [
            "",
            f"## `Transducer({options})`",
            "",
            f"Training {one['train_s']:.0f} CPU s in all, {one['epoch_s']:.1f} an epoch; "
            f"model of {one['model_bytes'] / 1e6:.1f} MB. Measured {one['date'][:10]}.",
            "",
            "| search | str → str, words/s | decode only, words/s | WER, % |",
            "|---|---:|---:|---:|",
            *(
                f"| {search} | {it['str_to_str']:,.0f} | {it['decode_only']:,.0f} | {it['wer']:.2f} |"
                for search, it in one["searches"].items()
            ),
        ]
    quick = [
        it["wer"]
        for one in found["settings"].values()
        for it in one["searches"].values()
        if it["str_to_str"] >= GOAL
    ]
    told = f"the best that is as fast has {min(quick):.2f} %" if quick else "nothing is as fast"
    reached = "met" if quick and min(quick) <= WER else "open"
    return "\n".join(
        [*lines, "", f"Goal: {GOAL:,} words/s, str → str, at a WER of {WER} %: {reached}; {told}.", ""]
    )


def main() -> int:
    parser = argparse.ArgumentParser(description="How fast words are pronounced.")
    parser.add_argument("--repeats", type=int, default=5, help="rounds (default 5)")
    parser.add_argument("--only", nargs="+", choices=SETTINGS, help="these; the others stay in the record")
    parser.add_argument("--models", type=Path, help="a folder where models are kept, and taken from")
    parser.add_argument("--quick", action="store_true", help="2,000 words of each file, 2 rounds")
    args = parser.parse_args()
    try:
        repeats = min(args.repeats, 2) if args.quick else args.repeats
        found = measure(repeats, args.quick, args.only or list(SETTINGS), args.models)
    except DataError as message:
        print(f"benchmarks: {message}, or set STRUCTRON_DATA", file=sys.stderr)
        return 2
    out = HERE / "results" / ("words-quick" if args.quick else "words")
    if args.only and out.with_suffix(".json").exists():
        known = (
            json.loads(out.with_suffix(".json").read_text(encoding="utf-8"))["settings"] | found["settings"]
        )
        found["settings"] = {name: known[name] for name in SETTINGS if name in known}
    out.with_suffix(".json").write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")
    out.with_suffix(".md").write_text(markdown(found), encoding="utf-8")
    print(markdown(found))
    return 0


if __name__ == "__main__":
    sys.exit(main())
