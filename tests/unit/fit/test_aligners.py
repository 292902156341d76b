"""Aligners are saved and used on new pairs: they give what learning gave, and files are not trusted."""

from __future__ import annotations

import random

import numpy as np
import pytest

from structron.alignment.aligners import PieceAligner, WordLinker
from structron.alignment.bitext import BitextAligner
from structron.alignment.pairs import Aligner
from structron.errors import ModelError, SettingError
from structron.io.model_file.archive import read_archive, write_archive

WORDS = {word: word.upper() for word in ["a", "b", "c", "d", "e", "f", "g", "h"]}
RNG = random.Random(1)
SOURCES = [[RNG.choice(list(WORDS)) for _ in range(RNG.randint(1, 7))] for _ in range(120)]
TARGETS = [[WORDS[word] for word in source][:: RNG.choice([1, 1, -1])] for source in SOURCES]
PAIRS = [("phone", "F OW N"), ("hen", "HH EH N"), ("pen", "P EH N"), ("one", "W AH N"), ("phen", "F EH N")]
PAIRS = [(x, y.split()) for x, y in PAIRS]


def test_links_of_the_text_that_was_learned_from_are_those_of_learning(tmp_path):
    links, finished = WordLinker.learned(BitextAligner(), SOURCES, TARGETS)
    assert list(links) == list(BitextAligner().align(SOURCES, TARGETS))
    finished.save(tmp_path / "w")
    loaded = WordLinker.load(tmp_path / "w")
    assert list(loaded.align(SOURCES, TARGETS)) == list(links)
    # One sentence by itself is linked as it was among the others.
    for i in range(0, 120, 17):
        assert list(loaded.align([SOURCES[i]], [TARGETS[i]])) == [links[i]]


def test_new_words_go_by_their_place():
    _, finished = WordLinker.learned(BitextAligner(), SOURCES, TARGETS)
    assert list(finished.align([["a", "new", "b"], []], [["A", "NEU", "B"], ["X"]])) == [
        [(0, 0), (1, 1), (2, 2)],
        [],
    ]
    with pytest.raises(SettingError, match="give a target for each source"):
        finished.align([["a"]], [])


def test_pieces_of_the_pairs_that_were_learned_from_are_those_of_learning(tmp_path):
    found, finished = PieceAligner.learned(Aligner(), PAIRS)
    expected = Aligner().align(PAIRS)
    assert [found.pieces(i) for i in range(5)] == [expected.pieces(i) for i in range(5)]
    finished.save(tmp_path / "p")
    loaded = PieceAligner.load(tmp_path / "p")
    again = loaded.align(PAIRS)
    assert [again.pieces(i) for i in range(5)] == [expected.pieces(i) for i in range(5)]
    new = loaded.align([("pone", ["P", "OW", "N"]), ("a", ["b", "c", "d", "e"])])
    assert [t for _, target in new.pieces(0) for t in target] == ["P", "OW", "N"]
    assert new.pieces(1) is None and not new.likelihoods


def test_files_are_not_trusted(tmp_path):
    _, words = WordLinker.learned(BitextAligner(), SOURCES, TARGETS)
    _, pieces = PieceAligner.learned(Aligner(), PAIRS)
    words.save(tmp_path / "w")
    pieces.save(tmp_path / "p")
    for kind, other in ((WordLinker, "p"), (PieceAligner, "w")):
        with pytest.raises(ModelError, match="a model of kind"):
            kind.load(tmp_path / other)
    for kind, name, array, values in [
        (WordLinker, "w", "lexical.0", np.ones(3)),
        (WordLinker, "w", "null.1", np.ones(3)),
        (WordLinker, "w", "jumps.0", np.ones(4)),
        (WordLinker, "w", "jumps.0", np.full(5, np.nan)),
        (WordLinker, "w", "pairs", np.ones(3)),
        (PieceAligner, "p", "weights", np.ones(2)),
    ]:
        header, arrays = read_archive(tmp_path / name)
        write_archive(tmp_path / "bad", header, arrays | {array: values})
        with pytest.raises(ModelError, match="cannot be used"):
            kind.load(tmp_path / "bad")
    header, arrays = read_archive(tmp_path / "w")
    for changed in ({"words": [["a"]]}, {"words": 3}, {"settings": {"null": 2.0}}):
        write_archive(tmp_path / "bad", header | changed, arrays)
        with pytest.raises(ModelError, match="cannot be used"):
            WordLinker.load(tmp_path / "bad")
