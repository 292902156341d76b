"""Are our scores those of the CoNLL 2018 shared task? `python benchmarks/official_scores.py [NAME]...`

Every treebank of `$STRUCTRON_DATA/ud` and `ud_devtest_only`, or those with one of the names in their path;
dev and test. Heads and relations are changed at random (always to a tree), written by our writer, and scored
by `udtools.udeval`, the shared task's script as it is maintained today, and by
`structron.metrics.attachment`. They must agree to the last digit.

Then the text is cut anew: sentences are joined, tokens split and joined, multiword tokens made and taken
apart, tags and lemmas changed, all at random. Both documents are scored by `structron.metrics.conll18`, row
by row.
"""

from __future__ import annotations

import gzip
import random
import sys
import tempfile
from pathlib import Path

from corpora import folder
from udtools.udeval import UDError, evaluate, load_conllu_file

from structron.io import Format, Sentence, read, tree_of, with_tree, write
from structron.io.values.trees import find_fault
from structron.metrics import attachment
from structron.metrics.conll18 import ROWS, conll18

Arcs = tuple[list[int], list[str]]
KINDS = {"UAS": "uas", "LAS": "las", "CLAS": "clas"}


def shaken(tree: Arcs, labels: list[str], draw: random.Random) -> Arcs:
    """Return the tree with one word in five hung elsewhere, and one relation in five another."""
    heads, relations = list(tree[0]), list(tree[1])
    for word in range(1, len(heads) + 1):
        if heads[word - 1] and draw.random() < 0.2:
            head = draw.randrange(1, len(heads) + 1)
            above = head
            while above not in (0, word):
                above = heads[above - 1]
            if above == 0:  # the new head does not hang on the word itself
                heads[word - 1] = head
        if heads[word - 1] and draw.random() < 0.2:
            relations[word - 1] = draw.choice(labels)
    return heads, relations


def compare(path: Path, scratch: Path) -> str:
    """Return one file: its scores if both agree."""
    sentences: list[Sentence] = list(read(path))
    gold = [tree_of(sentence) for sentence in sentences]
    labels = sorted({label for tree in gold for label in tree.labels} - {"root"})
    draw = random.Random(path.name)
    guess = [shaken(tree, labels, draw) for tree in gold]
    write(sentences, scratch / "gold.conllu")
    write((with_tree(*pair) for pair in zip(sentences, guess)), scratch / "guess.conllu")
    original = gzip.decompress(path.read_bytes())
    kept = "byte for byte" if (scratch / "gold.conllu").read_bytes() == original else "NOT kept"
    ours = attachment(gold, guess)
    official = evaluate(
        load_conllu_file(str(scratch / "gold.conllu")), load_conllu_file(str(scratch / "guess.conllu"))
    )
    said = []
    for name, attribute in KINDS.items():
        mine, theirs = getattr(ours, attribute), official[name].f1
        said.append(f"{name} {100 * mine:.4f}" if mine == theirs else f"{name} {mine!r} IS NOT {theirs!r}")
    return f"{ours.words:7,} words  {'  '.join(said)}  round trip {kept}"


Token = tuple[str, list[list[str]]]  # its text, and the rows of its words


def tokens_of(sentence: Sentence) -> list[Token]:
    """Return the tokens with their words; heads are no longer of use."""
    found: list[Token] = []
    covered = 0
    for row in sentence.rows:
        first, dash, last = row[0].partition("-")
        if dash:
            covered = int(last)
            found.append((row[1], []))
        elif "." not in first and int(first) <= covered:
            found[-1][1].append(list(row))
        elif "." not in first:
            found.append((row[1], [list(row)]))
    return found


def recut(sentences: list[Sentence], draw: random.Random) -> list[Sentence]:
    """Return the text, with one decision in ten about it made differently."""
    tokens = [(token, i == 0) for sentence in sentences for i, token in enumerate(tokens_of(sentence))]
    made: list[list[Token]] = []
    for (text, words), begins in tokens:
        if not made or (begins and draw.random() < 0.9) or draw.random() < 0.01:
            made.append([])
        chance = draw.random()
        if chance < 0.05 and len(text) > 1 and len(words) == 1:
            at = draw.randrange(1, len(text))
            made[-1] += [(text[:at], [[*words[0]]]), (text[at:], [[*words[0]]])]
        elif chance < 0.1:
            made[-1].append((text, [[*words[0]] for _ in range(draw.choice([1, 2]))]))
        elif chance < 0.15 and made[-1] and len(words) == 1:
            before, its_words = made[-1].pop()
            made[-1].append((before + text, [*its_words, *words]))
        else:
            made[-1].append((text, words))
    return [sentence_of(each, draw) for each in made]


def sentence_of(tokens: list[Token], draw: random.Random) -> Sentence:
    """Return tokens as a sentence, with some tags changed, and with heads that form a tree."""
    rows: list[list[str]] = []
    count = sum(len(words) for _, words in tokens)
    number = 0
    for text, words in tokens:
        if len(words) > 1:
            rows.append([f"{number + 1}-{number + len(words)}", text, *["_"] * 8])
        for word in words:
            number += 1
            row = [str(number), text if len(words) == 1 else word[1], *word[2:]]
            for column in (2, 3, 4, 5):
                if draw.random() < 0.05:
                    row[column] = "_"
            rows.append(row)
    inner = [row for row in rows if "-" not in row[0]]
    heads = [min(int(row[6]), count) for row in inner]
    if find_fault(heads) is not None:
        heads = [0, *[1] * (count - 1)]
    for row, head in zip(inner, heads):
        row[6], row[8] = str(head), "_"
    return Sentence(rows, Format("conllu"))


def compare_tables(path: Path, scratch: Path) -> str:
    """Return one file, cut anew: its table if both agree."""
    gold = list(read(path))
    system = recut(gold, random.Random(path.name))
    write(gold, scratch / "gold.conllu")
    write(system, scratch / "guess.conllu")
    official = evaluate(
        load_conllu_file(str(scratch / "gold.conllu")), load_conllu_file(str(scratch / "guess.conllu"))
    )
    ours = conll18(gold, system)
    wrong = []
    for name in ROWS:
        share, theirs = ours[name], official[name]
        mine = (share.precision, share.recall, share.f1, share.aligned_accuracy)
        if mine != (theirs.precision, theirs.recall, theirs.f1, theirs.aligned_accuracy):
            wrong.append(f"{name} IS NOT THE SAME")
    shown = ("Tokens", "Words", "AllTags", "MLAS")
    return "  ".join(wrong or [f"{name} {100 * ours[name].f1:.4f}" for name in shown])


def main() -> int:
    wrong = 0
    with tempfile.TemporaryDirectory() as scratch:
        for path in sorted(folder().glob("ud*/*/*-ud-*.conllu.gz")):
            wanted = not sys.argv[1:] or any(name in str(path) for name in sys.argv[1:])
            if "train" in path.name or not wanted:
                continue
            for check in (compare, compare_tables):
                try:
                    said = check(path, Path(scratch))
                except UDError as error:
                    said = f"refused by the official script: {error}"
                wrong += "NOT" in said
                print(f"{path.name.removesuffix('.conllu.gz'):28} {said}", flush=True)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
