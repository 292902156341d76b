"""Bare commands beside the best settings that were chosen by hand, on development data.

    python benchmarks/auto.py                      what is not in the record yet, from small to large
    python benchmarks/auto.py --only czech wnut17  some corpora
    python benchmarks/auto.py --table              the table of what is in the record

Each row is an estimator with no setting but its seed (``bare``), and the same with settings by name: all
those that ``HAND`` lists are tried, and the best of them on dev is what a user who knows all flags could get.
Both keep the best epoch on dev. Results are written to ``benchmarks/results/auto.json`` one by one; what is
there is not run again.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

from clusters import chunks, emerging, wikigold
from corpora import EWT, folder

from structron import Parser, StructronWarning, Tagger, Transducer
from structron.data import read, read_pairs
from structron.data.whole import write_whole

RECORD = Path(__file__).with_name("results") / "auto.json"
PAGE = RECORD.with_suffix(".md")
Data = tuple[Any, Any]  # training and development examples

# From small to large, as many words as the training set has.
TREEBANKS = {
    "czech": "UD_Czech-CLTT/cs_cltt",
    "hungarian": "UD_Hungarian-Szeged/hu_szeged",
    "vietnamese": "UD_Vietnamese-VTB/vi_vtb",
    "turkish": "UD_Turkish-IMST/tr_imst",
    "greek": "UD_Greek-GDT/el_gdt",
    "italian": "UD_Italian-ParTUT/it_partut",
    "french": "UD_French-Sequoia/fr_sequoia",
    "basque": "UD_Basque-BDT/eu",
    "indonesian": "UD_Indonesian-GSD/id",
    "chinese": "UD_Chinese-GSD/zh",
    "gum": "UD_English-GUM/en_gum",
    "ewt": "UD_English-EWT/en_ewt",
}
# Of these only dev and test are to be had: four fifths of dev are learned from.
UNSEEN = {
    "japanese": "UD_Japanese-GSD/ja_gsd",
    "german": "UD_German-GSD/de_gsd",
    "arabic": "UD_Arabic-PADT/ar",
}
SOUNDS = (
    "ady",
    "arm",
    "bul",
    "dut",
    "fre",
    "geo",
    "gre",
    "hin",
    "hun",
    "ice",
    "jpn",
    "kor",
    "lit",
    "rum",
    "vie",
)
HAND: dict[str, tuple[dict[str, Any], ...]] = {
    "parsing": tuple({"templates": t} for t in ("rich", "rich_case", "rich_forms", "rich_tags")),
    "names": ({"templates": "pos"}, {"templates": "ner"}),
    "chunks": ({"templates": "chunk"}, {"templates": "ner"}),
    "tags": ({"search": "beam:8"}, {"learner": "mira"}),
    "sounds": (
        {"least": 2},
        {"longest_source": 3, "longest_target": 3},
        {"templates": "joint"},
        {"source_symbols": "characters"},
    ),
}


def treebank(stem: str) -> Data:
    """Training and development part."""
    train, dev = (list(read(folder() / "ud" / f"{stem}-ud-{part}.conllu.gz")) for part in ("train", "dev"))
    return train, dev


def part_of(stem: str) -> Data:
    """A treebank whose training part is not to be had."""
    every = list(read(folder() / "ud_devtest_only" / f"{stem}-ud-dev.conllu.gz"))
    return [s for i, s in enumerate(every) if i % 5], every[::5]


def pronunciations(language: str) -> Data:
    """A language of SIGMORPHON 2020."""
    train, dev = (
        list(read_pairs(folder() / "g2p/sigmorphon2020" / f"{language}_{part}.tsv.gz"))
        for part in ("train", "dev")
    )
    return train, dev


def cmudict() -> Data:
    """CMUdict, of whose training part every twentieth word is held out."""
    every = list(read_pairs(folder() / "g2p/cmudict_g014b2b/train.tsv.gz"))
    return [p for i, p in enumerate(every) if i % 20], every[::20]


def tagged() -> Data:
    """EWT with its tags."""
    train, dev = (list(read(folder() / EWT(part))) for part in ("train", "dev"))
    return train, dev


Row = tuple[
    str, Callable[..., Any], Callable[[], Data]
]  # which settings were tried by hand, what learns, from what
ROWS: dict[str, Row] = {
    "wikigold": ("names", Tagger, lambda: wikigold()[:2]),
    "wnut17": ("names", Tagger, lambda: emerging()[:2]),
    **{each: ("sounds", Transducer, lambda each=each: pronunciations(each)) for each in SOUNDS},
    **{name: ("parsing", Parser, lambda stem=stem: part_of(stem)) for name, stem in UNSEEN.items()},
    **{name: ("parsing", Parser, lambda stem=stem: treebank(stem)) for name, stem in TREEBANKS.items()},
    "conll2000": ("chunks", Tagger, lambda: chunks()[:2]),
    "upos": ("tags", lambda **more: Tagger(target="upos", **more), tagged),
    "cmudict": ("sounds", Transducer, cmudict),
}


def measured(make: Callable[..., Any], data: Data, settings: dict[str, Any]) -> dict[str, Any]:
    """One training: its best score on dev, what was chosen, and what it took."""
    began = time.process_time()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", StructronWarning)
        made = make(seed=0, **settings).fit(data[0], dev=data[1])
    score = max(epoch.dev_score for epoch in made.history_)
    return {
        "settings": settings,
        "score": round(100 * score, 2),
        "settled": made.model_.about.get("settled", {}),
        "cpu_s": round(time.process_time() - began, 1),
    }


def main() -> int:
    """Run what is asked for, and write the table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--only", nargs="+", choices=ROWS, help="these corpora")
    parser.add_argument("--table", action="store_true", help="write the table and run nothing")
    parser.add_argument("--minutes", type=float, default=0.0, help="begin no training after so many minutes")
    given = parser.parse_args()
    record = json.loads(RECORD.read_text()) if RECORD.exists() else {}
    began = time.monotonic()
    for name in [] if given.table else given.only or ROWS:
        kind, make, load = ROWS[name]
        wanted = [{}, *HAND[kind]]
        known = record.setdefault(name, [])
        left = [each for each in wanted if each not in [run["settings"] for run in known]]
        data = load() if left else None
        for settings in left:
            if given.minutes and time.monotonic() - began > 60 * given.minutes:
                return 0
            known.append(measured(make, data, settings))
            write_whole(RECORD, json.dumps(record, indent=1) + "\n")
            print(name, known[-1], file=sys.stderr, flush=True)
    write_whole(PAGE, "\n".join(page(record)) + "\n")
    return 0


