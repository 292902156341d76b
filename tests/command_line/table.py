"""Small data for each task, and values to try for every option, made from how click declares it.

`runs` lists the commands of a table: `train` and every other command with each of its options, for each task.
An option that has no value here raises KeyError, and so fails a test. ``python -m tests.command_line.table
TASK FOLDER`` runs them one after the other, in one process, and prints a line of JSON for each.
"""

from __future__ import annotations

import io
import json
import os
import resource
import shutil
import sys
import traceback
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple, TextIO

import click

from structron.cli.app import app, main
from structron.cli.command_list import HELP
from structron.cli.commands.train import training
from structron.cli.terminal.settings import declared
from structron.io import write
from structron.registry import cli_of
from structron.updates import UPDATES
from tests.pipelines import treebank

SEARCHES = (
    "exact", "greedy", "beam:2", "beam:2+merge", "beam:2+within=20", "beam:2+merge+by_class", "dp:2",
    "forest", "forest:2", "forest:2+swaps", "mst",
)  # fmt: skip
MEMORY = 4 << 30  # bytes of address space that a table may take
LEARNERS = ("perceptron:plain", "mira", "mira:2", "pa:C=0.1", "swvp:single,wm,balanced")


class Small(NamedTuple):
    """The smallest data that a task can learn from."""

    train: tuple[str, ...]  # names of files
    given: str  # an input on the command line
    gold: str  # its output
    more: tuple[str, ...] = ("--epochs", "1")  # what keeps training short


SMALL = {
    "tagging": Small(("trees.conllu",), "the dog", "D N"),
    "parsing": Small(("trees.conllu",), "the/D dog/N", "2 0", ("--epochs", "1", "--templates", "rich_tags")),
    "transduction": Small(("pairs.tsv",), "ab", "x y"),
    "translation": Small(("a.src", "a.tgt"), "a b", "x y", ("--epochs", "1", "--tuning", "1")),
    "segmentation": Small(("trees.conllu",), "Go on.", "Go on ."),
    "semantics": Small(("questions.tsv",), "which hats are there", "names(hats)"),
    "classification": Small(("texts.tsv",), "cheap pills", "spam"),
    "pipeline": Small(("trees.conllu",), "the dog", "", ("--prefer", "speed", "--folds", "2")),
}

FILES = {
    "pairs.tsv": "ab\tx y\nba\ty x\naab\tx x y\nbb\ty y\n" * 2,
    "a.src": "a b\nb a\na a b\nb b\n" * 2,
    "a.tgt": "x y\ny x\nx x y\ny y\n" * 2,
    "questions.tsv": "which hats are there\tnames(hats)\nhow many hats are there\tcount(hats)\n"
    "which shirts are there\tnames(shirts)\nhow many shirts are there\tcount(shirts)\n",
    "texts.tsv": "spam\tcheap pills\nham\tmeeting at noon\nspam\tcheap offer\nham\tnotes of the meeting\n",
    "recipe.toml": "seed = 3\n",
    "clusters.txt": "00\tthe\t2\n01\tdog\t1\n",
    "gazetteer.txt": "dog\n",
    "entries.tsv": "dog\tNOUN\n",
    "names.tsv": "tee\titem('tee')\n",
    "entities.tsv": "the\tO\ndog\tB-PET\nbarks\tO\n\n" * 6,
    "grammar.txt": "Q -> names(T)\nQ -> count(T)\nT -> hats\nT -> shirts\n",
    "shop.py": "def answer(form):\n    return str(form)\n",
    "model.arpa": "\\data\\\nngram 1=4\n\n\\1-grams:\n-1\t<unk>\n-1\t</s>\n-99\t<s>\n-1\tx\n\n\\end\\\n",
    "text.txt": "the dog saw the man .\nthe man saw a dog .\n",
    "vectors.txt": "the 1 0\ndog 0 1\nman 0 1\nsaw 1 1\n",
    "links.txt": "0-0 1-1\n0-0 1-1\n0-0 1-1 2-2\n0-0 1-1\n" * 2,
}


def write_files(folder: Path) -> None:
    """All files that the table names."""
    for name, text in FILES.items():
        (folder / name).write_text(text)
    write(treebank(12), folder / "trees.conllu")


