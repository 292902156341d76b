"""Bare commands beside the best settings that were chosen by hand, on development data.

    python benchmarks/auto.py                      what is not in the record yet, from small to large
    python benchmarks/auto.py --only czech wnut17  some corpora
    python benchmarks/auto.py --table              the table of what is in the record

Each row is an estimator with no setting but its seed (``bare``), and the same with settings by name: all
those that ``HAND`` lists are tried, and the best of them on dev is what a user who knows all flags could get.
Both keep the best epoch on dev. Where the development set is small, as with names and pronunciations, the
bare command and the two settings that were best with the first seed are run with three, and their means are
compared. Results are written to ``benchmarks/results/auto.json`` one by one; what is
there is not run again, and a setting by name that is what the bare command chose is the same training.
"""

from __future__ import annotations

import argparse
import json
import statistics
import sys
import time
import warnings
from collections.abc import Callable, Iterator
from operator import itemgetter
from pathlib import Path
from typing import Any

from clusters import chunks, emerging, wikigold
from corpora import EWT, folder

from structron import Parser, StructronWarning, Tagger, Transducer
from structron.io import gather, read, read_pairs
from structron.io.files.atomic_write import write_atomically

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
        {"min_count": 2},
        {"longest_source": 3, "longest_target": 3},
        {"templates": "joint"},
        {"source_symbols": "characters"},
    ),
}


def treebank(stem: str) -> Data:
    """Return training and development part."""
    train, dev = (list(read(folder() / "ud" / f"{stem}-ud-{part}.conllu.gz")) for part in ("train", "dev"))
    return train, dev


def part_of(stem: str) -> Data:
    """Return a treebank whose training part is not to be had."""
    every = list(read(folder() / "ud_devtest_only" / f"{stem}-ud-dev.conllu.gz"))
    return [s for i, s in enumerate(every) if i % 5], every[::5]


def pronunciations(language: str) -> Data:
    """Return a language of SIGMORPHON 2020."""
    train, dev = (
        list(read_pairs(folder() / "g2p/sigmorphon2020" / f"{language}_{part}.tsv.gz"))
        for part in ("train", "dev")
    )
    return train, dev


def cmudict() -> Data:
    """Return CMUdict, of whose training part every twentieth word is held out."""
    every = gather(read_pairs(folder() / "g2p/cmudict_g014b2b/train.tsv.gz"))
    return [p for i, p in enumerate(every) if i % 20], every[::20]


def tagged() -> Data:
    """Return EWT with its tags."""
    train, dev = (list(read(folder() / EWT(part))) for part in ("train", "dev"))
    return train, dev


Row = tuple[
    str, Callable[..., Any], Callable[[], Data]
]  # which settings were tried by hand, what learns, from what
ROWS: dict[str, Row] = {
    "wikigold": ("names", Tagger, lambda: wikigold()[:2]),
    "wikigold-folds": ("names", Tagger, lambda: wikigold()[:2]),
    "wnut17": ("names", Tagger, lambda: emerging()[:2]),
    **{each: ("sounds", Transducer, lambda each=each: pronunciations(each)) for each in SOUNDS},
    "ady-folds": ("sounds", Transducer, lambda: pronunciations("ady")),
    "geo-folds": ("sounds", Transducer, lambda: pronunciations("geo")),
    **{name: ("parsing", Parser, lambda stem=stem: part_of(stem)) for name, stem in UNSEEN.items()},
    **{name: ("parsing", Parser, lambda stem=stem: treebank(stem)) for name, stem in TREEBANKS.items()},
    "conll2000": ("chunks", Tagger, lambda: chunks()[:2]),
    "upos": ("tags", lambda **more: Tagger(target="upos", **more), tagged),
    "cmudict": ("sounds", Transducer, cmudict),
}


SEEDS = 3
FOLDS = {"wikigold-folds": 6, "ady-folds": 6, "geo-folds": 6}  # each with a seed of its own
CLOSEST = 2  # so many of the settings by hand are run with all seeds


def is_small(name: str) -> bool:
    """Return whether some hundred words or names are all there is to measure on."""
    return ROWS[name][0] in ("names", "sounds") and name != "cmudict"


def runs_of(name: str) -> int:
    """Return how often a setting is run."""
    return FOLDS.get(name, SEEDS) if is_small(name) else 1