HEAD = """# Bare commands beside settings chosen by hand

`python benchmarks/auto.py`; development data, seed 0, the best epoch on dev of each. *By hand* is the best
on dev of the settings that the script lists, chosen with what it is measured on in view; the bare row is not.
LAS for trees with gold tags, F1 for spans, accuracy for tags, words right for sounds. Rows that were not run
are left out. The dev part of Vietnamese has XPOS in another way than its training part, which no choice from
training data can know; a warning says so.

| corpus | bare | chosen by it | by hand | with | behind |
|---|---:|---|---:|---|---:|
"""


def page(record: dict[str, Any]) -> list[str]:
    """The rows that are whole, and what they come to."""
    lines = [*HEAD.splitlines()]
    gaps = []
    for name in ROWS:
        runs = record.get(name, [])
        bare = next((run for run in runs if not run["settings"]), None)
        hand = [run for run in runs if run["settings"]]
        if bare is None or len(hand) < len(HAND[ROWS[name][0]]):
            continue
        best = max(hand, key=lambda run: run["score"])
        gaps.append(best["score"] - bare["score"])
        told = ", ".join(f"{k} {v}" for k, v in best["settings"].items())
        chosen = bare["settled"].get("templates", "")
        scores = f"{bare['score']:.2f} | `{chosen}` | {best['score']:.2f} | `{told}` | {gaps[-1]:.2f}"
        lines.append(f"| {name} | {scores} |")
    if gaps:
        mean = sum(gaps) / len(gaps)
        lines += ["", f"{len(gaps)} corpora: {mean:.2f} behind on average, {max(gaps):.2f} at most."]
    return lines


if __name__ == "__main__":
    sys.exit(main())
