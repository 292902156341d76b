"""Chinese words: ``python benchmarks/segmentation.py``, with ``$STRUCTRON_DATA``.

The People's Daily of January 1998 with the tags of its annotation, and UD Chinese-GSD with UPOS: structron by
labels of characters, by words, and jointly with tags, beside CRFsuite on the same labels of characters (B, M,
E, S), the same with its tagger after it, and jieba, with its own dictionary and with the words of the
training data and their counts. Everything is trained and tested in one run; times are CPU times of the
process, one thread. F1 of words, recall of words that the training data do not have, and for those that tag
F1 of words with their tags.

    python benchmarks/segmentation.py --part dev --lines 2000     # small and quick
    python benchmarks/segmentation.py --corpora ud-chinese

Settings were chosen on the dev part; ``--part test`` (the default) is what is reported. Writes
``results/segmentation.json`` and ``results/segmentation.md``; rows of systems and corpora that are not asked
for stay as they were, so that one can be measured again alone.
"""

from __future__ import annotations

import argparse
import gzip
import json
import logging
import platform
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from importlib.metadata import version
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple, TextIO

from corpora import DataMissing, folder

RESULTS = Path(__file__).parent / "results"
ITERATIONS = 10

Pairs = list[tuple[str, str]]  # words and tags
Found = list[list[Any]]  # per text its words, or pairs of words and tags


class Source(NamedTuple):
    """A corpus: its title, its files, and how a file is read."""

    title: str
    files: str
    lines: Callable[[TextIO], Iterator[Pairs]]


class System(NamedTuple):
    """How a system learns and segments; `train` gives the function that segments texts."""

    settings: str
    train: Callable[[Sequence[Pairs]], Callable[[list[str]], Found]]
    tags: bool = False


def read(source: Source, part: str, lines: int | None = None) -> list[Pairs]:
    """Return the lines or sentences of one part, each a list of words and tags."""
    with gzip.open(folder() / source.files.format(part), "rt", encoding="utf-8") as file:
        return list(islice((line for line in source.lines(file) if line), lines))


def slashed(file: TextIO) -> Iterator[Pairs]:
    """Yield words with their tags after a slash."""
    for line in file:
        parts = [item.rpartition("/") for item in line.split()]
        yield [(word, tag) for word, _, tag in parts]


def conllu(file: TextIO) -> Iterator[Pairs]:
    """Yield forms and UPOS; the text is taken to have no blanks."""
    pairs: Pairs = []
    for line in file:
        columns = line.split("\t")
        if columns[0].isdigit():
            pairs.append((columns[1], columns[3]))
        elif not line.strip():
            yield pairs
            pairs = []
    yield pairs


CORPORA = {
    "people-daily": Source(
        "People's Daily, January 1998", "cws/people_daily_199801/pd199801.{}.txt.gz", slashed
    ),
    "ud-chinese": Source("UD Chinese-GSD, UPOS", "ud/UD_Chinese-GSD/zh-ud-{}.conllu.gz", conllu),
}


def structron(**settings: Any) -> Callable[[Sequence[Pairs]], Callable[[list[str]], Found]]:
    """Return a segmenter with these settings."""

    def train(lines: Sequence[Pairs]) -> Callable[[list[str]], Found]:
        from structron import Segmenter

        joint = settings.get("system") == "joint"
        gold = [[[each if joint else each[0] for each in line]] for line in lines]
        segmenter = Segmenter(**settings).fit(["".join(w for w, _ in line) for line in lines], gold)

        def segment(texts: list[str]) -> Found:
            return [
                [each for one in found for each in (zip(one.words, one.tags) if joint else one.words)]
                for found in segmenter.predict(texts)
            ]

        return segment

    return train


def character_features(text: str) -> list[list[str]]:
    """Return the usual window: characters, pairs and triples of them, and what kind they are."""
    padded = f"  {text}  "
    kinds = ["D" if c.isdigit() else "L" if c.isascii() and c.isalpha() else "O" for c in padded]
    items = []
    for i in range(2, len(padded) - 2):
        a, b, c, d, e = padded[i - 2 : i + 3]
        items.append(
            [
                f"0{c}", f"1{b}", f"2{d}", f"3{a}", f"4{e}", f"5{a}{b}", f"6{b}{c}", f"7{c}{d}", f"8{d}{e}",
                f"9{b}{d}", f"A{b}{c}{d}", f"B{a}{b}{c}", f"C{c}{d}{e}", "D" + "".join(kinds[i - 1 : i + 2]),
            ]
        )  # fmt: skip
    return items


