"""The tasks of the benchmark: where their files lie, how they are read, how an answer is scored.

The readers are the benchmark's own, so that the peers run and are scored without structron.
"""

from __future__ import annotations

import gzip
import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

Token = str | tuple[str, ...]  # a word, or a word with its part of speech or with all that parsers may see
Tokens = list[list[Token]]
Tags = list[list[str]]


class DataMissing(Exception):
    """The corpora are not where the benchmark looks for them."""


@dataclass(frozen=True)
class Task:
    """One column to predict, of one corpus."""

    name: str
    title: str
    train: str
    dev: str | None
    test: str
    word: int
    pos: int | None  # a column that may be used as input besides the words
    tag: int  # for parsing, the head; the relation stands in the next column
    metric: str  # "accuracy", "span F1" or "LAS"


@dataclass(frozen=True)
class Split:
    """Input and gold of one part of a corpus."""

    inputs: Tokens
    gold: Tags

    @property
    def tokens(self) -> int:
        return sum(map(len, self.gold))


EWT = "ud/UD_English-EWT/en_ewt-ud-{}.conllu.gz".format
CONLL2000 = "chunking/conll2000/{}.txt.gz".format
TASKS = {
    "upos": Task(
        "upos", "UD English-EWT, UPOS", EWT("train"), EWT("dev"), EWT("test"), 1, None, 3, "accuracy"
    ),
    "xpos": Task(
        "xpos", "UD English-EWT, XPOS", EWT("train"), EWT("dev"), EWT("test"), 1, None, 4, "accuracy"
    ),
    "chunk": Task(
        "chunk", "CoNLL-2000 chunks", CONLL2000("train"), None, CONLL2000("test"), 0, 1, 2, "span F1"
    ),
    "parsing": Task(
        "parsing",
        "UD English-EWT, dependencies, gold tags",
        EWT("train"),
        EWT("dev"),
        EWT("test"),
        1,
        None,
        6,
        "LAS",
    ),
}
# Further treebanks, by name on the command line: small ones, since some peers take their time.
TREEBANKS = {
    "czech": "ud/UD_Czech-CLTT/cs_cltt-ud-{}.conllu.gz",
    "french": "ud/UD_French-Sequoia/fr_sequoia-ud-{}.conllu.gz",
    "greek": "ud/UD_Greek-GDT/el_gdt-ud-{}.conllu.gz",
    "hungarian": "ud/UD_Hungarian-Szeged/hu_szeged-ud-{}.conllu.gz",
    "italian": "ud/UD_Italian-ParTUT/it_partut-ud-{}.conllu.gz",
    "turkish": "ud/UD_Turkish-IMST/tr_imst-ud-{}.conllu.gz",
    "vietnamese": "ud/UD_Vietnamese-VTB/vi_vtb-ud-{}.conllu.gz",
}
USUAL = tuple(TASKS)  # what runs when nobody says what
for _name, _file in TREEBANKS.items():
    TASKS[f"parsing-{_name}"] = Task(
        f"parsing-{_name}",
        f"{_file.split('/')[1].replace('_', ' ')}, dependencies, gold tags",
        *(_file.format(part) for part in ("train", "dev", "test")),
        1,
        None,
        6,
        "LAS",
    )
# What a parser may see of a word: form, UPOS, XPOS, FEATS, lemma.
SEEN = (1, 3, 4, 5, 2)


def folder() -> Path:
    """Return the folder of the corpora: `$STRUCTRON_DATA`, or `../shared/data` beside the checkout."""
    named = os.environ.get("STRUCTRON_DATA")
    return Path(named) if named else Path(__file__).resolve().parents[2] / "shared" / "data"


def check(tasks: Sequence[Task]) -> None:
    """Raise `DataMissing` with one sentence when a file of one of the tasks is absent."""
    for task in tasks:
        for name in (task.train, task.dev, task.test):
            if name is not None and not (folder() / name).is_file():
                where = "$STRUCTRON_DATA" if "STRUCTRON_DATA" in os.environ else "../shared/data"
                raise DataMissing(
                    f"benchmarks: {where} has no {name}, which task {task.name} needs; "
                    "set STRUCTRON_DATA to the folder of the corpora or leave the task out with --tasks"
                )


