"""Sentences and tokens of real English, beside peers: `python benchmarks/sentences.py`

All systems that learn do so from UD English-EWT, and those that learn from raw text from the same lines of
it. They then cut the text of treebanks (EWT, and GUM, which none has learned from) and probes
(`benchmarks/probes/`: written before the segmenter was changed; `sentences_apart` was not looked at before
the end). An error is a sentence of gold that does not come out with the same begin and end. Tokens are
compared where a system follows the treebank's conventions. ``--on dev`` chooses, ``--on test`` reports.
Rows of systems that are not asked for stay in the results as they were; notes by hand are in
``results/sentences.notes.txt``.
"""

from __future__ import annotations

import argparse
import json
import lzma
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path
from typing import Any

from corpora import folder
from systems import Unavailable
from systems.probes import read as read_probe
from systems.splitters import SPLITTERS, Span

from structron.io import read
from structron.io.files.atomic_write import write_atomically
from structron.metrics.segmentation import SegmentationScore, span_score
from structron.segments.boundaries import SENTENCE
from structron.segments.passages import passages

RESULTS = Path(__file__).parent / "results" / "sentences"
PROBES = ("sentences", "sentences_apart")
TREEBANKS = ("English-EWT", "English-GUM")

Gold = list[tuple[str, str, list[Span], list[Span]]]  # group, text, sentences and tokens of each paragraph


def part(treebank: str, name: str) -> Path:
    (path,) = (folder() / "ud" / f"UD_{treebank}").glob(f"*-{name}.conllu.gz")
    return path


def of_treebank(treebank: str, name: str) -> Gold:
    found: Gold = []
    for passage in passages(list(read(part(treebank, name)))):
        firsts = [i for i, token in enumerate(passage.tokens) if token[2] & SENTENCE or i == 0]
        lasts = [*firsts[1:], len(passage.tokens)]
        spans = [(passage.tokens[a][0], passage.tokens[b - 1][1]) for a, b in zip(firsts, lasts)]
        found.append(("", passage.text, spans, [token[:2] for token in passage.tokens]))
    return found


def of_probe(name: str) -> Gold:
    return [(p.group, p.text, p.sentences, p.tokens) for p in read_probe(name)]


def measure(splitter: Any, gold: Gold) -> dict[str, Any]:
    sentences = tokens = SegmentationScore()
    wrong: Counter[str] = Counter()
    whole = True
    for group, text, ours, own in gold:
        theirs, found = splitter.split(text)
        sentences += span_score(ours, theirs)
        wrong[group] += len(set(ours) - set(theirs))
        if found is None:
            whole = False
        else:
            tokens += span_score(own, found)
    return {
        "sentences": 100 * sentences.f1,
        "tokens": 100 * tokens.f1 if whole else None,
        "errors": sentences.gold - sentences.right,
        "token_errors": tokens.gold - tokens.right if whole else None,
        "of": sentences.gold,
        "groups": dict(wrong),
    }


def some_text(files: list[Path], characters: int, scratch: Path) -> list[Path]:
    """Write the first lines of each file, so that all systems learn from the same."""
    made = []
    for file in files:
        left, place = characters // len(files), scratch / f"{file.name.partition('.')[0]}.txt"
        with lzma.open(file, "rt", encoding="utf-8") as lines, place.open("w", encoding="utf-8") as out:
            for line in lines:
                out.write(line)
                left -= len(line)
                if left <= 0:
                    break
        made.append(place)
    return made