# What to try where neither click nor the recipe says which values there are; by the name of the parameter.
# Values with a blank between them are two arguments.
WORDS: dict[str, tuple[str, ...]] = {
    "search": SEARCHES,
    "update": (*UPDATES, "auto"),
    "learner": LEARNERS,
    "output": ("new",),
    "save": ("new.aligner",),
    "model": ("new.aligner",),
    "recipe": ("recipe.toml",),
    "columns": ("form=0,pos=1", "form,pos"),
    "encoding": ("latin-1", "utf-16"),
    "ray": ("nowhere:1",),
    "old_ray": ("nowhere:1",),
    "stream": ("packed",),
    "plot": ("new.png",),
    "cut": ("2",),
    "min_weight": ("0.5",),
    "order": ("0", "1"),
    "clusters": ("clusters.txt",),
    "gazetteers": ("gazetteer.txt",),
    "trials": ("2",),
    "target": ("xpos", "lemma"),
    "pruner": ("heads:2", "none"),
    "tagger": ("jackknife", "jackknife:2"),
    "min_count": ("1",),
    "restart_every": ("1",),
    "references": ("a.tgt",),
    "language_model": ("model.arpa",),
    "tags": ("upos",),
    "grammar": ("grammar.txt",),
    "names": ("names.tsv",),
    "executor": ("shop:answer",),
    "class_weight": ("balanced", '{"spam": 2}'),
    "weighting": ("count", "log+idf+l2"),
    "system": ("graph",),
    "intercept": ("auto", "yes", "no"),
    "stages": ("upos,lemma",),
    "output_format": ("conllu", "text", "json", "html"),
    "stage": ("upos",),
    "text": ("text.txt",),
    "errors": ("new.html",),
    "label": ("N",),
    "svg": ("new.svg", "-"),
    "given": ("seed=1", "search=greedy|beam:2", "upos", "head"),
    "dictionary": ("gazetteer.txt", "names.tsv"),
    "dictionary_file": ("gazetteer.txt", "entries.tsv"),
    "inventory": ("new.pieces",),
    "links": ("links.txt links.txt",),
    "bitext": ("a.src a.tgt",),
    "host": ("127.0.0.1",),
    "token": ("secret",),
    "cors": ("http://example.org",),
    "allow_host": ("example.org",),
}


def values(name: str, task: str) -> tuple[str, ...]:
    """What to try of an option that takes some text."""
    small = SMALL[task]
    every = {key: each for part in declared(task) for key, each in part.items()}
    if name in every and every[name].about.choices:
        return tuple(every[name].about.choices)
    if name == "templates":
        return ("auto", *cli_of(task).presets)
    if name == "combine":
        return ("none", "opposite", "rich") if task == "transduction" else ("none", "graph+arcs")
    if name == "names" and task == "pipeline":
        return ("entities.tsv",)
    if name == "gold":
        return (small.gold,)
    if name in ("dev", "train", "against", "input_places", "place", "corpus", "keep"):
        return (" ".join(small.train),)
    return WORDS[name]


def tried(param: click.Option, task: str, command: str) -> Iterator[list[str]]:
    """What to add to a command in order to try an option; `train` is tried with all values of most."""
    few = list if command == "train" and param.name != "templates" else some
    long = max(param.opts, key=len)
    if param.is_flag:
        for name in {max(names, key=len) for names in (param.opts, param.secondary_opts) if names}:
            yield [name]
    elif isinstance(param.type, click.Choice):
        choices = [str(each) for each in param.type.choices]
        if param.name == "format_name" and command in OF_TASKS[1:]:  # one that the task has, and another
            choices = [next(each for each in choices if each in cli_of(task).formats), choices[-1]]
        for choice in few(choices):
            yield [long, choice]
    elif isinstance(param.type, click.types.IntParamType | click.types.FloatParamType):
        yield [long, "2"]
    else:
        found = values(str(param.name), task)
        if param.name == "search" and command != "train":
            found = ("greedy", "forest:2", "mst")
        for word in few(found):
            if param.name in FILES_OF_A_TASK and param.multiple:  # once for each side
                yield [part for each in word.split() for part in (long, each)]
            elif param.nargs > 1:
                yield [long, *word.split()]
            else:
                yield [long, word.split()[0] if param.name in FILES_OF_A_TASK else word]


