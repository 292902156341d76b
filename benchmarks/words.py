"""How fast words are pronounced: `python benchmarks/words.py`, or `make bench`.

A transducer learns CMUdict and pronounces its test words, the model fresh from its file each time; medians
of several rounds, CPU time, one thread. There is no peer: joint n-gram tools are no Python packages.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
import time
from pathlib import Path
from statistics import median
from typing import Any

import report
from corpora import folder

from structron import DataError, Transducer
from structron.data import gather, read_pairs

HERE = Path(__file__).resolve().parent
SEARCHES = ("greedy", "beam:4", "beam:8", "beam:16")
SPLIT = "g2p/cmudict_g014b2b/{}.tsv.gz".format
LEARNER = "perceptron"
# Rarer pieces are left out: on held-out words (27,000 to learn from) nothing was lost, and fewer are weighed.
LEAST = 4
GOAL = 20_000  # words a second at beam 8


def measure(epochs: int, repeats: int, quick: bool) -> dict[str, Any]:
    """Train once, then pronounce round after round with every beam."""
    few = 2000 if quick else None
    train, test = (gather(read_pairs(folder() / SPLIT(part)))[:few] for part in ("train", "test"))
    transducer = Transducer(epochs=epochs, learner=LEARNER, least=LEAST)
    began = time.process_time()
    transducer.fit(train)
    trained = time.process_time() - began
    words = [pair.source for pair in test]
    speeds: dict[str, dict[str, list[float]]] = {
        search: {"str_to_str": [], "decode_only": []} for search in SEARCHES
    }
    scores: dict[str, float] = {}
    with tempfile.TemporaryDirectory(prefix="structron-bench-") as scratch:
        path = Path(scratch) / "model"
        transducer.save(path)
        for _ in range(repeats):
            for search in SEARCHES:
                fresh = Transducer.load(path).set_params(search=search)
                fresh.model_.search = fresh.recipe.search_choice
                began = time.process_time()
                fresh.predict(words)
                speeds[search]["str_to_str"].append(len(words) / (time.process_time() - began))
                speeds[search]["decode_only"].append(len(words) / fresh.model_.decode_seconds)
                if search not in scores:
                    scores[search] = 100 * (1 - fresh.score(test))
        size = path.stat().st_size
    return {
        "about": report.about(repeats, quick),
        "train_words": len(train),
        "test_words": len(test),
        "epochs": epochs,
        "train_s": trained,
        "epoch_s": median(epoch.cpu_seconds for epoch in transducer.history_),
        "model_bytes": size,
        "searches": {
            search: {"wer": scores[search]} | {kind: median(found) for kind, found in kinds.items()}
            for search, kinds in speeds.items()
        },
    }


def markdown(found: dict[str, Any]) -> str:
    """The figures for people."""
    rows = [
        "| search | str → str, words/s | decode only, words/s | WER, % |",
        "|---|---:|---:|---:|",
        *(
            f"| {search} | {one['str_to_str']:,.0f} | {one['decode_only']:,.0f} | {one['wer']:.2f} |"
            for search, one in found["searches"].items()
        ),
    ]
    reached = found["searches"]["beam:8"]["str_to_str"]
    about = found["about"]
    return "\n".join(
        [
            "# How fast words are pronounced",
            "",
            f"{about['date']} · {about['machine']} · CPU time, one thread",
            "",
            f"CMUdict: trained on {found['train_words']:,} words for {found['epochs']} epochs "
            f"(`{LEARNER}`, pieces seen {LEAST} times or more; "
            f"{found['train_s']:.0f} CPU s in all, {found['epoch_s']:.1f} an epoch), "
            f"{found['test_words']:,} words pronounced; model of {found['model_bytes'] / 1e6:.1f} MB.",
            "",
            *rows,
            "",
            f"Goal: {GOAL:,} words/s at beam 8, str → str: {'met' if reached >= GOAL else 'open'}.",
            "",
        ]
    )


def main() -> int:
    parser = argparse.ArgumentParser(description="How fast words are pronounced.")
    parser.add_argument("--epochs", type=int, default=5, help="of training (default 5)")
    parser.add_argument("--repeats", type=int, default=5, help="rounds (default 5)")
    parser.add_argument("--quick", action="store_true", help="2,000 words of each file, 2 rounds")
    args = parser.parse_args()
    try:
        found = measure(args.epochs, min(args.repeats, 2) if args.quick else args.repeats, args.quick)
    except DataError as message:
        print(f"benchmarks: {message}, or set STRUCTRON_DATA", file=sys.stderr)
        return 2
    out = HERE / "results" / ("words-quick" if args.quick else "words")
    out.with_suffix(".json").write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")
    out.with_suffix(".md").write_text(markdown(found), encoding="utf-8")
    print(markdown(found))
    return 0


if __name__ == "__main__":
    sys.exit(main())
