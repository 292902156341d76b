"""How fast the language model answers, on one thread: ``python benchmarks/language_model.py TEXT [ORDER]``.

Estimates a model of the text (one tokenised sentence a line, plain or gzip) and asks it for the words of the
same text in another order of words, so that it must back off as often as a decoder makes it, and in their own
order. Where `kenlm` is installed, the same of it, word by word through its Python module, as a search would
have to ask it.
"""

from __future__ import annotations

import math
import sys
import tempfile
import time
from pathlib import Path

import numpy as np

from structron.alignment.vocabulary import Numbered, Vocabulary
from structron.io.files import streams
from structron.io.formats.arpa import write_arpa
from structron.io.values.ngrams import NGrams
from structron.tasks.translation.language_model.estimation import engine_of, estimate_ngrams

REPEATS = 5


def main(path: str, order: int = 4) -> None:
    """Measure and print."""
    with streams.reading(path) as lines:
        sentences = [line.split() for line in lines]
    vocabulary = Vocabulary.of(sentences)
    text = vocabulary.number(sentences)
    begun = time.process_time()
    ngrams = estimate_ngrams(text, vocabulary, order)
    estimated = time.process_time()
    engine = engine_of(ngrams)
    built = time.process_time()
    print(f"{path}: order {order}, n-grams {ngrams.sizes.tolist()}, {engine.bytes / 1e6:.1f} MB")
    print(f"estimated in {estimated - begun:.2f} CPU s, made ready in {built - estimated:.2f} CPU s")
    shuffled = Numbered(np.random.default_rng(0).permutation(text.words), text.offsets)
    for name, asked in (("as it is", text), ("shuffled", shuffled)):
        begun = time.process_time()
        for _ in range(REPEATS):
            total = engine.sentences(asked.words, asked.offsets).sum()
        seconds = time.process_time() - begun
        queries = len(asked.words) + len(asked)
        speed = REPEATS * queries / seconds / 1e6
        print(f"{name}: {speed:.2f} M queries/s, log-probability {total / queries:.4f} a word")
    ask_kenlm(ngrams, sentences)


def ask_kenlm(ngrams: NGrams, sentences: list[list[str]]) -> None:
    """Measure the speed of KenLM from Python on the text as it is."""
    try:
        import kenlm
    except ImportError:
        print("kenlm is not installed")
        return
    with tempfile.TemporaryDirectory() as folder:
        write_arpa(ngrams, place := Path(folder) / "arpa")
        model = kenlm.Model(str(place))
    state, after = kenlm.State(), kenlm.State()
    begun, total = time.process_time(), 0.0
    for words in sentences:
        model.BeginSentenceWrite(state)
        for word in (*words, "</s>"):
            total += model.BaseScore(state, word, after)
            state, after = after, state
    seconds = time.process_time() - begun
    queries = sum(map(len, sentences)) + len(sentences)
    mean = total * math.log(10) / queries
    print(
        f"kenlm through Python: {queries / seconds / 1e6:.2f} M queries/s, log-probability {mean:.4f} a word"
    )


if __name__ == "__main__":
    main(sys.argv[1], *map(int, sys.argv[2:]))