def rows(path: Path) -> Iterator[list[list[str]]]:
    """Yield the token lines of each sentence; ranges and empty nodes of CoNLL-U are left out."""
    sentence: list[list[str]] = []
    treebank = ".conllu" in path.name
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        for line in lines:
            line = line.rstrip("\n")
            if not line.strip():
                if sentence:
                    yield sentence
                sentence = []
            elif treebank:
                if line[0] != "#":
                    fields = line.split("\t")
                    if fields[0].isdigit():
                        sentence.append(fields)
            else:
                sentence.append(line.split())
    if sentence:
        yield sentence


def load(task: Task, part: str, limit: int | None = None) -> Split | None:
    """Read one part (`train`, `dev`, `test`) of a task, or its first `limit` sentences."""
    name = {"train": task.train, "dev": task.dev, "test": task.test}[part]
    if name is None:
        return None
    inputs: Tokens = []
    gold: Tags = []
    for sentence in rows(folder() / name):
        if limit is not None and len(inputs) == limit:
            break
        if task.metric == "LAS":
            inputs.append([tuple(row[column] for column in SEEN) for row in sentence])
            # A head with its relation is one answer, such as "2 nsubj".
            gold.append([f"{row[task.tag]} {row[task.tag + 1]}" for row in sentence])
            continue
        if task.pos is None:
            inputs.append([row[task.word] for row in sentence])
        else:
            inputs.append([(row[task.word], row[task.pos]) for row in sentence])
        gold.append([row[task.tag] for row in sentence])
    return Split(inputs, gold)


def fresh(inputs: Tokens) -> Tokens:
    """Return the sentences in new str objects, whose hashes nobody has computed yet.

    A str remembers its hash: tagging the very same objects twice would flatter whoever looks words up.
    """
    copies: Tokens = []
    for sentence in inputs:
        rows = [(token,) if isinstance(token, str) else token for token in sentence]
        columns = ["\t".join(column).split("\t") for column in zip(*rows)]
        plain = sentence and isinstance(sentence[0], str)
        copies.append(list(columns[0]) if plain else list(zip(*columns)))
    return copies


def score(task: Task, gold: Tags, guess: Tags) -> float:
    """Return the task's metric, in per cent."""
    if len(gold) != len(guess) or any(len(g) != len(h) for g, h in zip(gold, guess)):
        raise ValueError(f"benchmarks: {task.name}: the answer has another shape than the gold tags")
    if task.metric == "accuracy":
        right = sum(g == h for a, b in zip(gold, guess) for g, h in zip(a, b))
        return 100.0 * right / max(1, sum(map(len, gold)))
    if task.metric == "LAS":
        return attached(gold, guess, labelled=True)
    right = found = wanted = 0
    for a, b in zip(gold, guess):
        spans, guesses = set(chunks(a)), set(chunks(b))
        right += len(spans & guesses)
        wanted += len(spans)
        found += len(guesses)
    return 200.0 * right / max(1, wanted + found)


def attached(gold: Tags, guess: Tags, labelled: bool) -> float:
    """Return LAS or UAS in per cent as in CoNLL 2018: every word counts, subtypes of relations do not."""

    def seen(answer: str) -> str:
        return answer.partition(":")[0] if labelled else answer.partition(" ")[0]

    right = sum(seen(g) == seen(h) for a, b in zip(gold, guess) for g, h in zip(a, b))
    return 100.0 * right / max(1, sum(map(len, gold)))


def chunks(tags: Sequence[str]) -> Iterator[tuple[int, int, str]]:
    """Yield the spans (begin, end, type) of a BIO sequence, as conlleval finds them.

    An I without a B before it begins a span; an I of another type ends one and begins the next.
    """
    begin, kind = 0, ""
    for i, tag in enumerate([*tags, "O"]):
        head, _, name = tag.partition("-")
        if kind and (head != "I" or name != kind):
            yield begin, i, kind
            kind = ""
        if head != "O" and not kind:
            begin, kind = i, name
