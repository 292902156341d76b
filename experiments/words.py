"""Words to be rewritten: the lexicons of the experiments, and training runs of transducers on them."""

from __future__ import annotations

import hashlib
import time
from dataclasses import asdict, dataclass
from functools import cache
from importlib.metadata import version
from typing import Any

import numpy as np
from corpora import find
from record import machine

from structron import Transducer
from structron.io import Pair, gather, read_pairs
from structron.metrics import error_rate
from structron.synthetic import generate_spellings

SCRIPTS = ("arabic", "chinese", "hebrew", "japanese", "katakana", "korean", "russian")
LANGUAGES = {
    "ady": "Adyghe",
    "arm": "Armenian",
    "bul": "Bulgarian",
    "dut": "Dutch",
    "fre": "French",
    "geo": "Georgian",
    "gre": "Greek",
    "hin": "Hindi",
    "hun": "Hungarian",
    "ice": "Icelandic",
    "jpn": "Japanese (hiragana)",
    "kor": "Korean",
    "lit": "Lithuanian",
    "rum": "Romanian",
    "vie": "Vietnamese",
}
QUICK_WORDS = 400
# CMUdict's split has no dev part: every so-many-th training word is held out.
HOLD_OUT = 20


@dataclass(frozen=True)
class Lexicon:
    """Three parts, each a list of sources with all their targets."""

    train: list[Pair]
    dev: list[Pair]
    test: list[Pair]


@cache
def load_words(name: str, quick: bool = False) -> Lexicon:
    """Read a lexicon; `quick` takes a few hundred words of each part."""
    kind, _, which = name.partition(":")
    if kind == "cmudict":
        train = _read("g2p/cmudict_g014b2b/train.tsv.gz")
        parts = [
            [pair for i, pair in enumerate(train) if i % HOLD_OUT],
            train[::HOLD_OUT],
            _read("g2p/cmudict_g014b2b/test.tsv.gz"),
        ]
    elif kind == "sigmorphon2020":
        parts = [_read(f"g2p/sigmorphon2020/{which}_{part}.tsv.gz") for part in ("train", "dev", "test")]
    elif kind == "transliteration":
        parts = [_read(f"transliteration/wd_{which}.{part}.tsv.gz") for part in ("train", "dev", "test")]
    else:
        words = generate_spellings(700, np.random.default_rng(0))
        parts = [words[:500], words[500:600], words[600:]]
    return Lexicon(*(some(part, QUICK_WORDS if quick else 0) for part in parts))