def some(values: Sequence[str]) -> list[str]:
    """The first, the last and one between them."""
    return list(dict.fromkeys((values[0], values[len(values) // 2], values[-1])))


def base(command: str, task: str, model: str, option: str) -> list[str]:
    """A command that works, as short as can be, to try an option of this name with."""
    small = SMALL[task]
    dev = ["--dev", *small.train]
    words = [] if option in ("input_places", "place") else [small.given]
    least = "folds=2" if task == "pipeline" else "epochs=1"  # a pipeline has no epochs of its own
    short = ["--set", least, *([] if option in ("dev", "folds") else ["--folds", "2"])]
    record = ["-o", "new.json"] if option == "resume" else []
    output = [] if option == "output" else ["-o", "new"]
    more = {
        "train": [task, *small.train, *small.more, *output, *(dev if option in NEEDS_DEV else [])],
        "predict": [model, small.train[0]],
        "evaluate": [model, *small.train],
        "show": [model, *words],
        "explain": [model, *words],
        "info": [model, *(["--corpus", small.train[0]] if option in ("label", "top") else [])],
        "calibrate": [model, small.train[0], *output],
        "select": [model, small.train[0]],
        "correct": [model, small.train[0], *output],
        "tune": [task, *small.train, *short, "--set", "seed=1|2", "--budget", "2", *record],
        "curve": [task, *small.train, *short, "--points", "2"],
        "audit": [task, *small.train, "--sample", "1", "--passes", "1", "--limit", "5"],
        "align": ["pairs.tsv", "--iterations", "1"],
        "cluster": ["text.txt", "--min-count", "1", "--classes", "2"],
        "serve": [model, "--port", "0"],
    }
    if command == "align" and option in ("bitext", "links", "symmetrise", "threads"):
        return [command, *([] if option == "bitext" else ["--bitext", "a.src", "a.tgt"])]
    if command == "cluster" and option in ("vectors", "seed"):
        return [command, "vectors.txt", "--classes", "2", *(["--vectors"] if option == "seed" else [])]
    return [command, *more[command]]


FILES_OF_A_TASK = ("dev", "train", "against", "input_places", "place", "corpus", "keep")
NEEDS_DEV = ("calibrate", "references")
# Commands that no task changes, and those that tests of their own start.
OF_NO_TASK = ("align", "cluster")
ELSEWHERE = ("demo", "serve")
# Commands whose options do the same for every task: these are tried with one.
ONCE = ("tune", "curve", "audit")
OF_TASKS = tuple(name for name in HELP if name not in (*OF_NO_TASK, *ELSEWHERE))


def command_of(name: str, task: str) -> click.Command:
    """The command that is declared for a task."""
    found = training(task) if name == "train" else app.get_command(click.Context(app), name)
    assert found is not None
    return found


def runs(name: str, task: str, model: str) -> Iterator[tuple[str, list[str]]]:
    """A command as it is, and with each of its options; the name of the option comes first."""
    yield "", base(name, task, model, "")
    if name in ONCE and task != "tagging":
        return
    for param in command_of(name, task).params:
        if isinstance(param, click.Option) and param.name not in NOT_HERE:
            own = str(param.name)
            for more in tried(param, task, name):
                yield own, [*base(name, task, model, own), *more]


# Options that tests of their own try: this one takes seconds, and is the same for all tasks.
NOT_HERE = ("line",)


class Run(NamedTuple):
    """One command of the table, and how it ended."""

    command: str
    option: str  # the one that was tried; empty for none
    args: list[str]
    code: int
    stdout: str
    stderr: str


def write_to_memory() -> TextIO:
    return io.TextIOWrapper(io.BytesIO(), "utf-8", "backslashreplace", write_through=True)


def run(args: list[str]) -> tuple[int, str, str]:
    """The command in this process: its exit code, and what it said. A traceback is exit code 99."""
    before = sys.stdin, sys.stdout, sys.stderr
    out, err = write_to_memory(), write_to_memory()
    with Path(os.devnull).open(encoding="utf-8") as nothing:
        sys.stdin, sys.stdout, sys.stderr = nothing, out, err
        try:
            code = main(args)
        except BaseException:
            traceback.print_exc()
            code = 99
        finally:
            sys.stdin, sys.stdout, sys.stderr = before
    said = [each.buffer.getvalue().decode() for each in (out, err)]  # type: ignore[attr-defined]
    return code, said[0], said[1]


def draw_nothing() -> None:
    """Pictures are looked at by other tests: here they are drawn up to the last step, which takes longest."""
    from matplotlib.figure import Figure

    Figure.savefig = lambda self, file, **options: file.write(b"drawn")  # type: ignore[method-assign]


def all_runs(task: str) -> Iterator[Run]:
    """The table of a task, in the current folder; the model is trained by the first run."""
    model = f"{task}.model"
    trained = run([*base("train", task, model, "output"), "-o", model])
    assert trained[0] == 0, trained
    for name in (*OF_TASKS, *(OF_NO_TASK if task == "tagging" else ())):
        for option, args in runs(name, task, model):
            for left in Path().glob("new*"):
                left.unlink()
            shutil.rmtree("packed", ignore_errors=True)
            yield Run(name, option, args, *run(args))


if __name__ == "__main__":
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    os.chdir(sys.argv[2])
    write_files(Path())
    draw_nothing()
    for each in all_runs(sys.argv[1]):
        print(json.dumps(each), flush=True)
