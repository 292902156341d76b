"""Sentences of the phrasebook are many, the same for the same seed, and can be learned."""

from __future__ import annotations

import numpy as np

from structron import Translator
from structron.synthetic import generate_pairs


def test_they_follow_the_seed_and_words_change_places() -> None:
    pairs = generate_pairs(300, np.random.default_rng(0))
    assert (
        pairs
        == generate_pairs(300, np.random.default_rng(0))
        != generate_pairs(300, np.random.default_rng(1))
    )
    assert len(set(pairs)) > 250
    german = [source.split() for source, _ in pairs]
    assert any(words[0] == "heute" and words[1] == "hat" and words[-2].startswith("ge") for words in german)
    assert {"looks for", "last night"} <= {
        phrase for _, target in pairs for phrase in ("looks for", "last night") if phrase in target
    }


def test_a_translator_learns_them() -> None:
    X, y = zip(*generate_pairs(300, np.random.default_rng(0)))
    new = [pair for pair in generate_pairs(60, np.random.default_rng(1)) if pair[0] not in X]
    translator = Translator(epochs=1, search="beam:8").fit(list(X), list(y))
    said = translator.predict([source for source, _ in new])
    assert np.mean([guess == target for guess, (_, target) in zip(said, new)]) > 0.7
