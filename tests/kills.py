"""Trainings that are killed at random moments and resumed, for tests quick and slow."""

from __future__ import annotations

import os
import random
import signal
from collections.abc import Iterator
from contextlib import chdir
from functools import cache
from pathlib import Path

import numpy as np

from structron.io import Format, Sentence, with_tree, write, write_pairs
from structron.synthetic import Tree, generate_spellings, generate_treebank
from tests.forking import Parent, forking

TASKS = {
    "tagging": ("tagging", "train.conllu", "--dev", "dev.conllu", "--epochs", 30),
    "hidden": ("tagging", "train.conllu", "--dev", "dev.conllu", "--epochs", 10, "--hidden", 2),
    "parsing": ("parsing", "train.conllu", "--dev", "dev.conllu", "--epochs", 8, "--search", "beam:2"),
    "jackknife": ("parsing", "train.conllu", "--epochs", 8, "--search", "greedy", "--tagger", "jackknife:2"),
    "graph": (
        *("parsing", "train.conllu", "--dev", "dev.conllu", "--epochs", 8),
        *("--system", "graph", "--templates", "graph_fast_tags"),
    ),
    "transduction": ("transduction", "train.tsv", "--dev", "dev.tsv", "--epochs", 15, "--search", "beam:4"),
    "translation": (
        *("translation", "train.src", "train.tgt", "--dev", "dev.src", "dev.tgt", "--epochs", 3),
        *("--tuning", 3, "--templates", "rules", "--search", "beam:4+merge"),
    ),
    "hiero": (
        *("translation", "train.src", "train.tgt", "--dev", "dev.src", "dev.tgt", "--epochs", 3),
        *("--tuning", 2, "--system", "hiero", "--templates", "rules", "--search", "forest:4"),
    ),
    "segmentation": ("segmentation", "train.conllu", "--dev", "dev.conllu", "--epochs", 6),
    "joint": (
        *("segmentation", "train.conllu", "--dev", "dev.conllu", "--epochs", 3),
        *("--system", "joint", "--search", "beam:2"),
    ),
    "classification": ("classification", "train.docs", "--dev", "dev.docs", "--epochs", 60),
    "semantics": ("semantics", "train.forms", "--dev", "dev.forms", "--epochs", 4),
    # Stage by stage, the tagger and the lemmatizer among them; it has no schedules.
    "pipeline": (
        *("pipeline", "train.conllu", "--dev", "dev.conllu", "--prefer", "speed", "--folds", 2),
        *("--stages", "upos,lemma,parser"),
    ),
}
WITHOUT_SCHEDULES = ("pipeline",)
SCHEDULES = {
    "serial": (),
    "batch": ("--batch", 8, "--threads", 2),
    "shards": ("--shards", 3, "--mixing", "errors", "--threads", 2),
}


def make_data(folder: Path, size: int) -> None:
    """A small treebank, a small list of words with their sounds, and some sentences twice."""
    rng = np.random.default_rng(3)
    for part, count in (("train", size), ("dev", 20)):
        trees = generate_treebank(count, rng)
        write(map(_sentence, trees), folder / f"{part}.conllu")
        write_pairs(generate_spellings(count, rng), folder / f"{part}.tsv")
        few = trees[: max(20, count // 3)]
        (folder / f"{part}.src").write_text("".join(f"{' '.join(t.words)}\n" for t in few))
        # A word is another where it is the last, so that there is something to learn.
        said = [[*(w.upper() for w in t.words[:-1]), t.words[-1].title()] for t in few]
        (folder / f"{part}.tgt").write_text("".join(f"{' '.join(words)}\n" for words in said))
        (folder / f"{part}.docs").write_text("".join(f"{t.labels[0]}\t{' '.join(t.words)}\n" for t in trees))
        asked = [_question(rng) for _ in few]
        (folder / f"{part}.forms").write_text("".join(f"{words}\t{form}\n" for words, form in asked))


def _sentence(tree: Tree) -> Sentence:
    """A sentence with tags, lemmas and a tree."""
    made = with_tree(Sentence.of(tree.words, tree.tags, Format("conllu")), (tree.heads, tree.labels))
    return made.with_column("lemma", [word.lower().removesuffix("s") or "s" for word in tree.words])


def _question(rng: np.random.Generator) -> tuple[str, str]:
    """Words and what they mean."""
    things = ["hats", "shirts", "shoes", "coats"]
    colours = ["red", "blue", "old"]
    words = form = things[rng.integers(4)]
    for _ in range(rng.integers(3)):
        colour = colours[rng.integers(3)]
        words, form = f"{colour} {words}", f"{colour}({form})"
    how, asked = [("how many", "count"), ("which", "names")][rng.integers(2)]
    return f"{how} {words} are there", f"{asked}({form})"


@cache
def parents() -> Iterator[Parent]:
    """Whom to ask for a process: the next one, whose strings hash differently."""
    return forking({**os.environ, "PYTHONUTF8": "1"})


def survive(folder: Path, task: str, schedule: str, kills: int, seed: int = 7) -> None:
    """Kill a training so many times, and see that it always ends with the bytes of one left in peace."""
    chance = random.Random(f"{task} {schedule} {seed}")
    whole, killed = folder / "whole", folder / "killed"
    there = {path.name for path in folder.iterdir()}
    common = ["train", *map(str, TASKS[task]), *map(str, SCHEDULES[schedule]), "--checkpoint", "1e-6"]
    _finish(folder, [*common, "-o", whole.name])
    resumed = [*common, "-o", killed.name, "--resume"]
    deaths = 0
    while deaths < kills:
        if _killed(folder, resumed, chance):
            deaths += 1
        else:  # it was quicker, and starts from the beginning
            assert killed.read_bytes() == whole.read_bytes()
            killed.unlink()
    _finish(folder, resumed)
    assert killed.read_bytes() == whole.read_bytes()
    left = {path.name for path in folder.iterdir()}
    assert left == there | {"whole", "killed"}
    whole.unlink()
    killed.unlink()


def _finish(folder: Path, command: list[str]) -> None:
    with chdir(folder):
        done = next(parents()).run(command, "", timeout=600)
    assert done.returncode == 0, (command, done.stderr[-2000:])


def _killed(folder: Path, command: list[str], chance: random.Random) -> bool:
    """Whether it was killed before it was through; now and then before it learns at all."""
    process = next(parents()).start(command, folder)
    with os.fdopen(process.feed, "wb"), os.fdopen(process.out, "rb"), os.fdopen(process.err, "rb") as stderr:
        if chance.random() < 0.8:
            for line in stderr:
                within = line == b"tuning\n" or line[:1].isdigit()  # a stage before, such as 1/3 upos
                if line.startswith(b"epoch") or (within and chance.random() < 0.5):
                    break
            process.is_over(chance.uniform(0.0, 0.3))
        else:
            process.is_over(chance.uniform(0.0, 2.0))
        process.kill()
        said, code = stderr.read(), process.code()
    assert code in (0, -signal.SIGKILL), (command, said[-2000:])
    return code != 0
