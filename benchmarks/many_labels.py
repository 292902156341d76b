"""A tagger of about a thousand labels: `python benchmarks/many_labels.py`

UPOS and FEATS as one label, on the two treebanks with the most of them, by the bare `Tagger()` and by one
that is greedy. Learned from the training part, measured on dev in a new process: accuracy, CPU time of one
thread from lists of str to lists of str right after loading (the best of five), and the greatest resident
memory of loading and tagging. Written: benchmarks/results/many_labels.md.
"""

from __future__ import annotations

import json
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from corpora import folder

import structron
from structron import Tagger
from structron.io import read
from structron.io.files.atomic_write import write_atomically
from structron.metrics import accuracy

TREEBANKS = {"Turkish-IMST": "tr_imst", "Basque-BDT": "eu"}
SETTINGS = {"bare": {}, "greedy": {"search": "greedy"}}


def part(treebank: str, name: str) -> tuple[list[list[str]], list[list[str]]]:
    file = folder() / "ud" / f"UD_{treebank}" / f"{TREEBANKS[treebank]}-ud-{name}.conllu.gz"
    sentences = list(read(file))
    both = [zip(s.column("upos"), s.column("feats")) for s in sentences]
    return [list(s.words()) for s in sentences], [[" ".join(pair) for pair in pairs] for pairs in both]


def tag(treebank: str, model: str) -> dict[str, float]:
    """Return what a new process measures."""
    words, gold = part(treebank, "dev")
    tokens, best = sum(map(len, words)), float("inf")
    for _ in range(5):
        tagger = structron.load(model)
        begin = time.process_time()
        found = tagger.predict(words)
        best = min(best, time.process_time() - begin)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1000
    return {"accuracy": 100 * accuracy(gold, found), "tok_s": tokens / best, "mb": peak}


def main() -> None:
    if sys.argv[1:2] == ["--child"]:
        print(json.dumps(tag(*sys.argv[2:])))
        return
    lines = [
        "# A thousand labels",
        "",
        "`python benchmarks/many_labels.py`: UPOS and FEATS as one label, dev parts, CPU time of one thread.",
        "",
        "| treebank | labels | settings | accuracy | k tokens/s | training, CPU s | model, MB | peak, MB |",
        "|---|---:|---|---:|---:|---:|---:|---:|",
    ]
    for treebank in TREEBANKS:
        words, labels = part(treebank, "train")
        for name, settings in SETTINGS.items():
            with tempfile.TemporaryDirectory() as scratch:
                model = Path(scratch) / "tags.model"
                begin = time.process_time()
                Tagger(**settings).fit(words, labels).save(model)
                spent = time.process_time() - begin
                command = [sys.executable, __file__, "--child", treebank, str(model)]
                told = json.loads(subprocess.run(command, check=True, stdout=subprocess.PIPE).stdout)
                size = model.stat().st_size / 1e6
            count = len({label for sentence in labels for label in sentence})
            speed = f"{told['accuracy']:.2f} | {told['tok_s'] / 1000:.0f}"
            lines.append(
                f"| {treebank} | {count} | {name} | {speed} | {spent:.0f} | {size:.1f} | {told['mb']:.0f} |"
            )
            print(lines[-1], flush=True)
    write_atomically(Path(__file__).parent / "results/many_labels.md", "\n".join([*lines, ""]))


if __name__ == "__main__":
    main()