def some(pairs: list[Pair], count: int) -> list[Pair]:
    """Return so many of them, evenly spread since files are in alphabetical order; 0 for all."""
    if not count or count >= len(pairs):
        return pairs
    return [pairs[i * len(pairs) // count] for i in range(count)]


def _read(name: str) -> list[Pair]:
    return gather(read_pairs(find(name)))


@cache
def words_checksum(name: str, quick: bool) -> str:
    """Return twelve hex digits of all parts of a lexicon."""
    digest = hashlib.sha256()
    lexicon = load_words(name, quick)
    for part in (lexicon.train, lexicon.dev, lexicon.test):
        for pair in part:
            digest.update(repr((pair.source, pair.targets)).encode("utf-8"))
    return digest.hexdigest()[:12]


@dataclass(frozen=True)
class WordRun:
    """One training run of a transducer: everything that decides its numbers, but for the data themselves.

    Attributes
    ----------
    words, dev_words
        How many training words and dev words, 0 for all.
    whole
        Train on the dev part as well, for a fixed number of epochs; there is no dev score then.
    test
        Whether the test part is looked at.
    """

    corpus: str
    search: str
    update: str
    learner: str
    epochs: int
    seed: int = 0
    templates: str = "joint"
    words: int = 0
    dev_words: int = 0
    whole: bool = False
    test: bool = True
    longest_source: int = 2
    longest_target: int = 2
    least: int = 1
    anew: int = 0
    combine: str = "none"
    source_symbols: str = "characters"
    target_symbols: str = "blanks"
    quick: bool = False

    def transducer(self) -> Transducer:
        """Return it with every setting named, so that these numbers stay when a default changes."""
        return Transducer(
            templates=self.templates,
            search=self.search,
            update=self.update,
            learner=self.learner,
            epochs=self.epochs,
            seed=self.seed,
            shuffle=True,
            longest_source=self.longest_source,
            longest_target=self.longest_target,
            deletions=True,
            both=False,
            maximise="joint",
            min_count=self.least,
            restart_every=self.anew,
            unreachable="skip",
            combine=self.combine,
            direction="forward",
            source_symbols=self.source_symbols,
            target_symbols=self.target_symbols,
            cut=0,
            bits=0,
            min_weight=0.0,
            skip_correct=False,
        )

    def checksum(self) -> str:
        """Return the checksum of its lexicon; `DataMissing` if that is not there."""
        return words_checksum(self.corpus, self.quick)

    def line(self, entry: dict[str, Any]) -> str:
        """Return what came out, in short."""
        dev = f"dev WER {entry['dev_wer'][entry['best_epoch'] - 1]:.2f}, " if entry["dev_wer"] else ""
        test = f"test WER {entry['test_wer']:.2f}, PER {entry['test_per']:.2f}, " if self.test else ""
        return (
            f"{self.corpus} {self.update} {self.search} seed {self.seed}: {dev}{test}"
            f"epoch {entry['best_epoch']}, {entry['cpu_with_dev']:.1f} CPU s"
        )

    def measure(self) -> dict[str, Any]:
        """Train, keep the epoch that is best on the dev part (or the last), and score that on the test part.

        `dev_wer`, `updates`, `invalid`, `errors` and `cpu` have one entry an epoch; `cpu` is learning alone.
        """
        lexicon = load_words(self.corpus, self.quick)
        transducer = self.transducer()
        train = some(lexicon.train, self.words)
        started = time.process_time()
        if self.whole:
            transducer.fit(train + lexicon.dev)
        else:
            transducer.fit(train, dev=some(lexicon.dev, self.dev_words))
        spent = time.process_time() - started
        history = transducer.history_
        dev = [] if self.whole else [round(100 * (1 - (epoch.dev_score or 0.0)), 4) for epoch in history]
        best = dev.index(min(dev)) if dev else len(history) - 1
        entry = {
            "run": asdict(self),
            "signature": {
                "recipe": transducer.recipe.hash(),
                "data": self.checksum(),
                "seed": self.seed,
                "version": version("structron"),
                "machine": machine(),
            },
            "train_words": len(train) + (len(lexicon.dev) if self.whole else 0),
            "pieces": transducer.pairs_,
            "unreachable": transducer.unreachable_,
            "best_epoch": best + 1,
            "cpu_to_best": round(sum(epoch.cpu_seconds for epoch in history[: best + 1]), 3),
            "cpu_with_dev": round(spent, 3),
            "dev_wer": dev,
            "errors": [epoch.errors for epoch in history],
            "updates": [epoch.updates for epoch in history],
            "invalid": [epoch.invalid for epoch in history],
            "cpu": [round(epoch.cpu_seconds, 3) for epoch in history],
        }
        return entry | (scores(transducer, lexicon.test) if self.test else {})


def scores(transducer: Transducer, test: list[Pair]) -> dict[str, Any]:
    """Return word and symbol error rates, and how fast the words came."""
    notation = transducer.script_.notation
    started = time.process_time()
    outputs = transducer.predict(test)
    spent = time.process_time() - started
    rate = error_rate(
        [[notation.symbols_of_target(target) for target in pair.targets] for pair in test],
        [notation.symbols_of_target(str(output)) for output in outputs],
    )
    return {
        "test_words": len(test),
        "test_wer": round(100 * rate.word_error_rate, 4),
        "test_per": round(100 * rate.symbol_error_rate, 4),
        "words_per_second": round(len(test) / spent),
    }
