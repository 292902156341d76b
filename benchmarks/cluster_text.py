"""The text that words are clustered on: `python benchmarks/cluster_text.py FOLDER`.

Training parts of English corpora of the data folder, one sentence a line, words between blanks; nothing of
a dev or test part. Messages of 20 Newsgroups lose their headers and what they quote, and are split into
words by a segmenter that learns from EWT. `models/make.py` clusters the part of it that is
under free licences, with Wikipedia and books, for the model `en`.
"""

from __future__ import annotations

import gzip
import json
import lzma
import re
import sys
from collections.abc import Iterable, Iterator
from itertools import islice
from pathlib import Path

from corpora import CONLL2000, EWT, folder, rows

from structron import Segmenter
from structron.io import read

GUM = "ud/UD_English-GUM/en_gum-ud-train.conllu.gz"
WNUT = "ner/wnut17/wnut17train.conll.gz"
SAMPLE = "ptb_sample/pos.train.tsv.gz"
BROWN = "pos/brown/brown.train.tsv.gz"
NEWS = "newsgroups/20news-bydate-train.jsonl.xz"
TATOEBA = ("mt/small_parallel_enja/train.en.gz", "mt/tatoeba_zhen/train.en.gz")
LINES = (
    "mt/multi30k/train.lc.norm.tok.en.gz",
    TATOEBA[0],
    "mt/europarl_enes_aligned/train.en.gz",
    TATOEBA[1],
)
_QUOTED = re.compile(r"\s*(?:[>|:}]|[A-Za-z]{1,4}>|In article |.*\bwrites:\s*$)")
_CLITIC = re.compile(r"(.+)('s|'S|'ll|'re|'ve|'d|'m|n't|N'T)")
_PROSE = re.compile(r"[a-z]{2}.*[a-z]{2}")


def sentences() -> Iterator[list[str]]:
    """Yield all of them, corpus by corpus."""
    for name, word in ((EWT("train"), 1), (GUM, 1), (CONLL2000("train"), 0), (SAMPLE, 0), (WNUT, 0)):
        for sentence in rows(folder() / name):
            yield [row[word] for row in sentence]
    with gzip.open(folder() / BROWN, "rt", encoding="utf-8") as lines:
        for line in lines:
            yield [pair.rpartition("/")[0] for pair in line.rstrip("\n").split("\t")[2].split()]
    for name in LINES:
        with gzip.open(folder() / name, "rt", encoding="utf-8") as lines:
            yield from (line.split() for line in lines)
    yield from messages()


def free_sentences(segmenter: Segmenter) -> Iterator[list[str]]:
    """Yield those under free licences, and all of Wikipedia and the books, cut by a segmenter."""
    for name, word in ((EWT("train"), 1), (WNUT, 0)):
        for sentence in rows(folder() / name):
            yield [row[word] for row in sentence]
    for name in TATOEBA:
        with gzip.open(folder() / name, "rt", encoding="utf-8") as lines:
            yield from (line.split() for line in lines)
    for name in ("wikipedia", "books"):
        with lzma.open(folder() / "text" / "en" / f"{name}.txt.xz", "rt", encoding="utf-8") as lines:
            texts = (line.strip() for line in lines if not line.isspace())
            for batch in batched(texts, 2000):
                for found in segmenter.predict(list(batch)):
                    yield from (["".join(word.split()) for word in sentence.words] for sentence in found)


def batched(texts: Iterable[str], size: int) -> Iterator[tuple[str, ...]]:
    """Yield so many texts at a time."""
    left = iter(texts)
    while batch := tuple(islice(left, size)):
        yield batch


def as_in_treebanks(words: list[str]) -> list[str]:
    """Return words with clitics split off, which Brown and others join, and with quotes as in EWT."""
    found: list[str] = []
    for word in words:
        text = "".join(word.split())
        parts = _CLITIC.fullmatch(text)
        found += parts.groups() if parts else ['"' if text in ("``", "''") else text]
    return found


def messages() -> Iterator[list[str]]:
    """Yield the sentences of 20 Newsgroups."""
    train, dev = (list(read(folder() / EWT(part))) for part in ("train", "dev"))
    segmenter = Segmenter(half=True).fit(train, dev=dev)
    with lzma.open(folder() / NEWS, "rt", encoding="utf-8") as lines:
        for line in lines:
            _, _, body = json.loads(line)["text"].partition("\n\n")
            text = "\n".join(row for row in body.split("\n") if not _QUOTED.match(row))
            paragraphs = [p for p in re.split(r"\n\s*\n", text) if _PROSE.search(p)]
            for found in segmenter.predict(paragraphs):
                yield from (sentence.words for sentence in found)


def main() -> None:
    """Write `text.txt` into the folder."""
    if len(sys.argv) != 2:
        sys.exit("cluster_text.py: a folder is missing; say where the text should go")
    place = Path(sys.argv[1])
    place.mkdir(parents=True, exist_ok=True)
    words = count = 0
    with (place / "text.txt").open("w", encoding="utf-8") as file:
        for sentence in filter(None, sentences()):
            print(*as_in_treebanks(sentence), file=file)
            count, words = count + 1, words + len(sentence)
    print(f"{place / 'text.txt'}: {count:,} sentences, {words:,} words")


if __name__ == "__main__":
    main()
