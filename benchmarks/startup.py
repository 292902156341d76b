"""What it costs to start: CPU time of a whole process, for commands that have next to nothing to do.

`python benchmarks/startup.py [--rounds N] [--before PYTHON] [--out FILE]` trains a small tagger, parser,
segmenter and transducer on made-up sentences and then starts each command in turn, round after round. CPU
time is that of the kernel for the finished process, user and system; medians are reported, and beside them
the ratio to a Python that does nothing and the number of modules that were imported. `--before` names the
interpreter of another installation; then the two take turns.
"""

from __future__ import annotations

import argparse
import os
import resource
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

import numpy as np

from structron import Parser, Segmenter, Tagger, Transducer
from structron.synthetic import generate_treebank

TEXT = "The old woman saw her watch.\n"
COUNT = "import atexit, sys; atexit.register(lambda: print(len(sys.modules), file=sys.stderr)); "
RUN = "from structron.cli import main; main(sys.argv[1:])"
FEATURES = 775_000  # of a tagger for a large treebank
RESTORE = (
    "import numpy; from structron import _core; cells = numpy.load(sys.argv[1]); "
    "_core.Weights(20).restore(*(cells[name] for name in ('key', 'column', 'weight', 'past')), 2)"
)


def models(folder: Path) -> dict[str, str]:
    """Return a small model of each kind, in files."""
    trees = generate_treebank(200, np.random.default_rng(0))
    words, tags = [tree.words for tree in trees], [tree.tags for tree in trees]
    tagger = Tagger(epochs=2).fit(words, tags)
    parser = Parser(epochs=1, templates="fast").fit(
        [[(word, tag, tag, "_", word) for word, tag in zip(tree.words, tree.tags)] for tree in trees],
        [(tree.heads, tree.labels) for tree in trees],
    )
    texts = [" ".join(each) for each in words]
    letters = sorted({word for each in words for word in each})
    made: dict[str, Any] = {
        "tagger": tagger,
        "parser": parser,
        "segmenter": Segmenter(epochs=2).fit(texts, [[list(each)] for each in words]),
        "transducer": Transducer(epochs=2).fit(letters, [" ".join(word.upper()) for word in letters]),
    }
    for name, model in made.items():
        model.save(folder / f"{name}.model")
    return {name: str(folder / f"{name}.model") for name in made}


def weights(folder: Path) -> str:
    """Return the weights of many features as a checkpoint has them, sorted by their keys, in a file."""
    rng = np.random.default_rng(0)
    keys = np.unique(rng.integers(1, 1 << 63, FEATURES, dtype=np.uint64))
    cells = {
        "key": np.repeat(keys, 3),
        "column": np.tile(np.arange(3, dtype=np.uint32), len(keys)),
        "weight": rng.normal(size=3 * len(keys)).astype(np.float32),
        "past": rng.normal(size=3 * len(keys)),
    }
    np.savez(folder / "weights.npz", **cells)
    return str(folder / "weights.npz")


def rows(folder: Path) -> dict[str, tuple[str, list[str]]]:
    """Return what is started: a program for ``python -c``, and its arguments."""
    made = models(folder)
    words, raw = folder / "words.txt", folder / "raw.txt"
    words.write_text("the old woman saw her watch .\n", encoding="utf-8")
    raw.write_text(TEXT, encoding="utf-8")
    tree = folder / "tagged.conllu"
    tagged = [("the", "DET"), ("woman", "NOUN"), ("saw", "VERB"), ("her", "PRON")]
    lines = [f"{i}\t{word}\t_\t{tag}" + "\t_" * 6 for i, (word, tag) in enumerate(tagged, 1)]
    tree.write_text("\n".join(lines) + "\n\n", encoding="utf-8")
    return {
        "`python -c pass`": ("pass", []),
        "`import numpy`": ("import numpy", []),
        "`import click`": ("import click", []),
        "`import structron`": ("import structron", []),
        "`structron --version`": (RUN, ["--version"]),
        "`structron --help`": (RUN, ["--help"]),
        "`structron predict`, a tagger": (RUN, ["predict", made["tagger"], str(words)]),
        "`structron predict`, a parser": (RUN, ["predict", made["parser"], str(tree)]),
        "`structron predict`, a segmenter": (RUN, ["predict", made["segmenter"], str(raw)]),
        "`structron predict`, a transducer": (RUN, ["predict", made["transducer"], "watch"]),
        "`structron predict en`": (RUN, ["predict", "en", str(raw)]),
        '`structron.load("en")`': ("import structron; structron.load('en')", []),
        f"numpy, and the weights of {FEATURES:,} features restored": (RESTORE, [weights(folder)]),
    }


def started(python: str, program: str, arguments: list[str], compiled: dict[str, str]) -> float:
    """Return CPU seconds of one process, as the kernel counted them."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    command = [python, "-c", f"import sys; {program}", *arguments]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL, env=compiled)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def modules(python: str, program: str, arguments: list[str], compiled: dict[str, str]) -> int:
    """Return how many modules a process has at its end."""
    command = [python, "-c", COUNT + program, *arguments]
    done = subprocess.run(command, check=True, capture_output=True, text=True, env=compiled)
    return int(done.stderr.split()[-1])


def measured(pythons: list[str], rounds: int) -> tuple[list[dict[str, float]], list[dict[str, int]]]:
    """Return, by interpreter, the median CPU time of each row and its modules; all take turns."""
    with tempfile.TemporaryDirectory() as folder:
        asked = rows(Path(folder))
        # As an installed package is: every file compiled before, here by the round that counts modules.
        compiled = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
        compiled["PYTHONPYCACHEPREFIX"] = f"{folder}/compiled"
        counts = [
            {row: modules(python, *what, compiled) for row, what in asked.items()} for python in pythons
        ]
        times: list[dict[str, list[float]]] = [{row: [] for row in asked} for _ in pythons]
        for _ in range(rounds):
            for row, what in asked.items():
                for python, own in zip(pythons, times):
                    own[row].append(started(python, *what, compiled))
    return [{row: statistics.median(each) for row, each in own.items()} for own in times], counts


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--rounds", type=int, default=11)
    options.add_argument("--before", help="the interpreter of an installation to compare with")
    options.add_argument("--out", type=Path)
    given = options.parse_args()
    pythons = [sys.executable] if given.before is None else [sys.executable, given.before]
    medians, counts = measured(pythons, given.rounds)
    bare = medians[0]["`python -c pass`"]
    heads = ["CPU s", "times a bare Python", "modules", "CPU s before", "modules before"]
    lines = [f"| what is started | {' | '.join(heads[: 3 if given.before is None else 5])} |"]
    lines.append("|---|" + "---:|" * (lines[0].count("|") - 2))
    for row, seconds in medians[0].items():
        cells = [row, f"{seconds:.3f}", f"{seconds / bare:.1f}", str(counts[0][row])]
        if given.before is not None:
            cells += [f"{medians[1][row]:.3f}", str(counts[1][row])]
        lines.append(f"| {' | '.join(cells)} |")
    print("\n".join(lines))
    if given.out:
        given.out.write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
