"""A chain whose labels hide where they stand: each is there twice in a cycle, and what follows differs."""

from __future__ import annotations

from functools import cache

import numpy as np

from structron.synthetic.hmm import HiddenMarkov

CYCLE = "ABCACB"  # after each label come two others, equally often
GOES_ON = 0.9  # otherwise a place of the cycle by chance
CLEAR = 0.6  # the word names the label, otherwise a label by chance
LENGTH = 12
SIZES = {"train": 1000, "dev": 300, "test": 1000}

Part = tuple[list[list[str]], list[list[str]]]


def chain() -> HiddenMarkov:
    """Return the chain; its states are the places of the cycle."""
    places, labels = len(CYCLE), sorted(set(CYCLE))
    transition = np.full((places, places), (1 - GOES_ON) / places)
    emission = np.full((places, len(labels)), (1 - CLEAR) / len(labels))
    for place, label in enumerate(CYCLE):
        transition[place, (place + 1) % places] += GOES_ON
        emission[place, labels.index(label)] += CLEAR
    return HiddenMarkov(np.full(places, 1 / places), transition, emission)


@cache
def draw(quick: bool = False) -> dict[str, Part]:
    """Return three parts: words in lower case, the labels behind them in upper case."""
    rng = np.random.default_rng(2009)
    parts = {}
    for part, size in SIZES.items():
        words, places = chain().sample(size // 5 if quick else size, LENGTH, rng=rng)
        parts[part] = (
            [["abc"[word] for word in row] for row in words.tolist()],
            [[CYCLE[place] for place in row] for row in places.tolist()],
        )
    return parts


def ceiling(part: Part) -> float:
    """Return the accuracy, in per cent, of the most probable labels, with the chain known."""
    words, labels = part
    names = sorted(set(CYCLE))
    posterior = chain().posterior(np.array([["abc".index(word) for word in row] for row in words]))
    by_label = np.stack([posterior[..., [c == name for c in CYCLE]].sum(axis=-1) for name in names], axis=-1)
    guess = np.array(names)[by_label.argmax(axis=-1)]
    return float(100 * (guess == np.array(labels)).mean())
