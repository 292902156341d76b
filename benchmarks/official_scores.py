"""Are our attachment scores those of the CoNLL 2018 shared task? `python benchmarks/official_scores.py`

Every treebank of `$STRUCTRON_DATA/ud` and `ud_devtest_only`, dev and test: heads and relations are changed at
random (always to a tree), written by our writer, and scored by `udtools.udeval`, the shared task's script as
it is maintained today, and by `structron.metrics.attachment`. They must agree to the last digit.
"""

from __future__ import annotations

import gzip
import random
import sys
import tempfile
from pathlib import Path

from corpora import folder
from udtools.udeval import UDError, evaluate, load_conllu_file

from structron.data import Sentence, read, tree_of, with_tree, write
from structron.metrics import attachment

Arcs = tuple[list[int], list[str]]
KINDS = {"UAS": "uas", "LAS": "las", "CLAS": "clas"}


def shaken(tree: Arcs, labels: list[str], draw: random.Random) -> Arcs:
    """The tree with one word in five hung elsewhere, and one relation in five another."""
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
    """One file: its scores if both agree."""
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


def main() -> int:
    wrong = 0
    with tempfile.TemporaryDirectory() as scratch:
        for path in sorted(folder().glob("ud*/*/*-ud-*.conllu.gz")):
            if "train" in path.name:
                continue
            try:
                said = compare(path, Path(scratch))
            except UDError as error:
                said = f"refused by the official script: {error}"
            wrong += "NOT" in said
            print(f"{path.name.removesuffix('.conllu.gz'):28} {said}", flush=True)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