def fold(data: Data, folds: int, number: int) -> Data:
    """Return training and development data taken together, of which one part is held out."""
    every = [*data[0], *data[1]]
    a, b = (len(every) * n // folds for n in (number, number + 1))
    return [*every[:a], *every[b:]], every[a:b]


def missing(name: str, known: list[dict[str, Any]]) -> Iterator[tuple[dict[str, Any], int]]:
    """Yield what is still to be run, settings and seed: the first comes next."""
    every: list[dict[str, Any]] = [{}, *HAND[ROWS[name][0]]]
    done = [(run["settings"], run["seed"]) for run in known]
    yield from ((settings, 0) for settings in every if (settings, 0) not in done)
    if runs_of(name) > 1:
        hand = [run for run in known if run["settings"] and not run["seed"]]
        hand.sort(key=itemgetter("score"), reverse=True)
        close = [{}, *(run["settings"] for run in hand[:CLOSEST])]
        again = [(settings, seed) for seed in range(1, runs_of(name)) for settings in close]
        yield from (each for each in again if each not in done)


def measured(make: Callable[..., Any], data: Data, settings: dict[str, Any], seed: int) -> dict[str, Any]:
    """Return one training: its best score on dev, what was chosen, and what it took."""
    began = time.process_time()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", StructronWarning)
        made = make(seed=seed, **settings).fit(data[0], dev=data[1])
    score = max(epoch.dev_score for epoch in made.history_)
    settled = made.model_.about.get("settled", {})
    if isinstance(made, Transducer):  # how texts are taken apart is no setting of the recipe
        settled = {"source_symbols": made.script_.notation.source_way} | settled
    return {
        "settings": settings,
        "seed": seed,
        "score": round(100 * score, 2),
        "settled": settled,
        "cpu_s": round(time.process_time() - began, 1),
    }


def same_training(known: list[dict[str, Any]], settings: dict[str, Any], seed: int) -> dict[str, Any] | None:
    """Return what is known of these settings, if the bare command chose them by itself."""
    for run in known:
        if not run["settings"] and run["seed"] == seed and settings.items() <= run["settled"].items():
            settled = {name: value for name, value in run["settled"].items() if name not in settings}
            return run | {"settings": settings, "settled": settled}
    return None


def main() -> int:
    """Run what is asked for, and write the table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--only", nargs="+", choices=ROWS, help="these corpora")
    parser.add_argument("--table", action="store_true", help="write the table and run nothing")
    parser.add_argument("--minutes", type=float, default=0.0, help="begin no training after so many minutes")
    given = parser.parse_args()
    began = time.monotonic()
    for name in [] if given.table else given.only or ROWS:
        _, make, load = ROWS[name]
        data = None
        while (left := next(missing(name, recorded().get(name, [])), None)) is not None:
            if given.minutes and time.monotonic() - began > 60 * given.minutes:
                return 0
            settings, seed = left
            found = same_training(recorded().get(name, []), settings, seed)
            if found is None:
                data = data or load()
                part = fold(data, FOLDS[name], seed) if name in FOLDS else data
                found = measured(make, part, settings, seed)
            record = recorded()  # read again: others may have added to it meanwhile
            record.setdefault(name, []).append(found)
            write_atomically(RECORD, json.dumps(record, indent=1) + "\n")
            print(name, found, file=sys.stderr, flush=True)
    write_atomically(PAGE, "\n".join(page(recorded())) + "\n")
    return 0


def recorded() -> dict[str, list[dict[str, Any]]]:
    """Return all runs so far, by corpus."""
    record: dict[str, list[dict[str, Any]]] = json.loads(RECORD.read_text()) if RECORD.exists() else {}
    return record


HEAD = """# Bare commands beside settings chosen by hand

`python benchmarks/auto.py`; development data, the best epoch on dev of each. *By hand* is the best on dev of
the settings that the script lists, chosen with what it is measured on in view; the bare row is not. With
three seeds, figures are means, and all settings were run with the first seed but only the two best of them
with all three. LAS for trees with gold tags, F1 for spans, accuracy for tags, words right for sounds. Rows
that were not run are left out. Trees by hand, but for Basque, Chinese, EWT, French, GUM and Indonesian, were
searched with `beam:8`, the default when they were run.

| corpus | seeds | bare | chosen by it | by hand | with | behind |
|---|---:|---:|---|---:|---|---:|
"""
OVER_FOLDS = """Whether so much is more than chance, on some hundred names or words, was asked for three of
these corpora of six parts of their training and development data, of which one after the other was held out,
each with another seed (WikiGold with a default before the last one):

| corpus | folds | bare | chosen by it | by hand | with | behind |
|---|---:|---:|---|---:|---|---:|
"""
TOO_FAR = 0.7


def page(record: dict[str, Any]) -> list[str]:
    """Return the rows that are whole, and what they come to."""
    whole = [name for name in ROWS if name in record and not any(missing(name, record[name]))]
    lines = HEAD.splitlines()
    shown = [name for name in whole if name not in FOLDS]
    gaps = []
    for name in shown:
        line, gap = row(name, record[name])
        lines.append(line)
        gaps.append(gap)
    if gaps:
        mean, level = statistics.fmean(gaps), statistics.fmean(max(gap, 0) for gap in gaps)
        far = [name for name, gap in zip(shown, gaps) if gap > TOO_FAR]
        total = (
            f"{len(gaps)} of {len(ROWS) - len(FOLDS)} corpora: {mean:.2f} behind on average, {level:.2f} if "
        )
        total += f"being ahead counts as level; {max(gaps):.2f} at most."
        lines += ["", f"{total} More than {TOO_FAR} behind: {', '.join(far) or 'none'}."]
    lines += ["", *OVER_FOLDS.splitlines(), *(row(name, record[name])[0] for name in whole if name in FOLDS)]
    return lines


def row(name: str, runs: list[dict[str, Any]]) -> tuple[str, float]:
    """Return one row, and how far the bare command is behind."""
    of = [[run for run in runs if run["settings"] == each] for each in ({}, *HAND[ROWS[name][0]])]
    bare, best = of[0], max((some for some in of[1:] if len(some) == runs_of(name)), key=mean_score)
    gap = mean_score(best) - mean_score(bare)
    told = ", ".join(f"{k} {v}" for k, v in best[0]["settings"].items())
    chosen = bare[0]["settled"].get("templates", "")
    scores = f"{mean_score(bare):.2f} | `{chosen}` | {mean_score(best):.2f} | `{told}` | {gap:.2f}"
    return f"| {name} | {runs_of(name)} | {scores} |", gap


def mean_score(runs: list[dict[str, Any]]) -> float:
    """Return the mean over the seeds."""
    return statistics.fmean(run["score"] for run in runs)


if __name__ == "__main__":
    sys.exit(main())