def word_features(words: Sequence[str]) -> list[list[str]]:
    """Return the usual window of words, and how a word begins and ends."""
    padded = ["", "", *words, "", ""]
    items = []
    for i in range(2, len(padded) - 2):
        a, b, w, d, e = padded[i - 2 : i + 3]
        items.append(
            [
                f"0{w}", f"1{b}", f"2{d}", f"3{a}", f"4{e}", f"5{b}/{w}", f"6{w}/{d}", f"7{b}/{d}",
                f"8{w[0]}", f"9{w[-1]}", f"A{w[:2]}", f"B{w[-2:]}", f"C{w[:3]}", f"D{w[-3:]}",
                f"E{len(w)}", f"F{w[0]}/{w[-1]}", f"G{b[-1:]}/{w[0]}", f"H{w[-1]}/{d[:1]}",
                f"I{w.isdigit()}", f"J{w.isascii()}",
            ]
        )  # fmt: skip
    return items


def perceptron(examples: Iterable[tuple[list[list[str]], list[str]]]) -> Any:
    """Return CRFsuite's averaged perceptron, trained; gives labels for features."""
    import pycrfsuite

    trainer = pycrfsuite.Trainer("ap", verbose=False)
    trainer.set_params({"max_iterations": ITERATIONS})
    for features, labels in examples:
        trainer.append(features, labels)
    model = Path(tempfile.mkdtemp()) / "model.crfsuite"
    trainer.train(str(model))
    tagger = pycrfsuite.Tagger()
    tagger.open(str(model))
    return tagger


def crfsuite(lines: Sequence[Pairs]) -> Callable[[list[str]], Found]:
    """Return B, M, E and S by CRFsuite."""
    tagger = perceptron(
        (
            character_features("".join(word for word, _ in line)),
            [label for word, _ in line for label in bmes(word)],
        )
        for line in lines
    )

    def segment(texts: list[str]) -> Found:
        found = []
        for text in texts:
            words: list[str] = []
            for char, label in zip(text, tagger.tag(character_features(text))):
                if label in "BS" or not words:
                    words.append(char)
                else:
                    words[-1] += char
            found.append(words)
        return found

    return segment


def crfsuite_tags(lines: Sequence[Pairs]) -> Callable[[list[str]], Found]:
    """Segment by CRFsuite, and then tag the words."""
    segment = crfsuite(lines)
    tagger = perceptron((word_features([w for w, _ in line]), [t for _, t in line]) for line in lines)
    return lambda texts: [
        list(zip(words, tagger.tag(word_features(words)))) if words else [] for words in segment(texts)
    ]


def bmes(word: str) -> str:
    return "S" if len(word) == 1 else "B" + "M" * (len(word) - 2) + "E"


def jieba(trained: bool) -> Callable[[Sequence[Pairs]], Callable[[list[str]], Found]]:
    """Return jieba with its own dictionary, or with the training words; its HMM finds others."""

    def train(lines: Sequence[Pairs]) -> Callable[[list[str]], Found]:
        import jieba

        jieba.setLogLevel(logging.WARNING)
        tokenizer = jieba.Tokenizer()
        if trained:
            path = Path(tempfile.mkdtemp()) / "words.txt"
            times = Counter(word for line in lines for word, _ in line)
            path.write_text("".join(f"{word} {n}\n" for word, n in times.items()), encoding="utf-8")
            tokenizer = jieba.Tokenizer(str(path))
        tokenizer.initialize()
        return lambda texts: [list(tokenizer.cut(text)) for text in texts]

    return train


SYSTEMS = {
    "structron": System("labels, beam:4, the usual 15 epochs", structron()),
    "structron-words": System("words, beam:8, 8 epochs", structron(system="words", epochs=8)),
    "structron-joint": System(
        "words and tags, beam:8, 8 epochs", structron(system="joint", epochs=8), tags=True
    ),
    "crfsuite-ap": System(f"B M E S, averaged perceptron, {ITERATIONS} iterations", crfsuite),
    "crfsuite-tags": System(
        f"the same, then tags of words, {ITERATIONS} iterations each", crfsuite_tags, tags=True
    ),
    "jieba": System("its own dictionary", jieba(False)),
    "jieba-trained": System("dictionary of the training words", jieba(True)),
}


def spans(words: Sequence[Any], tags: bool) -> set[tuple[Any, ...]]:
    """Return where words begin and end, with their tags if these count."""
    found, at = set(), 0
    for each in words:
        word, tag = each if isinstance(each, tuple) else (each, "")
        found.add((at, at + len(word), tag) if tags else (at, at + len(word)))
        at += len(word)
    return found