def page(found: dict[str, Any], how: str, notes: str = "") -> str:
    texts = list(next(iter(found.values()))["texts"])
    lines = ["# Sentences and tokens of real English", "", how, *([notes] if notes else []), ""]
    heads = ["system", *(f"{t}: sentences" for t in texts), *(f"{t}: tokens" for t in texts)]
    lines += ["F1 in per cent.", "", "| " + " | ".join(heads) + " |", "|---" * len(heads) + "|"]
    for name, row in found.items():
        marks = [f"{row['texts'][t]['sentences']:.2f}" for t in texts]
        tokens = [row["texts"][t]["tokens"] for t in texts]
        marks += ["" if each is None else f"{each:.2f}" for each in tokens]
        lines.append("| " + " | ".join([name, *marks]) + " |")
    probes = [t for t in texts if t in PROBES]
    for probe in probes:
        own = {name: row["texts"][probe] for name, row in found.items()}
        groups = list(next(iter(own.values()))["groups"])
        of = next(iter(own.values()))["of"]
        lines += ["", f"Sentences of the probe `{probe}` that are wrong, of {of}:", ""]
        lines += ["| system | all | " + " | ".join(groups) + " |", "|---" * (len(groups) + 2) + "|"]
        for name, row in own.items():
            marks = [str(row["errors"]), *(str(row["groups"].get(group, 0)) for group in groups)]
            lines.append("| " + " | ".join([name, *marks]) + " |")
    lines += ["", *(f"- {name}: {row['version']}, {row['settings']}" for name, row in found.items()), ""]
    return "\n".join(lines)


def write(out: Path, found: dict[str, Any], characters: int) -> None:
    """Write what was found, as JSON and as a page."""
    how = (
        f"`python benchmarks/sentences.py --characters {characters}`; raw text: as many characters of "
        "Wikipedia and books."
    )
    told = out.with_suffix(".notes.txt")  # how the rows came about, by hand
    notes = told.read_text(encoding="utf-8").strip() if told.is_file() else ""
    write_atomically(out.with_suffix(".json"), json.dumps(found, indent=1) + "\n")
    write_atomically(out.with_suffix(".md"), page(found, how, notes))


def main() -> None:
    options = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    options.add_argument("--systems", nargs="+", default=list(SPLITTERS), choices=list(SPLITTERS))
    options.add_argument("--on", default="test", choices=("dev", "test"))
    options.add_argument("--probes", nargs="*", default=PROBES, choices=PROBES)
    options.add_argument("--characters", type=int, default=60_000_000, help="of raw text")
    options.add_argument("--models", type=Path)
    options.add_argument("--out", type=Path, default=RESULTS)
    asked = options.parse_args()
    results = asked.out.with_suffix(".json")
    found: dict[str, Any] = json.loads(results.read_text(encoding="utf-8")) if results.is_file() else {}
    with tempfile.TemporaryDirectory() as scratch:
        models = asked.models or Path(scratch)
        models.mkdir(parents=True, exist_ok=True)
        sources = [folder() / "text" / "en" / f"{name}.txt.xz" for name in ("wikipedia", "books")]
        raw = some_text(sources, asked.characters, models)
        texts = {f"{t} {asked.on}": of_treebank(t, asked.on) for t in TREEBANKS}
        texts |= {probe: of_probe(probe) for probe in asked.probes}
        for name in asked.systems:
            try:
                splitter = SPLITTERS[name]()
            except Unavailable as error:
                print(error, file=sys.stderr)
                continue
            model = models / f"{name.replace(', ', '-').replace(' ', '-')}.model"
            begin = time.process_time()
            if not model.is_file():
                splitter.train(part("English-EWT", "train"), part("English-EWT", "dev"), raw, model)
            seconds = time.process_time() - begin
            splitter.load(model)
            scores = {text: measure(splitter, gold) for text, gold in texts.items()}
            found[name] = {
                "version": splitter.version,
                "settings": splitter.settings,
                "train_s": seconds,
                "texts": scores,
            }
            told = ", ".join(f"{t} {s['sentences']:.2f} ({s['errors']} wrong)" for t, s in scores.items())
            print(f"{name}: {told}", flush=True)
            write(asked.out, {name: found[name] for name in SPLITTERS if name in found}, asked.characters)


if __name__ == "__main__":
    main()
