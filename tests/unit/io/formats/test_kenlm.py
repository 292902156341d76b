"""KenLM reads what we write and gives every sentence the score that we give it."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from structron.alignment.vocabulary import Vocabulary
from structron.io.formats.arpa import read_arpa, write_arpa
from structron.tasks.translation.language_model.estimation import estimate_ngrams
from structron.tasks.translation.language_model.word_model import WordModel


def test_sentences_have_the_scores_that_kenlm_gives_them(tmp_path: Path) -> None:
    kenlm = pytest.importorskip("kenlm")
    rng = np.random.default_rng(2)
    text = [rng.choice(list("abcdefgh"), size=rng.integers(1, 9)).tolist() for _ in range(300)]
    vocabulary = Vocabulary.of(text)
    place = tmp_path / "lm.arpa"
    write_arpa(estimate_ngrams(vocabulary.number(text), vocabulary, 3), place)
    theirs, ours = kenlm.Model(str(place)), WordModel(read_arpa(place))
    for words in [*text[:50], list("hgfedcba"), ["a", "never", "b"], []]:
        total, state = 0.0, ours.begin()
        for word in words:
            gain, state = ours.score(state, word)
            total += gain
        total += ours.end(state)
        assert total / np.log(10) == pytest.approx(theirs.score(" ".join(words)), abs=1e-4)
