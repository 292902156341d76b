"""The demo's act on pronunciation: words and their sounds, with nothing between them given."""

from __future__ import annotations

from pathlib import Path

import click
import numpy as np

from structron.io import Pair, write_pairs
from structron.metrics import error_rate
from structron.synthetic import generate_spellings
from structron.tasks.transduction import Transducer
from structron.tasks.transduction.showing import page

WORD = "knighting"


def invent(folder: Path, count: int, seed: int) -> tuple[list[Pair], list[Pair]]:
    """Write and return so many words to learn from, and a quarter as many to try."""
    words = generate_spellings(count + count // 4, np.random.default_rng(seed))
    train, test = words[:count], words[count:]
    write_pairs(train, folder / "words-train.tsv")
    write_pairs(test, folder / "words-test.tsv")
    return train, test


def pronunciation(folder: Path, count: int, epochs: int, seed: int) -> None:
    """Invent words, learn to pronounce most of them, try the rest, and show one derivation."""
    train, test = invent(folder, count, seed)
    transducer = Transducer(epochs=epochs, seed=seed).fit(train)
    transducer.save(folder / "words.safetensors")
    rate = error_rate(
        [[target.split() for target in pair.targets] for pair in test],
        [str(output).split() for output in transducer.predict(test)],
    )
    click.echo(
        f"{len(train):,} invented words with their sounds: {train[0].source} is {train[0].targets[0]}. "
        "Nobody says which letters\nmake which sounds: an aligner finds "
        f"{transducer.pairs_} pieces, and every derivation that yields the sounds is gold."
    )
    click.echo(
        f"Of {rate.words:,} new words {100 * rate.word_error_rate:.1f} % are pronounced wrongly, "
        f"and {100 * rate.symbol_error_rate:.1f} % of all sounds."
    )
    click.echo("")
    for line in page(transducer, WORD, ["N AY T IH NG"], steps=False):
        click.echo(line)