def f1(gold: Sequence[Sequence[Any]], guess: Found, tags: bool = False) -> float:
    """Return the F1 of words by their places."""
    pairs = [(spans(a, tags), spans(b, tags)) for a, b in zip(gold, guess)]
    right = sum(len(a & b) for a, b in pairs)
    return 2 * right / sum(len(a) + len(b) for a, b in pairs)


def unseen_recall(gold: Sequence[Pairs], guess: Found, seen: set[str]) -> float:
    """Return the share of gold words that was found, of those that are not in the training data."""
    right = total = 0
    for line, found in zip(gold, guess):
        places, at = spans(found, False), 0
        for word, _ in line:
            if word not in seen:
                total += 1
                right += (at, at + len(word)) in places
            at += len(word)
    return right / total if total else 0.0


def measure(system: System, train: list[Pairs], test: list[Pairs]) -> dict[str, Any]:
    """Return one system, trained and tested."""
    began = time.process_time()
    segment = system.train(train)
    trained = time.process_time() - began
    texts = ["".join(word for word, _ in line) for line in test]
    segment(texts[:20])  # what is made on first use is made now
    began = time.process_time()
    found = segment(texts)
    took = time.process_time() - began
    row: dict[str, Any] = {
        "settings": system.settings,
        "f1": 100 * f1(test, found),
        "unseen": 100 * unseen_recall(test, found, {word for line in train for word, _ in line}),
        "words_per_second": sum(map(len, found)) / took,
        "training_seconds": trained,
    }
    if system.tags:
        row["joint_f1"] = 100 * f1(test, found, tags=True)
    return row


def table(rows: dict[str, dict[str, Any]], about: str) -> str:
    """Return the table as Markdown."""
    lines = [
        f"\n{about}\n",
        "| system | settings | F1 of words | recall of unseen | F1 with tags | words/s | training, CPU s |",
        "|---|---|---|---|---|---|---|",
    ]
    for name, row in rows.items():
        joint = f"{row['joint_f1']:.2f}" if "joint_f1" in row else ""
        lines.append(
            f"| {name} | {row['settings']} | {row['f1']:.2f} | {row['unseen']:.1f} | {joint} "
            f"| {row['words_per_second']:,.0f} | {row['training_seconds']:,.0f} |"
        )
    return "\n".join(lines) + "\n"


def main() -> int:
    """Run the systems that are asked for."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--corpora", nargs="+", choices=CORPORA, default=list(CORPORA))
    parser.add_argument("--systems", nargs="+", choices=SYSTEMS, default=list(SYSTEMS))
    parser.add_argument("--part", choices=("dev", "test"), default="test")
    parser.add_argument("--lines", type=int, help="only so many lines of training data")
    parser.add_argument("--out", type=Path, default=RESULTS / "segmentation")
    options = parser.parse_args()
    kept = options.out.with_suffix(".json")
    found: dict[str, dict[str, Any]] = json.loads(kept.read_text("utf-8")) if kept.exists() else {}
    for corpus in options.corpora:
        try:
            parts = [read(CORPORA[corpus], "train", options.lines), read(CORPORA[corpus], options.part)]
        except (DataMissing, FileNotFoundError) as error:
            print(error, file=sys.stderr)
            return 1
        old = found.get(corpus, {}).get("rows", {})
        rows = old | run(corpus, options.systems, *parts)
        words, tested = (sum(map(len, part)) for part in parts)
        about = (
            f"{CORPORA[corpus].title}: {words:,} words to learn from, {tested:,} of its {options.part} part."
        )
        found[corpus] = {"about": about, "rows": {name: rows[name] for name in SYSTEMS if name in rows}}
    found = {corpus: found[corpus] for corpus in CORPORA if corpus in found}
    kept.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")
    head = (
        f"# Chinese words\n\n`python benchmarks/segmentation.py`, structron {version('structron')}, "
        f"{platform.machine()}, one thread, CPU times.\n"
    )
    tables = [table(each["rows"], each["about"]) for each in found.values()]
    options.out.with_suffix(".md").write_text(head + "".join(tables), encoding="utf-8")
    return 0


def run(corpus: str, systems: Sequence[str], train: list[Pairs], test: list[Pairs]) -> dict[str, Any]:
    """Return the rows of these systems; those whose packages are not there are left out."""
    rows = {}
    for name in systems:
        try:
            rows[name] = measure(SYSTEMS[name], train, test)
        except ImportError as error:
            print(f"{corpus}, {name}: left out, {error}", file=sys.stderr)
            continue
        print(corpus, name, json.dumps(rows[name]), flush=True)
    return rows


if __name__ == "__main__":
    sys.exit(main())
